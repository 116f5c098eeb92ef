(** * Pad types

    A pad type says of a tensor, dimension by dimension, how many slices at both ends are padding, that is, not written.  [padty] are the rules; a
    tensor that has a type has the padding ([padty_sound]); and what a truncation demands is padding ([truncr_demand], [truncl_demand]), which is
    the obligation that [Lower.ok] states.  Nothing else depends on pad types. *)

From ATL Require Import Tactics.

(** [Pad k l p1 r p2 c]: [k] slices of padding, then [l] of type [p1]; before the last [c], which are padding, [r] of type [p2].  Nothing is said
    of those in between. *)
Inductive pad :=
| Leaf (padding : bool)
| Pad (k l : Z) (p1 : pad) (r : Z) (p2 : pad) (c : Z).

(** [U]: the cells that are not written. *)
Fixpoint has_pad (ds : list Z) (U : list Z -> Prop) (p : pad) : Prop :=
  match p, ds with
  | Leaf b, [] => b = true -> U []
  | Pad k l p1 r p2 c, n :: ds => forall x, 0 <= x < n ->
      (x < k \/ n - c <= x -> forall xs, inbox ds xs -> U (x :: xs)) /\
      (k <= x < k + l -> has_pad ds (fun xs => U (x :: xs)) p1) /\
      (n - c - r <= x < n - c -> has_pad ds (fun xs => U (x :: xs)) p2)
  | _, _ => False
  end.

Definition full (ds : list Z) : pad :=
  match ds with
  | [] => Leaf true
  | n :: ds => Pad n 0 (Leaf false) 0 (Leaf false) 0
  end.

Lemma full_iff : forall ds (U : list Z -> Prop), has_pad ds U (full ds) <-> forall xs, inbox ds xs -> U xs.
Proof.
  intros [|n ds] U; cbn.
  - split; [intros HU [|x xs] Hin; [now apply HU | easy] | intros HU _; now apply HU].
  - split.
    + intros HU [|x xs] Hin; [easy|]. destruct Hin as [Hx Hxs]. destruct (HU x Hx) as [H _]. apply H; trivial.
      lia.
    + intros HU x Hx. split; [|split; lia]. intros _ xs Hxs. now apply HU.
Qed.

Lemma has_pad_weaken : forall p ds (U U' : list Z -> Prop), (forall xs, inbox ds xs -> U xs -> U' xs) ->
    has_pad ds U p -> has_pad ds U' p.
Proof.
  induction p as [b|k l p1 IH1 r p2 IH2 c]; intros [|n ds] U U' HU; cbn; try easy;
    [intros Hp Hb; apply HU; cbn; auto|].
  intros Hp x Hx. destruct (Hp x Hx) as (H0 & H1 & H2).
  assert (Hrow : forall xs, inbox ds xs -> U (x :: xs) -> U' (x :: xs)) by (intros xs Hxs; apply HU;
    now split).
  split; [|split].
  - intros Hends xs Hxs. auto.
  - intros Hl. now apply (IH1 ds (fun xs => U (x :: xs))); auto.
  - intros Hr. now apply (IH2 ds (fun xs => U (x :: xs))); auto.
Qed.

(** ** The rules *)

Inductive padty : env -> expr -> pad -> Prop :=
| pad_scalar v s : padty v (Scalar s) (Leaf false)
| pad_gen v m i lo hi e k l p1 r p2 c :
    0 <= k -> 0 <= c ->
    (forall z, evs ((i, z) :: v) (shape e) = evs v (shape e)) ->
    (forall z, ze v lo <= z < ze v hi -> z - ze v lo < k \/ ze v hi - c <= z ->
       padty ((i, z) :: v) e (full (evs v (shape e)))) ->
    (forall z, ze v lo <= z < ze v hi -> k <= z - ze v lo < k + l -> padty ((i, z) :: v) e p1) ->
    (forall z, ze v lo <= z < ze v hi -> ze v hi - c - r <= z < ze v hi - c -> padty ((i, z) :: v) e p2) ->
    padty v (Gen m i lo hi e) (Pad k l p1 r p2 c)
