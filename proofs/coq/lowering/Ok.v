(** * What lowering asks of a program

    [wf] is scoping; it is decided by computation. [ok] is what a proof for all sizes has to
    show: accesses are in range and divisors positive, what a truncation cuts is not written, a
    buffer that is not filled before is written everywhere, and cells that lie over each other
    are alike. All but the last are about indices, never about data. *)

From ATL Require Import syntax.Index syntax.BoxFacts syntax.Contrib ops.Reshape syntax.Syntax
  syntax.Denote lowering.Loops lowering.Lower.

(** ** Scoping

    Expressions mention only variables and tensors that are around them, and bind new ones. *)

Fixpoint closed_idx (vars : list string) (e : idx) : bool :=
  match e with
  | Var x => mem x vars
  | Lit _ => true
  | Add a b | Sub a b | Mul a b | Div a b | Cdiv a b | Mod a b | Min a b | Max a b =>
      closed_idx vars a && closed_idx vars b
  end.

Definition closed (vars : list string) : list idx -> bool := forallb (closed_idx vars).

Definition fresh (i : string) (vars : list string) : bool :=
  negb (mem i vars) && negb (String.begins_with hash i).

(** Whether cells that are stored once may go to one place: those of an operator like [overlap].
    Not under a reduction, which would count them twice; the tensor of a let has a place of its
    own. *)
Fixpoint meets (e : expr) : bool :=
  match e with
  | Gen _ _ _ _ e | Sum _ _ _ _ e | Guard _ e | Let _ _ _ e => meets e
  | Concat a b => meets a || meets b
  | Reshape r _ e => rover r || meets e
  | Scalar _ => false
  end.

(** Where cells lie over each other, those that go to one place are stored by different iterations
    of the loops over the first dimension of an [overlap]. The iterations of these loops must not
    run at the same time. [key] gives the indices of a cell in these dimensions. It follows a cell
    on its way up, as the index maps of lowering do; where all these loops are further outside, it
    does not depend on the cell. *)

Definition no_key : list idx -> list idx := fun _ => [].

Definition row_key (i lo : idx) (key : list idx -> list idx) : list idx -> list idx :=
  fun l => key (Sub i lo :: l).

Definition second_key (n : idx) (key : list idx -> list idx) : list idx -> list idx :=
  fun l => key (match l with i :: l => Add i n :: l | [] => [] end).

Definition operand_key (r : reshape) (args sh : list idx) (key : list idx -> list idx)
    : list idx -> list idx :=
  fun l => (if rover r then [hd (Lit 0) l] else []) ++ key (rpush r args sh l).

(** Any cell of [n] dimensions. *)
Definition any_cell (n : nat) : list idx := map (fun k => Var (fill_var k)) (seq 0 n).

(** [vars]: index variables bound around [e] that it may mention in shapes; [names]: tensors and
    buffers around. *)
Fixpoint wf (key : list idx -> list idx) (vars names : list string) (e : expr) : bool :=
  match e with
  | Gen m i lo hi e =>
      fresh i vars && closed_idx vars lo && closed vars (shape e) &&
      (negb (unordered m) || closed vars (key (any_cell (S (length (shape e)))))) &&
      wf (row_key (Var i) lo key) (i :: vars) names e
  | Sum _ i lo hi e =>
      fresh i vars && closed vars (shape e) && negb (meets e) && wf key (i :: vars) names e
  | Guard _ e => wf key vars names e
  | Let x _ a e =>
      negb (mem x names) && closed vars (shape a) &&
      wf no_key vars (x :: names) a && wf key vars (x :: names) e
  | Concat a b =>
      match shape a, shape b with
      | n :: _, _ :: _ => closed_idx vars n
      | _, _ => false
      end && wf key vars names a && wf (second_key (hd (Lit 0) (shape a)) key) vars names b
  | Reshape r args e =>
      closed vars args && closed vars (shape e) &&
      wf (operand_key r args (shape e) key) vars names e
  | Scalar _ => true
  end.

(** ** Which cells are written

    In [unwritten e v xs] and [written e v xs], [xs] is a cell of [e], and [v] binds the variables
    around [e]. *)

(** Nothing is contributed to the cell [xs]. *)
Fixpoint unwritten (e : expr) (v : env) (xs : list Z) : Prop :=
  match e with
  | Gen _ i lo hi e =>
      match xs with
      | x :: xs => unwritten e ((i, from v lo x) :: v) xs
      | [] => True
      end
  | Sum _ i lo hi e => forall z, ze v lo <= z < ze v hi -> unwritten e ((i, z) :: v) xs
  | Guard p e => be v p = true -> unwritten e v xs
  | Let _ _ _ e => unwritten e v xs
  | Concat a b =>
      match xs with
      | x :: xs =>
          let n := hd 0 (evs v (shape a)) in
          (x < n -> unwritten a v (x :: xs)) /\ (n <= x -> unwritten b v (x - n :: xs))
      | [] => True
      end
  | Reshape r args e =>
      let from := npull r (evs v args) (evs v (shape e)) xs in
      fst from = true -> unwritten e v (snd from)
  | Scalar _ => xs <> []
  end.

