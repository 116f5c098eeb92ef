(** * The rewrites of reductions

    One lemma for each rule of [atl/rewrites] about reductions, under the name of the rule. Rules
    that keep the order of the terms give equal lists of contributions. The others give equal
    values, under the laws that they name. *)

From ATL Require Import syntax.IndexFacts syntax.ContribFacts syntax.Syntax syntax.Denote
  equality.ScalarLaws equality.Sums.

Section Rewrites.
  Context {S : Scalars}.
  Implicit Types (e : expr) (v : env) (G : tensors) (xs : list Z).

  (** sum k < n { b(k) }  =  sum o < cdiv(n, c), r < c { [o * c + r < n] b(o * c + r) }, bit by
      bit *)
  Lemma split_loop f k o r n c e e' v G xs :
    o <> r ->
    0 < c ->
    (forall x y, ze ((r, y) :: (o, x) :: v) n = ze v n) ->
    (forall x y, den e' ((r, y) :: (o, x) :: v) G xs = den e ((k, x * c + y) :: v) G xs) ->
    den
      (Sum f o (Lit 0) (Cdiv n (Lit c))
        (Sum f r (Lit 0) (Lit c)
          (Guard (Lt (Add (Mul (Var o) (Lit c)) (Var r)) n) e')))
      v G xs =
    den (Sum f k (Lit 0) n e) v G xs.
  Proof.
    intros Hor Hc Hn He.
    apply String.eqb_neq in Hor.
    cbn [den ze].
    rewrite (total_split f (ze v n) c) by trivial.
    apply total_ext; trivial.
    intros x Hx.
    f_equal.
    apply total_ext; trivial.
    intros y Hy.
    cbn [be ze lookup].
    now rewrite !String.eqb_refl, Hor, Hn, He.
  Qed.

  (** sum k in [lo, hi) { b }  =  the terms below p, then those from p on, bit by bit *)
  Lemma cut_reduction f k lo p hi e v G xs :
    ze v lo <= ze v p <= ze v hi ->
    den (Sum f k lo hi e) v G xs = den (Sum f k lo p e) v G xs ++ den (Sum f k p hi e) v G xs.
  Proof.
    intros.
    cbn [den].
    now apply total_app.
  Qed.

  (** sum i { sum j { b } }  =  sum j { sum i { b } } *)
  Lemma reorder_loops f init i j lo hi lo' hi' e v G xs :
    commutes f ->
    (forall z, ze ((i, z) :: v) lo' = ze v lo' /\ ze ((i, z) :: v) hi' = ze v hi') ->
    (forall z, ze ((j, z) :: v) lo = ze v lo /\ ze ((j, z) :: v) hi = ze v hi) ->
    (forall z w, den e ((j, w) :: (i, z) :: v) G xs = den e ((i, z) :: (j, w) :: v) G xs) ->
    (forall z w, terms f (den e ((j, w) :: (i, z) :: v) G xs)) ->
    value init (den (Sum f i lo hi (Sum f j lo' hi' e)) v G xs) =
    value init (den (Sum f j lo' hi' (Sum f i lo hi e)) v G xs).
  Proof.
    intros Hf Hi Hj He Ht.
    cbn [den].
    transitivity
      (value init (total f (ze v lo) (ze v hi) (fun z => total f (ze v lo') (ze v hi') (fun w =>
      den e ((j, w) :: (i, z) :: v) G xs)))).
    - f_equal.
      apply total_ext; trivial.
      intros z _.
      now destruct (Hi z) as [-> ->].
    - rewrite value_exchanged by auto.
      f_equal.
      apply total_ext; trivial.
      intros w _.
      destruct (Hj w) as [-> ->].
      f_equal.
      apply total_ext; trivial.
      intros z _.
      now rewrite He.
  Qed.

  (** sum i { gen j { b } }  =  gen j { sum i { b } }, bit by bit *)
  Lemma reorder_gen f m i j lo hi lo' hi' e v G x xs :
    (forall z, ze ((i, z) :: v) lo' = ze v lo') ->
    (forall w, ze ((j, w) :: v) lo = ze v lo /\ ze ((j, w) :: v) hi = ze v hi) ->
    (forall z w, den e ((j, w) :: (i, z) :: v) G xs = den e ((i, z) :: (j, w) :: v) G xs) ->
    den (Sum f i lo hi (Gen m j lo' hi' e)) v G (x :: xs) =
    den (Gen m j lo' hi' (Sum f i lo hi e)) v G (x :: xs).
  Proof.
    intros Hlo' Hj He.
    cbn [den].
    destruct (Hj (ze v lo' + x)) as [-> ->].
    apply total_ext; trivial.
    intros z _.
    now rewrite Hlo', He.
  Qed.

  (** sum i < n, j < m { b }  =  sum z < n * m { b(z / m, z % m) }, bit by bit *)
  Lemma fuse_loops f i j z n m e e' v G xs :
    0 <= ze v n ->
    0 <= ze v m ->
    (forall x, ze ((i, x) :: v) m = ze v m) ->
    (forall w,
       den e' ((z, w) :: v) G xs = den e ((j, w mod ze v m) :: (i, w / ze v m) :: v) G xs) ->
    den (Sum f i (Lit 0) n (Sum f j (Lit 0) m e)) v G xs =
    den (Sum f z (Lit 0) (Mul n m) e') v G xs.
  Proof.
    intros Hn Hm Hi He.
    cbn [den ze].
    transitivity (total f 0 (ze v n * ze v m) (fun w =>
      den e ((j, w mod ze v m) :: (i, w / ze v m) :: v) G xs)).
    - rewrite <- (total_fuse f (ze v n) (ze v m) (fun x y => den e ((j, y) :: (i, x) :: v) G xs))
        by trivial.
      apply total_ext; trivial.
      intros x _.
      now rewrite Hi.
    - apply total_ext; trivial.
      intros w _.
      now rewrite He.
  Qed.

  (** sum i in [lo, hi) { b(i) }  =  sum r in [lo + d, hi + d) { b(r - d) }, bit by bit *)
  Lemma change_variable f i r lo hi d e e' v G xs :
    (forall z, den e' ((r, z) :: v) G xs = den e ((i, z - ze v d) :: v) G xs) ->
    den (Sum f i lo hi e) v G xs = den (Sum f r (Add lo d) (Add hi d) e') v G xs.
  Proof.
    intros He.
    cbn [den ze].
    rewrite (total_shift f _ _ (ze v d)).
    apply total_ext; trivial.
    intros z _.
    now rewrite He.
  Qed.

  (** sum k { [k == a] b }  =  [lo <= a and a < hi] b with a for k, bit by bit *)
  Lemma collapse_reduction f init k lo hi a e e' v G xs :
    (forall z, ze ((k, z) :: v) a = ze v a) ->
    den e' v G xs = den e ((k, ze v a) :: v) G xs ->
    terms f (den e' v G xs) ->
    (length (den e' v G xs) <= 1)%nat ->
    has_unit f init ->
    (forall x, red f (op init []) x = x) ->
    value (Some init) (den (Sum f k lo hi (Guard (Eq (Var k) a) e)) v G xs) =
    value (Some init) (den (Guard (And (Le lo a) (Lt a hi)) e') v G xs).
  Proof.
    intros Ha He Ht Hlen Hu Hl.
    cbn [den].
    transitivity (value (Some init)
      (total f (ze v lo) (ze v hi)
        (fun z => if z =? ze v a then den e ((k, z) :: v) G xs else []))).
    - f_equal.
      apply total_ext; trivial.
      intros z _.
      cbn [be ze].
      now rewrite Ha, lookup_same.
    - rewrite (total_single f _ _ (ze v a) (fun z => den e ((k, z) :: v) G xs)).
      cbn [be].
      rewrite <- He.
      destruct ((ze v lo <=? ze v a) && (ze v a <? ze v hi)); trivial.
      destruct (den e' v G xs) as [|w [|u l]]; trivial; [|cbn in Hlen; lia].
      inversion Ht as [|? ? [x Ex] _].
      cbn [map].
      rewrite Ex.
      destruct w; cbn in Ex; injection Ex as <-; [apply Hl | now subst].
  Qed.

  (** sum a { sum k { b } }  =  let part = gen a { sum k { b } } in sum a { part[a] } *)
  Lemma factor_reduction f u init x i lo hi m a v G :
    associates f ->
    has_unit f u ->
    (forall z, ze ((i, z) :: v) lo = ze v lo) ->
    (forall z, ze v lo <= z < ze v hi -> terms f (den a ((i, z) :: v) G [])) ->
    (forall z, map (comb f) (den a ((i, z) :: v) G []) = den a ((i, z) :: v) G []) ->
    value init
      (den
        (Let x (Some u) (Gen m i lo hi a)
          (Sum f i lo hi (Scalar (Get x [Sub (Var i) lo]))))
        v G []) =
    value init (den (Sum f i lo hi a) v G []).
  Proof.
    intros Ha Hu Hlo Ht Hm.
    cbn [den se evs map ze].
    rewrite <- (value_partial f u init _ _ (fun z => den a ((i, z) :: v) G [])) by trivial.
    f_equal.
    apply total_ext; trivial.
    intros z _.
    rewrite Hlo, !lookup_same.
    cbn [den].
    rewrite Hm.
    now replace (ze v lo + (z - ze v lo)) with z by lia.
  Qed.

  (** sum k { a + b }  =  sum k { a } + sum k { b } *)
  Lemma distribute_reduction f u k lo hi a b v G :
    commutes f ->
    associates f ->
    has_unit f u ->
    se (Cell u (Sum f k lo hi (Scalar (Op f [a; b])))) v G =
    se (Op f [Cell u (Sum f k lo hi (Scalar a)); Cell u (Sum f k lo hi (Scalar b))]) v G.
  Proof.
    intros Hc Ha Hu.
    cbn [se den map].
    unfold value, total.
    cbn [start map comb].
    enough (E : forall l x y,
      runs (red f x y)
        (flat_map (fun z => [Comb f (op f [se a ((k, z) :: v) G; se b ((k, z) :: v) G])]) l) =
      red f (runs x (flat_map (fun z => [Comb f (se a ((k, z) :: v) G)]) l))
        (runs y (flat_map (fun z => [Comb f (se b ((k, z) :: v) G)]) l)))
      by (rewrite <- (Hu (op u [])) at 1; apply E).
    induction l as [|z l IH]; intros x y; [easy|].
    cbn [flat_map app runs fold_left run].
    fold (red f (se a ((k, z) :: v) G) (se b ((k, z) :: v) G)).
    rewrite Ha, (Hc x y), <- Ha.
    apply IH.
  Qed.
End Rewrites.