| pad_sum_none v f i lo hi e : ze v hi <= ze v lo -> padty v (Sum f i lo hi e) (full (evs v (shape e)))
| pad_sum v f i lo hi e p : ze v lo < ze v hi -> (forall z, evs ((i, z) :: v) (shape e) = evs v (shape e)) ->
    (forall z, ze v lo <= z < ze v hi -> padty ((i, z) :: v) e p) -> padty v (Sum f i lo hi e) p
| pad_guard_false v p e : be v p = false -> padty v (Guard p e) (full (evs v (shape e)))
| pad_guard v p e q : padty v e q -> padty v (Guard p e) q
| pad_let v x init a e p : padty v e p -> padty v (Let x init a e) p
| pad_concat v a b n m sa sb k l1 p1 r1 p2 c1 k2 l2 p3 r2 p4 c :
    shape a = n :: sa -> shape b = m :: sb -> evs v sa = evs v sb ->
    padty v a (Pad k l1 p1 r1 p2 c1) -> padty v b (Pad k2 l2 p3 r2 p4 c) ->
    k + l1 <= ze v n -> 0 <= l1 -> 0 <= r2 -> c + r2 <= ze v m ->
    padty v (Concat a b) (Pad k l1 p1 r2 p4 c)
| pad_truncr v a e k l p1 r p2 c : padty v e (Pad k l p1 r p2 c) -> 0 <= ze v a <= c ->
    padty v (Reshape truncr [a] e) (Pad k l p1 r p2 (c - ze v a))
| pad_truncl v a e k l p1 r p2 c : padty v e (Pad k l p1 r p2 c) -> 0 <= ze v a <= k ->
    padty v (Reshape truncl [a] e) (Pad (k - ze v a) l p1 r p2 c)
| pad_padr v a e n sh k l p1 r p2 c : shape e = n :: sh -> padty v e (Pad k l p1 r p2 c) -> 0 <= ze v a ->
  0 <= c ->
    k + l <= ze v n -> 0 <= l -> padty v (Reshape padr [a] e) (Pad k l p1 r p2 (c + ze v a))
| pad_padl v a e n sh k l p1 r p2 c : shape e = n :: sh -> padty v e (Pad k l p1 r p2 c) -> 0 <= ze v a ->
  0 <= k ->
    c + r <= ze v n -> 0 <= r -> padty v (Reshape padl [a] e) (Pad (k + ze v a) l p1 r p2 c)
| pad_transpose v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 l' r' : shape e = n :: m :: sh ->
    padty v e (Pad k l (Pad a l1 p1 r1 p2 c) r (Pad d l2 p3 r2 p4 b) c2) -> ze v n - k - c2 <= l + r ->
    padty v (Reshape transpose [] e)
      (Pad (Z.min a d) l' (Pad k 0 p1 0 p1 c2) r' (Pad k 0 p1 0 p1 c2) (Z.min c b))
| pad_transpose_weak v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 : shape e = n :: m :: sh ->
    padty v e (Pad k l (Pad a l1 p1 r1 p2 c) r (Pad d l2 p3 r2 p4 b) c2) ->
    padty v (Reshape transpose [] e)
      (Pad 0 (Z.min a d) (Pad (k + l) 0 p1 0 p1 (c2 + r)) (Z.min c b) (Pad (k + l) 0 p1 0 p1 (c2 + r)) 0)
