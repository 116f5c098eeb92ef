(** Read this to believe a theorem, up to the section on lowering. *)
(** * [padr k]: adds [k] slices of padding at the end *)

From ATL Require Import ops.Lawful.

(** Whether two expressions are the same, by their form alone.  Not all that are equal are found. *)
Fixpoint same_idx (a b : idx) : bool :=
  match a, b with
  | Var x, Var y => String.eqb x y
  | Lit (Zpos p), Lit (Zpos q) => Pos.eqb p q
  | Mul a c, Mul b d => if same_idx a b then same_idx c d else false
  | _, _ => false
  end.

(** [n + k]. Where [k] slices were cut off before, the extent is what it was before: then the
    shape does not speak of [k]. *)
Definition grown (n k : idx) : idx :=
  match n with
  | Sub m k' => if same_idx k k' then m else Add n k
  | _ => Add n k
  end.

Definition padr_shape : list idx -> list idx -> list idx := first k n r => grown n k :: r.

Definition padr_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], n :: _, x :: r => (x <? n, x :: r)
  | _, _, _ => (false, [])
  end.

(** ** Lowering, and the laws

    Where a cell goes when loops are lowered, and why that is correct. *)

Lemma same_idx_correct : forall v a b, same_idx a b = true -> ze v a = ze v b.
Proof.
  induction a as [x|[|p|p]| | |a IHa c IHc| | | | |]; intros [y|[|q|q]| | |b d| | | | |]; cbn;
    try easy.
  - now intros ->%String.eqb_eq.
  - now intros ->%Pos.eqb_eq.
  - destruct (same_idx a b) eqn:E; [|easy].
    intros H.
    now rewrite (IHa b), (IHc d).
Qed.

Lemma grown_correct v n k : ze v (grown n k) = ze v n + ze v k.
Proof.
  destruct n; trivial.
  cbn.
  destruct (same_idx k n2) eqn:E; trivial.
  apply (same_idx_correct v) in E.
  lia.
Qed.

Definition padr_nshape : list Z -> list Z -> list Z := first k n r => n + k :: r.
Definition padr_push (args sh : list idx) : list idx -> list idx := (first k i r => i :: r) args.
Definition padr_npush (args ds : list Z) : list Z -> list Z := (first k i r => i :: r) args.

Definition padr_req (args ds : list Z) : Prop :=
  match args, ds with [k], _ :: _ => 0 <= k | _, _ => False end.

Definition padr : reshape.
Proof.
  refine {|
    rname := "padr";
    rshape := padr_shape;
    npull := padr_pull;
    nshape := padr_nshape;
    rpush := padr_push;
    npush := padr_npush;
    rreq := padr_req;
    rcut := None;
    rover := false
  |};
  unfold padr_shape, padr_nshape, padr_pull, padr_push, padr_npush, padr_req;
  abstract (first [solve [law; now rewrite grown_correct] | linear_laws]).
Defined.
