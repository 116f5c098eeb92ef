(** * What the main theorems assume: nothing

    The output is compared with [assumptions.expect] by [scripts/coq]. *)

From ATL Require Correct.

Print Assumptions Correct.lower_performs.
Print Assumptions Correct.program_correct.
