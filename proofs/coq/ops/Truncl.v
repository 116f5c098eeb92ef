(** Read this to believe a theorem, up to the section on lowering. *)
(** * [truncl k]: drops the first [k] slices

    They must be padding. *)

From ATL Require Import ops.Lawful.

Definition truncl_shape : list idx -> list idx -> list idx := first k n r => Sub n k :: r.

Definition truncl_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], n :: _, x :: r => (true, x + k :: r)
  | _, _, _ => (false, [])
  end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition truncl_nshape : list Z -> list Z -> list Z := first k n r => n - k :: r.

Definition truncl_push (args sh : list idx) : list idx -> list idx :=
  (first k i r => Sub i k :: r) args.

Definition truncl_npush (args ds : list Z) : list Z -> list Z := (first k i r => i - k :: r) args.

Definition truncl_req (args ds : list Z) : Prop :=
  match args, ds with [k], _ :: _ => 0 <= k | _, _ => False end.

Definition truncl_cut (args ds ys : list Z) : Prop :=
  match args, ys with
  | [k], y :: _ => y < k
  | _, _ => False
  end.

Definition truncl : reshape.
Proof.
  refine {|
    rname := "truncl";
    rshape := truncl_shape;
    npull := truncl_pull;
    nshape := truncl_nshape;
    rpush := truncl_push;
    npush := truncl_npush;
    rreq := truncl_req;
    rcut := Some truncl_cut;
    rover := false
  |};
  unfold truncl_shape, truncl_nshape, truncl_pull, truncl_push, truncl_npush, truncl_req,
      truncl_cut;
  abstract linear_laws.
Defined.
