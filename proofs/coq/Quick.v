(** * Loop nests compared by computation

    Most of what the compiler does to indices is to add them up.  [quick] compares whole loop nests up to sums, with
    loops unrolled and guards decided whose values are numbers.  What needs a hypothesis it claims, for arithmetic. *)

From ATL Require Import Index Box Contrib ops.Reshape Syntax Denote Loops Lower Cells Sim.

(** ** Sums: multiples of indices, and a number *)

Fixpoint eqi (a b : idx) : bool :=
  match a, b with
  | Var x, Var y => String.eqb x y
  | Lit x, Lit y => x =? y
  | Add a b, Add c d | Sub a b, Sub c d | Mul a b, Mul c d | Div a b, Div c d | Cdiv a b, Cdiv c d | Mod a b, Mod c d
  | Min a b, Min c d | Max a b, Max c d => eqi a c && eqi b d
  | _, _ => false
  end.
Lemma eqi_eq : forall a b, eqi a b = true -> a = b.
Proof.
  induction a; destruct b; cbn; try easy; intros H;
    first [apply String.eqb_eq in H | apply Z.eqb_eq in H | apply andb_true_iff in H as [H1 H2]]; f_equal; auto.
Qed.

Definition sum := (list (Z * idx) * Z)%type.
Definition sum_of (v : env) (l : list (Z * idx)) : Z := fold_right (fun t s => fst t * ze v (snd t) + s) 0 l.
Definition zs (v : env) (l : sum) : Z := sum_of v (fst l) + snd l.

(** Variables in some order, so that sums of the same multiples look the same. *)
Definition comes_first (a b : idx) : bool :=
  match a, b with Var x, Var y => String.ltb x y | Var _, _ => true | _, _ => false end.
Fixpoint insert (c : Z) (a : idx) (l : list (Z * idx)) : list (Z * idx) :=
  match l with
  | [] => [(c, a)]
  | (d, b) :: l' =>
      if eqi a b then if c + d =? 0 then l' else (c + d, b) :: l'
      else if comes_first a b then (c, a) :: l else (d, b) :: insert c a l'
  end.
