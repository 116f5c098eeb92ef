(** Read this to believe a theorem, up to the section on lowering. *)
(** * [truncr k]: drops the last [k] slices

    They must be padding. *)

From ATL Require Import ops.Lawful.

Definition truncr_shape : list idx -> list idx -> list idx := first k n r => Sub n k :: r.

Definition truncr_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], n :: _, x :: r => (true, x :: r)
  | _, _, _ => (false, [])
  end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition truncr_nshape : list Z -> list Z -> list Z := first k n r => n - k :: r.
Definition truncr_push (args sh : list idx) : list idx -> list idx := (first k i r => i :: r) args.
Definition truncr_npush (args ds : list Z) : list Z -> list Z := (first k i r => i :: r) args.

Definition truncr_req (args ds : list Z) : Prop :=
  match args, ds with [k], _ :: _ => 0 <= k | _, _ => False end.

Definition truncr_cut (args ds ys : list Z) : Prop :=
  match args, ds, ys with
  | [k], n :: _, y :: _ => n - k <= y
  | _, _, _ => False
  end.

Definition truncr : reshape.
Proof.
  refine {|
    rname := "truncr";
    rshape := truncr_shape;
    npull := truncr_pull;
    nshape := truncr_nshape;
    rpush := truncr_push;
    npush := truncr_npush;
    rreq := truncr_req;
    rcut := Some truncr_cut;
    rover := false
  |};
  unfold truncr_shape, truncr_nshape, truncr_pull, truncr_push, truncr_npush, truncr_req,
      truncr_cut;
  abstract linear_laws.
Defined.
