(** * Boxes of indices and row-major addresses

    To be read by a sceptic, up to the lemmas.  A tensor of dimensions [ds] has the cells [xs] with [inbox ds
    xs]; in memory the cell [xs] is at [flat ds xs].  Accesses are checked dimension by dimension, which is
    what the compiler proves and stays linear; the lemmas say that this is enough: addresses are then inside
    the buffer and distinct. *)

From Coq Require FinFun.
From ATL Require Import Index.

Fixpoint inbox (ds xs : list Z) : Prop :=
  match ds, xs with
  | [], [] => True
  | d :: ds, x :: xs => 0 <= x < d /\ inbox ds xs
  | _, _ => False
  end.

Fixpoint inboxb (ds xs : list Z) : bool :=
  match ds, xs with
  | [], [] => true
  | d :: ds, x :: xs => (0 <=? x) && (x <? d) && inboxb ds xs
  | _, _ => false
  end.

Fixpoint size (ds : list Z) : Z :=
  match ds with
  | [] => 1
  | d :: ds => d * size ds
  end.

Fixpoint flat (ds xs : list Z) : Z :=
  match ds, xs with
  | d :: ds, x :: xs => x * size ds + flat ds xs
  | _, _ => 0
  end.

(** [P] holds of all cells: one quantifier for each dimension, so that it computes. *)
Fixpoint forbox (ds : list Z) (P : list Z -> Prop) : Prop :=
  match ds with
  | [] => P []
  | d :: ds => forall x, 0 <= x < d -> forbox ds (fun xs => P (x :: xs))
  end.

(** Equal, number by number. *)
Fixpoint equal_all (l l' : list Z) : Prop :=
  match l, l' with
  | [], [] => True
  | a :: l, a' :: l' => a = a' /\ equal_all l l'
  | _, _ => False
  end.

(** ** Lemmas *)

Lemma equal_all_eq : forall l l', equal_all l l' -> l = l'.
Proof. induction l as [|a l IH]; destruct l' as [|a' l']; cbn; try easy. intros [-> H]. f_equal. auto. Qed.

Lemma inboxb_iff : forall ds xs, inboxb ds xs = true <-> inbox ds xs.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; try easy.
  rewrite !andb_true_iff, IH, Z.leb_le, Z.ltb_lt. tauto.
Qed.

Lemma forbox_iff : forall ds P, forbox ds P <-> forall xs, inbox ds xs -> P xs.
Proof.
  induction ds as [|d ds IH]; cbn; intros P.
  - split; [intros HP [|x xs] Hin; easy | intros HP; now apply HP].
  - split.
    + intros HP [|x xs] Hin; [easy|]. now apply (proj1 (IH _) (HP x (proj1 Hin))).
    + intros HP x Hx. rewrite IH. intros xs Hxs. now apply HP.
Qed.

(** An access that is inside every dimension is inside the buffer. *)
Lemma flat_bound : forall ds xs, inbox ds xs -> 0 <= flat ds xs < size ds.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; intros Hin; try easy.
  destruct Hin as [Hx Hxs]. specialize (IH _ Hxs). nia.
Qed.

(** Different cells have different addresses. *)
Lemma flat_inj : forall ds xs ys, inbox ds xs -> inbox ds ys -> flat ds xs = flat ds ys -> xs = ys.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs], ys as [|y ys]; cbn; intros Hx Hy E; try easy.
  destruct Hx as [Hx Hxs], Hy as [Hy Hys].
  pose proof (flat_bound _ _ Hxs). pose proof (flat_bound _ _ Hys).
  assert (x = y) by nia. subst y. f_equal. apply IH; trivial. lia.
Qed.

Lemma inbox_length : forall ds xs, inbox ds xs -> length xs = length ds.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; try easy.
  intros [_ Hxs]. now rewrite (IH _ Hxs).
Qed.

(** An allocation's dimension is cut at 0; the cells are the same. *)
Lemma inbox_max : forall ds xs, inbox (map (fun d => Z.max d 0) ds) xs <-> inbox ds xs.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; try easy.
  rewrite IH. intuition lia.
Qed.

(** ** Ranges *)

Lemma in_zrange lo hi z : In z (zrange lo hi) <-> lo <= z < hi.
Proof.
  unfold zrange. rewrite in_map_iff. split.
  - intros (k & <- & Hk). apply in_seq in Hk. lia.
  - intros Hz. exists (Z.to_nat (z - lo)). rewrite in_seq. lia.
Qed.

Lemma Forall_zrange (P : Z -> Prop) lo hi : (forall z, lo <= z < hi -> P z) -> Forall P (zrange lo hi).
Proof. intros HP. apply Forall_forall. intros z Hz%in_zrange. auto. Qed.

Lemma zrange_nil lo hi : hi <= lo -> zrange lo hi = [].
Proof. intros Hle. unfold zrange. replace (Z.to_nat (hi - lo)) with 0%nat by lia. reflexivity. Qed.

Lemma zrange_cons lo hi : lo < hi -> zrange lo hi = lo :: zrange (lo + 1) hi.
Proof.
  intros Hlt. unfold zrange. replace (Z.to_nat (hi - lo)) with (S (Z.to_nat (hi - (lo + 1)))) by lia.
  cbn [seq map]. f_equal; [lia|]. rewrite <- seq_shift, map_map. apply map_ext. intros k. lia.
Qed.

Lemma zrange_app lo mid hi : lo <= mid <= hi -> zrange lo hi = zrange lo mid ++ zrange mid hi.
Proof.
  intros [Hlo Hhi]. replace lo with (mid - Z.of_nat (Z.to_nat (mid - lo))) by lia.
  induction (Z.to_nat (mid - lo)) as [|n IH]; [now rewrite Z.sub_0_r, (zrange_nil mid mid)|].
  rewrite zrange_cons, (zrange_cons _ mid) by lia.
  now replace (mid - Z.of_nat (S n) + 1) with (mid - Z.of_nat n) by lia; rewrite IH.
Qed.

Lemma zrange_nodup lo hi : NoDup (zrange lo hi).
Proof. apply FinFun.Injective_map_NoDup; [|apply seq_NoDup]. intros a b E. lia. Qed.
