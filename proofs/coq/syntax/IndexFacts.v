(** * Facts about indices, rows and ranges

    What all proofs of the library use: association lists, quotients and remainders of positions
    in rows, and the list of the integers of a range. *)

From Coq Require FinFun.
From ATL Require Export syntax.NameFacts syntax.Index.

(** ** Lists

    Looking up a name in an association list, and lists that are empty. *)

Lemma lookup_same A (d a : A) l x : lookup d ((x, a) :: l) x = a.
Proof. cbn. now rewrite String.eqb_refl. Qed.

Lemma lookup_other A (d a : A) l x y : y <> x -> lookup d ((x, a) :: l) y = lookup d l y.
Proof.
  intros Hne.
  cbn.
  now apply String.eqb_neq in Hne as ->.
Qed.

Lemma flat_map_nil A B (g : A -> list B) l : (forall z, In z l -> g z = []) -> flat_map g l = [].
Proof. induction l as [|z l IH]; cbn; intros Hg; [easy|]. rewrite Hg, IH; auto. Qed.

Lemma list_nil_dec A (l : list A) : l = [] \/ l <> [].
Proof. destruct l; [now left | now right]. Qed.

(** ** The elements of a range

    [from v lo x] is the element number [x] of a range that starts at [lo]. As in [extent], a
    start at 0 is left out. *)

Definition from (v : env) (lo : idx) (x : Z) : Z :=
  match lo with
  | Lit 0 => x
  | _ => ze v lo + x
  end.

Lemma extent_correct v lo hi : ze v (extent lo hi) = ze v hi - ze v lo.
Proof. destruct lo as [|[]| | | | | | | |]; cbn; lia. Qed.

Lemma from_correct v lo x : from v lo x = ze v lo + x.
Proof. now destruct lo as [|[]| | | | | | | |]. Qed.

(** ** Rows

    The position [i * m + j] is the cell [j] of the row [i], where rows have [m] cells. *)

Lemma row_div i j m : 0 <= j < m -> (i * m + j) / m = i.
Proof.
  intros.
  rewrite Z.div_add_l by lia.
  rewrite Z.div_small by lia.
  lia.
Qed.

Lemma row_mod i j m : 0 <= j < m -> (i * m + j) mod m = j.
Proof.
  intros.
  rewrite Z.add_comm, Z.mod_add by lia.
  now apply Z.mod_small.
Qed.

Lemma row_again x m : 0 < m -> x / m * m + x mod m = x.
Proof.
  intros.
  pose proof (Z.div_mod x m).
  lia.
Qed.

Lemma div_bounds x m : 0 < m -> x / m * m <= x < x / m * m + m.
Proof.
  intros Hm.
  pose proof (Z.div_mod x m).
  pose proof (Z.mod_pos_bound x m).
  lia.
Qed.

Lemma cdiv_bounds n m : 0 < m -> n <= cdiv n m * m < n + m.
Proof.
  intros Hm.
  unfold cdiv.
  pose proof (div_bounds (n + m - 1) m Hm).
  lia.
Qed.

Lemma cdiv_mul n d : 0 < d -> (n * d + d - 1) / d = n.
Proof.
  intros.
  rewrite <- Z.add_sub_assoc.
  apply row_div.
  lia.
Qed.

Lemma cdiv_mul_left n d : 0 < d -> (d * n + d - 1) / d = n.
Proof. intros. now rewrite Z.mul_comm, cdiv_mul. Qed.

Lemma row_bound : forall i j n m, 0 <= i < n -> 0 <= j < m -> 0 <= i * m + j < n * m.
Proof. intros. nia. Qed.

Lemma div_bound x n m : 0 <= x < n * m -> 0 < m -> 0 <= x / m < n.
Proof. intros. split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia. Qed.

Lemma row_lt : forall i j n m, i < n -> 0 <= j < m -> i * m + j < n * m.
Proof. intros. nia. Qed.

Lemma row_lt_left : forall i j n m, i < n -> 0 <= j < m -> i * m + j < m * n.
Proof. intros. nia. Qed.

Lemma row_nonneg : forall i j m, 0 <= i -> 0 <= j -> 0 < m -> 0 <= i * m + j.
Proof. intros. nia. Qed.

(** ** Ranges

    Which integers [zrange] lists, and how it is cut. *)

Lemma in_zrange lo hi z : In z (zrange lo hi) <-> lo <= z < hi.
Proof.
  unfold zrange.
  rewrite in_map_iff.
  split.
  - intros (k & <- & Hk).
    apply in_seq in Hk.
    lia.
  - intros Hz.
    exists (Z.to_nat (z - lo)).
    rewrite in_seq.
    lia.
Qed.

Lemma Forall_zrange (P : Z -> Prop) lo hi :
  (forall z, lo <= z < hi -> P z) -> Forall P (zrange lo hi).
Proof.
  intros HP.
  apply Forall_forall.
  intros z Hz%in_zrange.
  auto.
Qed.

Lemma zrange_nil lo hi : hi <= lo -> zrange lo hi = [].
Proof.
  intros Hle.
  unfold zrange.
  replace (Z.to_nat (hi - lo)) with 0%nat by lia.
  reflexivity.
Qed.

Lemma zrange_cons lo hi : lo < hi -> zrange lo hi = lo :: zrange (lo + 1) hi.
Proof.
  intros Hlt.
  unfold zrange.
  replace (Z.to_nat (hi - lo)) with (S (Z.to_nat (hi - (lo + 1)))) by lia.
  cbn [seq map].
  f_equal; [lia|].
  rewrite <- seq_shift, map_map.
  apply map_ext.
  intros k.
  lia.
Qed.

Lemma zrange_app lo mid hi : lo <= mid <= hi -> zrange lo hi = zrange lo mid ++ zrange mid hi.
Proof.
  intros [Hlo Hhi].
  replace lo with (mid - Z.of_nat (Z.to_nat (mid - lo))) by lia.
  induction (Z.to_nat (mid - lo)) as [|n IH]; [now rewrite Z.sub_0_r, (zrange_nil mid mid)|].
  rewrite zrange_cons, (zrange_cons _ mid) by lia.
  now replace (mid - Z.of_nat (S n) + 1) with (mid - Z.of_nat n) by lia; rewrite IH.
Qed.

Lemma zrange_nodup lo hi : NoDup (zrange lo hi).
Proof.
  apply FinFun.Injective_map_NoDup; [|apply seq_NoDup].
  intros a b E.
  lia.
Qed.
