(** * What a reshape operator is

    To be read by a sceptic, up to the laws.  The twin of [atl/ops/reshape_op.h]: the shape of the result,
    where a cell of the result comes from ([npull]: inside or padding, and the operand's cell), and where a
    cell of the operand goes ([rpush], symbolically, what lowering composes; [npush] is what it does to
    numbers).  The laws are fields, so that an operator is correct by construction: one file each, and the
    theorems hold for whatever operators a program uses. *)

From ATL Require Import Index Box.

Record reshape := {
  rname : string;
  rshape : list idx -> list idx -> list idx;         (** arguments, operand's shape *)
  nshape : list Z -> list Z -> list Z;
  npull : list Z -> list Z -> list Z -> bool * list Z;
  rpush : list idx -> list idx -> list idx -> list idx;
  npush : list Z -> list Z -> list Z -> list Z;
  rreq : list Z -> list Z -> Prop;                   (** what must hold for it to be applied *)
  rcut : option (list Z -> list Z -> list Z -> Prop); (** the operand's cells that a truncation drops *)
  rover : bool;
                                         (** whether cells of the operand may lie over each other *)

  shape_evaluates : forall v args sh, evs v (rshape args sh) = nshape (evs v args) (evs v sh);
  push_evaluates : forall v args sh l, evs v (rpush args sh l) = npush (evs v args) (evs v sh) (evs v l);
  push_defined : forall v args sh l,
    rreq (evs v args) (evs v sh) -> zdefs v args = true -> zdefs v sh = true -> zdefs v l = true ->
    zdefs v (rpush args sh l) = true;
  push_inside : forall args ds ys, rreq args ds -> inbox ds ys ->
    inbox (nshape args ds) (npush args ds ys) \/ match rcut with Some cut => cut args ds ys | None =>
      False end;
  pull_push : forall args ds ys, rover = false -> rreq args ds -> inbox ds ys ->
    inbox (nshape args ds) (npush args ds ys) ->
    npull args ds (npush args ds ys) = (true, ys);
  push_pull : forall args ds xs ys, rreq args ds -> inbox (nshape args ds) xs ->
    npull args ds xs = (true, ys) -> inbox ds ys /\ npush args ds ys = xs
}.

(** ** Arithmetic of rows *)

Lemma row_div i j m : 0 <= j < m -> (i * m + j) / m = i.
Proof. intros. rewrite Z.div_add_l by lia. rewrite Z.div_small by lia. lia. Qed.
Lemma row_mod i j m : 0 <= j < m -> (i * m + j) mod m = j.
Proof. intros. rewrite Z.add_comm, Z.mod_add by lia. now apply Z.mod_small. Qed.
Lemma row_again x m : 0 < m -> x / m * m + x mod m = x. Proof. intros. pose proof (Z.div_mod x m). lia. Qed.

Lemma div_bounds x m : 0 < m -> x / m * m <= x < x / m * m + m.
Proof. intros Hm. pose proof (Z.div_mod x m). pose proof (Z.mod_pos_bound x m). lia. Qed.
Lemma cdiv_bounds n m : 0 < m -> n <= cdiv n m * m < n + m.
Proof. intros Hm. unfold cdiv. pose proof (div_bounds (n + m - 1) m Hm). lia. Qed.

(** What an operator with one argument does to a shape or to indices: [n] is the first, [r] are the others. *)
Notation "'first' k n r => l" := (fun args sh => match args, sh with [k], n :: r => l | _, _ => [] end)
  (at level 200, k name, n name, r name, l at level 200, only parsing).

(** Opens the lists of a law, as far as they are looked at; what is left is arithmetic. *)
Ltac law_open l := is_var l; destruct l; cbn in *; try easy.
Ltac law :=
  unfold zdefs, evs, cdiv in *; cbn; intros; cbn in *; trivial;
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
