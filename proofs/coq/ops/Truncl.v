(** * [truncl k]: drops the first [k] slices, which must be padding *)

From ATL Require Import Index Box ops.Reshape.

Definition truncl_shape (args sh : list idx) : list idx := match args, sh with [k], n :: r => Sub n k :: r
  | _, _ => [] end.
Definition truncl_nshape (args ds : list Z) : list Z := match args, ds with [k], n :: r => n - k :: r | _,
  _ => [] end.
Definition truncl_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with [k], n :: _, x :: r => (true, x + k :: r) | _, _, _ => (false, []) end.
Definition truncl_push (args sh l : list idx) : list idx := match args, l with [k], i :: r => Sub i k :: r
  | _, _ => [] end.
Definition truncl_npush (args ds ys : list Z) : list Z := match args, ys with [k], i :: r => i - k :: r | _,
  _ => [] end.
Definition truncl_req (args ds : list Z) : Prop := match args, ds with [k], _ :: _ => 0 <= k | _,
  _ => False end.
Definition truncl_cut (args ds ys : list Z) : Prop := match args, ys with [k], y :: _ => y < k | _,
  _ => False end.

Definition truncl : reshape.
Proof.
  refine {| rname := "truncl"; rshape := truncl_shape; nshape := truncl_nshape; npull := truncl_pull;
            rpush := truncl_push; npush := truncl_npush; rreq := truncl_req;
            rover := false; rcut := Some truncl_cut |};
    unfold truncl_shape, truncl_nshape, truncl_pull, truncl_push, truncl_npush, truncl_req, truncl_cut.
  - abstract law.
  - abstract law.
  - abstract (law; rewrite ?andb_true_iff in *; tauto).
  - abstract (law; match goal with |- context [0 <= ?y - ?k < _] => destruct (Z_lt_le_dec y k);
      [right | left]; intuition lia end).
  - abstract (law; try (f_equal; [lia|]); repeat (f_equal; try lia)).
  - abstract (law; split; [split; trivial; lia | f_equal; lia]).
Defined.
