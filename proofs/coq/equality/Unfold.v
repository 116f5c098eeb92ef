(** * Denotations, one let at a time

    What the proofs that two programs are equal compute with. [go] is [den], but stops at a let,
    whose tensor then gets a name unless it is a scalar. [sev] is [se], but stops at a reduction.
    So a chain of tensors is never unfolded into each other, and what is proved of one tensor,
    its prophecy, is used where it is read. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.ContribFacts ops.Reshape
  syntax.Syntax syntax.Denote.

Section Unfold.
  Context {S : Scalars}.

  (** ** Scalars and tensor expressions, up to the next let

      The only difference to [se] and [den] is where they stop. *)

  Fixpoint sev (s : sexpr) (v : env) (G : tensors) : V :=
    match s with
    | Get x l => lookup no_tensor G x (evs v l)
    | Op f args => op f (map (fun s => sev s v G) args)
    | OfZ ty z => ofZ ty (ze v z)
    | OfB p => ofb (be v p)
    | If p s t => if be v p then sev s v G else sev t v G
    | Cell init e => value (Some init) (den e v G [])
    end.

  Fixpoint go (e : expr) (v : env) (G : tensors) (xs : list Z) : list contrib :=
    match e with
    | Gen _ i lo hi e =>
        match xs with
        | x :: xs => go e ((i, from v lo x) :: v) G xs
        | [] => []
        end
    | Sum f i lo hi e => total f (ze v lo) (ze v hi) (fun z => go e ((i, z) :: v) G xs)
    | Guard p e => if be v p then go e v G xs else []
    | Let x init a e => den (Let x init a e) v G xs
    | Concat a b =>
        match xs with
        | x :: xs =>
            let n := hd 0 (evs v (shape a)) in
            if x <? n then go a v G (x :: xs) else go b v G (x - n :: xs)
        | [] => []
        end
    | Reshape r args e =>
        if fst (npull r (evs v args) (evs v (shape e)) xs)
        then go e v G (snd (npull r (evs v args) (evs v (shape e)) xs)) else []
    | Scalar s =>
        match xs with
        | [] => [Put (sev s v G)]
        | _ => []
        end
    end.

  Lemma se_sev : forall v G s, se s v G = sev s v G.
  Proof.
    intros v G.
    fix IH 1.
    intros [x l|f args|ty z|p|p s t|c e]; cbn [se sev]; trivial.
    - f_equal.
      revert args.
      fix IHargs 1.
      intros [|s args]; [reflexivity|].
      cbn [map].
      now rewrite IH, IHargs.
    - now rewrite (IH s), (IH t).
  Qed.

  (** ** Equal tensors give equal contributions

      By induction on the expression. *)

  Definition alike (G G' : tensors) : Prop :=
    forall x xs, lookup no_tensor G x xs = lookup no_tensor G' x xs.

  Lemma alike_bind G G' x (X X' : tensor) :
    alike G G' -> (forall xs, X xs = X' xs) -> alike ((x, X) :: G) ((x, X') :: G').
  Proof.
    intros HG HX y xs.
    cbn.
    destruct (String.eqb y x); auto.
  Qed.

  Fixpoint den_alike e : forall v G G' xs, alike G G' -> den e v G xs = den e v G' xs
  with se_alike s : forall v G G', alike G G' -> se s v G = se s v G'.
  Proof.
    - destruct e; intros v G G' xs HG; cbn [den]; try now rewrite (den_alike e _ G G').
      + destruct xs; auto.
      + apply total_ext; trivial.
        intros z _.
        now rewrite (den_alike e _ G G').
      + apply den_alike, alike_bind; trivial.
        intros ys.
        apply value_ext.
        now apply den_alike.
      + destruct xs; trivial.
        cbv zeta.
        now rewrite (den_alike e1 _ G G'), (den_alike e2 _ G G').
      + now rewrite (se_alike s _ G G').
    - destruct s; intros v G G' HG; cbn [se]; trivial.
      + f_equal.
        induction args as [|s args IH]; [reflexivity|].
        cbn [map].
        now rewrite (se_alike s _ G G'), IH.
      + now rewrite (se_alike s1 _ G G'), (se_alike s2 _ G G').
      + now rewrite (den_alike e _ G G').
  Qed.

  (** ** Unfolding is correct

      [go] and [past] are equal to [den]. *)

  Lemma den_go : forall e v G xs, den e v G xs = go e v G xs.
  Proof.
    induction e; intros v G xs; cbn [go]; trivial; cbn [den]; rewrite ?IHe, ?se_sev; trivial.
    - destruct xs; now rewrite ?from_correct.
    - apply total_ext; trivial.
      intros z _.
      now rewrite IHe.
    - destruct xs; trivial.
      cbv zeta.
      now rewrite IHe1, IHe2.
  Qed.

  (** A scalar takes the place of its name; a chain of them at once, each computed once. *)
  Fixpoint past (e : expr) (v : env) (G : tensors) (xs : list Z) : list contrib :=
    match e with
    | Let x init (Scalar s) e =>
        let t := sev s v G in
        past e v ((x, fun ys => match ys with [] => t | _ => value init [] end) :: G) xs
    | _ => go e v G xs
    end.

  Lemma den_past : forall e v G xs, den e v G xs = past e v G xs.
  Proof.
    induction e; intros; try apply den_go.
    destruct e1; try apply den_go.
    cbn [past den].
    rewrite <- IHe2.
    apply den_alike, alike_bind; [easy|].
    intros [|y ys]; cbn; [apply se_sev | easy].
  Qed.

  (** A let gives its tensor a name. *)
  Lemma den_let x init a e v G xs :
    den (Let x init a e) v G xs = den e v ((x, fun ys => value init (den a v G ys)) :: G) xs.
  Proof. reflexivity. Qed.

  Lemma result_let x init a p v G o xs :
    result (PLet x init a p) v G o xs =
    result p v ((x, fun ys => value init (den a v G ys)) :: G) o xs.
  Proof. reflexivity. Qed.
End Unfold.
