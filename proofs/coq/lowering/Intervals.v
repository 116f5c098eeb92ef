(** * Intervals in which the values of indices lie *)

From ATL Require Import syntax.IndexFacts lowering.Cells.

(** The ends are included. Nothing is known of a variable without an interval. *)

Definition interval := option (Z * Z).
Definition intervals := list (string * interval).

Definition inside (z : Z) (i : interval) : Prop :=
  match i with Some (a, b) => a <= z <= b | None => True end.

Definition within (v : env) (r : intervals) : Prop :=
  forall x, inside (lookup 0 v x) (lookup None r x).

Definition least_of (a b c d : Z) : Z := Z.min (Z.min a b) (Z.min c d).
Definition greatest_of (a b c d : Z) : Z := Z.max (Z.max a b) (Z.max c d).

Definition both_ends (f : Z -> Z -> Z -> Z -> Z * Z) (i j : interval) : interval :=
  match i, j with
  | Some (a, b), Some (c, d) => Some (f a b c d)
  | _, _ => None
  end.

(** Of an index whose divisors are positive. *)
Fixpoint interval_of (r : intervals) (e : idx) : interval :=
  match e with
  | Var x => lookup None r x
  | Lit z => Some (z, z)
  | Add x y => both_ends (fun a b c d => (a + c, b + d)) (interval_of r x) (interval_of r y)
  | Sub x y => both_ends (fun a b c d => (a - d, b - c)) (interval_of r x) (interval_of r y)
  | Mul x y =>
      both_ends (fun a b c d =>
          (least_of (a * c) (a * d) (b * c) (b * d), greatest_of (a * c) (a * d) (b * c) (b * d)))
        (interval_of r x) (interval_of r y)
  | Div x y =>
      both_ends (fun a b c _ => (Z.min a 0, Z.max (b / Z.max c 1) 0))
        (interval_of r x) (interval_of r y)
  | Cdiv x y =>
      both_ends (fun a b c _ => (Z.min a 0, Z.max (cdiv b (Z.max c 1)) 0))
        (interval_of r x) (interval_of r y)
  | Mod _ y => match interval_of r y with Some (_, d) => Some (0, d - 1) | None => None end
  | Min x y => both_ends (fun a b c d => (Z.min a c, Z.min b d)) (interval_of r x) (interval_of r y)
  | Max x y => both_ends (fun a b c d => (Z.max a c, Z.max b d)) (interval_of r x) (interval_of r y)
  end.

Lemma within_bind v r i z c :
  within v r -> inside z c -> within ((i, z) :: v) ((i, c) :: r).
Proof. intros H Hz x. cbn. destruct (String.eqb x i); [exact Hz | apply H]. Qed.

(** For the sizes, one after the other. *)
Fixpoint all_inside (v : env) (r : intervals) : Prop :=
  match r with
  | [] => True
  | (x, i) :: r => inside (lookup 0 v x) i /\ all_inside v r
  end.

Lemma all_within v r : all_inside v r -> within v r.
Proof.
  intros H x.
  induction r as [|[y i] r IH]; cbn [all_inside lookup] in *; [easy|].
  destruct (String.eqb_spec x y) as [->|_]; [apply H | now apply IH].
Qed.

Lemma corners a b c d x y :
  a <= x <= b -> c <= y <= d ->
  least_of (a * c) (a * d) (b * c) (b * d) <= x * y <=
  greatest_of (a * c) (a * d) (b * c) (b * d).
Proof.
  intros Hx Hy.
  assert (Ends : forall p q r z, p <= z <= q ->
    Z.min (p * r) (q * r) <= z * r <= Z.max (p * r) (q * r)).
  { intros p q r z Hz.
    destruct (Z.leb_spec 0 r).
    - pose proof (Z.mul_le_mono_nonneg_r p z r).
      pose proof (Z.mul_le_mono_nonneg_r z q r).
      lia.
    - pose proof (Z.mul_le_mono_nonpos_r p z r).
      pose proof (Z.mul_le_mono_nonpos_r z q r).
      lia. }
  pose proof (Ends a b y x Hx).
  pose proof (Ends c d a y Hy).
  pose proof (Ends c d b y Hy).
  unfold least_of, greatest_of.
  rewrite !(Z.mul_comm _ a), !(Z.mul_comm _ b) in *.
  lia.
