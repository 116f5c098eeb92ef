(** * Indices in normal form

    Most of what the compiler does to indices is to add them up. An index is normalized to a
    linear form: multiples of indices, and a number. Quotients and remainders by a number are
    taken apart. [number_of] finds the value of an index that does not depend on variables. *)

From ATL Require Import syntax.IndexFacts.

(** ** Equal expressions

    By their form. *)

Fixpoint eqi (a b : idx) : bool :=
  match a, b with
  | Var x, Var y => String.eqb x y
  | Lit x, Lit y => x =? y
  | Add a b, Add c d | Sub a b, Sub c d | Mul a b, Mul c d
  | Div a b, Div c d | Cdiv a b, Cdiv c d | Mod a b, Mod c d
  | Min a b, Min c d | Max a b, Max c d => eqi a c && eqi b d
  | _, _ => false
  end.

Lemma eqi_eq : forall a b, eqi a b = true -> a = b.
Proof.
  induction a; destruct b; cbn; try easy; intros H;
    first [apply String.eqb_eq in H | apply Z.eqb_eq in H | apply andb_true_iff in H as [H1 H2]];
    f_equal; auto.
Qed.

(** ** Linear forms: multiples of indices, and a number

    They are added term by term. *)

Definition linear_form := (list (Z * idx) * Z)%type.

Definition multiples_value (v : env) (l : list (Z * idx)) : Z :=
  fold_right (fun t s => fst t * ze v (snd t) + s) 0 l.

Definition form_value (v : env) (l : linear_form) : Z := multiples_value v (fst l) + snd l.

(** Variables in some order, so that sums of the same multiples look the same. *)
Definition comes_first (a b : idx) : bool :=
  match a, b with
  | Var x, Var y => String.ltb x y
  | Var _, _ => true
  | _, _ => false
  end.

(** [c] times [a], and what is in [l]. *)
Fixpoint insert (c : Z) (a : idx) (l : list (Z * idx)) : list (Z * idx) :=
  match l with
  | [] => [(c, a)]
  | (d, b) :: l' =>
      if eqi a b
      then if c + d =? 0 then l' else (c + d, b) :: l'
      else if comes_first a b then (c, a) :: l else (d, b) :: insert c a l'
  end.

