(** Read this to believe a theorem, up to the section on lowering. *)
(** * [split k]: the first dimension is cut into rows of [k]

    The last row is padded. *)

From ATL Require Import ops.Lawful.

Definition split_shape : list idx -> list idx -> list idx := first k n r => Cdiv n k :: k :: r.

Definition split_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], n :: _, x :: y :: r => (x * k + y <? n, x * k + y :: r)
  | _, _, _ => (false, [])
  end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition split_nshape : list Z -> list Z -> list Z := first k n r => cdiv n k :: k :: r.

Definition split_push (args sh : list idx) : list idx -> list idx :=
  (first k i r => Div i k :: Mod i k :: r) args.

Definition split_npush (args ds : list Z) : list Z -> list Z :=
  (first k i r => i / k :: i mod k :: r) args.

Definition split_req (args ds : list Z) : Prop :=
  match args, ds with [k], _ :: _ => 0 < k | _, _ => False end.

Lemma split_row n k y : 0 < k -> 0 <= y < n -> 0 <= y / k < (n + k - 1) / k.
Proof.
  intros Hk Hy.
  pose proof (cdiv_bounds n k Hk).
  pose proof (div_bounds y k Hk).
  unfold cdiv in *.
  nia.
Qed.

Definition split : reshape.
Proof.
  refine {|
    rname := "split";
    rshape := split_shape;
    npull := split_pull;
    nshape := split_nshape;
    rpush := split_push;
    npush := split_npush;
    rreq := split_req;
    rcut := None;
    rover := false
  |};
  unfold split_shape, split_nshape, split_pull, split_push, split_npush, split_req.
  - (* shape_evaluates *)
    abstract law.
  - (* push_evaluates *)
    abstract law.
  - (* push_defined *)
    abstract (law; rewrite !andb_true_iff in *; rewrite !Z.ltb_lt; tauto).
  - (* push_inside *)
    abstract (law; left; split;
      [apply split_row; lia | split; [apply Z.mod_pos_bound; lia | trivial]]).
  - (* pull_push *)
    abstract (law; rewrite row_again by lia; f_equal; apply Z.ltb_lt; lia).
  - (* push_pull *)
    abstract (law;
      match goal with H : (_ <? _) = true |- _ => apply Z.ltb_lt in H end;
      split; [split; trivial; nia|]; now rewrite row_div, row_mod by lia).
  - (* push_rows *)
    abstract easy.
Defined.
