(** * Reductions, re-indexed in the same order

    Where the terms of two reductions correspond and keep their order, the lists of contributions
    are equal: bit by bit, without a law of the operation. This covers rows, shifts, fusion, cuts
    and guards. *)

From ATL Require Import syntax.IndexFacts syntax.Contrib equality.Ranges.

Section InOrder.
  Context {S : Scalars}.

  (** As [value_reindexed]; [psi] keeps the order. *)
  Theorem total_in_order :
    forall f rs rs' F F' phi psi,
    rs <> Point ->
    rs' <> Point ->
    for_ranges rs
      (fun zs => F zs <> [] -> in_ranges rs' (psi zs) /\ F zs = F' (psi zs) /\ phi (psi zs) = zs) ->
    for_ranges rs'
      (fun ys => F' ys <> [] -> in_ranges rs (phi ys) /\ F (phi ys) = F' ys /\ psi (phi ys) = ys) ->
    for_ranges rs
      (fun zs => for_ranges rs (fun ys =>
         F zs <> [] -> F ys <> [] -> before zs ys -> before (psi zs) (psi ys))) ->
    total_box f rs F = total_box f rs' F'.
  Proof.
    intros f rs rs' F F' phi psi Hne Hne' Hpsi Hphi Hord.
    rewrite for_ranges_iff in Hpsi, Hphi, Hord.
    rewrite !total_box_places by trivial.
    rewrite <- (terms_moved rs rs' F F' phi psi Hpsi).
    do 2 f_equal.
    apply sorted_unique; [apply sorted_map | | now apply places_moved with phi];
      try apply places_sorted.
    intros zs ys [Hzs Fzs]%in_places [Hys Fys]%in_places.
    specialize (Hord zs Hzs).
    rewrite for_ranges_iff in Hord.
    auto.
  Qed.
End InOrder.
