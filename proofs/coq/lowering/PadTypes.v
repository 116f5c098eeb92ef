(** * Pad types

    A pad type says of a tensor, dimension by dimension, how many slices at both ends are
    padding, that is, not written. [padty] are the rules. What a tensor's type says is padding is
    not written ([padty_sound]), in particular what a truncation cuts ([truncr_demand],
    [truncl_demand]). That is the obligation that [ok] states. Nothing else depends on pad types. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts ops.Reshape ops.Flatten ops.Split
  ops.Transpose ops.Truncr ops.Truncl ops.Padr ops.Padl syntax.Syntax lowering.Ok.

(** [Pad k l p1 r p2 c]: [k] slices of padding, then [l] of type [p1]; before the last [c], which
    are padding, [r] of type [p2]. Nothing is said of those in between. *)
Inductive pad :=
| Leaf (padding : bool)
| Pad (k l : Z) (p1 : pad) (r : Z) (p2 : pad) (c : Z).

(** The cell [xs] of a tensor of dimensions [ds] is padding. *)
Fixpoint pads (p : pad) (ds xs : list Z) : Prop :=
  match p, ds, xs with
  | Leaf b, [], [] => b = true
  | Pad k l p1 r p2 c, n :: ds, x :: xs =>
      x < k \/ n - c <= x \/
      k <= x < k + l /\ pads p1 ds xs \/
      n - c - r <= x < n - c /\ pads p2 ds xs
  | _, _, _ => False
  end.

(** All of it is. *)
Definition full (ds : list Z) : pad :=
  match ds with
  | [] => Leaf true
  | n :: ds => Pad n 0 (Leaf false) 0 (Leaf false) 0
  end.

Lemma full_pads ds xs : inbox ds xs -> pads (full ds) ds xs.
Proof. destruct ds, xs; cbn; try easy. lia. Qed.

(** ** The rules

    One or two for each tensor form and operator. *)

Inductive padty : env -> expr -> pad -> Prop :=
| pad_scalar v s : padty v (Scalar s) (Leaf false)
| pad_gen v m i lo hi e k l p1 r p2 c :
    0 <= k ->
    0 <= c ->
    (forall z, evs ((i, z) :: v) (shape e) = evs v (shape e)) ->
    (forall z,
       ze v lo <= z < ze v hi ->
       z - ze v lo < k \/ ze v hi - c <= z ->
       padty ((i, z) :: v) e (full (evs v (shape e)))) ->
    (forall z, ze v lo <= z < ze v hi -> k <= z - ze v lo < k + l -> padty ((i, z) :: v) e p1) ->
    (forall z,
       ze v lo <= z < ze v hi -> ze v hi - c - r <= z < ze v hi - c -> padty ((i, z) :: v) e p2) ->
    padty v (Gen m i lo hi e) (Pad k l p1 r p2 c)
| pad_sum_none v f i lo hi e :
    ze v hi <= ze v lo ->
    padty v (Sum f i lo hi e) (full (evs v (shape e)))
| pad_sum v f i lo hi e p :
    ze v lo < ze v hi ->
    (forall z, evs ((i, z) :: v) (shape e) = evs v (shape e)) ->
    (forall z, ze v lo <= z < ze v hi -> padty ((i, z) :: v) e p) ->
    padty v (Sum f i lo hi e) p
| pad_guard_false v p e : be v p = false -> padty v (Guard p e) (full (evs v (shape e)))
| pad_guard v p e q : padty v e q -> padty v (Guard p e) q
| pad_let v x init a e p : padty v e p -> padty v (Let x init a e) p
| pad_concat v a b n m sa sb k l1 p1 r1 p2 c1 k2 l2 p3 r2 p4 c :
    shape a = n :: sa ->
    shape b = m :: sb ->
    evs v sa = evs v sb ->
    padty v a (Pad k l1 p1 r1 p2 c1) ->
    padty v b (Pad k2 l2 p3 r2 p4 c) ->
    k + l1 <= ze v n ->
    0 <= l1 ->
    0 <= r2 ->
    c + r2 <= ze v m ->
    padty v (Concat a b) (Pad k l1 p1 r2 p4 c)
| pad_truncr v a e k l p1 r p2 c :
    padty v e (Pad k l p1 r p2 c) ->
    0 <= ze v a <= c ->
    padty v (Reshape truncr [a] e) (Pad k l p1 r p2 (c - ze v a))
| pad_truncl v a e k l p1 r p2 c :
    padty v e (Pad k l p1 r p2 c) ->
    0 <= ze v a <= k ->
    padty v (Reshape truncl [a] e) (Pad (k - ze v a) l p1 r p2 c)
| pad_padr v a e n sh k l p1 r p2 c :
    shape e = n :: sh ->
    padty v e (Pad k l p1 r p2 c) ->
    0 <= ze v a ->
    0 <= c ->
    k + l <= ze v n ->
    0 <= l ->
    padty v (Reshape padr [a] e) (Pad k l p1 r p2 (c + ze v a))
| pad_padl v a e n sh k l p1 r p2 c :
    shape e = n :: sh ->
    padty v e (Pad k l p1 r p2 c) ->
    0 <= ze v a ->
    0 <= k ->
    c + r <= ze v n ->
    0 <= r ->
    padty v (Reshape padl [a] e) (Pad (k + ze v a) l p1 r p2 c)
| pad_transpose v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 l' r' :
    shape e = n :: m :: sh ->
    padty v e (Pad k l (Pad a l1 p1 r1 p2 c) r (Pad d l2 p3 r2 p4 b) c2) ->
    ze v n - k - c2 <= l + r ->
    padty v (Reshape transpose [] e)
      (Pad (Z.min a d) l' (Pad k 0 p1 0 p1 c2) r' (Pad k 0 p1 0 p1 c2) (Z.min c b))
| pad_transpose_weak v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 :
    shape e = n :: m :: sh ->
    padty v e (Pad k l (Pad a l1 p1 r1 p2 c) r (Pad d l2 p3 r2 p4 b) c2) ->
    padty v (Reshape transpose [] e)
      (Pad 0
        (Z.min a d) (Pad (k + l) 0 p1 0 p1 (c2 + r))
        (Z.min c b) (Pad (k + l) 0 p1 0 p1 (c2 + r))
        0)
| pad_split v a e n sh k l p1 r p2 c :
    shape e = n :: sh ->
    padty v e (Pad k l p1 r p2 c) ->
    0 < ze v a ->
    0 <= k ->
    0 <= c ->
    0 <= l ->
    k + l <= ze v n ->
    0 <= r ->
    c + r <= ze v n ->
    let q := ze v a in
    let c' := c + (cdiv (ze v n) q * q - ze v n) in
    padty v (Reshape split [a] e)
      (Pad (k / q)
        (cdiv k q - k / q) (Pad (k mod q) (Z.min l (q - k mod q)) p1 0 p1 0)
        (cdiv c' q - c' / q) (Pad 0 0 p2 (Z.min r (q - c' mod q)) p2 (c' mod q))
        (c' / q))
| pad_flatten v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 :
    shape e = n :: m :: sh ->
    padty v e (Pad k l (Pad a l1 p1 r1 p2 c) r (Pad d l2 p3 r2 p4 b) c2) ->
    let q := ze v m in
    0 <= k ->
    0 <= c2 ->
    0 <= l ->
    0 <= r ->
    k + c2 < ze v n ->
    0 <= a < q ->
    0 <= b < q ->
    0 <= l1 ->
    a + l1 <= q ->
    0 <= r2 ->
    b + r2 <= q ->
    padty v (Reshape flatten [] e)
      (Pad (k * q + Z.min 1 l * a)
        (Z.min 1 l * (if (a =? 0) && (l1 =? q) then l * q else l1)) p1
        (Z.min 1 r * (if (b =? 0) && (r2 =? q) then r * q else r2)) p4
        (c2 * q + Z.min 1 r * b)).

(** ** Soundness

    By induction on the derivation, with a case for each rule. *)

Theorem padty_sound :
  forall v e p,
  padty v e p ->
  forall xs, inbox (evs v (shape e)) xs ->
  pads p (evs v (shape e)) xs ->
  unwritten e v xs.
Proof.
  induction 1 as
    [ v s
    | v m i lo hi e k l p1 r p2 c Hk Hc Hsh Hpad IHpad H1 IH1 H2 IH2
    | v f i lo hi e Hle
    | v f i lo hi e p Hlt Hsh Hz IHz
    | v p e Hp
    | v p e q Hq IHq
    | v x init a e p He IHe
    | v a b n m sa sb k l1 p1 r1 p2 c1 k2 l2 p3 r2 p4 c Ea Eb Es Ha IHa Hb IHb Hk Hl1 Hr2 Hc
    | v a e k l p1 r p2 c He IHe Hk
    | v a e k l p1 r p2 c He IHe Hk
    | v a e n sh k l p1 r p2 c Es He IHe Hk Hc Hkl Hl
    | v a e n sh k l p1 r p2 c Es He IHe Hk Hk' Hcr Hr
    | v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 l' r' Es He IHe Hcov
    | v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 Es He IHe
    | v a e n sh k l p1 r p2 c Es He IHe Hq Hk Hc Hl Hkl Hr Hcr q c'
    | v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 Es He IHe q Hk Hc2 Hl Hr Hn Ha Hb Hl1
        Hal Hr2 Hbr ];
    intros xs Hxs Hpd.
  - now destruct xs.
  - destruct xs as [|x xs]; [easy|].
    cbn in *.
    rewrite extent_correct in *.
    rewrite from_correct.
    destruct Hxs as [Hx Hxs].
    rewrite <- (Hsh (ze v lo + x)) in *.
    destruct Hpd as [Hpd|[Hpd|[[Hl Hpd]|[Hr Hpd]]]].
    1, 2: apply IHpad; trivial; try lia; now apply full_pads.
    + apply IH1; trivial; lia.
    + apply IH2; trivial; lia.
  - intros z Hz.
    lia.
  - cbn in *.
    intros y Hy.
    apply IHz; trivial; now rewrite Hsh.
  - cbn.
    congruence.
  - intros _.
    now apply IHq.
  - now apply IHe.
  - rewrite Ea in IHa.
    rewrite Eb in IHb.
    destruct xs as [|x xs]; cbn [shape] in *; rewrite Ea, Eb in *; [easy|].
    cbn in *.
    rewrite Ea, Es in *.
    split; cbn; intros Hn; [apply IHa | apply IHb]; cbn; intuition lia.
  - (* truncr *)
    destruct xs as [|x xs]; cbn in *; unfold truncr_shape in *;
      destruct (shape e) as [|n sh] eqn:Es;
      try easy.
    intros _.
    apply IHe; cbn in *; intuition lia.
  - (* truncl *)
    destruct xs as [|x xs]; cbn in *; unfold truncl_shape in *;
      destruct (shape e) as [|n sh] eqn:Es;
      try easy.
    intros _.
    apply IHe; cbn in *; intuition lia.
  - (* padr *)
    cbn in *.
    unfold padr_shape in *.
    rewrite Es in *.
    destruct xs as [|x xs]; [easy|].
    cbn in *.
    rewrite grown_correct in *.
    intros Hn%Z.ltb_lt.
    apply IHe; intuition lia.
  - (* padl *)
    cbn in *.
    unfold padl_shape in *.
    rewrite Es in *.
    destruct xs as [|x xs]; [easy|].
    cbn in *.
    intros Hn%Z.leb_le.
    apply IHe; intuition lia.
  - (* transpose *)
    cbn in *.
    rewrite Es in *.
    destruct xs as [|y [|x xs]]; cbn in *; try tauto.
    intros _.
    apply IHe; [tauto|].
    destruct (Z_lt_le_dec x (k + l)); intuition lia.
  - (* transpose, of whose rows not all are known *)
    cbn in *.
    rewrite Es in *.
    destruct xs as [|y [|x xs]]; cbn in *; try tauto.
    intros _.
    apply IHe; [tauto|].
    destruct (Z_lt_le_dec x (k + l)); intuition lia.
  - (* split *)
    cbn in *.
    unfold split_shape in *.
    rewrite Es in *.
    destruct xs as [|x [|y xs]]; cbn in *; try tauto.
    fold q in Hxs, Hpd |- *.
    destruct Hxs as (Hx & Hy & Hxs).
    intros Hn%Z.ltb_lt.
    assert (Hup : forall w, cdiv w q <= w / q + 1).
    { clear -Hq.
      intros w.
      pose proof (cdiv_bounds w q Hq).
      pose proof (div_bounds w q Hq).
      nia. }
    pose proof (Hup k).
    pose proof (Hup c').
    pose proof (div_bounds k q Hq).
    pose proof (row_again k q Hq).
    pose proof (div_bounds c' q Hq).
    pose proof (row_again c' q Hq).
    assert (0 <= x * q) by (apply Z.mul_nonneg_nonneg; lia).
    assert (Hc' : c' = c + (cdiv (ze v n) q * q - ze v n)) by easy.
    clearbody q c'.
    apply IHe; [split; trivial; clear Hpd; lia|].
    destruct Hpd as [Hpd|[Hpd|[[Hx' Hpd]|[Hx' Hpd]]]].
    + left.
      assert ((x + 1) * q <= k / q * q) by (apply Z.mul_le_mono_nonneg_r; lia).
      lia.
    + right.
      left.
      assert ((cdiv (ze v n) q - c' / q) * q <= x * q) by (apply Z.mul_le_mono_nonneg_r; lia).
      lia.
    + assert (x = k / q) as -> by lia.
      intuition lia.
    + assert (x = cdiv (ze v n) q - c' / q - 1) as -> by lia.
      rewrite !Z.mul_sub_distr_r in *.
      intuition lia.
  - (* flatten *)
    cbn in *.
    unfold flatten_shape in *.
    rewrite Es in *.
    destruct xs as [|z xs]; cbn in *; [easy|].
    intros _.
    subst q.
    set (q := ze v m) in *.
    destruct Hxs as [Hz Hxs].
    pose proof (row_again z q ltac:(lia)) as Ez.
    pose proof (Z.mod_pos_bound z q ltac:(lia)) as By.
    assert (Bx : 0 <= z / q < ze v n) by (apply div_bound; lia).
    set (N := ze v n) in *.
    set (x := z / q) in *.
    set (y := z mod q) in *.
    clearbody N x y q.
    apply IHe; [now repeat split|].
    destruct (Z_lt_le_dec x k) as [|Hxk]; [now left|].
    destruct (Z_lt_le_dec x (N - c2)) as [Hxc|]; [right; right | now right; left].
    destruct Hpd as [Hpd|[Hpd|[[Hx Hpd]|[Hx Hpd]]]].
    + left.
      assert (1 <= l /\ x = k /\ y < a) by (destruct (Z.eq_dec l 0) as [->|]; cbn in *; nia).
      lia.
    + right.
      assert (1 <= r /\ x = N - c2 - 1 /\ q - b <= y) by (destruct (Z.eq_dec r 0) as [->|];
        cbn in *; nia).
      lia.
    + left.
      enough (x < k + l /\ a <= y < a + l1) by tauto.
      destruct (Z.eq_dec l 0) as [->|Hlne]; [cbn in Hx; lia|].
      replace (Z.min 1 l) with 1 in Hx by lia.
      clear -Hx Ez By Ha Hl1 Hal Hl Hxk Hlne.
      destruct ((a =? 0) && (l1 =? q)) eqn:E; [split; nia|].
      assert (x = k) by nia.
      nia.
    + right.
      enough (N - c2 - r <= x /\ q - b - r2 <= y < q - b) by tauto.
      destruct (Z.eq_dec r 0) as [->|Hrne]; [cbn in Hx; lia|].
      replace (Z.min 1 r) with 1 in Hx by lia.
      clear -Hx Ez By Hb Hr2 Hbr Hr Hxc Hrne.
      destruct ((b =? 0) && (r2 =? q)) eqn:E; [split; nia|].
      assert (x = N - c2 - 1) by nia.
      nia.
Qed.

(** ** What a truncation demands is padding

    The obligation of a truncation follows from the pad type of its operand. *)

Theorem truncr_demand v e n sh k l p1 r p2 c a :
  shape e = n :: sh ->
  padty v e (Pad k l p1 r p2 c) ->
  ze v a <= c ->
  forbox (evs v (shape e))
    (fun ys => truncr_cut (evs v [a]) (evs v (shape e)) ys -> unwritten e v ys).
Proof.
  intros Es Hp Ha.
  apply forbox_iff.
  intros [|y ys] Hin Hcut; [now rewrite Es in Hin|].
  apply (padty_sound v e _ Hp); trivial.
  rewrite Es in *.
  cbn in *.
  lia.
Qed.

Theorem truncl_demand v e n sh k l p1 r p2 c a :
  shape e = n :: sh ->
  padty v e (Pad k l p1 r p2 c) ->
  ze v a <= k ->
  forbox (evs v (shape e))
    (fun ys => truncl_cut (evs v [a]) (evs v (shape e)) ys -> unwritten e v ys).
Proof.
  intros Es Hp Ha.
  apply forbox_iff.
  intros [|y ys] Hin Hcut; [now rewrite Es in Hin|].
  apply (padty_sound v e _ Hp); trivial.
  rewrite Es in *.
  cbn in *.
  lia.
Qed.
