(** * Reductions, re-indexed

    First what holds of the lists of contributions themselves, bit by bit: a reduction that is split, fused, shifted, cut,
    or over a single term.  Then what needs laws of the operation: terms in another order ([commutes]), and partial results
    ([associates], with a unit).  The law is a hypothesis of the lemma, and so of the theorem of a program whose schedule
    used it. *)

From Coq Require Import Permutation.
From Coq Require FinFun.
From ATL Require Import Index Box Contrib ops.Reshape Cells Unfold.

Section Sums.
  Context {S : Scalars}.

  (** ** In the same order *)

  Lemma total_shift f lo hi d g : total f lo hi g = total f (lo + d) (hi + d) (fun z => g (z - d)).
  Proof.
    unfold total, zrange. rewrite !flat_map_concat_map, !map_map. f_equal.
    replace (hi + d - (lo + d)) with (hi - lo) by lia. apply map_ext. intros k. do 2 f_equal. lia.
  Qed.

  (** Rows of [c] terms, the last one perhaps not whole. *)
  Lemma total_rows f c g m : 0 < c -> 0 <= m -> total f 0 (m * c) g =
      total f 0 m (fun o => total f 0 c (fun r => g (o * c + r))).
  Proof.
    intros Hc Hm. pattern m. apply natlike_ind; [reflexivity | | exact Hm].
    - intros n Hn IH. rewrite (total_app f 0 (n * c)) by nia. rewrite IH.
      rewrite (total_app f 0 n (Z.succ n)) by lia. f_equal. rewrite (total_shift f (n * c) _ (- (n * c))).
      unfold total at 2. rewrite (zrange_cons n) by lia. rewrite zrange_nil by lia. cbn [flat_map].
      rewrite app_nil_r, comb_total. apply total_ext; try lia. intros z _. do 2 f_equal. lia.
  Qed.

  Lemma total_split f n c g : 0 < c ->
      total f 0 n g =
        total f 0 (cdiv n c) (fun o => total f 0 c (fun r => if o * c + r <? n then g (o * c + r) else [])).
  Proof.
    intros Hc. unfold cdiv. destruct (Z_lt_le_dec 0 n) as [Hn|Hn].
    - set (m := (n + c - 1) / c).
      assert (Hm : n <= m * c /\ 0 <= m).
      { unfold m. pose proof (Z.div_mod (n + c - 1) c ltac:(lia)). pose proof
          (Z.mod_pos_bound (n + c - 1) c Hc).
        split; [lia | apply Z.div_pos; lia]. }
      rewrite <- (total_rows f c (fun z => if z <? n then g z else []) m) by lia.
      rewrite (total_app f 0 n (m * c)) by lia. rewrite (total_empty f n).
      + rewrite app_nil_r. apply total_ext; trivial. intros z Hz. now replace (z <? n) with true by lia.
      + intros z Hz. now replace (z <? n) with false by lia.
    - rewrite total_none by lia. symmetry. apply total_empty. intros o Ho. apply total_empty. intros r Hr.
      replace (o * c + r <? n) with false; [easy|]. nia.
  Qed.

  (** Two loops fused. *)
  Lemma total_fuse f n m g : 0 <= n -> 0 <= m -> total f 0 n (fun i => total f 0 m (fun j => g i j)) =
      total f 0 (n * m) (fun z => g (z / m) (z mod m)).
  Proof.
    intros Hn Hm. destruct (Z.eq_dec m 0) as [->|Hne].
    - rewrite (total_none f 0 (n * 0)) by lia. apply total_empty. intros i _. apply total_none. lia.
    - rewrite (total_rows f m _ n) by lia. apply total_ext; trivial. intros i Hi. f_equal.
      apply total_ext; trivial.
      intros j Hj. now rewrite row_div, row_mod by lia.
  Qed.

  (** A guard may be inside or outside. *)
  Lemma total_guard : forall f lo hi (b : bool) g, (if b then total f lo hi g else []) =
      total f lo hi (fun z => if b then g z else []).
  Proof. intros f lo hi [|] g; [easy|]. now rewrite total_empty. Qed.

  (** A reduction over a single index is a read. *)
  Lemma total_single f lo hi a g : total f lo hi (fun k => if k =? a then g k else []) =
      if (lo <=? a) && (a <? hi) then map (comb f) (g a) else [].
  Proof.
    destruct ((lo <=? a) && (a <? hi)) eqn:E.
    - rewrite (total_app f lo a hi), (total_app f a (a + 1) hi) by lia.
      rewrite (total_empty f lo a), (total_empty f (a + 1));
        try (intros z Hz; now replace (z =? a) with false by lia).
      unfold total. rewrite (zrange_cons a), zrange_nil by lia. cbn [flat_map app].
      now rewrite Z.eqb_refl, !app_nil_r.
    - apply total_empty. intros z Hz. now replace (z =? a) with false by lia.
  Qed.

  (** ** In another order *)

  (** What a reduction by [f] is made of. *)
  Definition terms (f : string) (l : list contrib) : Prop := Forall (fun w => exists x, comb f w =
    Comb f x) l.

  Lemma terms_put f x : terms f [Put x]. Proof. repeat constructor. now exists x. Qed.
  Lemma terms_nil : forall f, terms f []. Proof. constructor. Qed.
  Lemma terms_total f lo hi g : (forall z, lo <= z < hi -> terms f (g z)) -> terms f (total f lo hi g).
  Proof.
    intros Hg. unfold terms, total in *. rewrite Forall_forall. intros w Hw.
    apply in_flat_map in Hw as (z & Hz & Hw). apply in_map_iff in Hw as (u & <- & Hu). apply in_zrange in Hz.
    specialize (Hg z Hz). rewrite Forall_forall in Hg. destruct (Hg u Hu) as [x E]. exists x. now rewrite E.
  Qed.

  (** [f] does not mind in which order values arrive; a commutative and associative operation does not. *)
  Definition commutes (f : string) : Prop := forall c a b, red f (red f c a) b = red f (red f c b) a.
  Definition associates (f : string) : Prop := forall a b c, red f a (red f b c) = red f (red f a b) c.
  Definition has_unit (f u : string) : Prop := forall a, red f a (op u []) = a.

  Lemma runs_permuted f l l' : commutes f -> Permutation l l' -> terms f l ->
      forall c, runs c (map (comb f) l) = runs c (map (comb f) l').
  Proof.
    intros Hc HP. induction HP as [|w l l' HP IH|w u l|l l' l'' H1 IH1 H2 IH2]; intros Ht c; trivial.
    - cbn. apply IH. now inversion Ht.
    - inversion Ht as [|? ? [x Ex] Ht']. inversion Ht' as [|? ? [y Ey] _]. cbn. rewrite Ex, Ey. cbn.
      now rewrite Hc.
    - rewrite IH1 by trivial. apply IH2. unfold terms in *. rewrite Forall_forall in *. intros w Hw. apply Ht.
      now apply (Permutation_in w (Permutation_sym H1)).
  Qed.

  (** ** Reductions over boxes, re-indexed by a bijection of their terms *)

  (** Loops inside each other: the range of one may depend on those around. *)
  Inductive ranges := Point | Range (lo hi : Z) (inner : Z -> ranges).

  Fixpoint total_box (f : string) (rs : ranges) (F : list Z -> list contrib) : list contrib :=
    match rs with
    | Point => F []
    | Range lo hi rs => total f lo hi (fun z => total_box f (rs z) (fun zs => F (z :: zs)))
    end.

  Fixpoint in_ranges (rs : ranges) (zs : list Z) : Prop :=
    match rs, zs with
    | Point, [] => True
    | Range lo hi rs, z :: zs => lo <= z < hi /\ in_ranges (rs z) zs
    | _, _ => False
    end.
  Fixpoint for_ranges (rs : ranges) (P : list Z -> Prop) : Prop :=
    match rs with
    | Point => P []
    | Range lo hi rs => forall z, lo <= z < hi -> for_ranges (rs z) (fun zs => P (z :: zs))
    end.
  Fixpoint points (rs : ranges) : list (list Z) :=
    match rs with
    | Point => [[]]
    | Range lo hi rs => flat_map (fun z => map (cons z) (points (rs z))) (zrange lo hi)
    end.

  Lemma for_ranges_iff : forall rs P, for_ranges rs P <-> forall zs, in_ranges rs zs -> P zs.
  Proof.
    induction rs as [|lo hi rs IH]; cbn; intros P.
    - split; [intros HP [|z zs] Hin; easy | intros HP; now apply HP].
    - split.
      + intros HP [|z zs] Hin; [easy|]. destruct Hin as [Hz Hzs].
        specialize (HP z Hz). rewrite IH in HP. now apply HP.
      + intros HP z Hz. rewrite IH. intros zs Hzs. now apply HP.
  Qed.

  Lemma in_points : forall rs zs, In zs (points rs) <-> in_ranges rs zs.
  Proof.
    induction rs as [|lo hi rs IH]; cbn; intros zs.
    - destruct zs as [|z zs]; intuition discriminate.
    - rewrite in_flat_map. split.
      + intros (z & Hz & Hin). apply in_map_iff in Hin as (ys & <- & Hys). now rewrite <- in_zrange, <- IH.
      + destruct zs as [|z zs]; [easy|]. rewrite <- in_zrange, <- IH. intros [Hz Hzs]. exists z.
        split; trivial.
        now apply in_map.
  Qed.

  Lemma nodup_app : forall A (l l' : list A), NoDup l -> NoDup l' -> (forall a, In a l -> ~ In a l') ->
      NoDup (l ++ l').
  Proof.
    induction l as [|a l IH]; cbn; intros l' Hl Hl' Hd; trivial. apply NoDup_cons_iff in Hl as [Ha Hl].
    constructor; [|apply IH; auto]. rewrite in_app_iff.
    intros [H|H]; [easy | now apply (Hd a (or_introl eq_refl))].
  Qed.

  Lemma points_nodup : forall rs, NoDup (points rs).
  Proof.
    induction rs as [|lo hi rs IH]; cbn; [repeat constructor; easy|].
    pose proof (zrange_nodup lo hi) as Hnd. induction (zrange lo hi) as [|z l IHl]; cbn; [constructor|].
    apply NoDup_cons_iff in Hnd as [Hz Hnd]. apply nodup_app; auto.
    - apply FinFun.Injective_map_NoDup; trivial. intros a b E. now injection E.
    - intros zs H1 H2. apply in_map_iff in H1 as (ys & <- & Hys). apply in_flat_map in H2 as (y & Hy & Hin).
      apply in_map_iff in Hin as (us & E & Hus). injection E as Ey Eus. congruence.
  Qed.

  Lemma nodup_map : forall A B (psi : A -> B) l, NoDup l -> (forall a b, In a l -> In b l -> psi a = psi b ->
      a = b) -> NoDup (map psi l).
  Proof.
    induction l as [|a l IH]; cbn; intros Hnd Hinj; [constructor|]. apply NoDup_cons_iff in Hnd as [Ha Hnd].
    constructor; [|apply IH; auto]. intros Hin. apply in_map_iff in Hin as (b & E & Hb).
    apply Ha. rewrite <- (Hinj b a); auto.
  Qed.

  Definition some_terms (l : list contrib) : bool := match l with [] => false | _ => true end.

  Lemma flat_map_some : forall A (F : A -> list contrib) l, flat_map F l =
      flat_map F (filter (fun a => some_terms (F a)) l).
  Proof. induction l as [|a l IH]; cbn; trivial. destruct (F a) eqn:E; cbn; rewrite ?E, <- IH; trivial. Qed.

  Lemma flat_map_permuted A B (F : A -> list contrib) (F' : B -> list contrib) phi psi l l' : NoDup l ->
      NoDup l' ->
    (forall a, In a l -> F a <> [] -> In (psi a) l' /\ F' (psi a) = F a /\ phi (psi a) = a) ->
    (forall b, In b l' -> F' b <> [] -> In (phi b) l /\ F (phi b) = F' b /\ psi (phi b) = b) ->
    Permutation (flat_map F l) (flat_map F' l').
  Proof.
    intros Hl Hl' Hpsi Hphi.
    assert (Hsome : forall C (F : C -> list contrib) l a,
              In a (filter (fun a => some_terms (F a)) l) <-> In a l /\ F a <> []).
    { intros C F0 l0 a. rewrite filter_In. destruct (F0 a); cbn; intuition easy. }
    rewrite (flat_map_some _ F), (flat_map_some _ F'). set (k := filter _ l). set (k' := filter _ l').
    assert (HP : Permutation (map psi k) k').
    { apply NoDup_Permutation.
      - apply nodup_map; [now apply NoDup_filter|]. intros a b Ha Hb E.
        apply Hsome in Ha as [Ha Fa], Hb as [Hb Fb].
        destruct (Hpsi a Ha Fa) as (_ & _ & <-), (Hpsi b Hb Fb) as (_ & _ & <-). now rewrite E.
      - now apply NoDup_filter.
      - intros b. split.
        + intros Hb. apply in_map_iff in Hb as (a & <- & Ha). apply Hsome in Ha as [Ha Fa].
          destruct (Hpsi a Ha Fa) as (Hin & E & _). apply Hsome. split; trivial. now rewrite E.
        + intros Hb. apply Hsome in Hb as [Hb Fb]. destruct (Hphi b Hb Fb) as (Hin & E & <-).
          apply in_map. apply Hsome. split; trivial. now rewrite E. }
    rewrite <- HP. rewrite (flat_map_concat_map F'), map_map, <- flat_map_concat_map.
    rewrite !flat_map_concat_map. erewrite map_ext_in; [reflexivity|].
    intros a Ha. apply Hsome in Ha as [Ha Fa]. now destruct (Hpsi a Ha Fa) as (_ & -> & _).
  Qed.

  Lemma total_box_points : forall f rs F, rs <> Point ->
      total_box f rs F = flat_map (fun zs => map (comb f) (F zs)) (points rs).
  Proof.
    assert (Hcomb : forall f rs F, map (comb f) (total_box f rs F) =
      flat_map (fun zs => map (comb f) (F zs)) (points rs)).
    { induction rs as [|lo hi rs IH]; intros F; cbn [total_box points].
      - cbn. now rewrite app_nil_r.
      - rewrite comb_total. unfold total. induction (zrange lo hi) as [|z l IHl]; cbn; [easy|].
        rewrite flat_map_app, <- IHl, IH. f_equal. rewrite !flat_map_concat_map, map_map. reflexivity. }
    intros f [|lo hi rs] F Hne; [easy|]. rewrite <- Hcomb. cbn [total_box]. now rewrite comb_total.
  Qed.

  (** The terms of two reductions correspond: [psi] takes an index of the first to one of the second, [phi] back, wherever there
      is a term.  Covers split, interchange, fusion, shift and reversal, with guards. *)
  Theorem value_reindexed f init rs rs' F F' phi psi : commutes f -> rs <> Point -> rs' <> Point ->
    for_ranges rs (fun zs => F zs <> [] ->
      terms f (F zs) /\ in_ranges rs' (psi zs) /\ F' (psi zs) = F zs /\ phi (psi zs) = zs) ->
    for_ranges rs' (fun ys => F' ys <> [] -> in_ranges rs (phi ys) /\ F (phi ys) = F' ys /\ psi (phi ys) =
      ys) ->
    value init (total_box f rs F) = value init (total_box f rs' F').
  Proof.
    intros Hc Hne Hne' Hpsi Hphi. rewrite for_ranges_iff in Hpsi, Hphi.
    rewrite !total_box_points by trivial. unfold value.
    assert (Eout : forall A (F : A -> list contrib) l, flat_map (fun a => map (comb f) (F a)) l =
      map (comb f) (flat_map F l)).
    { intros A F0 l. induction l as [|a l IH]; cbn; trivial. now rewrite map_app, IH. }
    rewrite !Eout. apply runs_permuted; trivial.
    - apply flat_map_permuted with phi psi; try apply points_nodup.
      + intros zs Hzs HF. apply in_points in Hzs. rewrite in_points. now apply Hpsi.
      + intros ys Hys HF. apply in_points in Hys. rewrite in_points. now apply Hphi.
    - unfold terms. rewrite Forall_forall. intros w Hw. apply in_flat_map in Hw as (zs & Hzs & Hw).
      apply in_points in Hzs. assert (HF : F zs <> []) by (intros E; now rewrite E in Hw).
      destruct (Hpsi zs Hzs HF) as [Ht _]. unfold terms in Ht. rewrite Forall_forall in Ht. auto.
  Qed.

  (** Two loops exchanged. *)
  Lemma value_exchanged f init a b c d g : commutes f ->
    (forall i j, a <= i < b -> c <= j < d -> terms f (g i j)) ->
    value init (total f a b (fun i => total f c d (fun j => g i j))) =
    value init (total f c d (fun j => total f a b (fun i => g i j))).
  Proof.
    intros Hc Ht.
    pose (swap := fun zs : list Z => match zs with [i; j] => [j; i] | _ => [] end).
    apply (value_reindexed f init (Range a b (fun _ => Range c d (fun _ => Point)))
      (Range c d (fun _ => Range a b (fun _ => Point)))
             (fun zs => match zs with [i; j] => g i j | _ => [] end)
             (fun zs => match zs with [j; i] => g i j | _ => [] end) swap swap); trivial; try discriminate;
      cbn; auto 10.
  Qed.

  (** ** Partial results *)

  Lemma runs_terms f u l c : associates f -> has_unit f u -> terms f l ->
      red f c (runs (op u []) (map (comb f) l)) = runs c (map (comb f) l).
  Proof.
    intros Ha Hu Ht.
    enough (E : forall x, red f c (runs x (map (comb f) l)) = runs (red f c x) (map (comb f) l))
      by now rewrite E, Hu.
    revert c. induction l as [|w l IH]; intros c x; trivial.
    inversion Ht as [|? ? [y Ey] Ht'].
    change (red f c (runs (run x (comb f w)) (map (comb f) l)) =
      runs (run (red f c x) (comb f w)) (map (comb f) l)).
    rewrite Ey. cbn [run]. rewrite IH by trivial. now rewrite Ha.
  Qed.

  (** Each inner reduction has an accumulator of its own. *)
  Theorem value_partial f u init lo hi g : associates f -> has_unit f u ->
    (forall z, lo <= z < hi -> terms f (g z)) ->
    value init (total f lo hi (fun z => [Put (value (Some u) (map (comb f) (g z)))])) =
      value init (total f lo hi g).
  Proof.
    intros Ha Hu Ht. unfold value, total. generalize (start init) as c.
    assert (Hin : forall z, In z (zrange lo hi) -> terms f (g z)) by (intros z Hz; apply in_zrange in Hz;
      auto).
    induction (zrange lo hi) as [|z l IH]; intros c; [easy|]. cbn [flat_map map comb app].
    rewrite runs_app. cbn. rewrite <- (runs_terms f u (g z) c) by (trivial; apply Hin; now left).
    apply IH. intros y Hy. apply Hin. now right.
  Qed.

  (** The same for terms that are such values, read from a tensor, say. *)
  Lemma value_partial_terms f u init lo hi t g : associates f -> has_unit f u ->
    (forall z, lo <= z < hi -> t z = [Put (value (Some u) (map (comb f) (g z)))]) ->
    (forall z, lo <= z < hi -> terms f (g z)) -> value init (total f lo hi t) = value init (total f lo hi g).
  Proof.
    intros Ha Hu HX Ht. rewrite <- (value_partial f u init lo hi g) by trivial.
    f_equal. apply total_ext; trivial. intros z Hz. now rewrite HX.
  Qed.

  (** What is added to a reduction may be its first term. *)
  Lemma value_started f u g a b : associates f -> commutes f -> has_unit f u -> g 0 = [Put b] ->
      terms f (g 1) ->
    value (Some u) (map (comb f) (g 1)) = a -> value (Some u) (total f 0 2 g) = op f [a; b].
  Proof.
    intros Ha Hc Hu Hb Ht <-. unfold total, value. change (zrange 0 2) with [0; 1].
    cbn [flat_map]. rewrite Hb, app_nil_r.
    change (runs (red f (op u []) b) (map (comb f) (g 1)) = red f (runs (op u []) (map (comb f) (g 1))) b).
    now rewrite <- (runs_terms f u _ (red f (op u []) b)), Hc, runs_terms.
  Qed.

  (** ** Reductions with at most one term that matters, and with a common factor *)

  (** Nothing, or the value that a reduction starts with. *)
  Definition no_term (u : string) (l : list contrib) : Prop := l = [] \/ l = [Put (op u [])].
  Definition has_left_unit (f u : string) : Prop := forall a, red f (op u []) a = a.
  Definition absorbs (g u : string) : Prop := forall a, op g [op u []; a] = op u [] /\ op g [a; op u []] =
    op u [].

  (** A factor of each term, or of the reduction. *)
  Definition distributes (g f : string) : Prop := forall a b c,
    op g [a; red f b c] = red f (op g [a; b]) (op g [a; c]) /\ op g [red f b c; a] =
      red f (op g [b; a]) (op g [c; a]).
  Definition scaled (h : V -> V) (w : contrib) : contrib := match w with Put x => Put (h x) | Comb f x =>
    Comb f (h x) end.

  Lemma value_scaled h f u lo hi t : (forall a b, h (red f a b) = red f (h a) (h b)) ->
      h (op u []) = op u [] ->
    (forall z, lo <= z < hi -> terms f (t z)) ->
    h (value (Some u) (total f lo hi t)) = value (Some u) (total f lo hi (fun z => map (scaled h) (t z))).
  Proof.
    intros Hh Hu Ht. unfold value, total. cbn [start]. rewrite <- Hu at 2. generalize (op u []) as c.
    assert (Hin : forall z, In z (zrange lo hi) -> terms f (t z)) by (intros z Hz; apply in_zrange in Hz;
      auto).
    induction (zrange lo hi) as [|z l IH]; intros c; [easy|]. cbn [flat_map].
    rewrite !runs_app, IH by auto using in_cons.
    f_equal. specialize (Hin z (or_introl eq_refl)). revert c.
    induction Hin as [|w tl [x E] _ IHw]; intros c; [easy|]. cbn [map runs fold_left]. unfold runs in IHw.
    rewrite IHw. f_equal.
    destruct w as [y|g y]; cbn in *; injection E; intros; subst; apply Hh.
  Qed.

  Lemma times_total g f u a lo hi t : distributes g f -> absorbs g u ->
      (forall z, lo <= z < hi -> terms f (t z)) ->
    op g [a; value (Some u) (total f lo hi t)] =
      value (Some u) (total f lo hi (fun z => map (scaled (fun x => op g [a; x])) (t z))).
  Proof. intros D A. apply (value_scaled (fun x => op g [a; x])); [intros; apply D | apply A]. Qed.
  Lemma total_times g f u a lo hi t : distributes g f -> absorbs g u ->
      (forall z, lo <= z < hi -> terms f (t z)) ->
    op g [value (Some u) (total f lo hi t); a] =
      value (Some u) (total f lo hi (fun z => map (scaled (fun x => op g [x; a])) (t z))).
  Proof. intros D A. apply (value_scaled (fun x => op g [x; a])); [intros; apply D | apply A]. Qed.

  Lemma runs_no_terms f u lo hi g c : has_unit f u -> (forall z, lo <= z < hi -> no_term u (g z)) ->
      runs c (total f lo hi g) = c.
  Proof.
    intros Hu Hg. unfold total.
    assert (Hin : forall z, In z (zrange lo hi) -> no_term u (g z)) by (intros z Hz; apply in_zrange in Hz;
      auto).
    induction (zrange lo hi) as [|z l IH]; [easy|]. cbn [flat_map]. rewrite runs_app.
    replace (runs c (map (comb f) (g z))) with c; [apply IH; auto using in_cons|].
    destruct (Hin z (or_introl eq_refl)) as [-> | ->]; cbn; auto.
  Qed.

  (** Where the others are nothing at all. *)
  Lemma value_only_term f u lo hi g a x : has_left_unit f u -> lo <= a < hi -> g a = [Put x] ->
    (forall z, lo <= z < hi -> z <> a -> g z = []) -> value (Some u) (total f lo hi g) = x.
  Proof.
    intros Hl Ha Hx Hg. rewrite (total_app f lo a hi), (total_app f a (a + 1) hi) by lia.
    rewrite (total_empty f lo a), (total_empty f (a + 1) hi) by (intros; apply Hg; lia).
    unfold total. rewrite (zrange_cons a), zrange_nil by lia. cbn [flat_map]. rewrite !app_nil_r, Hx.
    apply Hl.
  Qed.

  Lemma value_no_terms f u lo hi g : has_unit f u -> (forall z, lo <= z < hi -> no_term u (g z)) ->
      value (Some u) (total f lo hi g) = op u [].
  Proof. intros Hu Hg. now apply (runs_no_terms f u). Qed.

  Lemma value_one_term f u lo hi g a x : has_unit f u -> has_left_unit f u -> lo <= a < hi -> g a = [Put x] ->
    (forall z, lo <= z < hi -> z <> a -> no_term u (g z)) ->
    value (Some u) (total f lo hi g) = x.
  Proof.
    intros Hu Hl Ha Hx Hg. unfold value.
    rewrite (total_app f lo a hi), (total_app f a (a + 1) hi), !runs_app by lia.
    rewrite (runs_no_terms f u lo a); trivial; [|intros; apply Hg; lia].
    rewrite (runs_no_terms f u (a + 1) hi); trivial; [|intros; apply Hg; lia].
    unfold total. rewrite (zrange_cons a), zrange_nil by lia. cbn [flat_map]. rewrite app_nil_r, Hx. apply Hl.
  Qed.
End Sums.
