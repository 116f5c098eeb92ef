(** * The rewrites of guards

    One lemma for each rule of [atl/rewrites] about guards, under the name of the rule. *)

From ATL Require Import syntax.IndexFacts syntax.ContribFacts syntax.Syntax syntax.Denote.

Section Rewrites.
  Context {S : Scalars}.
  Implicit Types (e : expr) (v : env) (G : tensors) (xs : list Z).

  (** gen i { [p] b }  =  [p] gen i { b }, and for a reduction; [push_guard] is the same the
      other way. *)
  Lemma pull_guard :
    forall m i lo hi p e v G xs,
    (forall z, be ((i, z) :: v) p = be v p) ->
    den (Gen m i lo hi (Guard p e)) v G xs = den (Guard p (Gen m i lo hi e)) v G xs.
  Proof.
    intros m i lo hi p e v G [|x xs] Hp; cbn [den]; [now destruct (be v p) | now rewrite Hp].
  Qed.

  Lemma pull_guard_reduction f i lo hi p e v G xs :
    (forall z, be ((i, z) :: v) p = be v p) ->
    den (Sum f i lo hi (Guard p e)) v G xs = den (Guard p (Sum f i lo hi e)) v G xs.
  Proof.
    intros Hp.
    cbn [den].
    rewrite total_guard.
    apply total_ext; trivial.
    intros z _.
    now rewrite Hp.
  Qed.

  Lemma push_guard m i lo hi p e v G xs :
    (forall z, be ((i, z) :: v) p = be v p) ->
    den (Guard p (Gen m i lo hi e)) v G xs = den (Gen m i lo hi (Guard p e)) v G xs.
  Proof.
    intros.
    symmetry.
    now apply pull_guard.
  Qed.

  (** gen i in [lo, hi) { b }  =  gen i in [lo, hi) { [lo <= i and i < hi] b } *)
  Lemma state_range m i lo hi e v G x xs :
    0 <= x < ze v hi - ze v lo ->
    (forall z, ze ((i, z) :: v) lo = ze v lo) ->
    (forall z, ze ((i, z) :: v) hi = ze v hi) ->
    den (Gen m i lo hi (Guard (And (Le lo (Var i)) (Lt (Var i) hi)) e)) v G (x :: xs) =
    den (Gen m i lo hi e) v G (x :: xs).
  Proof.
    intros Hx Hlo Hhi.
    cbn [den be ze].
    rewrite Hlo, Hhi, lookup_same.
    now replace ((ze v lo <=? ze v lo + x) && (ze v lo + x <? ze v hi)) with true by lia.
  Qed.

  Lemma state_range_reduction f i lo hi e v G xs :
    (forall z, ze ((i, z) :: v) lo = ze v lo) ->
    (forall z, ze ((i, z) :: v) hi = ze v hi) ->
    den (Sum f i lo hi (Guard (And (Le lo (Var i)) (Lt (Var i) hi)) e)) v G xs =
    den (Sum f i lo hi e) v G xs.
  Proof.
    intros Hlo Hhi.
    cbn [den].
    apply total_ext; trivial.
    intros z Hz.
    cbn [be ze].
    rewrite Hlo, Hhi, lookup_same.
    now replace ((ze v lo <=? z) && (z <? ze v hi)) with true by lia.
  Qed.

  (** sum i in [lo, hi) { [i < b] e }  =  sum i in [lo, min(hi, b)) { e } *)
  Lemma narrow_range f i lo hi b e v G xs :
    (forall z, ze ((i, z) :: v) b = ze v b) ->
    den (Sum f i lo hi (Guard (Lt (Var i) b) e)) v G xs = den (Sum f i lo (Min hi b) e) v G xs.
  Proof.
    intros Hb.
    cbn [den ze].
    destruct (Z.le_gt_cases (Z.min (ze v hi) (ze v b)) (ze v lo)) as [Hnone|Hsome].
    - rewrite (total_none f (ze v lo) (Z.min _ _)) by lia.
      apply total_empty.
      intros z Hz.
      cbn [be ze].
      rewrite Hb, lookup_same.
      now replace (z <? ze v b) with false by lia.
    - rewrite (total_app f (ze v lo) (Z.min (ze v hi) (ze v b)) (ze v hi)) by lia.
      rewrite (total_empty f (Z.min (ze v hi) (ze v b)) (ze v hi));
        [rewrite app_nil_r; apply total_ext; trivial|];
        intros z Hz; cbn [be ze]; rewrite Hb, lookup_same.
      + now replace (z <? ze v b) with true by lia.
      + now replace (z <? ze v b) with false by lia.
  Qed.

  (** [simplify]: a guard that always holds vanishes, two guards are one, what is the same may
      replace what is. *)
  Lemma simplify_true p e v G xs : be v p = true -> den (Guard p e) v G xs = den e v G xs.
  Proof.
    intros Hp.
    cbn [den].
    now rewrite Hp.
  Qed.

  Lemma simplify_guards p q e v G xs :
    den (Guard p (Guard q e)) v G xs = den (Guard (And p q) e) v G xs.
  Proof. cbn [den be]. now destruct (be v p), (be v q). Qed.

  Lemma simplify_under p e e' v G xs :
    (be v p = true -> den e v G xs = den e' v G xs) ->
    den (Guard p e) v G xs = den (Guard p e') v G xs.
  Proof.
    intros He.
    cbn [den].
    destruct (be v p); auto.
  Qed.
End Rewrites.