(** The first contribution to the cell [xs] is a value that is put there. *)
Fixpoint written (e : expr) (v : env) (xs : list Z) : Prop :=
  match e with
  | Gen _ i lo hi e =>
      match xs with
      | x :: xs => written e ((i, from v lo x) :: v) xs
      | [] => False
      end
  | Sum _ _ _ _ _ => False
  | Guard p e => be v p = true /\ written e v xs
  | Let _ _ _ e => written e v xs
  | Concat a b =>
      match xs with
      | x :: xs =>
          let n := hd 0 (evs v (shape a)) in
          (x < n -> written a v (x :: xs)) /\ (n <= x -> written b v (x - n :: xs))
      | [] => False
      end
  | Reshape r args e =>
      let from := npull r (evs v args) (evs v (shape e)) xs in
      fst from = true /\ written e v (snd from)
  | Scalar _ => xs = []
  end.

(** ** Obligations

    They are conjunctions whose trivial parts vanish by computation, because proofs repeat what
    is left at each [/\]. *)

(** [b], and with it [P]. Where [b] computes, only [P] is left to be proved. *)
Definition provided (b : bool) (P : Prop) : Prop := if b then P else False.

(** [Q], if there is such a claim, and [P]. *)
Definition also (Q : option Prop) (P : Prop) : Prop :=
  match Q with
  | Some Q => Q /\ P
  | None => P
  end.

Definition maybe (Q : option Prop) : Prop := match Q with Some Q => Q | None => True end.

Lemma provided_iff b P : provided b P <-> b = true /\ P.
Proof. destruct b; cbn; intuition discriminate. Qed.

Lemma also_iff Q P : also Q P <-> maybe Q /\ P.
Proof. destruct Q; cbn; tauto. Qed.

Definition filled_or_written (v : env) (init : option string) (e : expr) : option Prop :=
  match init with
  | Some _ => None
  | None => Some (forbox (evs v (shape e)) (written e v))
  end.

(** Nothing, or a value that is put there. *)
Definition puts {S : Scalars} (l : list contrib) : Prop :=
  match l with
  | [] | Put _ :: _ => True
  | _ => False
  end.

(** Cells that lie over each other are the same: each is what is read in its place, and a value
    that is put there. *)
Definition rows_alike (r : reshape) (args : list idx) (e : expr) (v : env) : Prop :=
  forall (S : Scalars) (G : tensors), forbox (evs v (shape e)) (fun ys =>
    puts (den e v G ys) /\
    den (Reshape r args e) v G (npush r (evs v args) (evs v (shape e)) ys) = den e v G ys).

(** [R]: the dimensions of the tensors that may be read. *)
Fixpoint ok (R : dims) (v : env) (e : expr) : Prop :=
  match e with
  | Gen _ i lo hi e | Sum _ i lo hi e =>
      provided (zdef v lo && zdef v hi) (forall z, ze v lo <= z < ze v hi -> ok R ((i, z) :: v) e)
  | Guard p e => provided (bdef v p) (be v p = true -> ok R v e)
  | Let x init a e =>
      provided (zdefs v (shape a))
        (also (filled_or_written v init a)
          (ok R v a /\ ok ((x, Some (evs v (shape a))) :: R) v e))
  | Concat a b =>
      let da := evs v (shape a) in
      let db := evs v (shape b) in
      provided (zdef v (hd (Lit 0) (shape a)))
        (0 <= hd 0 da /\ 0 <= hd 0 db /\ equal_all (tl da) (tl db) /\ ok R v a /\ ok R v b)
  | Reshape r args e =>
      let da := evs v args in
      let ds := evs v (shape e) in
      let uncut (cut : list Z -> list Z -> list Z -> Prop) :=
        forbox ds (fun ys => cut da ds ys -> unwritten e v ys) in
      provided (zdefs v args && zdefs v (shape e))
        (rreq r da ds /\
         also (option_map uncut (rcut r))
          (also (if rover r then Some (rows_alike r args e v) else None) (ok R v e)))
  | Scalar s => sdef R v s = true
  end.

(** ** Programs

    The same for all tensors and outputs of a program. *)

Fixpoint ok_outputs (R O : dims) (v : env) (l : list (string * (option string * expr))) : Prop :=
  match l with
  | [] => True
  | (o, (init, e)) :: l =>
      provided (zdefs v (shape e))
        (match lookup None O o with Some ds => equal_all ds (evs v (shape e)) | None => False end /\
         also (filled_or_written v init e) (ok R v e /\ ok_outputs R O v l))
  end.

Fixpoint ok_program (R O : dims) (v : env) (p : program) : Prop :=
  match p with
  | PLet x init a p =>
      provided (zdefs v (shape a))
        (also (filled_or_written v init a)
          (ok R v a /\ ok_program ((x, Some (evs v (shape a))) :: R) O v p))
  | Outputs l => ok_outputs R O v l
  end.

Fixpoint wf_outputs (vars names : list string) (l : list (string * (option string * expr)))
    : bool :=
  match l with
  | [] => true
  | (o, (_, e)) :: l =>
      mem o names && negb (mem o (map fst l)) && closed vars (shape e) &&
      wf no_key vars names e && wf_outputs vars names l
  end.

Fixpoint wf_program (vars names : list string) (p : program) : bool :=
  match p with
  | PLet x _ a p =>
      negb (mem x names) && closed vars (shape a) &&
      wf no_key vars (x :: names) a && wf_program vars (x :: names) p
  | Outputs l => wf_outputs vars names l
  end.
