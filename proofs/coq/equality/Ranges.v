(** * Reductions inside each other, as one over all their indices

    And how the terms of two such reductions correspond, for [Sums.v] and [SumsInOrder.v]. *)

From Coq Require Import Sorting.Sorted.
From ATL Require Import syntax.IndexFacts syntax.ContribFacts.

(** ** Loops inside each other

    The range of a loop may depend on the indices of those around it. *)

Inductive ranges := Point | Range (lo hi : Z) (inner : Z -> ranges).

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

Lemma for_ranges_iff rs P : for_ranges rs P <-> forall zs, in_ranges rs zs -> P zs.
Proof.
  revert P.
  induction rs as [|lo hi rs IH]; cbn; intros P.
  - split; [intros HP [|z zs] Hin; easy | intros HP; now apply HP].
  - split.
    + intros HP [|z zs] Hin; [easy|].
      now apply (proj1 (IH z _) (HP z (proj1 Hin))).
    + intros HP z Hz.
      apply IH.
      intros zs Hzs.
      now apply HP.
Qed.

Lemma in_points rs zs : In zs (points rs) <-> in_ranges rs zs.
Proof.
  revert zs.
  induction rs as [|lo hi rs IH]; cbn; intros zs.
  - destruct zs as [|z zs]; intuition discriminate.
  - rewrite in_flat_map.
    split.
    + intros (z & Hz & (ys & <- & Hys)%in_map_iff).
      now rewrite <- in_zrange, <- IH.
    + destruct zs as [|z zs]; [easy|].
      rewrite <- in_zrange, <- IH.
      intros [Hz Hzs].
      exists z.
      split; trivial.
      now apply in_map.
Qed.

(** ** The order of the indices

    The last index runs fastest. A list of indices that is in this order is determined by its
    elements. *)

Fixpoint before (zs ys : list Z) : Prop :=
  match zs, ys with
  | z :: zs, y :: ys => z < y \/ z = y /\ before zs ys
  | _, _ => False
  end.

Lemma before_asymmetric zs ys : before zs ys -> ~ before ys zs.
Proof.
  revert ys.
  induction zs as [|z zs IH]; destruct ys as [|y ys]; cbn; try easy.
  intros [H|[-> H]] [H'|[E H']]; try lia.
  now apply (IH ys).
Qed.

Definition sorted : list (list Z) -> Prop := StronglySorted before.

