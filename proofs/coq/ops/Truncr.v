(** * [truncr k]: drops the last [k] slices, which must be padding *)

From ATL Require Import Index Box ops.Reshape.

Definition truncr_shape (args sh : list idx) : list idx := match args, sh with [k], n :: r => Sub n k :: r
  | _, _ => [] end.
Definition truncr_nshape (args ds : list Z) : list Z := match args, ds with [k], n :: r => n - k :: r | _,
  _ => [] end.
Definition truncr_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with [k], n :: _, x :: r => (true, x :: r) | _, _, _ => (false, []) end.
Definition truncr_push (args sh l : list idx) : list idx := match args, l with [k], i :: r => i :: r | _,
  _ => [] end.
Definition truncr_npush (args ds ys : list Z) : list Z := match args, ys with [k], i :: r => i :: r | _,
  _ => [] end.
Definition truncr_req (args ds : list Z) : Prop := match args, ds with [k], _ :: _ => 0 <= k | _,
  _ => False end.
Definition truncr_cut (args ds ys : list Z) : Prop := match args, ds, ys with [k], n :: _, y :: _ =>
  n - k <= y | _, _, _ => False end.

Definition truncr : reshape.
Proof.
  refine {| rname := "truncr"; rshape := truncr_shape; nshape := truncr_nshape; npull := truncr_pull;
            rpush := truncr_push; npush := truncr_npush; rreq := truncr_req;
            rover := false; rcut := Some truncr_cut |};
    unfold truncr_shape, truncr_nshape, truncr_pull, truncr_push, truncr_npush, truncr_req, truncr_cut.
  - abstract law.
  - abstract law.
  - abstract (law; rewrite ?andb_true_iff in *; tauto).
  - abstract (law; match goal with |- context [0 <= ?y < ?n - ?k] => destruct (Z_lt_le_dec y (n - k));
      [left | right]; intuition lia end).
  - abstract (law; try (f_equal; [lia|]); repeat (f_equal; try lia)).
  - abstract (law; split; [split; trivial; lia | f_equal; lia]).
Defined.
