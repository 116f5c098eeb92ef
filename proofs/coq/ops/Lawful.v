(** * How the laws of an operator are proved

    An operator's file defines its fields and then proves its laws, with these tactics. [law] is
    enough where a law holds by computation; [linear_laws] proves all laws of an operator that
    adds to the first index, or leaves it. *)

From ATL Require Export syntax.BoxFacts ops.Reshape.

(** Opens the lists of a law, as far as they are looked at; what is left is arithmetic. *)
Ltac law_open l := is_var l; destruct l; cbn in *; try easy.

Ltac law :=
  unfold zdefs, evs, cdiv in *; cbn; intros; try discriminate; cbn in *; trivial;
  repeat match goal with
         | H : (_, _) = (_, _) |- _ => injection H as; subst
         | H : _ /\ _ |- _ => destruct H
         | H : context [match ?l with [] => _ | _ => _ end] |- _ => law_open l
         | H : context [match map _ ?l with [] => _ | _ => _ end] |- _ => law_open l
         | |- context [match ?l with [] => _ | _ => _ end] => law_open l
         end;
  cbn in *; trivial.

(** All laws of an operator that adds to the first index, or leaves it. *)
Ltac linear_laws :=
  law; rewrite ?andb_true_iff in *; try tauto;
  match goal with
  | |- _ \/ ?a <= ?b => destruct (Z_le_gt_dec a b); [right | left]; intuition lia
  | |- _ \/ ?a < ?b => destruct (Z_lt_le_dec a b); [right | left]; intuition lia
  | |- _ \/ False => left; intuition lia
  | |- (_, _) = (true, _) => repeat (f_equal; try lia)
  | |- _ /\ _ => split; [split; trivial; lia | f_equal; lia]
  end.
