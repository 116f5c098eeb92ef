(** * Indices, predicates and scalars, equal up to claims

    Comparing two indices by computation either finds that they are equal, or that they cannot
    be, or claims something that arithmetic has to prove under the hypotheses of the loops and
    guards around. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Syntax lowering.Loops
  lowering.Sim lowering.Normal.

(** ** Claims

    What is left to arithmetic, and that loop nests cannot be equal. *)

Inductive claims :=
| Nothing
| Impossible
| Both (a b : claims)
| Claim (p : prd)
| Alike (p q : prd)
| Each (x : string) (lo hi : idx) (c : claims)
| Given (p : prd) (t : bool) (c : claims).

Fixpoint claimed (v : env) (c : claims) : Prop :=
  match c with
  | Nothing => True
  | Impossible => False
  | Both a b => claimed v a /\ claimed v b
  | Claim p => be v p = true
  | Alike p q => be v p = be v q
  | Each x lo hi c => forall z, ze v lo <= z < ze v hi -> claimed ((x, z) :: v) c
  | Given p t c => be v p = t -> claimed v c
  end.

(** Whether nothing is claimed. *)
Definition none (c : claims) : bool := match c with Nothing => true | _ => false end.

Lemma none_claimed v c : none c = true -> claimed v c.
Proof. now destruct c. Qed.

(** The constructors of claims, but that nothing and the impossible remain what they are. *)
Definition both (a b : claims) : claims :=
  match a, b with
  | Nothing, c | c, Nothing => c
  | Impossible, _ | _, Impossible => Impossible
  | _, _ => Both a b
  end.

Definition each (x : string) (lo hi : idx) (c : claims) : claims :=
  match c with
  | Nothing | Impossible => c
  | _ => Each x lo hi c
  end.

Definition given (p : prd) (t : bool) (c : claims) : claims :=
  match c with
  | Nothing => Nothing
  | Impossible => Claim (if t then Not p else p)
  | _ => Given p t c
  end.

Definition under (p : prd) (c : claims) : claims :=
  match c with
  | Impossible => Impossible
  | _ => given p true c
  end.

Lemma both_claimed v a b : claimed v (both a b) -> claimed v a /\ claimed v b.
Proof. now destruct a, b; cbn. Qed.

Lemma each_claimed v x lo hi c z :
  claimed v (each x lo hi c) -> ze v lo <= z < ze v hi -> claimed ((x, z) :: v) c.
Proof. destruct c; cbn; auto. Qed.

Lemma given_claimed v p t c : claimed v (given p t c) -> be v p = t -> claimed v c.
Proof. destruct c; cbn; auto. destruct t; cbn; [intros H E; now rewrite E in H | congruence]. Qed.

Lemma under_claimed v p c : claimed v (under p c) -> be v p = true -> claimed v c.
Proof. destruct c; try easy; apply given_claimed. Qed.

(** The claims about all elements of two lists, or of one. *)
Definition all2 {A B} (f : A -> B -> claims) : list A -> list B -> claims :=
  fix all l l' :=
    match l, l' with
    | [], [] => Nothing
    | a :: l, b :: l' => both (f a b) (all l l')
    | _, _ => Impossible
    end.

Definition all1 {A} (f : A -> claims) (l : list A) : claims :=
  fold_right (fun a => both (f a)) Nothing l.

(** ** Indices

    Whether two are equal, and whether one is defined. *)

(** Indices in terms of what the variables stand for. *)
Definition resolved (b : binding) (e : idx) : idx := as_idx (norm b e).

Lemma resolved_correct v b e : ze v (resolved b e) = ze (close v b) e.
Proof. unfold resolved. now rewrite as_idx_correct, norm_correct. Qed.

(** Two indices are equal. *)
Definition same_z (b b' : binding) (e e' : idx) : claims :=
  match plus (-1) (norm b e) (norm b' e') with
  | ([], 0) => Nothing
  | ([], _) => Impossible
  | l => Claim (Eq (as_idx l) (Lit 0))
  end.

(** The divisors of an index are positive. *)
Fixpoint good (b : binding) (e : idx) : claims :=
  match e with
  | Var _ | Lit _ => Nothing
  | Add x y | Sub x y | Mul x y | Min x y | Max x y => both (good b x) (good b y)
  | Div x y | Cdiv x y | Mod x y =>
      both (both (good b x) (good b y))
        match number_of b y with
        | Some (Zpos _) => Nothing
        | _ => Claim (Lt (Lit 0) (resolved b y))
        end
  end.

