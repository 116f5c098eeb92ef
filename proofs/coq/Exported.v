(** * Tactics of exported files

    What the proofs of programs need on top of [Tactics] and hand-written proofs do not: cells that nothing was written to,
    and reductions that a schedule has split, whose terms come in the same order. *)

From ATL Require Export Tactics.

(** A reduction over [n] terms against one over rows of [c] terms, the last row perhaps not whole. *)
Ltac rows_of_terms :=
  match goal with
  | |- total ?f 0 _ (fun o => total ?f 0 ?c _) = total ?f 0 ?n ?g => rewrite (total_split f n c g) by arith
  | |- total ?f 0 ?n ?g = total ?f 0 _ (fun o => total ?f 0 ?c _) => rewrite (total_split f n c g) by arith
  end; unfold cdiv.

Ltac exported_step :=
  first
    [ equal_step
    | match goal with |- context [value (Some ?c) []] => change (value (Some c) []) with (op c []) end
    | match goal with |- [] = total _ _ _ _ => symmetry end
    | match goal with |- total ?f ?lo ?hi _ = [] => apply total_empty; intros end
    | rows_of_terms ].

(** The two sides are the same expression up to index arithmetic, unwritten cells and the rows of reductions. *)
Ltac exported_same := unfolded; repeat exported_step.
