(** Read this to believe a theorem, up to the section on lowering. *)
(** * [flatten]: the first two dimensions become one

    Row-major: the cell [i, j] of rows of [m] cells becomes the cell [i * m + j]. *)

From ATL Require Import ops.Lawful.

Definition flatten_shape (args sh : list idx) : list idx :=
  match sh with n :: m :: r => Mul n m :: r | _ => [] end.

Definition flatten_pull (args ds xs : list Z) : bool * list Z :=
  match ds, xs with _ :: m :: _, x :: r => (true, x / m :: x mod m :: r) | _, _ => (false, []) end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition flatten_nshape (args ds : list Z) : list Z :=
  match ds with n :: m :: r => n * m :: r | _ => [] end.

Definition flatten_push (args sh l : list idx) : list idx :=
  match sh, l with _ :: m :: _, i :: j :: r => Add (Mul i m) j :: r | _, _ => [] end.

Definition flatten_npush (args ds ys : list Z) : list Z :=
  match ds, ys with _ :: m :: _, i :: j :: r => i * m + j :: r | _, _ => [] end.

Definition flatten_req (args ds : list Z) : Prop :=
  match ds with n :: m :: _ => 0 <= n /\ 0 <= m | _ => False end.

Definition flatten : reshape.
Proof.
  refine {|
    rname := "flatten";
    rshape := flatten_shape;
    npull := flatten_pull;
    nshape := flatten_nshape;
    rpush := flatten_push;
    npush := flatten_npush;
    rreq := flatten_req;
    rcut := None;
    rover := false
  |};
  unfold flatten_shape, flatten_nshape, flatten_pull, flatten_push, flatten_npush, flatten_req.
  - (* shape_evaluates *)
    abstract law.
  - (* push_evaluates *)
    abstract law.
  - (* push_defined *)
    abstract (law; rewrite !andb_true_iff in *; tauto).
  - (* push_inside *)
    abstract (law; left; split; [nia | easy]).
  - (* pull_push *)
    abstract (law; now rewrite row_div, row_mod by lia).
  - (* push_pull *)
    abstract (law;
      match goal with |- context [?x / ?m] => assert (0 < m) by nia;
        pose proof (Z.mod_pos_bound x m) end;
      repeat split; try easy; try (apply Z.div_pos; lia); try (apply Z.div_lt_upper_bound; nia);
        try lia;
      f_equal; now apply row_again).
  - (* push_rows *)
    abstract easy.
Defined.