Lemma same_z_correct v b b' e e' :
  claimed v (same_z b b' e e') -> ze (close v b) e = ze (close v b') e'.
Proof.
  intros H.
  unfold same_z in H.
  pose proof (plus_correct v (-1) (norm b e) (norm b' e')) as P.
  rewrite !norm_correct in P.
  destruct (plus _ _ _) as [[|t l] c];
    [destruct c; try easy; change (form_value v ([], 0)) with 0 in P; lia|].
  cbn [claimed be] in H.
  rewrite as_idx_correct in H.
  cbn [ze] in H.
  lia.
Qed.

Ltac apart :=
  repeat match goal with
         | H : claimed _ (both _ _) |- _ => apply both_claimed in H as [? ?]
         | H : _ /\ _ |- _ => destruct H
         end.

Lemma good_correct : forall v b e, claimed v (good b e) -> zdef (close v b) e = true.
Proof.
  intros v b.
  induction e; cbn [good zdef]; intros H; trivial; apart; rewrite ?IHe1, ?IHe2 by trivial; trivial;
    destruct (number_of b e2) as [[|p|p]|] eqn:E;
    try (cbn [claimed be ze] in *; now rewrite resolved_correct in *);
    now apply (number_of_correct v) in E as ->.
Qed.

Lemma same_all v b b' :
  forall l l',
  claimed v (all2 (same_z b b') l l') -> equal_all (evs (close v b) l) (evs (close v b') l').
Proof.
  induction l as [|e l IH]; intros [|e' l']; cbn; try easy.
  intros H.
  apart.
  auto using same_z_correct.
Qed.

Lemma good_all : forall v b l, claimed v (all1 (good b) l) -> zdefs (close v b) l = true.
Proof.
  intros v b.
  induction l as [|e l IH]; cbn; [easy|].
  intros H.
  apart.
  now rewrite good_correct, IH.
Qed.

(** ** Predicates

    The same of predicates, and what is known of their truth. *)

(** A comparison, as what is positive if it holds. *)
Definition excess (b : binding) (p : prd) : option linear_form :=
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
  | And p q | Or p q => both (good_p b p) (good_p b q)
  | Not p => good_p b p
  end.

Lemma excess_correct :
  forall v b p l, excess b p = Some l -> be (close v b) p = (0 <? form_value v l).
Proof.
  intros v b [] l; cbn [excess be]; try easy; intros [= <-]; rewrite !plus_correct, !norm_correct;
    unfold form_value; cbn [multiples_value fold_right fst snd];
    match goal with
    | |- ?a = ?c =>
        destruct a eqn:E, c eqn:F; trivial; exfalso;
        rewrite ?Z.ltb_lt, ?Z.leb_le, ?Z.ltb_ge, ?Z.leb_gt in E, F; lia
    end.
Qed.

Lemma truth_of_correct : forall v b p t, truth_of b p = Some t -> be (close v b) p = t.
Proof.
  intros v b p t H.
  unfold truth_of in H.
  assert (Hpos : match excess b p with Some ([], c) => Some (0 <? c) | _ => None end = Some t ->
    be (close v b) p = t).
  { destruct (excess b p) as [[[|u l] c]|] eqn:E; try easy.
    intros [= <-].
    apply (excess_correct v) in E as ->.
    easy. }
  destruct p; auto; cbn [be]; [congruence | |];
    destruct (number_of b (Sub a b0)) as [c|] eqn:E; try easy; injection H as <-;
    apply (number_of_correct v) in E; cbn [ze] in E;
    repeat match goal with |- context [?a =? ?b] => destruct (Z.eqb_spec a b) end;
    cbn; trivial; lia.
Qed.

Lemma same_p_correct :
  forall v b b' p q, same_p b b' p q = true -> be (close v b) p = be (close v b') q.
Proof.
  intros v b b'.
  assert (Hpos : forall p q,
    match excess b p, excess b' q with
    | Some l, Some l' => match plus (-1) l l' with ([], 0) => true | _ => false end
    | _, _ => false
    end = true ->
    be (close v b) p = be (close v b') q).
  { intros p q H.
    destruct (excess b p) as [l|] eqn:E, (excess b' q) as [l'|] eqn:F; try easy.
    rewrite (excess_correct v _ _ _ E), (excess_correct v _ _ _ F).
    pose proof (plus_correct v (-1) l l') as P.
    destruct (plus (-1) l l') as [[|t m] [| |]]; try easy.
    change (form_value v ([], 0)) with 0 in P.
    f_equal.
    lia. }
  induction p; intros q H; cbn [same_p] in H;
    (destruct (truth_of b _) as [t|] eqn:E; [destruct (truth_of b' q) as [t'|] eqn:F|]);
    try (apply (truth_of_correct v) in E as ->; apply (truth_of_correct v) in F as ->;
         now apply Bool.eqb_prop);
    destruct q; try (now apply Hpos in H); try easy; cbn [be];
    try (apply (none_claimed v), same_z_correct in H; cbn [ze] in H;
         repeat match goal with |- context [?a =? ?b] => destruct (Z.eqb_spec a b) end;
         cbn; trivial; lia);
    try (apply andb_true_iff in H as [H1 H2]; now rewrite (IHp1 _ H1), (IHp2 _ H2));
    now rewrite (IHp _ H).
Qed.

Lemma good_p_correct v b p : claimed v (good_p b p) -> bdef (close v b) p = true.
Proof.
  induction p; cbn; intros; apart; rewrite ?good_correct, ?IHp1, ?IHp2, ?orb_true_r by trivial;
    auto.
Qed.

(** Predicates in terms of what the variables stand for. *)
Fixpoint resolved_p (b : binding) (p : prd) : prd :=
  match p with
  | Truth t => Truth t
  | Not p => Not (resolved_p b p)
  | And p q => And (resolved_p b p) (resolved_p b q)
  | Or p q => Or (resolved_p b p) (resolved_p b q)
  | Lt x y => Lt (resolved b x) (resolved b y)
  | Le x y => Le (resolved b x) (resolved b y)
  | Gt x y => Gt (resolved b x) (resolved b y)
  | Ge x y => Ge (resolved b x) (resolved b y)
  | Eq x y => Eq (resolved b x) (resolved b y)
  | Ne x y => Ne (resolved b x) (resolved b y)
  end.

Lemma resolved_p_correct v b p : be v (resolved_p b p) = be (close v b) p.
Proof. induction p; cbn [resolved_p be]; rewrite ?resolved_correct; congruence. Qed.

(** The claim that a predicate holds, and that two are the same. *)
Definition claim (b : binding) (p : prd) : claims :=
  match truth_of b p with
  | Some t => if t then Nothing else Impossible
  | None => Claim (resolved_p b p)
  end.

Lemma claim_correct v b p : claimed v (claim b p) -> be (close v b) p = true.
Proof.
  unfold claim.
  destruct (truth_of b p) as [[]|] eqn:E; [now apply (truth_of_correct v) in E | easy |].
  now rewrite <- resolved_p_correct.
Qed.

Definition alike (b b' : binding) (p q : prd) : claims :=
  if same_p b b' p q then Nothing else Alike (resolved_p b p) (resolved_p b' q).

Lemma alike_correct v b b' p q : claimed v (alike b b' p q) -> be (close v b) p = be (close v b') q.
Proof.
  unfold alike.
  destruct (same_p b b' p q) eqn:E; cbn; rewrite ?resolved_p_correct; auto using same_p_correct.
Qed.

(** ** Scalars

    The claims of [same_s] imply [same] ([Sim.v]). *)

Fixpoint same_s (b b' : binding) (s s' : sexpr) : claims :=
  match s, s' with
  | Get x l, Get x' l' =>
      if String.eqb x x'
      then both (all1 (good b') l') (all2 (same_z b b') l l')
      else Impossible
  | Op f args, Op f' args' => if String.eqb f f' then all2 (same_s b b') args args' else Impossible
  | OfZ ty z, OfZ ty' z' =>
      if String.eqb ty ty'
      then both (good b' z') (same_z b b' z z')
      else Impossible
  | OfB p, OfB p' => both (good_p b' p') (alike b b' p p')
  | If p s t, If p' s' t' =>
      both (both (good_p b' p') (alike b b' p p'))
        (both (given (resolved_p b p) true (same_s b b' s s'))
              (given (resolved_p b p) false (same_s b b' t t')))
  | If p s t, _ =>
      match truth_of b p with
      | Some t' => if t' then same_s b b' s s' else same_s b b' t s'
      | None =>
          both (given (resolved_p b p) true (same_s b b' s s'))
               (given (resolved_p b p) false (same_s b b' t s'))
      end
  | _, _ => Impossible
  end.

Lemma same_s_correct :
  forall v b b' s s', claimed v (same_s b b' s s') -> same (close v b) (close v b') s s'.
Proof.
  intros v b b'.
  fix IH 1.
  intros s s'.
  assert (Hif : forall p s t s',
    (claimed v (same_s b b' s s') -> same (close v b) (close v b') s s') ->
    (claimed v (same_s b b' t s') -> same (close v b) (close v b') t s') ->
    claimed v
      match truth_of b p with
      | Some t' => if t' then same_s b b' s s' else same_s b b' t s'
      | None =>
          both (given (resolved_p b p) true (same_s b b' s s'))
               (given (resolved_p b p) false (same_s b b' t s'))
      end ->
    (be (close v b) p = true -> same (close v b) (close v b') s s') /\
    (be (close v b) p = false -> same (close v b) (close v b') t s')).
  { intros p s0 t s0' Hs Ht H.
    destruct (truth_of b p) as [[]|] eqn:E;
      [apply (truth_of_correct v) in E; split; intros; auto; congruence..|].
    apart.
    split; intros F; rewrite <- resolved_p_correct in F; eauto using given_claimed. }
  destruct s as [x l|f args|ty z|p|p s t|c e], s' as [x' l'|f' args'|ty' z'|p'|p' s' t'|c' e'];
    cbn [same_s same]; try easy; try (intros H; apply Hif; auto; exact H);
    try match goal with
        | |- context [String.eqb ?a ?b] => destruct (String.eqb_spec a b) as [->|]; [|easy]
        end;
    intros H; apart;
    repeat split;
    auto using good_all, same_all, good_correct, same_z_correct, good_p_correct, alike_correct;
    try (intros F; rewrite <- resolved_p_correct in F; apply IH; eauto using given_claimed).
  revert args args' H.
  fix IHl 1.
  intros [|s args] [|s' args']; cbn [all2]; try easy.
  intros H.
  apart.
  split; [now apply IH | now apply IHl].
Qed.
