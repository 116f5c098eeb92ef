(** * [padl k]: adds [k] slices of padding at the front *)

From ATL Require Import Index Box ops.Reshape.

Definition padl_shape (args sh : list idx) : list idx := match args, sh with [k], n :: r => Add n k :: r | _,
  _ => [] end.
Definition padl_nshape (args ds : list Z) : list Z := match args, ds with [k], n :: r => n + k :: r | _,
  _ => [] end.
Definition padl_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with [k], n :: _, x :: r => (k <=? x, x - k :: r) | _, _, _ => (false, []) end.
Definition padl_push (args sh l : list idx) : list idx := match args, l with [k], i :: r => Add i k :: r | _,
  _ => [] end.
Definition padl_npush (args ds ys : list Z) : list Z := match args, ys with [k], i :: r => i + k :: r | _,
  _ => [] end.
Definition padl_req (args ds : list Z) : Prop := match args, ds with [k], _ :: _ => 0 <= k | _,
  _ => False end.

Definition padl : reshape.
Proof.
  refine {| rname := "padl"; rshape := padl_shape; nshape := padl_nshape; npull := padl_pull;
            rpush := padl_push; npush := padl_npush; rreq := padl_req;
            rover := false; rcut := None |};
    unfold padl_shape, padl_nshape, padl_pull, padl_push, padl_npush, padl_req.
  - abstract law.
  - abstract law.
  - abstract (law; rewrite ?andb_true_iff in *; tauto).
  - abstract (law; left; intuition lia).
  - abstract (law; try (f_equal; [lia|]); repeat (f_equal; try lia)).
  - abstract (law; split; [split; trivial; lia | f_equal; lia]).
Defined.
