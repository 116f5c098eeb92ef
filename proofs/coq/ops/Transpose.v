(** Read this to believe a theorem, up to the section on lowering. *)
(** * [transpose]: the first two dimensions are exchanged *)

From ATL Require Import ops.Lawful.

Definition exchanged {A} (l : list A) : list A :=
  match l with a :: b :: r => b :: a :: r | _ => [] end.

Definition transpose_pull (args ds xs : list Z) : bool * list Z := (true, exchanged xs).

(** ** Lowering, and the laws *)

Definition transpose_req (args ds : list Z) : Prop :=
  match ds with _ :: _ :: _ => True | _ => False end.

Definition transpose : reshape.
Proof.
  refine {| rname := "transpose"; rshape := fun _ sh => exchanged sh;
    nshape := fun _ ds => exchanged ds;
            npull := transpose_pull; rpush := fun _ _ l => exchanged l;
              npush := fun _ _ ys => exchanged ys;
            rreq := transpose_req; rover := false; rcut := None |};
    unfold exchanged, transpose_pull, transpose_req.
  - abstract law.
  - abstract law.
  - abstract (law; rewrite !andb_true_iff in *; tauto).
  - abstract (law; left; tauto).
  - abstract law.
  - abstract (law; tauto).
Defined.