| pad_split v a e n sh k l p1 r p2 c : shape e = n :: sh -> padty v e (Pad k l p1 r p2 c) -> 0 < ze v a ->
    0 <= k -> 0 <= c -> 0 <= l -> k + l <= ze v n -> 0 <= r -> c + r <= ze v n ->
    let q := ze v a in
    let c' := c + (cdiv (ze v n) q * q - ze v n) in
    padty v (Reshape split [a] e)
      (Pad (k / q) (cdiv k q - k / q) (Pad (k mod q) (Z.min l (q - k mod q)) p1 0 p1 0)
           (cdiv c' q - c' / q) (Pad 0 0 p2 (Z.min r (q - c' mod q)) p2 (c' mod q)) (c' / q))
| pad_flatten v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 : shape e = n :: m :: sh ->
    padty v e (Pad k l (Pad a l1 p1 r1 p2 c) r (Pad d l2 p3 r2 p4 b) c2) ->
    let q := ze v m in
    0 <= k -> 0 <= c2 -> 0 <= l -> 0 <= r -> 0 <= a < q -> 0 <= b < q -> 0 <= l1 -> a + l1 <= q -> 0 <= r2 ->
      b + r2 <= q ->
    k + c2 < ze v n ->
    padty v (Reshape flatten [] e)
      (Pad (k * q + Z.min 1 l * a) (Z.min 1 l * (if (a =? 0) && (l1 =? q) then l * q else l1)) p1
           (Z.min 1 r * (if (b =? 0) && (r2 =? q) then r * q else r2)) p4 (c2 * q + Z.min 1 r * b)).

(** ** Soundness *)

Lemma all_of_full ds (U : list Z -> Prop) : (forall xs, inbox ds xs -> U xs) -> has_pad ds U (full ds).
Proof. intros. now apply full_iff. Qed.

Theorem padty_sound : forall v e p, padty v e p -> has_pad (evs v (shape e)) (unwritten e v) p.
Proof.
  induction 1 as
    [v s | v m i lo hi e k l p1 r p2 c Hk Hc Hsh Hpad IHpad H1 IH1 H2 IH2
    | v f i lo hi e Hle | v f i lo hi e p Hlt Hsh Hz IHz | v p e Hp | v p e q Hq IHq | v x init a e p He IHe
    | v a b n m sa sb k l1 p1 r1 p2 c1 k2 l2 p3 r2 p4 c Ea Eb Es Ha IHa Hb IHb Hk Hl1 Hr2 Hc
    | v a e k l p1 r p2 c He IHe Hk | v a e k l p1 r p2 c He IHe Hk
    | v a e n sh k l p1 r p2 c Es He IHe Hk Hc Hkl Hl | v a e n sh k l p1 r p2 c Es He IHe Hk Hk' Hcr Hr
    | v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 l' r' Es He IHe Hcov
    | v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 Es He IHe
    | v a e n sh k l p1 r p2 c Es He IHe Hq Hk Hc Hl Hkl Hr Hcr q c'
    | v e n m sh k l a l1 p1 r1 p2 c r d l2 p3 r2 p4 b c2 Es He IHe q Hk Hc2 Hl Hr Ha Hb Hl1 Hal Hr2 Hbr Hn].
  - easy.
  - cbn [shape evs map ze has_pad unwritten]. intros x Hx. split; [|split].
    + intros Hends. rewrite <- (full_iff _ (unwritten e ((i, ze v lo + x) :: v))).
      change (map (ze v) (shape e)) with (evs v (shape e)). rewrite <- (Hsh (ze v lo + x)) at 1.
      apply IHpad; lia.
    + intros Hl. change (map (ze v) (shape e)) with (evs v (shape e)). rewrite <- (Hsh (ze v lo + x)).
      apply IH1; lia.
    + intros Hr. change (map (ze v) (shape e)) with (evs v (shape e)). rewrite <- (Hsh (ze v lo + x)).
      apply IH2; lia.
  - apply all_of_full. intros xs _ z Hz. lia.
  - cbn [shape unwritten].
    assert (Hall : forall q ds (F : Z -> list Z -> Prop), (forall z, ze v lo <= z < ze v hi ->
      has_pad ds (F z) q) ->
              has_pad ds (fun xs => forall z, ze v lo <= z < ze v hi -> F z xs) q).
    { clear -Hlt. induction q as [b|k l p1 IH1 r p2 IH2 c]; intros [|n ds] F HF; cbn in *;
        try (apply (HF (ze v lo)); lia); [auto|].
      intros x Hx. split; [|split].
      - intros Hends xs Hxs z Hz. now apply (HF z Hz x Hx).
      - intros Hl. apply IH1. intros z Hz. now apply (HF z Hz x Hx).
      - intros Hr. apply IH2. intros z Hz. now apply (HF z Hz x Hx). }
    apply Hall. intros z Hzr. rewrite <- (Hsh z). auto.
  - apply all_of_full. intros xs _ Ht. congruence.
  - cbn [shape unwritten]. apply has_pad_weaken with (unwritten e v); auto.
  - exact IHe.
  - rewrite Ea in IHa. rewrite Eb in IHb. cbn [shape unwritten]. rewrite Ea, Eb.
    cbn [evs map ze hd has_pad] in *.
    fold (evs v sa) in *. fold (evs v sb) in *. rewrite Es in *. intros x Hx. split; [|split].
    + intros [Hlow|Hhigh] xs Hxs; split; intros Hn.
      * apply (IHa x); trivial; lia.
      * lia.
      * lia.
      * apply (IHb (x - ze v n)); trivial; lia.
    + intros Hl. apply has_pad_weaken with (fun xs => unwritten a v (x :: xs)).
      * intros xs Hxs Hu. split; trivial. lia.
      * apply (IHa x); lia.
    + intros Hr. apply has_pad_weaken with (fun xs => unwritten b v (x - ze v n :: xs)).
      * intros xs Hxs Hu. split; trivial. lia.
      * apply (IHb (x - ze v n)); lia.
  - (* truncr *)
    cbn [shape rshape truncr]. unfold truncr_shape.
    destruct (shape e) as [|n sh] eqn:Es; cbn [evs map has_pad ze] in *; [easy|].
    intros x Hx. cbn [unwritten npull truncr truncr_pull evs map fst snd]. rewrite Es. cbn [evs map fst snd].
    destruct (IHe x ltac:(lia)) as (H0 & H1 & H2). split; [|split].
    + intros Hends xs Hxs _. apply H0; trivial. lia.
    + intros Hl. apply has_pad_weaken with (fun xs => unwritten e v (x :: xs)); auto.
    + intros Hr. apply has_pad_weaken with (fun xs => unwritten e v (x :: xs)); auto. apply H2. lia.
  - (* truncl *)
    cbn [shape rshape truncl]. unfold truncl_shape.
    destruct (shape e) as [|n sh] eqn:Es; cbn [evs map has_pad ze] in *; [easy|].
    intros x Hx. cbn [unwritten npull truncl truncl_pull evs map fst snd]. rewrite Es. cbn [evs map fst snd].
    destruct (IHe (x + ze v a) ltac:(lia)) as (H0 & H1 & H2). split; [|split].
    + intros Hends xs Hxs _. apply H0; trivial. lia.
    + intros Hl. apply has_pad_weaken with (fun xs => unwritten e v (x + ze v a :: xs)); auto. apply H1. lia.
    + intros Hr. apply has_pad_weaken with (fun xs => unwritten e v (x + ze v a :: xs)); auto. apply H2. lia.
  - (* padr *)
    cbn [shape rshape padr]. unfold padr_shape. rewrite Es in *. cbn [evs map has_pad ze] in *.
    rewrite grown_correct.
    intros x Hx. cbn [unwritten npull padr padr_pull evs map fst snd]. rewrite Es. cbn [evs map fst snd].
    split; [|split].
    + intros Hends xs Hxs Hn. apply (IHe x); trivial; lia.
    + intros Hr. apply has_pad_weaken with (fun xs => unwritten e v (x :: xs)); auto. apply (IHe x); lia.
    + intros Hr. apply has_pad_weaken with (fun xs => unwritten e v (x :: xs)); auto. apply (IHe x); lia.
  - (* padl *)
    cbn [shape rshape padl]. unfold padl_shape. rewrite Es in *. cbn [evs map has_pad ze] in *.
    intros x Hx. cbn [unwritten npull padl padl_pull evs map fst snd]. rewrite Es. cbn [evs map fst snd].
    split; [|split].
    + intros Hends xs Hxs Hn. apply (IHe (x - ze v a)); trivial; lia.
    + intros Hl. apply has_pad_weaken with (fun xs => unwritten e v (x - ze v a :: xs)); auto.
      apply (IHe (x - ze v a)); lia.
    + intros Hr'. apply has_pad_weaken with (fun xs => unwritten e v (x - ze v a :: xs)); auto.
      apply (IHe (x - ze v a)); lia.
  - (* transpose *)
    cbn [shape rshape transpose]. rewrite Es in *. cbn [exchanged evs map has_pad] in *.
    intros y Hy. cbn [unwritten npull transpose transpose_pull exchanged fst snd].
    assert (Hrow : forall x xs, 0 <= x < ze v n -> inbox (map (ze v) sh) xs ->
      x < k \/ ze v n - c2 <= x \/ y < Z.min a d \/ ze v m - Z.min c b <= y -> unwritten e v (x :: y :: xs)).
    { intros x xs Hx Hxs Hcase. destruct (IHe x Hx) as (H0 & H1 & H2).
      destruct (Z_lt_le_dec x k); [apply H0; [lia | now split]|].
      destruct (Z_le_gt_dec (ze v n - c2) x); [apply H0; [lia | now split]|].
      destruct (Z_lt_le_dec x (k + l)) as [Hxl|Hxl].
      - apply (H1 ltac:(lia) y Hy); trivial. lia.
      - apply (H2 ltac:(lia) y Hy); trivial. lia. }
    assert (Hends : has_pad (ze v n :: map (ze v) sh) (fun xs => true = true ->
      unwritten e v (exchanged (y :: xs))) (Pad k 0 p1 0 p1 c2)).
    { intros x Hx. split; [|split; lia]. intros Hcase xs Hxs _. apply Hrow; trivial. tauto. }
    split; [|split; intros _; exact Hends].
    intros Hcase [|x xs] Hin; [easy|]. destruct Hin as [Hx Hxs]. intros _. apply Hrow; trivial. lia.
  - (* transpose, of whose rows not all are known *)
    cbn [shape rshape transpose]. rewrite Es in *. cbn [exchanged evs map has_pad] in *.
    intros y Hy. cbn [unwritten npull transpose transpose_pull exchanged fst snd].
    assert (Hcol : y < Z.min a d \/ ze v m - Z.min c b <= y ->
      has_pad (ze v n :: map (ze v) sh) (fun xs => true = true ->
        unwritten e v (exchanged (y :: xs))) (Pad (k + l) 0 p1 0 p1 (c2 + r))).
    { intros Hy' x Hx. split; [|split; lia]. intros Hcase xs Hxs _. cbn [exchanged].
      destruct (IHe x Hx) as (H0 & H1 & H2).
      destruct (Z_lt_le_dec x k); [apply H0; [lia | now split]|].
      destruct (Z_le_gt_dec (ze v n - c2) x); [apply H0; [lia | now split]|].
      destruct (Z_lt_le_dec x (k + l)) as [Hxl|Hxl].
      - apply (H1 ltac:(lia) y Hy); trivial. lia.
      - apply (H2 ltac:(lia) y Hy); trivial. lia. }
    split; [lia|]. split; intros Hr; apply Hcol; lia.
  - (* split *)
    cbn [shape rshape split]. unfold split_shape. rewrite Es in *. cbn [evs map ze] in *. subst q.
    set (q := ze v a) in *.
    assert (Hrows : cdiv (ze v n) q * q = ze v n + (c' - c)) by (unfold c'; lia).
    pose proof (Z.div_mod k q ltac:(lia)) as Ek. pose proof (Z.mod_pos_bound k q Hq) as Bk.
    assert (Hc' : c <= c').
    { enough (ze v n <= cdiv (ze v n) q * q) by lia. unfold cdiv.
      pose proof (Z.div_mod (ze v n + q - 1) q ltac:(lia)).
      pose proof (Z.mod_pos_bound (ze v n + q - 1) q Hq). lia. }
    pose proof (Z.div_mod c' q ltac:(lia)) as Ec. pose proof (Z.mod_pos_bound c' q Hq) as Bc.
    assert (Hup : forall w, cdiv w q <= w / q + 1).
    { intros w. unfold cdiv. replace (w + q - 1) with (w - 1 + 1 * q) by lia. rewrite Z.div_add by lia.
      enough ((w - 1) / q <= w / q) by lia. apply Z.div_le_mono; lia. }
    assert (Hcell : forall x y xs, 0 <= x -> 0 <= y < q -> inbox (map (ze v) sh) xs ->
      x * q + y < k \/ ze v n - c <= x * q + y ->
      unwritten (Reshape split [a] e) v (x :: y :: xs)).
    { intros x y xs Hx Hy Hxs Hcase. cbn [unwritten npull split split_pull evs map]. rewrite Es. cbn
        [map fst snd]. fold q.
      intros Hn. apply Z.ltb_lt in Hn. apply (IHe (x * q + y)); trivial; nia. }
    cbn [has_pad]. intros x Hx. split; [|split].
    + intros Hcase [|y xs] Hin; [easy|]. destruct Hin as [Hy Hxs]. apply Hcell; trivial; [lia|].
      destruct Hcase as [Hcase|Hcase]; [left; nia | right]. nia.
    + intros Hrow y Hy. assert (x = k / q) by (specialize (Hup k); lia). subst x. split; [|split; [|lia]].
      * intros Hcase xs Hxs. apply Hcell; trivial; [lia|]. left. nia.
      * intros Hcase. apply has_pad_weaken with (fun xs => unwritten e v (k / q * q + y :: xs)).
        { intros xs Hxs Hu. cbn [unwritten npull split split_pull evs map]. rewrite Es. cbn [map fst snd]. now
            fold q. }
        apply (IHe (k / q * q + y)); nia.
    + intros Hrow y Hy. assert (x = cdiv (ze v n) q - c' / q - 1) by (specialize (Hup c'); lia). subst x.
      set (x := cdiv (ze v n) q - c' / q - 1) in *.
      assert (Ex : x * q = ze v n - c + c' mod q - q) by (unfold x; nia).
      split; [|split; [lia|]].
      * intros Hcase xs Hxs. apply Hcell; trivial; lia.
      * intros Hcase. apply has_pad_weaken with (fun xs => unwritten e v (x * q + y :: xs)).
        { intros xs Hxs Hu. cbn [unwritten npull split split_pull evs map]. rewrite Es. cbn [map fst snd]. now
            fold q. }
        apply (IHe (x * q + y)); lia.
  - (* flatten *)
    cbn [shape rshape flatten]. unfold flatten_shape. rewrite Es in *. cbn [evs map ze] in *. subst q.
    set (q := ze v m) in *.
    set (N := ze v n) in *.
    assert (Hpull : forall z xs, unwritten e v (z / q :: z mod q :: xs) ->
      unwritten (Reshape flatten [] e) v (z :: xs)).
    { intros z xs Hu. cbn [unwritten npull flatten flatten_pull evs map]. rewrite Es. cbn [map fst snd]. now
        fold q. }
    assert (Hq : 0 < q) by lia.
    cbn [has_pad]. intros z Hz. pose proof (Z.div_mod z q ltac:(lia)) as Ez.
    pose proof (Z.mod_pos_bound z q Hq) as Bz.
    assert (Hx : 0 <= z / q < N) by (apply div_bound; lia).
    set (x := z / q) in *. set (y := z mod q) in *. cbn [has_pad] in IHe.
    destruct (IHe x Hx) as (H0 & H1 & H2).
    split; [|split].
    + intros Hcase xs Hxs. apply Hpull. fold x y.
      destruct (Z_lt_le_dec x k); [apply H0; [lia | now split]|].
      destruct (Z_le_gt_dec (N - c2) x); [apply H0; [lia | now split]|].
      destruct Hcase as [Hcase|Hcase].
      * assert (1 <= l /\ x = k /\ y < a) as (Hl1' & -> & Hya) by (destruct (Z.eq_dec l 0) as [->|]; cbn in *;
          nia).
        apply (H1 ltac:(lia) y); trivial. lia.
      * assert (1 <= r /\ x = N - c2 - 1 /\ q - b <= y) as (Hr1' & Ex & Hyb)
          by (destruct (Z.eq_dec r 0) as [->|]; cbn in *; nia).
        apply (H2 ltac:(lia) y); trivial. lia.
    + intros Hcase. apply has_pad_weaken with (fun xs => unwritten e v (x :: y :: xs));
        [intros xs _; apply Hpull|].
      assert (k <= x < k + l /\ a <= y < a + l1) as [Hxk Hya].
      { destruct (Z.eq_dec l 0) as [->|Hlne]; [cbn in Hcase; lia|]. replace (Z.min 1 l) with 1 in Hcase
          by lia.
        clear -Hcase Ez Bz Ha Hl1 Hal Hq Hl Hlne. destruct ((a =? 0) && (l1 =? q)) eqn:E.
        - assert (k <= x) by nia. assert (x < k + l) by nia. lia.
        - assert (x = k) by nia. subst k. nia. }
      now apply (H1 Hxk y).
    + intros Hcase. apply has_pad_weaken with (fun xs => unwritten e v (x :: y :: xs));
        [intros xs _; apply Hpull|].
      assert (N - c2 - r <= x < N - c2 /\ q - b - r2 <= y < q - b) as [Hxk Hya].
      { destruct (Z.eq_dec r 0) as [->|Hrne]; [cbn in Hcase; lia|]. replace (Z.min 1 r) with 1 in Hcase
          by lia.
        clear -Hcase Ez Bz Hb Hr2 Hbr Hq Hr Hrne. destruct ((b =? 0) && (r2 =? q)) eqn:E.
        - assert (N - c2 - r <= x) by nia. assert (x < N - c2) by nia. lia.
        - assert (Ex : x = N - c2 - 1) by nia. rewrite Ex in *. nia. }
      now apply (H2 Hxk y).
Qed.

(** ** What a truncation demands is padding *)

Theorem truncr_demand v e n sh k l p1 r p2 c a : shape e = n :: sh -> padty v e (Pad k l p1 r p2 c) ->
    ze v a <= c ->
  forbox (evs v (shape e)) (fun ys => truncr_cut (evs v [a]) (evs v (shape e)) ys -> unwritten e v ys).
Proof.
  intros Es Hp Ha. apply forbox_iff. intros [|y ys] Hin Hcut; rewrite Es in *; [easy|].
  pose proof (padty_sound v e _ Hp) as Hpad. rewrite Es in Hpad. cbn in *.
  destruct (Hpad y ltac:(lia)) as [H _]. apply H; [lia | apply Hin].
Qed.

Theorem truncl_demand v e n sh k l p1 r p2 c a : shape e = n :: sh -> padty v e (Pad k l p1 r p2 c) ->
    ze v a <= k ->
  forbox (evs v (shape e)) (fun ys => truncl_cut (evs v [a]) (evs v (shape e)) ys -> unwritten e v ys).
Proof.
  intros Es Hp Ha. apply forbox_iff. intros [|y ys] Hin Hcut; rewrite Es in *; [easy|].
  pose proof (padty_sound v e _ Hp) as Hpad. rewrite Es in Hpad. cbn in *.
  destruct (Hpad y ltac:(lia)) as [H _]. apply H; [lia | apply Hin].
Qed.
