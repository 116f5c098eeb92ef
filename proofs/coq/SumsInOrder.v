(** * Reductions, re-indexed in the same order

    Where the terms of two reductions correspond and keep their order, the lists of contributions are equal: bit by bit,
    without a law of the operation.  Covers rows, shifts, fusion, cuts and guards. *)

From Coq Require Import Sorting.Sorted.
From ATL Require Import Index Box Contrib Unfold Sums.

(** The order of the terms: the last index runs fastest. *)
Fixpoint before (zs ys : list Z) : Prop :=
  match zs, ys with
  | z :: zs, y :: ys => z < y \/ z = y /\ before zs ys
  | _, _ => False
  end.

Lemma before_irreflexive : forall zs, ~ before zs zs.
Proof. induction zs as [|z zs IH]; cbn; [easy|]. intros [H|[_ H]]; [lia | easy]. Qed.

Lemma before_asymmetric : forall zs ys, before zs ys -> ~ before ys zs.
Proof.
  induction zs as [|z zs IH]; destruct ys as [|y ys]; cbn; try easy.
  intros [H|[-> H]] [H'|[E H']]; try lia. now apply (IH ys).
Qed.

(** ** Sorted lists *)

Definition sorted : list (list Z) -> Prop := StronglySorted before.

Lemma sorted_app : forall l l', sorted l -> sorted l' -> (forall a b, In a l -> In b l' -> before a b) ->
    sorted (l ++ l').
Proof.
  induction l as [|a l IH]; cbn; intros l' Hl Hl' H; trivial. inversion Hl as [|? ? Hs Ha]; subst.
  constructor; [apply IH; auto|]. rewrite Forall_forall in *. intros b Hb.
  apply in_app_iff in Hb as [Hb|Hb]; auto.
Qed.

Lemma sorted_map : forall g l, sorted l -> (forall a b, In a l -> In b l -> before a b ->
    before (g a) (g b)) -> sorted (map g l).
Proof.
  induction l as [|a l IH]; cbn; intros Hl H; [constructor|]. inversion Hl as [|? ? Hs Ha]; subst.
  constructor; [apply IH; auto|]. rewrite Forall_forall in *. intros b Hb.
  apply in_map_iff in Hb as (c & <- & Hc). auto.
Qed.

Lemma sorted_filter : forall p l, sorted l -> sorted (filter p l).
Proof.
  induction l as [|a l IH]; cbn; intros Hl; trivial. inversion Hl as [|? ? Hs Ha]; subst.
  destruct (p a); [|auto]. constructor; [now apply IH|]. rewrite Forall_forall in Ha. apply Forall_forall.
  intros b Hb. apply filter_In in Hb. now apply Ha.
Qed.

Lemma sorted_unique : forall l l', sorted l -> sorted l' -> (forall a, In a l <-> In a l') -> l = l'.
Proof.
  induction l as [|a l IH]; intros [|b l'] Hl Hl' H; trivial.
  - elim (proj2 (H b) (or_introl eq_refl)).
  - elim (proj1 (H a) (or_introl eq_refl)).
  - inversion Hl as [|? ? Hs Ha]; inversion Hl' as [|? ? Hs' Hb]; subst. rewrite Forall_forall in *.
    assert (a = b) as ->.
    { pose proof (proj1 (H a) (or_introl eq_refl)) as [E|Hin]; [easy|].
      pose proof (proj2 (H b) (or_introl eq_refl)) as [E|Hin']; [easy|]. elim (before_asymmetric a b); auto. }
    f_equal. apply IH; trivial. intros c. split; intros Hc.
    + pose proof (proj1 (H c) (or_intror Hc)) as [->|]; [|easy]. elim (before_irreflexive c). auto.
    + pose proof (proj2 (H c) (or_intror Hc)) as [->|]; [|easy]. elim (before_irreflexive c). auto.
Qed.

Lemma points_sorted : forall rs, sorted (points rs).
Proof.
  induction rs as [|lo hi rs IH]; cbn; [repeat constructor|]. unfold zrange.
  generalize 0%nat as s. induction (Z.to_nat (hi - lo)) as [|n IHn]; intros s; cbn; [constructor|].
  apply sorted_app; [| apply IHn |].
  - apply sorted_map; trivial. intros a b _ _ H. cbn. now right.
  - intros a b Ha Hb. apply in_map_iff in Ha as (u & <- & _). apply in_flat_map in Hb as (z & Hz & Hb).
    apply in_map_iff in Hz as (k & <- & Hk). apply in_map_iff in Hb as (w & <- & _). apply in_seq in Hk. cbn.
    left. lia.
Qed.

(** ** Reductions *)

Section InOrder.
  Context {S : Scalars}.

  (** As [value_reindexed]; [psi] keeps the order. *)
  Theorem total_in_order f rs rs' F F' phi psi : rs <> Point -> rs' <> Point ->
    for_ranges rs (fun zs => F zs <> [] -> in_ranges rs' (psi zs) /\ F' (psi zs) = F zs /\ phi (psi zs) =
      zs) ->
    for_ranges rs' (fun ys => F' ys <> [] -> in_ranges rs (phi ys) /\ F (phi ys) = F' ys /\ psi (phi ys) =
      ys) ->
    for_ranges rs (fun zs => for_ranges rs (fun ys => F zs <> [] -> F ys <> [] -> before zs ys ->
      before (psi zs) (psi ys))) ->
    total_box f rs F = total_box f rs' F'.
  Proof.
    intros Hne Hne' Hpsi Hphi Hord. rewrite for_ranges_iff in Hpsi, Hphi, Hord.
    rewrite !total_box_points by trivial.
    assert (Hout : forall A (F : A -> list contrib) l, flat_map (fun a => map (comb f) (F a)) l =
      map (comb f) (flat_map F l)).
    { intros A F0 l. induction l as [|a l IH]; cbn; trivial. now rewrite map_app, IH. }
    rewrite !Hout, (flat_map_some _ F), (flat_map_some _ F'). f_equal.
    set (k := filter _ (points rs)). set (k' := filter _ (points rs')).
    assert (Hk : forall a, In a k <-> in_ranges rs a /\ F a <> []).
    { intros a. unfold k. rewrite filter_In, in_points. destruct (F a); cbn; intuition easy. }
    assert (Hk' : forall a, In a k' <-> in_ranges rs' a /\ F' a <> []).
    { intros a. unfold k'. rewrite filter_In, in_points. destruct (F' a); cbn; intuition easy. }
    assert (E : map psi k = k').
    { apply sorted_unique.
      - apply sorted_map; [apply sorted_filter, points_sorted|]. intros a b Ha Hb Hab.
        apply Hk in Ha as [Ha Fa], Hb as [Hb Fb].
        specialize (Hord a Ha). rewrite for_ranges_iff in Hord. auto.
      - apply sorted_filter, points_sorted.
      - intros b. rewrite Hk'. split.
        + intros Hb. apply in_map_iff in Hb as (a & <- & Ha). apply Hk in Ha as [Ha Fa].
          destruct (Hpsi a Ha Fa) as (Hin & E & _). split; trivial. now rewrite E.
        + intros [Hb Fb]. destruct (Hphi b Hb Fb) as (Hin & E & <-). apply in_map. apply Hk. split; trivial.
          now rewrite E. }
    rewrite <- E, !flat_map_concat_map, map_map. f_equal. apply map_ext_in. intros a Ha.
    apply Hk in Ha as [Ha Fa].
    now destruct (Hpsi a Ha Fa) as (_ & -> & _).
  Qed.
End InOrder.