(** [l] and [k] times [l']. *)
Definition plus (k : Z) (l l' : linear_form) : linear_form :=
  (fold_right (fun t r => insert (k * fst t) (snd t) r) (fst l) (fst l'), snd l + k * snd l').

Lemma insert_correct :
  forall v c a l, multiples_value v (insert c a l) = c * ze v a + multiples_value v l.
Proof.
  intros v c a.
  induction l as [|[d b] l IH]; cbn [insert multiples_value fold_right fst snd]; [easy|].
  fold (multiples_value v l).
  destruct (eqi a b) eqn:E;
    [apply eqi_eq in E as <-; destruct (Z.eqb_spec (c + d) 0) | destruct (comes_first a b)];
    cbn [multiples_value fold_right fst snd];
    fold (multiples_value v l); fold (multiples_value v (insert c a l));
    rewrite ?IH; nia.
Qed.

Lemma plus_correct v k l l' : form_value v (plus k l l') = form_value v l + k * form_value v l'.
Proof.
  destruct l as [l c], l' as [l' c'].
  unfold form_value, plus.
  cbn [fst snd].
  enough (multiples_value v (fold_right (fun t r => insert (k * fst t) (snd t) r) l l') =
    multiples_value v l + k * multiples_value v l') by nia.
  induction l' as [|t l' IH]; cbn [fold_right]; [cbn; lia|].
  rewrite insert_correct, IH.
  cbn [multiples_value fold_right].
  fold (multiples_value v l').
  nia.
Qed.

(** A linear form as an index. *)
Definition as_idx (l : linear_form) : idx :=
  fold_right (fun t e => Add (Mul (Lit (fst t)) (snd t)) e) (Lit (snd l)) (fst l).

Lemma as_idx_correct v l : ze v (as_idx l) = form_value v l.
Proof.
  destruct l as [l c].
  unfold as_idx, form_value, multiples_value.
  cbn.
  induction l; cbn; nia.
Qed.

(** ** Quotients and remainders by a number

    What the number divides is taken out. *)

(** What a number divides, and the rest. *)
Definition multiple (d : Z) (l : linear_form) : linear_form :=
  (map (fun t => (fst t / d, snd t)) (filter (fun t => fst t mod d =? 0) (fst l)), snd l / d).

Definition rest (d : Z) (l : linear_form) : linear_form :=
  (filter (fun t => negb (fst t mod d =? 0)) (fst l), snd l mod d).

Lemma multiple_rest :
  forall v d l, 0 < d -> form_value v l = d * form_value v (multiple d l) + form_value v (rest d l).
Proof.
  intros v d [l c] Hd.
  unfold form_value, multiple, rest.
  cbn [fst snd].
  pose proof (Z.div_mod c d).
  enough (multiples_value v l =
    d * multiples_value v
      (map (fun t => (fst t / d, snd t)) (filter (fun t => fst t mod d =? 0) l)) +
    multiples_value v (filter (fun t => negb (fst t mod d =? 0)) l)) by nia.
  induction l as [|t l IH]; cbn [filter]; [cbn; lia|].
  pose proof (Z.div_mod (fst t) d).
  destruct (Z.eqb_spec (fst t mod d) 0); cbn [negb map multiples_value fold_right fst snd] in *;
    unfold multiples_value in *; nia.
Qed.

Definition quotient (l m : linear_form) : linear_form :=
  match m with
  | ([], Zpos p) =>
      match rest (Zpos p) l with
      | ([], _) => multiple (Zpos p) l
      | r => plus 1 (multiple (Zpos p) l) ([(1, Div (as_idx r) (Lit (Zpos p)))], 0)
      end
  | _ => ([(1, Div (as_idx l) (as_idx m))], 0)
  end.

Definition remainder (l m : linear_form) : linear_form :=
  match m with
  | ([], Zpos p) =>
      match rest (Zpos p) l with
      | ([], c) => ([], c)
      | r => ([(1, Mod (as_idx r) (Lit (Zpos p)))], 0)
      end
  | _ => ([(1, Mod (as_idx l) (as_idx m))], 0)
  end.

Lemma form_value_number v c : form_value v ([], c) = c.
Proof. easy. Qed.

Lemma form_value_one v e : form_value v ([(1, e)], 0) = ze v e.
Proof.
  unfold form_value, multiples_value.
  cbn [fold_right fst snd].
  lia.
Qed.

Lemma quotient_correct :
  forall v l m, form_value v (quotient l m) = form_value v l / form_value v m.
Proof.
  intros v l [[|t m] [|p|p]]; cbn [quotient];
    try (rewrite form_value_one; cbn [ze]; now rewrite !as_idx_correct).
  rewrite (multiple_rest v (Zpos p) l) by easy.
  rewrite form_value_number.
  rewrite (Z.mul_comm (Zpos p)), Z.div_add_l by easy.
  destruct (rest (Zpos p) l) as [[|t r] c] eqn:E.
  - replace c with (snd l mod Zpos p) by (unfold rest in E; congruence).
    rewrite form_value_number, (Z.div_small (_ mod _)) by (now apply Z.mod_pos_bound).
    lia.
  - rewrite plus_correct, form_value_one.
    cbn [ze].
    rewrite as_idx_correct.
    lia.
Qed.

Lemma remainder_correct :
  forall v l m, form_value v (remainder l m) = form_value v l mod form_value v m.
Proof.
  intros v l [[|t m] [|p|p]]; cbn [remainder];
    try (rewrite form_value_one; cbn [ze]; now rewrite !as_idx_correct).
  rewrite (multiple_rest v (Zpos p) l) by easy.
  rewrite form_value_number.
  rewrite (Z.mul_comm (Zpos p)), Z.add_comm, Z.mod_add by easy.
  destruct (rest (Zpos p) l) as [[|t r] c] eqn:E.
  - replace c with (snd l mod Zpos p) by (unfold rest in E; congruence).
    now rewrite !form_value_number, Z.mod_mod.
  - rewrite form_value_one.
    cbn [ze].
    now rewrite as_idx_correct.
Qed.

(** ** Minima and maxima

    One of the two, if their difference is a number. *)

(** The smaller of two, for [k] = 1, or the larger, for [k] = -1: one of them, if their difference
    is known. *)
Definition smaller (op : idx -> idx -> idx) (k : Z) (l m : linear_form) : linear_form :=
  match plus (-1) l m with
  | ([], c) => if k * c <=? 0 then l else m
  | _ => ([(1, op (as_idx l) (as_idx m))], 0)
  end.

Lemma smaller_correct v l m :
  form_value v (smaller Min 1 l m) = Z.min (form_value v l) (form_value v m) /\
  form_value v (smaller Max (-1) l m) = Z.max (form_value v l) (form_value v m).
Proof.
  unfold smaller.
  pose proof (plus_correct v (-1) l m) as H.
  destruct (plus (-1) l m) as [[|t r] c].
  - change (form_value v ([], c)) with c in H.
    split; [destruct (Z.leb_spec (1 * c) 0) | destruct (Z.leb_spec (-1 * c) 0)]; lia.
  - rewrite !form_value_one.
    cbn [ze].
    now rewrite !as_idx_correct.
Qed.

(** ** Indices

    The normal form of an index, where variables stand for indices. *)

(** What the variables of a loop nest stand for: numbers, or variables of which nothing is known. *)
Definition binding := list (string * idx).

(** The values of these variables. *)
Definition close (v : env) (b : binding) : env := map (fun p => (fst p, ze v (snd p))) b.

Fixpoint norm (b : binding) (e : idx) : linear_form :=
  match e with
  | Var x =>
      match lookup (Lit 0) b x with
      | Lit z => ([], z)
      | a => ([(1, a)], 0)
      end
  | Lit z => ([], z)
  | Add x y => plus 1 (norm b x) (norm b y)
  | Sub x y => plus (-1) (norm b x) (norm b y)
  | Mul x y =>
      match norm b x, norm b y with
      | ([], c), l | l, ([], c) => plus c ([], 0) l
      | l, m => ([(1, Mul (as_idx l) (as_idx m))], 0)
      end
  | Div x y => quotient (norm b x) (norm b y)
  | Cdiv x y => quotient (plus 1 (plus 1 (norm b x) (norm b y)) ([], -1)) (norm b y)
  | Mod x y => remainder (norm b x) (norm b y)
  | Min x y => smaller Min 1 (norm b x) (norm b y)
  | Max x y => smaller Max (-1) (norm b x) (norm b y)
  end.

Lemma lookup_close : forall v b x, lookup 0 (close v b) x = ze v (lookup (Lit 0) b x).
Proof.
  intros v b x.
  induction b as [|[y e] b IH]; cbn; [easy|].
  destruct (String.eqb x y); auto.
Qed.

Lemma norm_correct v b : forall e, form_value v (norm b e) = ze (close v b) e.
Proof.
  induction e; cbn [norm ze];
    rewrite ?quotient_correct, ?remainder_correct, ?plus_correct, ?IHe1, ?IHe2;
    try easy; try lia; try (rewrite <- IHe1, <- IHe2; apply smaller_correct).
  - rewrite lookup_close.
    destruct (lookup (Lit 0) b x); try apply form_value_one.
    easy.
  - rewrite <- IHe1, <- IHe2.
    destruct (norm b e1) as [[|t l] c], (norm b e2) as [[|t' l'] c'];
      try (rewrite plus_correct; unfold form_value; cbn [multiples_value fold_right fst snd]; nia).
    rewrite form_value_one.
    cbn [ze].
    now rewrite !as_idx_correct.
  - unfold cdiv.
    rewrite form_value_number.
    f_equal.
    lia.
Qed.

Definition number_of (b : binding) (e : idx) : option Z :=
  match norm b e with
  | ([], c) => Some c
  | _ => None
  end.

Lemma number_of_correct v b e c : number_of b e = Some c -> ze (close v b) e = c.
Proof.
  unfold number_of.
  rewrite <- norm_correct.
  destruct (norm b e) as [[|t l] d]; [now intros [= ->] | easy].
Qed.