Definition plus (k : Z) (l l' : sum) : sum :=
  (fold_right (fun t r => insert (k * fst t) (snd t) r) (fst l) (fst l'), snd l + k * snd l').

Lemma sum_insert : forall v c a l, sum_of v (insert c a l) = c * ze v a + sum_of v l.
Proof.
  intros v c a. induction l as [|[d b] l IH]; cbn [insert sum_of fold_right fst snd]; [easy|]. fold (sum_of v l).
  destruct (eqi a b) eqn:E; [apply eqi_eq in E as <-; destruct (Z.eqb_spec (c + d) 0) | destruct (comes_first a b)];
    cbn [sum_of fold_right fst snd]; fold (sum_of v l); fold (sum_of v (insert c a l)); rewrite ?IH; nia.
Qed.
Lemma plus_correct v k l l' : zs v (plus k l l') = zs v l + k * zs v l'.
Proof.
  destruct l as [l c], l' as [l' c']. unfold zs, plus. cbn [fst snd].
  enough (sum_of v (fold_right (fun t r => insert (k * fst t) (snd t) r) l l') = sum_of v l + k * sum_of v l') by nia.
  induction l' as [|t l' IH]; cbn [fold_right]; [cbn; lia|].
  rewrite sum_insert, IH. cbn [sum_of fold_right]. fold (sum_of v l'). nia.
Qed.

Definition as_idx (l : sum) : idx := fold_right (fun t e => Add (Mul (Lit (fst t)) (snd t)) e) (Lit (snd l)) (fst l).
Lemma as_idx_correct v l : ze v (as_idx l) = zs v l.
Proof. destruct l as [l c]. unfold as_idx, zs, sum_of. cbn. induction l; cbn; nia. Qed.

(** What a number divides, and the rest. *)
Definition multiple (d : Z) (l : sum) : sum :=
  (map (fun t => (fst t / d, snd t)) (filter (fun t => fst t mod d =? 0) (fst l)), snd l / d).
Definition rest (d : Z) (l : sum) : sum := (filter (fun t => negb (fst t mod d =? 0)) (fst l), snd l mod d).
Lemma multiple_rest : forall v d l, 0 < d -> zs v l = d * zs v (multiple d l) + zs v (rest d l).
Proof.
  intros v d [l c] Hd. unfold zs, multiple, rest. cbn [fst snd]. pose proof (Z.div_mod c d).
  enough (sum_of v l = d * sum_of v (map (fun t => (fst t / d, snd t)) (filter (fun t => fst t mod d =? 0) l)) +
    sum_of v (filter (fun t => negb (fst t mod d =? 0)) l)) by nia.
  induction l as [|t l IH]; cbn [filter]; [cbn; lia|]. pose proof (Z.div_mod (fst t) d).
  destruct (Z.eqb_spec (fst t mod d) 0); cbn [negb map sum_of fold_right fst snd] in *; unfold sum_of in *; nia.
Qed.

Definition quotient (l m : sum) : sum :=
  match m with
  | ([], Zpos p) => match rest (Zpos p) l with
                    | ([], _) => multiple (Zpos p) l
                    | r => plus 1 (multiple (Zpos p) l) ([(1, Div (as_idx r) (Lit (Zpos p)))], 0)
                    end
  | _ => ([(1, Div (as_idx l) (as_idx m))], 0)
  end.
Definition remainder (l m : sum) : sum :=
  match m with
  | ([], Zpos p) => match rest (Zpos p) l with
                    | ([], c) => ([], c)
                    | r => ([(1, Mod (as_idx r) (Lit (Zpos p)))], 0)
                    end
  | _ => ([(1, Mod (as_idx l) (as_idx m))], 0)
  end.
Lemma zs_number v c : zs v ([], c) = c. Proof. easy. Qed.
Lemma zs_one v e : zs v ([(1, e)], 0) = ze v e. Proof. unfold zs, sum_of. cbn [fold_right fst snd]. lia. Qed.
Lemma quotient_correct : forall v l m, zs v (quotient l m) = zs v l / zs v m.
Proof.
  intros v l [[|t m] [|p|p]]; cbn [quotient]; try (rewrite zs_one; cbn [ze]; now rewrite !as_idx_correct).
  rewrite (multiple_rest v (Zpos p) l) by easy. rewrite zs_number.
  rewrite (Z.mul_comm (Zpos p)), Z.div_add_l by easy. destruct (rest (Zpos p) l) as [[|t r] c] eqn:E.
  - replace c with (snd l mod Zpos p) by (unfold rest in E; congruence). 
    rewrite zs_number, (Z.div_small (_ mod _)) by (now apply Z.mod_pos_bound). lia.
  - rewrite plus_correct, zs_one. cbn [ze]. rewrite as_idx_correct. lia.
Qed.
Lemma remainder_correct : forall v l m, zs v (remainder l m) = zs v l mod zs v m.
Proof.
  intros v l [[|t m] [|p|p]]; cbn [remainder]; try (rewrite zs_one; cbn [ze]; now rewrite !as_idx_correct).
  rewrite (multiple_rest v (Zpos p) l) by easy. rewrite zs_number.
  rewrite (Z.mul_comm (Zpos p)), Z.add_comm, Z.mod_add by easy. destruct (rest (Zpos p) l) as [[|t r] c] eqn:E.
  - replace c with (snd l mod Zpos p) by (unfold rest in E; congruence). now rewrite !zs_number, Z.mod_mod.
  - rewrite zs_one. cbn [ze]. now rewrite as_idx_correct.
Qed.

(** The smaller one; which it is, if that is known. *)
Definition smaller (op : idx -> idx -> idx) (k : Z) (l m : sum) : sum :=
  match plus (-1) l m with
  | ([], c) => if k * c <=? 0 then l else m
  | _ => ([(1, op (as_idx l) (as_idx m))], 0)
  end.
Lemma smaller_correct v l m :
  zs v (smaller Min 1 l m) = Z.min (zs v l) (zs v m) /\ zs v (smaller Max (-1) l m) = Z.max (zs v l) (zs v m).
Proof.
  unfold smaller. pose proof (plus_correct v (-1) l m) as H. destruct (plus (-1) l m) as [[|t r] c].
  - change (zs v ([], c)) with c in H. split; [destruct (Z.leb_spec (1 * c) 0) | destruct (Z.leb_spec (-1 * c) 0)]; lia.
  - rewrite !zs_one. cbn [ze]. now rewrite !as_idx_correct.
Qed.

(** ** Indices *)

(** Variables stand for indices, mostly for variables of which nothing is known. *)
Definition binding := list (string * idx).
Definition close (v : env) (b : binding) : env := map (fun p => (fst p, ze v (snd p))) b.

Fixpoint norm (b : binding) (e : idx) : sum :=
  match e with
  | Var x => match lookup (Lit 0) b x with Lit z => ([], z) | a => ([(1, a)], 0) end
  | Lit z => ([], z)
  | Add x y => plus 1 (norm b x) (norm b y) | Sub x y => plus (-1) (norm b x) (norm b y)
  | Mul x y => match norm b x, norm b y with
               | ([], c), l | l, ([], c) => plus c ([], 0) l
               | l, m => ([(1, Mul (as_idx l) (as_idx m))], 0)
               end
  | Div x y => quotient (norm b x) (norm b y)
  | Cdiv x y => quotient (plus 1 (plus 1 (norm b x) (norm b y)) ([], -1)) (norm b y)
  | Mod x y => remainder (norm b x) (norm b y)
  | Min x y => smaller Min 1 (norm b x) (norm b y) | Max x y => smaller Max (-1) (norm b x) (norm b y)
  end.
Lemma lookup_close : forall v b x, lookup 0 (close v b) x = ze v (lookup (Lit 0) b x).
Proof. intros v b x. induction b as [|[y e] b IH]; cbn; [easy|]. destruct (String.eqb x y); auto. Qed.
Lemma norm_correct v b : forall e, zs v (norm b e) = ze (close v b) e.
Proof.
  induction e; cbn [norm ze]; rewrite ?quotient_correct, ?remainder_correct, ?plus_correct, ?IHe1, ?IHe2;
    try easy; try lia; try (rewrite <- IHe1, <- IHe2; apply smaller_correct).
  - rewrite lookup_close. destruct (lookup (Lit 0) b x); try apply zs_one. easy.
  - rewrite <- IHe1, <- IHe2. destruct (norm b e1) as [[|t l] c], (norm b e2) as [[|t' l'] c'];
      try (rewrite plus_correct; unfold zs; cbn [sum_of fold_right fst snd]; nia).
    rewrite zs_one. cbn [ze]. now rewrite !as_idx_correct.
  - unfold cdiv. rewrite zs_number. f_equal. lia.
Qed.

Definition number_of (b : binding) (e : idx) : option Z := match norm b e with ([], c) => Some c | _ => None end.
Lemma number_of_correct v b e c : number_of b e = Some c -> ze (close v b) e = c.
Proof. unfold number_of. rewrite <- norm_correct. destruct (norm b e) as [[|t l] d]; [now intros [= ->] | easy]. Qed.

(** ** Claims: what is left to arithmetic *)

Inductive claims :=
| Nothing | Impossible | Both (a b : claims) | Claim (p : prd) | Alike (p q : prd)
| Each (x : string) (lo hi : idx) (c : claims)
| Given (p : prd) (t : bool) (c : claims).
Fixpoint claimed (v : env) (c : claims) : Prop :=
  match c with
  | Nothing => True | Impossible => False | Both a b => claimed v a /\ claimed v b
  | Claim p => be v p = true | Alike p q => be v p = be v q
  | Each x lo hi c => forall z, ze v lo <= z < ze v hi -> claimed ((x, z) :: v) c
  | Given p t c => be v p = t -> claimed v c
  end.
Definition none (c : claims) : bool := match c with Nothing => true | _ => false end.
Lemma none_claimed v c : none c = true -> claimed v c. Proof. now destruct c. Qed.
Definition both (a b : claims) : claims :=
  match a, b with Nothing, c | c, Nothing => c | Impossible, _ | _, Impossible => Impossible | _, _ => Both a b end.
Definition each (x : string) (lo hi : idx) (c : claims) : claims :=
  match c with Nothing | Impossible => c | _ => Each x lo hi c end.
Definition given (p : prd) (t : bool) (c : claims) : claims :=
  match c with Nothing => Nothing | Impossible => Claim (if t then Not p else p) | _ => Given p t c end.
Definition within (p : prd) (c : claims) : claims := match c with Impossible => Impossible | _ => given p true c end.
Lemma both_claimed v a b : claimed v (both a b) -> claimed v a /\ claimed v b. Proof. now destruct a, b; cbn. Qed.
Lemma each_claimed v x lo hi c z : claimed v (each x lo hi c) -> ze v lo <= z < ze v hi -> claimed ((x, z) :: v) c.
Proof. destruct c; cbn; auto. Qed.
Lemma given_claimed v p t c : claimed v (given p t c) -> be v p = t -> claimed v c.
Proof. destruct c; cbn; auto. destruct t; cbn; [intros H E; now rewrite E in H | congruence]. Qed.
Lemma within_claimed v p c : claimed v (within p c) -> be v p = true -> claimed v c.
Proof. destruct c; try easy; apply given_claimed. Qed.

Definition all2 {A B} (f : A -> B -> claims) : list A -> list B -> claims :=
  fix all l l' :=
    match l, l' with
    | [], [] => Nothing
    | a :: l, b :: l' => both (f a b) (all l l')
    | _, _ => Impossible
    end.
Definition all1 {A} (f : A -> claims) (l : list A) : claims := fold_right (fun a => both (f a)) Nothing l.

(** Indices in terms of what the variables stand for. *)
Definition closed (b : binding) (e : idx) : idx := as_idx (norm b e).
Lemma closed_correct v b e : ze v (closed b e) = ze (close v b) e.
Proof. unfold closed. now rewrite as_idx_correct, norm_correct. Qed.

Definition same_z (b b' : binding) (e e' : idx) : claims :=
  match plus (-1) (norm b e) (norm b' e') with
  | ([], 0) => Nothing | ([], _) => Impossible | l => Claim (Eq (as_idx l) (Lit 0))
  end.
Fixpoint good (b : binding) (e : idx) : claims :=
  match e with
  | Var _ | Lit _ => Nothing | Add x y | Sub x y | Mul x y | Min x y | Max x y => both (good b x) (good b y)
  | Div x y | Cdiv x y | Mod x y => both (both (good b x) (good b y))
      match number_of b y with Some (Zpos _) => Nothing | _ => Claim (Lt (Lit 0) (closed b y)) end
  end.
Lemma same_z_correct v b b' e e' : claimed v (same_z b b' e e') -> ze (close v b) e = ze (close v b') e'.
Proof.
  intros H. unfold same_z in H. pose proof (plus_correct v (-1) (norm b e) (norm b' e')) as P.
  rewrite !norm_correct in P.
  destruct (plus _ _ _) as [[|t l] c]; [destruct c; try easy; change (zs v ([], 0)) with 0 in P; lia|].
  cbn [claimed be] in H. rewrite as_idx_correct in H. cbn [ze] in H. lia.
Qed.
Ltac apart :=
  repeat match goal with
         | H : claimed _ (both _ _) |- _ => apply both_claimed in H as [? ?]
         | H : _ /\ _ |- _ => destruct H
         end.
Lemma good_correct : forall v b e, claimed v (good b e) -> zdef (close v b) e = true.
Proof.
  intros v b. induction e; cbn [good zdef]; intros H; trivial; apart; rewrite ?IHe1, ?IHe2 by trivial; trivial;
    destruct (number_of b e2) as [[|p|p]|] eqn:E; try (cbn [claimed be ze] in *; now rewrite closed_correct in *);
    now apply (number_of_correct v) in E as ->.
Qed.
Lemma same_all v b b' : forall l l',
  claimed v (all2 (same_z b b') l l') -> equal_all (evs (close v b) l) (evs (close v b') l').
Proof. induction l as [|e l IH]; intros [|e' l']; cbn; try easy. intros H. apart. auto using same_z_correct. Qed.
Lemma good_all : forall v b l, claimed v (all1 (good b) l) -> zdefs (close v b) l = true.
Proof. intros v b. induction l as [|e l IH]; cbn; [easy|]. intros H. apart. now rewrite good_correct, IH. Qed.

(** ** Predicates *)

(** A comparison, as what is positive if it holds. *)
Definition excess (b : binding) (p : prd) : option sum :=
  match p with
  | Lt x y => Some (plus (-1) (norm b y) (norm b x))
  | Gt x y => Some (plus (-1) (norm b x) (norm b y))
  | Le x y => Some (plus 1 (plus (-1) (norm b y) (norm b x)) ([], 1))
  | Ge x y => Some (plus 1 (plus (-1) (norm b x) (norm b y)) ([], 1))
  | _ => None
  end.
Definition truth_of (b : binding) (p : prd) : option bool :=
  match p with
  | Truth t => Some t
  | Eq x y => match number_of b (Sub x y) with Some c => Some (c =? 0) | None => None end
  | Ne x y => match number_of b (Sub x y) with Some c => Some (negb (c =? 0)) | None => None end
  | _ => match excess b p with Some ([], c) => Some (0 <? c) | _ => None end
  end.
Fixpoint same_p (b b' : binding) (p q : prd) : bool :=
  match truth_of b p, truth_of b' q with
  | Some t, Some t' => Bool.eqb t t'
  | _, _ =>
      match p, q with
      | And p1 p2, And q1 q2 | Or p1 p2, Or q1 q2 => same_p b b' p1 q1 && same_p b b' p2 q2
      | Not p, Not q => same_p b b' p q
      | Eq x y, Eq x' y' | Ne x y, Ne x' y' => none (same_z b b' (Sub x y) (Sub x' y'))
      | _, _ => match excess b p, excess b' q with
                | Some l, Some l' => match plus (-1) l l' with ([], 0) => true | _ => false end
                | _, _ => false
                end
      end
  end.
Fixpoint good_p (b : binding) (p : prd) : claims :=
  match p with
  | Truth _ => Nothing
  | Lt x y | Le x y | Gt x y | Ge x y | Eq x y | Ne x y => both (good b x) (good b y)
  | And p q | Or p q => both (good_p b p) (good_p b q) | Not p => good_p b p
  end.
Lemma excess_correct : forall v b p l, excess b p = Some l -> be (close v b) p = (0 <? zs v l).
Proof.
  intros v b [] l; cbn [excess be]; try easy; intros [= <-]; rewrite !plus_correct, !norm_correct;
    unfold zs; cbn [sum_of fold_right fst snd];
    match goal with |- ?a = ?c => destruct a eqn:E, c eqn:F; trivial; exfalso;
      rewrite ?Z.ltb_lt, ?Z.leb_le, ?Z.ltb_ge, ?Z.leb_gt in E, F; lia end.
Qed.
Lemma truth_of_correct : forall v b p t, truth_of b p = Some t -> be (close v b) p = t.
Proof.
  intros v b p t H. unfold truth_of in H.
  assert (Hpos : match excess b p with Some ([], c) => Some (0 <? c) | _ => None end = Some t -> be (close v b) p = t).
  { destruct (excess b p) as [[[|u l] c]|] eqn:E; try easy. intros [= <-]. apply (excess_correct v) in E as ->. easy. }
  destruct p; auto; cbn [be]; [congruence | |];
    destruct (number_of b (Sub a b0)) as [c|] eqn:E; try easy; injection H as <-;
    apply (number_of_correct v) in E; cbn [ze] in E;
    repeat match goal with |- context [?a =? ?b] => destruct (Z.eqb_spec a b) end; cbn; trivial; lia.
Qed.
Lemma same_p_correct : forall v b b' p q, same_p b b' p q = true -> be (close v b) p = be (close v b') q.
Proof.
  intros v b b'. assert (Hpos : forall p q, match excess b p, excess b' q with
      | Some l, Some l' => match plus (-1) l l' with ([], 0) => true | _ => false end | _, _ => false end = true ->
      be (close v b) p = be (close v b') q).
  { intros p q H. destruct (excess b p) as [l|] eqn:E, (excess b' q) as [l'|] eqn:F; try easy.
    rewrite (excess_correct v _ _ _ E), (excess_correct v _ _ _ F). pose proof (plus_correct v (-1) l l') as P.
    destruct (plus (-1) l l') as [[|t m] [| |]]; try easy. change (zs v ([], 0)) with 0 in P. f_equal. lia. }
  induction p; intros q H; cbn [same_p] in H;
    (destruct (truth_of b _) as [t|] eqn:E; [destruct (truth_of b' q) as [t'|] eqn:F|]);
    try (apply (truth_of_correct v) in E as ->; apply (truth_of_correct v) in F as ->; now apply Bool.eqb_prop);
    destruct q; try (now apply Hpos in H); try easy; cbn [be];
    try (apply (none_claimed v), same_z_correct in H; cbn [ze] in H;
         repeat match goal with |- context [?a =? ?b] => destruct (Z.eqb_spec a b) end; cbn; trivial; lia);
    try (apply andb_true_iff in H as [H1 H2]; now rewrite (IHp1 _ H1), (IHp2 _ H2)); now rewrite (IHp _ H).
Qed.
Lemma good_p_correct v b p : claimed v (good_p b p) -> bdef (close v b) p = true.
Proof. induction p; cbn; intros; apart; rewrite ?good_correct, ?IHp1, ?IHp2, ?orb_true_r by trivial; auto. Qed.
Fixpoint closed_p (b : binding) (p : prd) : prd :=
  match p with
  | Truth t => Truth t | Not p => Not (closed_p b p)
  | And p q => And (closed_p b p) (closed_p b q) | Or p q => Or (closed_p b p) (closed_p b q)
  | Lt x y => Lt (closed b x) (closed b y) | Le x y => Le (closed b x) (closed b y)
  | Gt x y => Gt (closed b x) (closed b y) | Ge x y => Ge (closed b x) (closed b y)
  | Eq x y => Eq (closed b x) (closed b y) | Ne x y => Ne (closed b x) (closed b y)
  end.
Lemma closed_p_correct v b p : be v (closed_p b p) = be (close v b) p.
Proof. induction p; cbn [closed_p be]; rewrite ?closed_correct; congruence. Qed.
Definition claim (b : binding) (p : prd) : claims :=
  match truth_of b p with Some t => if t then Nothing else Impossible | None => Claim (closed_p b p) end.
Lemma claim_correct v b p : claimed v (claim b p) -> be (close v b) p = true.
Proof.
  unfold claim. destruct (truth_of b p) as [[]|] eqn:E; [now apply (truth_of_correct v) in E | easy |].
  now rewrite <- closed_p_correct.
Qed.
Definition alike (b b' : binding) (p q : prd) : claims :=
  if same_p b b' p q then Nothing else Alike (closed_p b p) (closed_p b' q).
Lemma alike_correct v b b' p q : claimed v (alike b b' p q) -> be (close v b) p = be (close v b') q.
Proof. unfold alike. destruct (same_p b b' p q) eqn:E; cbn; rewrite ?closed_p_correct; auto using same_p_correct. Qed.

(** ** Scalars *)

Fixpoint same_s (b b' : binding) (s s' : sexpr) : claims :=
  match s, s' with
  | Get x l, Get x' l' => if String.eqb x x' then both (all1 (good b') l') (all2 (same_z b b') l l') else Impossible
  | Op f args, Op f' args' => if String.eqb f f' then all2 (same_s b b') args args' else Impossible
  | OfZ ty z, OfZ ty' z' => if String.eqb ty ty' then both (good b' z') (same_z b b' z z') else Impossible
  | OfB p, OfB p' => both (good_p b' p') (alike b b' p p')
  | If p s t, If p' s' t' => both (both (good_p b' p') (alike b b' p p'))
      (both (given (closed_p b p) true (same_s b b' s s')) (given (closed_p b p) false (same_s b b' t t')))
  | If p s t, _ =>
      match truth_of b p with
      | Some t' => if t' then same_s b b' s s' else same_s b b' t s'
      | None => both (given (closed_p b p) true (same_s b b' s s')) (given (closed_p b p) false (same_s b b' t s'))
      end
  | _, _ => Impossible
  end.
Lemma same_s_correct : forall v b b' s s', claimed v (same_s b b' s s') -> same (close v b) (close v b') s s'.
Proof.
  intros v b b'. fix IH 1. intros s s'.
  assert (Hif : forall p s t s', (claimed v (same_s b b' s s') -> same (close v b) (close v b') s s') ->
    (claimed v (same_s b b' t s') -> same (close v b) (close v b') t s') ->
    claimed v match truth_of b p with
      | Some t' => if t' then same_s b b' s s' else same_s b b' t s'
      | None => both (given (closed_p b p) true (same_s b b' s s')) (given (closed_p b p) false (same_s b b' t s'))
      end ->
    (be (close v b) p = true -> same (close v b) (close v b') s s') /\
    (be (close v b) p = false -> same (close v b) (close v b') t s')).
  { intros p s0 t s0' Hs Ht H. destruct (truth_of b p) as [[]|] eqn:E;
      [apply (truth_of_correct v) in E; split; intros; auto; congruence..|].
    apart. split; intros F; rewrite <- closed_p_correct in F; eauto using given_claimed. }
  destruct s as [x l|f args|ty z|p|p s t|c e], s' as [x' l'|f' args'|ty' z'|p'|p' s' t'|c' e'];
    cbn [same_s same]; try easy; try (intros H; apply Hif; auto; exact H);
    try match goal with |- context [String.eqb ?a ?b] => destruct (String.eqb_spec a b) as [->|]; [|easy] end;
    intros H; apart;
    repeat split; auto using good_all, same_all, good_correct, same_z_correct, good_p_correct, alike_correct;
    try (intros F; rewrite <- closed_p_correct in F; apply IH; eauto using given_claimed).
  revert args args' H. fix IHl 1. intros [|s args] [|s' args']; cbn [all2]; try easy. intros H. apart.
  split; [now apply IH | now apply IHl].
Qed.

(** ** Statements *)

Definition bound_code := list (binding * stmt).
Definition concrete (v : env) (l : bound_code) : list (env * stmt) := map (fun p => (close v (fst p), snd p)) l.

(** Blocks are flat, loops unrolled and guards decided whose numbers are known. *)
Definition few (m : mode) (lo hi : Z) : bool :=
  match m with Unrolled => true | Sequential => hi - lo <=? 1 | _ => false end.
Fixpoint flat_steps (s : stmt) (b : binding) : bound_code :=
  match s with
  | SSkip => []
  | SSeq s t => flat_steps s b ++ flat_steps t b
  | SIf p t => match truth_of b p, none (good_p b p) with
               | Some true, true => flat_steps t b
               | Some false, true => []
               | _, _ => [(b, s)]
               end
  | SFor m i lo hi t =>
      match number_of b lo, number_of b hi with
      | Some x, Some y =>
          if few m x y && none (good b lo) && none (good b hi)
          then flat_map (fun z => flat_steps t ((i, Lit z) :: b)) (zrange x y) else [(b, s)]
      | _, _ => [(b, s)]
      end
  | _ => [(b, s)]
  end.
Definition all_flat (l : bound_code) : bound_code := flat_map (fun p => flat_steps (snd p) (fst p)) l.

(** Nothing depends on the variable [x]. *)
Definition unused (x : string) : binding -> bool :=
  forallb (fun p => match snd p with Lit _ => true | Var y => negb (String.eqb y x) | _ => false end).
Lemma close_unused x z v b : unused x b = true -> close ((x, z) :: v) b = close v b.
Proof.
  induction b as [|[y e] b IH]; cbn [unused forallb close map fst snd]; [easy|]. intros [He Hb]%andb_true_iff.
  unfold close in IH. rewrite IH by trivial. destruct e; try easy. cbn. apply negb_true_iff in He. now rewrite He.
Qed.

(** Guards around guards: where there are more in the source, some always hold. *)
Fixpoint guards (s : stmt) : nat := match s with SIf _ s => S (guards s) | SSeq s SSkip => guards s | _ => O end.

(** Two statements of the same form. [rec] compares what is in them; [d] numbers the loops around. *)
Definition heads (rec : nat -> bound_code -> bound_code -> claims) (d : nat) (b b' : binding) (s s' : stmt) : claims :=
  match s, s' with
  | SFor m i lo hi s, SFor m' i' lo' hi' s' =>
      let x := fill_var d in
      let bounds := both (same_z b b' lo lo') (same_z b b' hi hi') in
      if Bool.eqb (unordered m) (unordered m') && (none bounds || String.eqb i i' || String.begins_with hash i)
         && (unused x b && unused x b')
      then both (both (both (good b' lo') (good b' hi')) bounds)
             (each x (closed b lo) (closed b hi)
                (rec (S d) (all_flat [((i, Var x) :: b, s)]) (all_flat [((i', Var x) :: b', s')])))
      else Impossible
  | SIf p s, SIf p' s' =>
      if (guards s' <? guards s)%nat && negb (same_p b b' p p') then Impossible else
      both (both (good_p b' p') (alike b b' p p'))
        (within (closed_p b p) (rec d (all_flat [(b, s)]) (all_flat [(b', s')])))
  | SAlloc x ds s, SAlloc x' ds' s' =>
      if String.eqb x x'
      then both (both (all1 (good b') ds') (all2 (same_z b b') ds ds'))
             (rec d (all_flat [(b, s)]) (all_flat [(b', s')]))
      else Impossible
  | SStore x l r s, SStore x' l' r' s' =>
      if String.eqb x x' && match r, r' with Some f, Some f' => String.eqb f f' | None, None => true | _, _ => false end
      then both (both (all1 (good b') l') (all2 (same_z b b') l l')) (same_s b b' s s')
      else Impossible
  | _, _ => Impossible
  end.

(** Statements in sequence; [tgt] may lack guards that always or never hold and loops without an iteration. *)
Definition begins (l tgt : bound_code) : bool :=
  match l, tgt with (_, s) :: _, (_, t) :: _ => fit s t | [], _ => true | _, [] => false end.
Definition copies_of (m : mode) (i : string) (lo hi : idx) (t : stmt) (b : binding) : bound_code :=
  match m, number_of b lo, number_of b hi with
  | Sequential, Some x, Some y => if y - x <=? 16 then flat_steps (SFor Unrolled i lo hi t) b else []
  | _, _, _ => []
  end.
Fixpoint quick (n d : nat) (src tgt : bound_code) : claims :=
  match n, src, tgt with
  | S _, [], [] => Nothing
  | S n, (b, s) :: src', _ =>
      match match tgt with (b', s') :: _ => heads (quick n) d b b' s s' | [] => Impossible end with
      | Impossible =>
          match s with
          | SIf p t =>
              if begins (flat_steps t b) tgt then both (claim b p) (quick n d (flat_steps t b ++ src') tgt)
              else both (claim b (Not p)) (quick n d src' tgt)
          | SFor m i lo hi t =>
              let copies := copies_of m i lo hi t b in
              if begins copies tgt && negb (length copies =? 0)%nat then quick n d (copies ++ src') tgt
              else both (claim b (Le hi lo)) (quick n d src' tgt)
          | _ => Impossible
          end
      | c => both c (quick n d src' (tl tgt))
      end
  | _, _, _ => Impossible
  end.
Definition claims_of (n : nat) (src tgt : bound_code) : claims := quick n 20 (all_flat src) (all_flat tgt).

Section Quick.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.
  Notation refines := (refines junk order).

  Lemma flat_steps_exec v : forall s b D M,
    execs junk order (concrete v (flat_steps s b)) D M = exec junk order s (close v b) D M.
  Proof.
    induction s; intros b D M; cbn [flat_steps]; try apply execs_one; [easy | | |].
    - unfold concrete in *. rewrite map_app, execs_app, IHs1. cbn [exec]. now destruct (exec junk order s1 _ D M).
    - destruct (number_of b lo) as [x|] eqn:Ex; [|apply execs_one].
      destruct (number_of b hi) as [y|] eqn:Ey; [|apply execs_one].
      destruct (few m x y && none (good b lo) && none (good b hi)) eqn:E; [|apply execs_one].
      rewrite !andb_true_iff in E. destruct E as [[Hf Hlo] Hhi]. cbn [exec].
      rewrite !good_correct by auto using none_claimed.
      rewrite (number_of_correct v b lo x Ex), (number_of_correct v b hi y Ey).
      cbn [andb]. replace (iterations order m M x y) with (zrange x y) by (now destruct m). clear Ex Ey Hf.
      revert M. induction (zrange x y) as [|z l IH]; intros M; cbn [flat_map iterate]; [easy|].
      unfold concrete in *. rewrite map_app, execs_app, IHs. cbn [close map fst snd ze].
      change (map (fun p => (fst p, ze v (snd p))) b) with (close v b). destruct exec; auto.
    - destruct (truth_of b p) as [t|] eqn:E; [|apply execs_one].
      destruct (none (good_p b p)) eqn:G; [|destruct t; apply execs_one].
      cbn [exec]. rewrite (good_p_correct v b p (none_claimed v _ G)), (truth_of_correct v b p t E).
      destruct t; [apply IHs | easy].
  Qed.
  Lemma all_flat_exec v l D : forall M,
    execs junk order (concrete v (all_flat l)) D M = execs junk order (concrete v l) D M.
  Proof.
    unfold concrete, all_flat. induction l as [|[b s] l IH]; intros M; cbn [flat_map map execs fst snd]; [easy|].
    rewrite map_app, execs_app. fold (concrete v (flat_steps s b)). rewrite flat_steps_exec. destruct exec; auto.
  Qed.

  Lemma refines_flat v src tgt : refines (concrete v (all_flat src)) (concrete v (all_flat tgt)) ->
    refines (concrete v src) (concrete v tgt).
  Proof. intros H D M M'. rewrite <- (all_flat_exec v src), <- (all_flat_exec v tgt). apply H. Qed.
  Lemma refines_body v b s src tgt : refines (concrete v (flat_steps s b ++ src)) tgt ->
    refines ((close v b, s) :: concrete v src) tgt.
  Proof.
    intros H D M M' E. apply H. unfold concrete. rewrite map_app, execs_app. fold (concrete v (flat_steps s b)).
    now rewrite flat_steps_exec.
  Qed.

  Lemma heads_correct rec d :
    (forall d v src tgt, claimed v (rec d src tgt) -> refines (concrete v src) (concrete v tgt)) ->
    forall v b b' s s' src tgt, claimed v (heads rec d b b' s s') -> refines src tgt ->
    refines ((close v b, s) :: src) ((close v b', s') :: tgt).
  Proof.
    intros Hrec v b b' s s' src tgt H Hl.
    assert (Hin : forall v b b' s s' d, claimed v (rec d (all_flat [(b, s)]) (all_flat [(b', s')])) ->
      refines [(close v b, s)] [(close v b', s')])
      by (intros ? b1 b2 s1 s2 ? Hc; apply (refines_flat _ [(b1, s1)] [(b2, s2)]); eauto).
    destruct s as [| |m i lo hi s|p s|x ds s|x k r s], s' as [| |m' i' lo' hi' s'|p' s'|x' ds' s'|x' k' r' s'];
      try easy; cbn [heads] in H.
    - destruct (Bool.eqb _ _ && _ && (_ && _)) eqn:E; [|easy].
      rewrite !andb_true_iff in E. destruct E as ((Em & _) & Eb & Eb'). apart.
      apply refines_for; auto using Bool.eqb_prop, same_z_correct.
      + now rewrite !good_correct by trivial.
      + intros z Hz. rewrite <- !closed_correct in Hz.
        match goal with C : claimed _ (each _ _ _ _) |- _ => eapply each_claimed in C; [|exact Hz]; apply Hin in C end.
        cbn [close map fst snd ze lookup] in *. rewrite String.eqb_refl in *.
        fold (close ((fill_var d, z) :: v) b) (close ((fill_var d, z) :: v) b') in *.
        now rewrite !close_unused in * by trivial.
    - destruct ((_ <? _)%nat && _); [easy|]. apart. apply refines_if; auto using good_p_correct, alike_correct.
      intros F. rewrite <- closed_p_correct in F. eauto using within_claimed.
    - destruct (String.eqb_spec x x') as [->|]; [|easy]. apart. apply refines_alloc; eauto using good_all, same_all.
    - destruct (String.eqb_spec x x') as [->|]; [|easy]. cbn [andb] in H.
      replace r' with r by (destruct r, r'; try easy; destruct (String.eqb_spec s0 s1); now subst).
      destruct (match r with Some _ => _ | None => _ end); [|easy]. apart.
      apply refines_store; auto using good_all, same_all, same_s_correct.
  Qed.

  Lemma quick_correct :
    forall n d v src tgt, claimed v (quick n d src tgt) -> refines (concrete v src) (concrete v tgt).
  Proof.
    induction n as [|n IH]; intros d v [|[b s] src] tgt H; try easy; [now destruct tgt|]. cbn [quick] in H.
    destruct (match tgt with (b', s') :: _ => heads (quick n) d b b' s s' | [] => Impossible end) eqn:E;
      try (destruct tgt as [|[b' s'] tgt]; [easy|]; cbn [tl] in H; apart;
        apply (heads_correct (quick n) d IH v b b' s s' (concrete v src) (concrete v tgt)); [now rewrite E | eauto]).
    clear E. change (refines ((close v b, s) :: concrete v src) (concrete v tgt)).
    destruct s as [| |m i lo hi t|p t| |]; try easy; cbv beta iota in H.
    - destruct (begins (copies_of m i lo hi t b) tgt && _) eqn:E; apart.
      + unfold copies_of in *. destruct m, (number_of b lo), (number_of b hi); try (now rewrite andb_false_r in E).
        destruct (_ <=? 16); [|now rewrite andb_false_r in E].
        change (refines ((close v b, SFor Unrolled i lo hi t) :: concrete v src) (concrete v tgt)).
        apply refines_body; eauto.
      + match goal with C : claimed _ (claim _ _) |- _ => apply claim_correct in C; cbn [be] in C end.
        apply refines_for_none; [trivial | lia | eauto].
    - destruct (begins _ _); apart; match goal with C : claimed _ (claim _ _) |- _ => apply claim_correct in C end.
      + apply refines_if_true; [trivial | apply refines_body; eauto].
      + apply refines_if_false; [now apply negb_true_iff | eauto].
  Qed.
  Theorem claims_correct n v src tgt c : claims_of n src tgt = c -> claimed v c ->
    refines (concrete v src) (concrete v tgt).
  Proof. intros <- H. apply refines_flat. exact (quick_correct _ _ _ _ _ H). Qed.
End Quick.
