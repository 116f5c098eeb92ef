(** Read this to believe a theorem, up to the section on lowering. *)
(** * [overlap k]: rows one after the other, the last one over the end of the one before

    Rows of [m] cells become [k] cells. Where [m] does not divide [k], the last row ends at [k].
    A cell of the result is read from the first row that has it. That the rows agree where they
    lie over each other is an obligation, [rows_alike]. *)

From ATL Require Import ops.Lawful.

Definition overlap_shape (args sh : list idx) : list idx :=
  match args, sh with [k], _ :: _ :: r => k :: r | _, _ => [] end.

Definition overlap_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], _ :: m :: _, x :: r => (true, x / m :: x - Z.min (x / m * m) (k - m) :: r)
  | _, _, _ => (false, [])
  end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition overlap_nshape (args ds : list Z) : list Z :=
  match args, ds with [k], _ :: _ :: r => k :: r | _, _ => [] end.

Definition overlap_push (args sh l : list idx) : list idx :=
  match args, sh, l with
  | [k], _ :: m :: _, i :: j :: r => Add (Min (Mul i m) (Sub k m)) j :: r
  | _, _, _ => []
  end.

Definition overlap_npush (args ds ys : list Z) : list Z :=
  match args, ds, ys with
  | [k], _ :: m :: _, i :: j :: r => Z.min (i * m) (k - m) + j :: r
  | _, _, _ => []
  end.

Definition overlap_req (args ds : list Z) : Prop :=
  match args, ds with [k], n :: m :: _ => 1 <= m <= k /\ n = cdiv k m | _, _ => False end.

Lemma overlap_row k m x :
  1 <= m <= k -> 0 <= x < k -> 0 <= x / m < cdiv k m /\ 0 <= x - Z.min (x / m * m) (k - m) < m.
Proof.
  intros Hm Hx.
  pose proof (cdiv_bounds k m ltac:(lia)).
  pose proof (div_bounds x m ltac:(lia)).
  nia.
Qed.

Definition overlap : reshape.
Proof.
  refine {|
    rname := "overlap";
    rshape := overlap_shape;
    npull := overlap_pull;
    nshape := overlap_nshape;
    rpush := overlap_push;
    npush := overlap_npush;
    rreq := overlap_req;
    rcut := None;
    rover := true
  |};
  unfold overlap_shape, overlap_nshape, overlap_pull, overlap_push, overlap_npush, overlap_req.
  - (* shape_evaluates *)
    abstract law.
  - (* push_evaluates *)
    abstract law.
  - (* push_defined *)
    abstract (law; rewrite !andb_true_iff in *; tauto).
  - (* push_inside *)
    abstract (law; left; split; [subst; nia | easy]).
  - (* pull_push *)
    abstract law.
  - (* push_pull *)
    abstract (law; subst;
      match goal with
      | |- context [Z.min (?x / ?m * ?m) (?k - ?m)] =>
          pose proof (overlap_row k m x ltac:(lia) ltac:(lia))
      end;
      unfold cdiv in *; repeat split; trivial; try lia; f_equal; lia).
  - (* push_rows *)
    abstract (law; repeat match goal with H : _ :: _ = _ :: _ |- _ => injection H as end;
      subst; do 2 f_equal; trivial; lia).
Defined.
