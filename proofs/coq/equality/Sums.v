(** * Reductions that are equal by laws

    Terms in another order ([commutes]), partial results ([associates] and [has_unit]), terms
    that do not matter, and common factors. The law is a hypothesis of the lemma, and so of the
    theorem of a program whose schedule used it. *)

From Coq Require Import Permutation.
From ATL Require Import syntax.IndexFacts syntax.ContribFacts equality.ScalarLaws
  equality.Ranges.

Section Sums.
  Context {S : Scalars}.

  (** ** What a reduction is made of

      Contributions that are combined by its operation. *)

  (** All are combined by [f] inside a reduction by [f]. *)
  Definition terms (f : string) (l : list contrib) : Prop :=
    Forall (fun w => exists x, comb f w = Comb f x) l.

  Lemma terms_put f x : terms f [Put x].
  Proof. repeat constructor. now exists x. Qed.

  Lemma terms_nil f : terms f [].
  Proof. constructor. Qed.

  Lemma terms_total f lo hi g :
    (forall z, lo <= z < hi -> terms f (g z)) -> terms f (total f lo hi g).
  Proof.
    intros Hg%Forall_zrange.
    apply Forall_flat_map.
    apply (Forall_impl _ (P := fun z => terms f (g z))); trivial.
    intros z Hz.
    apply Forall_map, (Forall_impl _) with (2 := Hz).
    intros w [x E].
    exists x.
    now rewrite E.
  Qed.

  (** ** Terms in another order

      By an operation that [commutes]. *)

  Lemma runs_permuted f l l' :
    commutes f ->
    Permutation l l' ->
    terms f l ->
    forall c, runs c (map (comb f) l) = runs c (map (comb f) l').
  Proof.
    intros Hc HP.
    induction HP as [|w l l' HP IH|w u l|l l' l'' H1 IH1 H2 IH2]; intros Ht c; trivial.
    - cbn.
      apply IH.
      now inversion Ht.
    - inversion Ht as [|? ? [x Ex] Ht'].
      inversion Ht' as [|? ? [y Ey] _].
      cbn.
      rewrite Ex, Ey.
      cbn.
      now rewrite Hc.
    - rewrite IH1 by trivial.
      apply IH2.
      apply (Permutation_Forall H1 Ht).
  Qed.

  (** The terms of two reductions correspond: [psi] takes an index of the first to one of the
      second, [phi] back, wherever there is a term. Covers split, interchange, fusion, shift and
      reversal, with guards. *)
  Theorem value_reindexed :
    forall f init rs rs' F F' phi psi,
    commutes f ->
    rs <> Point ->
    rs' <> Point ->
    for_ranges rs
      (fun zs => F zs <> [] ->
         terms f (F zs) /\ in_ranges rs' (psi zs) /\ F zs = F' (psi zs) /\ phi (psi zs) = zs) ->
    for_ranges rs'
      (fun ys => F' ys <> [] -> in_ranges rs (phi ys) /\ F (phi ys) = F' ys /\ psi (phi ys) = ys) ->
    value init (total_box f rs F) = value init (total_box f rs' F').
  Proof.
    intros f init rs rs' F F' phi psi Hc Hne Hne' Hpsi Hphi.
    rewrite for_ranges_iff in Hpsi, Hphi.
    rewrite !total_box_places by trivial.
    apply runs_permuted; trivial.
    - rewrite <- (terms_moved rs rs' F F' phi psi) by apply Hpsi.
      apply Permutation_flat_map, NoDup_Permutation.
      + apply moved_nodup with rs' F' phi.
        apply Hpsi.
      + apply sorted_nodup, places_sorted.
      + intros ys.
        apply places_moved with phi; trivial.
        apply Hpsi.
    - apply Forall_flat_map, Forall_forall.
      intros zs [Hzs HF]%in_places.
      now apply Hpsi.
  Qed.

  (** Two loops exchanged. *)
  Lemma value_exchanged f init a b c d g :
    commutes f ->
    (forall i j, a <= i < b -> c <= j < d -> terms f (g i j)) ->
    value init (total f a b (fun i => total f c d (fun j => g i j))) =
    value init (total f c d (fun j => total f a b (fun i => g i j))).
  Proof.
    intros Hc Ht.
    pose (swap := fun zs : list Z => match zs with [i; j] => [j; i] | _ => [] end).
    apply (value_reindexed f init
             (Range a b (fun _ => Range c d (fun _ => Point)))
             (Range c d (fun _ => Range a b (fun _ => Point)))
             (fun zs => match zs with [i; j] => g i j | _ => [] end)
             (fun zs => match zs with [j; i] => g i j | _ => [] end) swap swap);
      trivial; try discriminate; cbn; auto 10.
  Qed.

  (** ** Partial results

      By an operation that [associates] and has a unit. *)

  Lemma runs_terms f u l c :
    associates f ->
    has_unit f u ->
    terms f l ->
    red f c (runs (op u []) (map (comb f) l)) = runs c (map (comb f) l).
  Proof.
    intros Ha Hu Ht.
    enough (E : forall x, red f c (runs x (map (comb f) l)) =
      runs (red f c x) (map (comb f) l)) by now rewrite E, Hu.
    induction Ht as [|w l [y Ey] _ IH]; intros x; trivial.
    cbn.
    rewrite Ey.
    cbn.
    rewrite <- Ha.
    apply IH.
  Qed.

  (** Each inner reduction has an accumulator of its own. *)
  Theorem value_partial :
    forall f u init lo hi g,
    associates f ->
    has_unit f u ->
    (forall z, lo <= z < hi -> terms f (g z)) ->
    value init (total f lo hi (fun z => [Put (value (Some u) (map (comb f) (g z)))])) =
    value init (total f lo hi g).
  Proof.
    intros f u init lo hi g Ha Hu Ht%Forall_zrange.
    unfold value, total.
    generalize (start init) as c.
    induction Ht as [|z l Hz _ IH]; intros c; [easy|].
    cbn [flat_map map comb app].
    rewrite runs_app.
    cbn.
    rewrite <- (runs_terms f u (g z) c) by trivial.
    apply IH.
  Qed.

  (** The same for terms that are such values, read from a tensor, say. *)
  Lemma value_partial_terms f u init lo hi t g :
    associates f ->
    has_unit f u ->
    (forall z, lo <= z < hi -> t z = [Put (value (Some u) (map (comb f) (g z)))]) ->
    (forall z, lo <= z < hi -> terms f (g z)) ->
    value init (total f lo hi t) = value init (total f lo hi g).
  Proof.
    intros Ha Hu HX Ht.
    rewrite <- (value_partial f u init lo hi g) by trivial.
    f_equal.
    apply total_ext; trivial.
    intros z Hz.
    now rewrite HX.
  Qed.

  (** What is added to a reduction may be its first term. *)
  Lemma value_started f u g a b :
    associates f ->
    commutes f ->
    has_unit f u ->
    g 0 = [Put b] ->
    terms f (g 1) ->
    value (Some u) (map (comb f) (g 1)) = a ->
    value (Some u) (total f 0 2 g) = op f [a; b].
  Proof.
    intros Ha Hc Hu Hb Ht <-.
    unfold total, value.
    change (zrange 0 2) with [0; 1].
    cbn [flat_map].
    rewrite Hb, app_nil_r.
    change (runs (red f (op u []) b) (map (comb f) (g 1)) =
      red f (runs (op u []) (map (comb f) (g 1))) b).
    now rewrite <- (runs_terms f u _ (red f (op u []) b)), Hc, runs_terms.
  Qed.

  (** ... or its last term. *)
  Lemma value_ended f u g a b :
    g 1 = [Put b] ->
    value (Some u) (map (comb f) (g 0)) = a ->
    value (Some u) (total f 0 2 g) = op f [a; b].
  Proof.
    intros Hb <-.
    unfold total, value.
    change (zrange 0 2) with [0; 1].
    cbn [flat_map].
    now rewrite Hb, app_nil_r, runs_app.
  Qed.

  (** ** Common factors

      By an operation that [distributes]. *)

  Definition scaled (h : V -> V) (w : contrib) : contrib :=
    match w with
    | Put x => Put (h x)
    | Comb f x => Comb f (h x)
    end.

  Lemma value_scaled h f u lo hi t :
    (forall a b, h (red f a b) = red f (h a) (h b)) ->
    h (op u []) = op u [] ->
    (forall z, lo <= z < hi -> terms f (t z)) ->
    h (value (Some u) (total f lo hi t)) =
    value (Some u) (total f lo hi (fun z => map (scaled h) (t z))).
  Proof.
    intros Hh Hu Ht%Forall_zrange.
    unfold value, total.
    cbn [start].
    rewrite <- Hu at 2.
    generalize (op u []) as c.
    induction Ht as [|z l Hz _ IH]; intros c; [easy|].
    cbn [flat_map].
    rewrite !runs_app, IH.
    f_equal.
    clear IH.
    revert c.
    induction Hz as [|w k [x E] _ IH]; intros c; [easy|].
    cbn.
    unfold runs in IH.
    rewrite IH.
    f_equal.
    destruct w; cbn in *; injection E; intros; subst; apply Hh.
  Qed.

  Lemma times_total g f u a lo hi t :
    distributes g f ->
    absorbs g u ->
    (forall z, lo <= z < hi -> terms f (t z)) ->
    op g [a; value (Some u) (total f lo hi t)] =
    value (Some u) (total f lo hi (fun z => map (scaled (fun x => op g [a; x])) (t z))).
  Proof. intros D A. apply (value_scaled (fun x => op g [a; x])); [intros; apply D | apply A]. Qed.

  Lemma total_times g f u a lo hi t :
    distributes g f ->
    absorbs g u ->
    (forall z, lo <= z < hi -> terms f (t z)) ->
    op g [value (Some u) (total f lo hi t); a] =
    value (Some u) (total f lo hi (fun z => map (scaled (fun x => op g [x; a])) (t z))).
  Proof. intros D A. apply (value_scaled (fun x => op g [x; a])); [intros; apply D | apply A]. Qed.

  (** ** At most one term that matters

      By an operation that has units. *)

  (** Nothing, or the value that a reduction starts with. *)
  Definition no_term (u : string) (l : list contrib) : Prop := l = [] \/ l = [Put (op u [])].

  Lemma runs_no_terms f u lo hi g c :
    has_unit f u -> (forall z, lo <= z < hi -> no_term u (g z)) -> runs c (total f lo hi g) = c.
  Proof.
    intros Hu Hg%Forall_zrange.
    unfold total.
    induction Hg as [|z l [E|E] _ IH]; cbn [flat_map]; rewrite ?E; trivial.
    cbn in *.
    now rewrite Hu.
  Qed.

  (** Where the others are nothing at all. *)
  Lemma value_only_term f u lo hi g a x :
    has_left_unit f u ->
    lo <= a < hi ->
    g a = [Put x] ->
    (forall z, lo <= z < hi -> z <> a -> g z = []) ->
    value (Some u) (total f lo hi g) = x.
  Proof.
    intros Hl Ha Hx Hg.
    rewrite (total_only f lo a), Hx by trivial.
    apply Hl.
  Qed.

  Lemma value_no_terms f u lo hi g :
    has_unit f u ->
    (forall z, lo <= z < hi -> no_term u (g z)) ->
    value (Some u) (total f lo hi g) = op u [].
  Proof. apply runs_no_terms. Qed.

  Lemma value_one_term f u lo hi g a x :
    has_unit f u ->
    has_left_unit f u ->
    lo <= a < hi ->
    g a = [Put x] ->
    (forall z, lo <= z < hi -> z <> a -> no_term u (g z)) ->
    value (Some u) (total f lo hi g) = x.
  Proof.
    intros Hu Hl Ha Hx Hg.
    unfold value.
    rewrite (total_at f lo a), !runs_app, Hx by trivial.
    rewrite !(runs_no_terms f u) by (trivial; intros; apply Hg; lia).
    apply Hl.
  Qed.
End Sums.
