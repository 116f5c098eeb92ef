(** Read this to believe a theorem, up to the section on lowering. *)
(** * [transpose]: the first two dimensions are exchanged *)

From ATL Require Import ops.Lawful.

Definition exchanged {A} (l : list A) : list A :=
  match l with a :: b :: r => b :: a :: r | _ => [] end.

Definition transpose_shape (args sh : list idx) : list idx := exchanged sh.

Definition transpose_pull (args ds xs : list Z) : bool * list Z := (true, exchanged xs).

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition transpose_req (args ds : list Z) : Prop :=
  match ds with _ :: _ :: _ => True | _ => False end.

Definition transpose : reshape.
Proof.
  refine {|
    rname := "transpose";
    rshape := transpose_shape;
    npull := transpose_pull;
    nshape := fun _ ds => exchanged ds;
    rpush := fun _ _ l => exchanged l;
    npush := fun _ _ ys => exchanged ys;
    rreq := transpose_req;
    rcut := None;
    rover := false
  |};
  unfold transpose_shape, exchanged, transpose_pull, transpose_req.
  - (* shape_evaluates *)
    abstract law.
  - (* push_evaluates *)
    abstract law.
  - (* push_defined *)
    abstract (law; rewrite !andb_true_iff in *; tauto).
  - (* push_inside *)
    abstract (law; left; tauto).
  - (* pull_push *)
    abstract law.
  - (* push_pull *)
    abstract (law; tauto).
  - (* push_rows *)
    abstract easy.
Defined.