Qed.

Lemma div_inside a b c x y :
  a <= x <= b -> c <= y -> 0 < y -> Z.min a 0 <= x / y <= Z.max (b / Z.max c 1) 0.
Proof.
  intros Hx Hc Hy.
  pose proof (div_bounds x y Hy).
  split; [nia|].
  destruct (Z.leb_spec 0 x); [|nia].
  apply Z.max_le_iff; left.
  transitivity (b / y); [now apply Z.div_le_mono | apply Z.div_le_compat_l; lia].
Qed.

Lemma cdiv_inside a b c x y :
  a <= x <= b -> c <= y -> 0 < y -> Z.min a 0 <= cdiv x y <= Z.max (cdiv b (Z.max c 1)) 0.
Proof.
  intros Hx Hc Hy.
  pose proof (cdiv_bounds x y Hy).
  assert (Hm : 0 < Z.max c 1) by lia.
  pose proof (cdiv_bounds b _ Hm).
  split; [nia|].
  destruct (Z.leb_spec x 0); [nia|].
  apply Z.max_le_iff; left.
  assert (0 < cdiv b (Z.max c 1)) by nia.
  assert (cdiv b (Z.max c 1) * Z.max c 1 <= cdiv b (Z.max c 1) * y)
    by (apply Z.mul_le_mono_nonneg_l; lia).
  nia.
Qed.

Lemma interval_of_correct v r (H : within v r) :
  forall e, zdef v e = true -> inside (ze v e) (interval_of r e).
Proof.
  induction e as [x|z|x IHx y IHy|x IHx y IHy|x IHx y IHy|x IHx y IHy|x IHx y IHy|x IHx y IHy
    |x IHx y IHy|x IHx y IHy]; cbn [zdef ze interval_of]; intros Hd;
    [apply H | cbn; lia | ..];
    rewrite ?andb_true_iff in Hd;
    [ .. | destruct Hd as [Hx Hy]; specialize (IHx Hx); specialize (IHy Hy)
         | destruct Hd as [Hx Hy]; specialize (IHx Hx); specialize (IHy Hy)];
    try (destruct Hd as [[Hx Hy] Hp%Z.ltb_lt]; specialize (IHx Hx); specialize (IHy Hy));
    try (destruct Hd as [Hx Hy]; specialize (IHx Hx); specialize (IHy Hy));
    destruct (interval_of r x) as [[a b]|], (interval_of r y) as [[c d]|];
    cbn [inside both_ends] in *; trivial; try lia.
  - now apply corners.
  - apply div_inside; lia.
  - apply cdiv_inside; lia.
  - pose proof (Z.mod_pos_bound (ze v x) (ze v y) Hp).
    lia.
  - pose proof (Z.mod_pos_bound (ze v x) (ze v y) Hp).
    lia.
Qed.

(** ** Of sums, differences and of what lies in both *)

Definition added := both_ends (fun a b c d => (a + c, b + d)).
Definition subtracted := both_ends (fun a b c d => (a - d, b - c)).
Definition common := both_ends (fun a b c d => (Z.max a c, Z.min b d)).

Lemma both_inside f g x y i j :
  inside x i -> inside y j ->
  (forall a b c d, a <= x <= b -> c <= y <= d -> fst (f a b c d) <= g <= snd (f a b c d)) ->
  inside g (both_ends f i j).
Proof.
  destruct i as [[a b]|], j as [[c d]|]; cbn; trivial.
  intros Hx Hy H.
  specialize (H a b c d Hx Hy).
  now destruct (f a b c d).
Qed.

Lemma added_inside x y i j : inside x i -> inside y j -> inside (x + y) (added i j).
Proof. intros Hx Hy. apply (both_inside _ _ x y); cbn; trivial; lia. Qed.

Lemma subtracted_inside x y i j : inside x i -> inside y j -> inside (x - y) (subtracted i j).
Proof. intros Hx Hy. apply (both_inside _ _ x y); cbn; trivial; lia. Qed.

Lemma common_inside x i j : inside x i -> inside x j -> inside x (common i j).
Proof. intros Hi Hj. apply (both_inside _ _ x x); cbn; trivial; lia. Qed.
