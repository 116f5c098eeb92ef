(** Read this to believe a theorem, up to the section on lowering. *)
(** * [rotate k]: each slice moves [k] places on, around the end

    [k] may be negative, or larger than the extent [n]. Where there is a cell, [n] is positive. *)

From ATL Require Import ops.Lawful.

Definition rotate_shape : list idx -> list idx -> list idx := first k n r => n :: r.

Definition rotate_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], n :: _, x :: r => (true, (x - k mod n) mod n :: r)
  | _, _, _ => (false, [])
  end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Definition rotate_nshape : list Z -> list Z -> list Z := first k n r => n :: r.

Definition rotate_push (args sh l : list idx) : list idx :=
  match args, sh, l with
  | [k], n :: _, i :: r => Mod (Add i (Mod k n)) n :: r
  | _, _, _ => []
  end.

Definition rotate_npush (args ds ys : list Z) : list Z :=
  match args, ds, ys with
  | [k], n :: _, y :: r => (y + k mod n) mod n :: r
  | _, _, _ => []
  end.

Definition rotate_req (args ds : list Z) : Prop :=
  match args, ds with [_], _ :: _ => True | _, _ => False end.

Lemma there_and_back n k x : 0 <= x < n -> ((x + k) mod n - k) mod n = x.
Proof.
  intros Hx.
  rewrite Zminus_mod_idemp_l.
  replace (x + k - k) with x by lia.
  now apply Z.mod_small.
Qed.

Lemma back_and_there n k x : 0 <= x < n -> ((x - k) mod n + k) mod n = x.
Proof.
  intros Hx.
  rewrite Zplus_mod_idemp_l.
  replace (x - k + k) with x by lia.
  now apply Z.mod_small.
Qed.

Definition rotate : reshape.
Proof.
  refine {|
    rname := "rotate";
    rshape := rotate_shape;
    npull := rotate_pull;
    nshape := rotate_nshape;
    rpush := rotate_push;
    npush := rotate_npush;
    rreq := rotate_req;
    rcut := None;
    rover := false
  |};
  unfold rotate_shape, rotate_nshape, rotate_pull, rotate_push, rotate_npush, rotate_req.
  - (* shape_evaluates *)
    abstract law.
  - (* push_evaluates *)
    abstract law.
  - (* push_defined *)
    abstract (law; rewrite !andb_true_iff in *; rewrite !Z.ltb_lt; intuition lia).
  - (* push_inside *)
    abstract (law; left; split; [apply Z.mod_pos_bound; lia | trivial]).
  - (* pull_push *)
    abstract (law; rewrite there_and_back by lia; trivial).
  - (* push_pull *)
    abstract (law; rewrite back_and_there by lia;
      repeat split; trivial; apply Z.mod_pos_bound; lia).
  - (* push_rows *)
    abstract easy.
Defined.
