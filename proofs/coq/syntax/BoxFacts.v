(** * Facts about boxes

    Addresses are inside the buffer and distinct. [forbox] and [equal_all] are statements about
    cells that unfold to one claim for each dimension. *)

From ATL Require Export syntax.IndexFacts syntax.Box.

(** ** Addresses

    The cells of a box have addresses of their own, all inside the buffer. *)

Lemma inboxb_iff : forall ds xs, inboxb ds xs = true <-> inbox ds xs.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; try easy.
  rewrite !andb_true_iff, IH, Z.leb_le, Z.ltb_lt.
  tauto.
Qed.

Lemma inbox_length : forall ds xs, inbox ds xs -> length xs = length ds.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; try easy.
  intros [_ Hxs].
  now rewrite (IH _ Hxs).
Qed.

(** An access that is inside every dimension is inside the buffer. *)
Lemma flat_bound : forall ds xs, inbox ds xs -> 0 <= flat ds xs < size ds.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; intros Hin; try easy.
  destruct Hin as [Hx Hxs].
  specialize (IH _ Hxs).
  nia.
Qed.

(** Different cells have different addresses. *)
Lemma flat_inj : forall ds xs ys, inbox ds xs -> inbox ds ys -> flat ds xs = flat ds ys -> xs = ys.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs], ys as [|y ys]; cbn; intros Hx Hy E; try easy.
  destruct Hx as [Hx Hxs], Hy as [Hy Hys].
  pose proof (flat_bound _ _ Hxs).
  pose proof (flat_bound _ _ Hys).
  assert (x = y) by nia.
  subst y.
  f_equal.
  apply IH; trivial.
  lia.
Qed.

(** An allocation's dimension is cut at 0; the cells are the same. *)
Lemma inbox_max : forall ds xs, inbox (map (fun d => Z.max d 0) ds) xs <-> inbox ds xs.
Proof.
  induction ds as [|d ds IH]; destruct xs as [|x xs]; cbn; try easy.
  rewrite IH.
  intuition lia.
Qed.

(** ** All cells

    [forbox] unfolds to one quantifier for each dimension. *)

(** [P] holds of all cells: one quantifier for each dimension, so that it computes. *)
Fixpoint forbox (ds : list Z) (P : list Z -> Prop) : Prop :=
  match ds with
  | [] => P []
  | d :: ds => forall x, 0 <= x < d -> forbox ds (fun xs => P (x :: xs))
  end.

Lemma forbox_iff : forall ds P, forbox ds P <-> forall xs, inbox ds xs -> P xs.
Proof.
  induction ds as [|d ds IH]; cbn; intros P.
  - split; [intros HP [|x xs] Hin; easy | intros HP; now apply HP].
  - split.
    + intros HP [|x xs] Hin; [easy|].
      now apply (proj1 (IH _) (HP x (proj1 Hin))).
    + intros HP x Hx.
      rewrite IH.
      intros xs Hxs.
      now apply HP.
Qed.

(** ** Equal lists of numbers

    [equal_all] unfolds to one equation for each number. *)

(** Equal, number by number. *)
Fixpoint equal_all (l l' : list Z) : Prop :=
  match l, l' with
  | [], [] => True
  | a :: l, a' :: l' => a = a' /\ equal_all l l'
  | _, _ => False
  end.

Lemma equal_all_eq : forall l l', equal_all l l' -> l = l'.
Proof.
  induction l as [|a l IH]; destruct l' as [|a' l']; cbn; try easy.
  intros [-> H].
  f_equal.
  auto.
Qed.
