(** * Facts about contributions

    Reductions as lists of contributions, equal bit by bit: a reduction that is split, fused,
    shifted, cut, or over a single term. No law of the operations is used. *)

From ATL Require Export syntax.IndexFacts syntax.Contrib.

Section Facts.
  Context {S : Scalars}.

  (** ** Values

      What a cell holds after its contributions. *)

  Lemma runs_app l1 l2 c : runs c (l1 ++ l2) = runs (runs c l1) l2.
  Proof. apply fold_left_app. Qed.

  Lemma value_put : forall init x, value init [Put x] = x.
  Proof. reflexivity. Qed.

  Lemma value_ext init l l' : l = l' -> value init l = value init l'.
  Proof. now intros <-. Qed.

  (** ** The terms of a reduction

      A reduction is the concatenation of its terms. *)

  Lemma total_ext f lo lo' hi hi' g g' :
    lo = lo' ->
    hi = hi' ->
    (forall z, lo <= z < hi -> map (comb f) (g z) = map (comb f) (g' z)) ->
    total f lo hi g = total f lo' hi' g'.
  Proof.
    intros <- <- Hg.
    unfold total.
    rewrite !flat_map_concat_map.
    f_equal.
    apply map_ext_in.
    intros z Hz.
    apply Hg.
    now apply in_zrange.
  Qed.

  (** An inner reduction of the same kind. *)
  Lemma comb_total f g lo hi t : map (comb f) (total g lo hi t) = total g lo hi t.
  Proof.
    unfold total.
    induction (zrange lo hi) as [|z l IH]; cbn; [easy|].
    rewrite map_app, IH.
    f_equal.
    rewrite map_map.
    apply map_ext.
    now intros [x|h x].
  Qed.

  Lemma total_none f lo hi g : hi <= lo -> total f lo hi g = [].
  Proof.
    intros.
    unfold total.
    now rewrite zrange_nil.
  Qed.

  Lemma total_empty f lo hi g : (forall z, lo <= z < hi -> g z = []) -> total f lo hi g = [].
  Proof.
    intros Hg.
    apply flat_map_nil.
    intros z Hz%in_zrange.
    now rewrite Hg.
  Qed.

  Lemma total_app f lo mid hi g :
    lo <= mid <= hi -> total f lo hi g = total f lo mid g ++ total f mid hi g.
  Proof.
    intros Hm.
    unfold total.
    now rewrite (zrange_app lo mid hi), flat_map_app.
  Qed.

  (** One of its terms. *)
  Lemma total_at f lo a hi g :
    lo <= a < hi -> total f lo hi g = total f lo a g ++ map (comb f) (g a) ++ total f (a + 1) hi g.
  Proof.
    intros Ha.
    rewrite (total_app f lo a hi), (total_app f a (a + 1) hi) by lia.
    do 2 f_equal.
    unfold total.
    rewrite (zrange_cons a), zrange_nil by lia.
    apply app_nil_r.
  Qed.

  Lemma total_only f lo a hi g :
    lo <= a < hi ->
    (forall z, lo <= z < hi -> z <> a -> g z = []) ->
    total f lo hi g = map (comb f) (g a).
  Proof.
    intros Ha Hg.
    rewrite (total_at f lo a), (total_empty f lo), (total_empty f (a + 1)); trivial;
      [apply app_nil_r | |]; intros; apply Hg; lia.
  Qed.

  (** A reduction over a single index is a read. *)
  Lemma total_single f lo hi a g :
    total f lo hi (fun k => if k =? a then g k else []) =
    if (lo <=? a) && (a <? hi) then map (comb f) (g a) else [].
  Proof.
    destruct ((lo <=? a) && (a <? hi)) eqn:E.
    - rewrite (total_only f lo a), Z.eqb_refl; trivial; [lia|].
      intros z _ Hz.
      now apply Z.eqb_neq in Hz as ->.
    - apply total_empty.
      intros z Hz.
      now replace (z =? a) with false by lia.
  Qed.

  (** A guard may be inside or outside. *)
  Lemma total_guard f lo hi (b : bool) g :
    (if b then total f lo hi g else []) = total f lo hi (fun z => if b then g z else []).
  Proof. destruct b; [easy|]. now rewrite total_empty. Qed.

  (** ** A reduction in rows, and shifted

      The rules of splitting, fusing and shifting a loop. *)

  Lemma total_shift f lo hi d g : total f lo hi g = total f (lo + d) (hi + d) (fun z => g (z - d)).
  Proof.
    unfold total, zrange.
    rewrite !flat_map_concat_map, !map_map.
    f_equal.
    replace (hi + d - (lo + d)) with (hi - lo) by lia.
    apply map_ext.
    intros k.
    do 2 f_equal.
    lia.
  Qed.

  (** Rows of [c] terms, the last one perhaps not whole. *)
  Lemma total_rows f c g m :
    0 < c ->
    0 <= m ->
    total f 0 (m * c) g = total f 0 m (fun o => total f 0 c (fun r => g (o * c + r))).
  Proof.
    intros Hc Hm.
    pattern m.
    apply natlike_ind; [reflexivity | | exact Hm].
    intros n Hn IH.
    rewrite (total_app f 0 (n * c)), IH, (total_at f 0 n (Z.succ n)), (total_none f (n + 1)) by nia.
    rewrite app_nil_r, comb_total.
    f_equal.
    rewrite (total_shift f (n * c) _ (- (n * c))).
    apply total_ext; try lia.
    intros z _.
    do 2 f_equal.
    lia.
  Qed.

  Lemma total_split f n c g :
    0 < c ->
    total f 0 n g =
    total f 0 (cdiv n c)
      (fun o => total f 0 c (fun r => if o * c + r <? n then g (o * c + r) else [])).
  Proof.
    intros Hc.
    pose proof (cdiv_bounds n c Hc).
    destruct (Z_lt_le_dec 0 n) as [Hn|Hn].
    - rewrite <- (total_rows f c (fun z => if z <? n then g z else [])) by nia.
      rewrite (total_app f 0 n (cdiv n c * c)), (total_empty f n), app_nil_r; [| |lia].
      + apply total_ext; trivial.
        intros z Hz.
        now replace (z <? n) with true by lia.
      + intros z Hz.
        now replace (z <? n) with false by lia.
    - rewrite !total_none; trivial.
      nia.
  Qed.

  (** Two loops fused. *)
  Lemma total_fuse f n m g :
    0 <= n ->
    0 <= m ->
    total f 0 n (fun i => total f 0 m (fun j => g i j)) =
    total f 0 (n * m) (fun z => g (z / m) (z mod m)).
  Proof.
    intros Hn Hm.
    destruct (Z.eq_dec m 0) as [->|Hne].
    - rewrite (total_none f 0 (n * 0)) by lia.
      apply total_empty.
      intros i _.
      now apply total_none.
    - rewrite (total_rows f m _ n) by lia.
      apply total_ext; trivial.
      intros i Hi.
      f_equal.
      apply total_ext; trivial.
      intros j Hj.
      now rewrite row_div, row_mod by lia.
  Qed.
End Facts.