Lemma sorted_app l l' :
  sorted l -> sorted l' -> (forall a b, In a l -> In b l' -> before a b) -> sorted (l ++ l').
Proof.
  intros Hl Hl' H.
  induction Hl as [|a l Hl IH Ha]; cbn; trivial.
  constructor; [apply IH; auto using in_cons|].
  apply Forall_app.
  split; trivial.
  apply Forall_forall.
  auto using in_eq.
Qed.

Lemma sorted_map g l :
  sorted l ->
  (forall a b, In a l -> In b l -> before a b -> before (g a) (g b)) ->
  sorted (map g l).
Proof.
  intros Hl H.
  induction Hl as [|a l Hl IH Ha]; cbn; constructor; [apply IH; auto using in_cons|].
  rewrite Forall_map, Forall_forall in *.
  auto using in_eq, in_cons.
Qed.

Lemma sorted_filter p l : sorted l -> sorted (filter p l).
Proof.
  intros Hl.
  induction Hl as [|a l Hl IH Ha]; cbn; [constructor|].
  destruct (p a); trivial.
  constructor; trivial.
  rewrite Forall_forall in *.
  intros b [Hb _]%filter_In.
  auto.
Qed.

Lemma sorted_nodup l : sorted l -> NoDup l.
Proof.
  intros Hl.
  induction Hl as [|a l Hl IH Ha]; constructor; trivial.
  rewrite Forall_forall in Ha.
  intros H%Ha.
  exact (before_asymmetric a a H H).
Qed.

Lemma sorted_unique l l' : sorted l -> sorted l' -> (forall a, In a l <-> In a l') -> l = l'.
Proof.
  intros Hl.
  revert l'.
  induction Hl as [|a l Hl IH Ha]; intros l' [|b k Hk Hb] H; trivial.
  - now destruct (proj2 (H b) (or_introl eq_refl)).
  - now destruct (proj1 (H a) (or_introl eq_refl)).
  - rewrite Forall_forall in *.
    assert (a = b) as ->.
    { destruct (proj1 (H a) (or_introl eq_refl)) as [|Hin]; [easy|].
      destruct (proj2 (H b) (or_introl eq_refl)) as [|Hin']; [easy|].
      elim (before_asymmetric a b); auto. }
    f_equal.
    apply IH; trivial.
    assert (Hirr : ~ before b b) by (intros E; exact (before_asymmetric b b E E)).
    intros c.
    split; intros Hc; [pose proof (proj1 (H c)) as Hin | pose proof (proj2 (H c)) as Hin];
      destruct (Hin (or_intror Hc)) as [->|]; trivial; elim Hirr; auto.
Qed.

Lemma points_sorted rs : sorted (points rs).
Proof.
  induction rs as [|lo hi rs IH]; cbn; [repeat constructor|].
  unfold zrange.
  generalize 0%nat as s.
  induction (Z.to_nat (hi - lo)) as [|n IHn]; intros s; cbn; [constructor|].
  apply sorted_app; [| apply IHn |].
  - apply sorted_map; trivial.
    intros a b _ _ H.
    now right.
  - intros a b (u & <- & _)%in_map_iff
      (z & (k & <- & Hk%in_seq)%in_map_iff & (w & <- & _)%in_map_iff)%in_flat_map.
    left.
    lia.
Qed.

(** ** Reductions

    A nest of reductions is the list of the terms at its [places], in order. *)

Section Boxes.
  Context {S : Scalars}.

  Fixpoint total_box (f : string) (rs : ranges) (F : list Z -> list contrib) : list contrib :=
    match rs with
    | Point => F []
    | Range lo hi rs => total f lo hi (fun z => total_box f (rs z) (fun zs => F (z :: zs)))
    end.

  (** The indices of its terms; others contribute nothing. *)
  Definition places (F : list Z -> list contrib) (rs : ranges) : list (list Z) :=
    filter (fun zs => match F zs with [] => false | _ => true end) (points rs).

  Lemma in_places F rs zs : In zs (places F rs) <-> in_ranges rs zs /\ F zs <> [].
  Proof.
    unfold places.
    rewrite filter_In, in_points.
    destruct (F zs); intuition easy.
  Qed.

  Lemma places_sorted F rs : sorted (places F rs).
  Proof. apply sorted_filter, points_sorted. Qed.

  Lemma total_box_places f rs F :
    rs <> Point -> total_box f rs F = map (comb f) (flat_map F (places F rs)).
  Proof.
    intros Hne.
    replace (flat_map F (places F rs)) with (flat_map F (points rs)).
    - assert (Hcomb : map (comb f) (total_box f rs F) = map (comb f) (flat_map F (points rs))).
      { clear Hne.
        revert F.
        induction rs as [|lo hi rs IH]; intros F; cbn; [now rewrite app_nil_r|].
        rewrite comb_total.
        unfold total.
        induction (zrange lo hi) as [|z l IHl]; cbn; [easy|].
        rewrite flat_map_app, map_app, IHl, IH.
        do 2 f_equal.
        now rewrite !flat_map_concat_map, map_map. }
      rewrite <- Hcomb.
      destruct rs; [easy|].
      cbn.
      now rewrite comb_total.
    - unfold places.
      induction (points rs) as [|zs l IH]; cbn; trivial.
      rewrite IH.
      destruct (F zs) eqn:E; cbn; trivial.
      now rewrite E.
  Qed.

  (** ** Reductions whose terms correspond

      Then the places of one are those of the other, moved. *)

  Section Correspondence.
    Variables (rs rs' : ranges) (F F' : list Z -> list contrib) (phi psi : list Z -> list Z).

    (** [psi] takes an index of the first reduction to one of the second, [phi] back, wherever
        there is a term. *)
    Hypothesis forth : forall zs, in_ranges rs zs -> F zs <> [] ->
      in_ranges rs' (psi zs) /\ F zs = F' (psi zs) /\ phi (psi zs) = zs.

    Hypothesis back : forall ys, in_ranges rs' ys -> F' ys <> [] ->
      in_ranges rs (phi ys) /\ F (phi ys) = F' ys /\ psi (phi ys) = ys.

    Lemma places_moved ys : In ys (map psi (places F rs)) <-> In ys (places F' rs').
    Proof.
      rewrite in_places, in_map_iff.
      split.
      - intros (zs & <- & [Hin HF]%in_places).
        destruct (forth zs Hin HF) as (H & <- & _).
        now split.
      - intros [Hin HF].
        destruct (back ys Hin HF) as (H & E & Ep).
        exists (phi ys).
        now rewrite in_places, E.
    Qed.

    Lemma terms_moved : flat_map F' (map psi (places F rs)) = flat_map F (places F rs).
    Proof.
      rewrite !flat_map_concat_map, map_map.
      f_equal.
      apply map_ext_in.
      intros zs [Hin HF]%in_places.
      now destruct (forth zs Hin HF) as (_ & <- & _).
    Qed.

    Lemma moved_nodup : NoDup (map psi (places F rs)).
    Proof.
      apply (NoDup_map_inv phi).
      rewrite map_map.
      replace (map (fun zs => phi (psi zs)) (places F rs)) with (places F rs);
        [apply sorted_nodup, places_sorted|].
      rewrite <- map_id at 1.
      apply map_ext_in.
      intros zs [Hin HF]%in_places.
      now destruct (forth zs Hin HF) as (_ & _ & ->).
    Qed.
  End Correspondence.
End Boxes.
