(** * What the main theorems assume: nothing

    The output is compared with [assumptions.expect] by [scripts/coq]. *)

From ATL Require Correct Compile Sums SumsInOrder PadTypes.
From ATL Require demos.Matmul demos.Blur demos.Sgemm demos.TensorAdd demos.Reduce demos.Versions
  demos.Racy demos.Wide.

Print Assumptions Correct.lower_performs.
Print Assumptions Compile.compile_correct.
Print Assumptions Sums.value_reindexed.
Print Assumptions Sums.value_partial.
Print Assumptions Sums.value_one_term.
Print Assumptions SumsInOrder.total_in_order.
Print Assumptions PadTypes.padty_sound.
Print Assumptions PadTypes.truncr_demand.
Print Assumptions PadTypes.truncl_demand.
Print Assumptions demos.Matmul.matmul_correct.
Print Assumptions demos.Blur.blur_correct.
Print Assumptions demos.Sgemm.sgemm_correct.
Print Assumptions demos.TensorAdd.add_correct.
Print Assumptions demos.Reduce.reduce_correct.
Print Assumptions demos.Versions.versions_correct.
Print Assumptions demos.Racy.racy_is_not_compiled.
Print Assumptions demos.Wide.wide_is_not_compiled.
