(** Read this to believe a theorem, up to the section on lowering. *)
(** * [padl k]: adds [k] slices of padding at the front *)

From ATL Require Import ops.Lawful.

Definition padl_shape : list idx -> list idx -> list idx := first k n r => Add n k :: r.

Definition padl_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], n :: _, x :: r => (k <=? x, x - k :: r)
  | _, _, _ => (false, [])
  end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition padl_nshape : list Z -> list Z -> list Z := first k n r => n + k :: r.

Definition padl_push (args sh : list idx) : list idx -> list idx :=
  (first k i r => Add i k :: r) args.

Definition padl_npush (args ds : list Z) : list Z -> list Z := (first k i r => i + k :: r) args.

Definition padl_req (args ds : list Z) : Prop :=
  match args, ds with [k], _ :: _ => 0 <= k | _, _ => False end.

Definition padl : reshape.
Proof.
  refine {|
    rname := "padl";
    rshape := padl_shape;
    npull := padl_pull;
    nshape := padl_nshape;
    rpush := padl_push;
    npush := padl_npush;
    rreq := padl_req;
    rcut := None;
    rover := false
  |};
  unfold padl_shape, padl_nshape, padl_pull, padl_push, padl_npush, padl_req;
  abstract linear_laws.
Defined.
