(** * Loop nests of which all numbers fit 64 bits

    [wide] walks through a loop nest with an interval for each variable. Where the intervals do
    not show that a number fits, it claims so, for arithmetic. If what it claims holds, the loop
    nest can be executed in 64 bits wherever it can be in unbounded integers ([wide_fits]). That
    addresses fit follows from the number of cells. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Cells lowering.Claims.

(** ** Intervals

    The ends are included. Nothing is known of a variable without an interval. *)

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

(** ** Indices, predicates and scalars

    What is claimed so that all numbers fit. *)

Definition node_fits (r : intervals) (e : idx) : claims :=
  match interval_of r e with
  | Some (a, b) =>
      if (least <=? a) && (b <=? greatest)
      then Nothing
      else Claim (And (Le (Lit least) e) (Le e (Lit greatest)))
  | None => Claim (And (Le (Lit least) e) (Le e (Lit greatest)))
  end.

Fixpoint zwide (r : intervals) (e : idx) : claims :=
  match e with
  | Var _ | Lit _ => node_fits r e
  | Add a b | Sub a b | Mul a b | Div a b | Cdiv a b | Mod a b | Min a b | Max a b =>
      both (both (zwide r a) (zwide r b)) (node_fits r e)
  end.

Fixpoint bwide (r : intervals) (p : prd) : claims :=
  match p with
  | Truth _ => Nothing
  | Lt a b | Le a b | Gt a b | Ge a b | Eq a b | Ne a b => both (zwide r a) (zwide r b)
  | And p q => both (bwide r p) (given p true (bwide r q))
  | Or p q => both (bwide r p) (given p false (bwide r q))
  | Not p => bwide r p
  end.

Fixpoint swide (r : intervals) (s : sexpr) : claims :=
  match s with
  | Get _ l => all1 (zwide r) l
  | Op _ args => all1 (swide r) args
  | OfZ _ z => zwide r z
  | OfB p => bwide r p
  | If p s t =>
      both (bwide r p) (both (given p true (swide r s)) (given p false (swide r t)))
  | Cell _ _ => Nothing
  end.

(** ** Statements *)

Definition counter (r : intervals) (lo hi : idx) : interval :=
  both_ends (fun a _ _ d => (a, d - 1)) (interval_of r lo) (interval_of r hi).

Fixpoint wide (r : intervals) (s : stmt) : claims :=
  match s with
  | SSkip => Nothing
  | SSeq s t => both (wide r s) (wide r t)
  | SFor _ i lo hi b =>
      both (both (zwide r lo) (zwide r hi)) (each i lo hi (wide ((i, counter r lo hi) :: r) b))
  | SIf p b => both (bwide r p) (given p true (wide r b))
  | SAlloc _ ds b => both (all1 (zwide r) ds) (wide r b)
  | SStore _ l _ s => both (all1 (zwide r) l) (swide r s)
  end.

(** ** Correctness

    What is claimed is enough. That what is evaluated is defined is known: it can be executed in
    unbounded integers. *)

Lemma node_fits_correct v r e :
  within v r -> zdef v e = true -> claimed v (node_fits r e) -> fits (ze v e) = true.
Proof.
  intros Hr Hd Hc.
  pose proof (interval_of_correct v r Hr e Hd) as Hi.
  unfold node_fits, fits in *.
  destruct (interval_of r e) as [[a b]|]; [|exact Hc].
  destruct (_ && _) eqn:E; [|exact Hc].
  cbn [inside] in Hi.
  lia.
Qed.

Lemma zwide_correct v r (Hr : within v r) :
  forall e, zdef v e = true -> claimed v (zwide r e) -> zfits v e = true.
Proof.
  induction e; cbn [zwide zfits]; intros Hd Hc; try (now apply node_fits_correct with r);
    apart;
    (rewrite node_fits_correct with (r := r) by trivial);
    cbn [zdef] in Hd; rewrite ?andb_true_iff in Hd; rewrite IHe1, IHe2 by tauto; trivial.
Qed.

Lemma zwide_all v r (Hr : within v r) :
  forall l, zdefs v l = true -> claimed v (all1 (zwide r) l) -> zsfit v l = true.
Proof.
  induction l as [|e l IH]; cbn; [easy|].
  rewrite !andb_true_iff.
  intros [Hd Hl] Hc.
  apart.
  split; [now apply zwide_correct with r | now apply IH].
Qed.

Lemma bwide_correct v r (Hr : within v r) :
  forall p, bdef v p = true -> claimed v (bwide r p) -> bfits v p = true.
Proof.
  induction p as [t|x y|x y|x y|x y|x y|x y|p IHp q IHq|p IHp q IHq|p IHp];
    cbn [bwide bfits bdef]; intros Hd Hc; auto; apart; apply andb_true_iff in Hd as [Hp Hq];
    try (now rewrite !(zwide_correct v r Hr)); rewrite IHp by trivial;
    destruct (be v p) eqn:E; rewrite ?orb_true_r, ?orb_false_r in *; trivial;
    apply IHq; eauto using given_claimed.
Qed.

(** Buffers that can be addressed. *)
Definition roomy (D : dims) : Prop :=
  forall x ds, lookup None D x = Some ds -> addressable ds = true.

Lemma address_inside : forall ds xs row n,
  inbox ds xs -> 0 <= row -> (row + 1) * size ds <= n -> n <= greatest ->
  address_fits row ds xs = true.
Proof.
  induction ds as [|d ds IH]; intros [|x xs] row n; cbn [inbox address_fits size]; try easy.
  intros [Hx Hxs] Hrow Hn Hg.
  assert (Hs : 0 < size ds) by (pose proof (flat_bound _ _ Hxs); lia).
  unfold fits, least.
  pose proof (Z.mul_nonneg_nonneg row d).
  pose proof (Z.mul_le_mono_nonneg_r (row * d + x + 1) (row * d + d) (size ds)).
  pose proof (Z.mul_le_mono_nonneg_l 1 (size ds) (row * d + x + 1)).
  rewrite (IH xs (row * d + x) n) by (trivial; lia).
  lia.
Qed.

Lemma cell_wide D v r (Hr : within v r) x l ds :
  roomy D -> zdefs v l = true -> lookup None D x = Some ds -> inboxb ds (evs v l) = true ->
  claimed v (all1 (zwide r) l) ->
  cell_fits D v x l = true.
Proof.
  intros HD Hd Hx Hin Hc.
  unfold cell_fits.
  rewrite (zwide_all v r Hr l Hd Hc), Hx.
  apply HD in Hx.
  unfold addressable, fits in Hx.
  apply inboxb_iff in Hin.
  apply address_inside with (size ds); trivial; lia.
Qed.

Lemma swide_correct D v r (Hr : within v r) (HD : roomy D) :
  forall s, sdef D v s = true -> claimed v (swide r s) -> sfits D v s = true.
Proof.
  fix IH 1.
  intros [x l|f args|ty z|p|p s t|c e]; cbn [swide sfits sdef]; intros Hd Hc; trivial.
  - apply andb_true_iff in Hd as [Hl Hx].
    destruct (lookup None D x) as [ds|] eqn:E; [|easy].
    now apply cell_wide with r ds.
  - revert args Hd Hc.
    fix IHl 1.
    intros [|s args]; cbn; [easy|].
    rewrite !andb_true_iff.
    intros [Hs Hl] Hc.
    apart.
    split; [now apply IH | now apply IHl].
  - now apply zwide_correct with r.
  - now apply bwide_correct with r.
  - apart.
    rewrite !andb_true_iff in *.
    destruct Hd as [[Hp Hs] Ht].
    rewrite (bwide_correct v r Hr p Hp) by trivial.
    destruct (be v p) eqn:E; cbn [negb orb] in *; repeat split; trivial;
      apply IH; eauto using given_claimed.
Qed.

Lemma counter_correct v r (Hr : within v r) lo hi z :
  zdef v lo && zdef v hi = true -> ze v lo <= z < ze v hi -> inside z (counter r lo hi).
Proof.
  intros [Hlo Hhi]%andb_true_iff Hz.
  apply (interval_of_correct v r Hr) in Hlo, Hhi.
  unfold counter.
  destruct (interval_of r lo) as [[a b]|], (interval_of r hi) as [[c d]|]; cbn in *; lia.
Qed.

Lemma roomy_alloc D x ds : roomy D -> addressable ds = true -> roomy ((x, Some ds) :: D).
Proof.
  intros HD Hds y ds'.
  cbn.
  destruct (String.eqb y x); [now intros [= <-] | apply HD].
Qed.

Section Wide.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.

  Lemma iterate_wide (f g : Z -> memory -> option memory) zs :
    (forall z, In z zs -> forall M M', f z M = Some M' -> g z M = Some M') ->
    forall M M', iterate f zs M = Some M' -> iterate g zs M = Some M'.
  Proof.
    induction zs as [|z zs IH]; cbn [iterate]; intros H M M'; [easy|].
    destruct (f z M) as [M1|] eqn:E; [|easy].
    rewrite (H z (in_eq _ _) M M1 E).
    auto using in_cons.
  Qed.

  Lemma wide_executes :
    forall s r v D M M',
    within v r ->
    claimed v (wide r s) ->
    roomy D ->
    forallb addressable (allocated s v) = true ->
    exec Unbounded junk order s v D M = Some M' ->
    exec Bits64 junk order s v D M = Some M'.
  Proof.
    induction s as [|s1 IH1 s2 IH2|m i lo hi b IH|p b IH|x ds b IH|x l f s]; intros r v D M M' Hr Hc
      HD Ha; cbn [wide allocated exec in_range computes_in_range] in *; trivial;
      rewrite ?forallb_app in Ha; apart.
    - apply andb_true_iff in Ha as [Ha1 Ha2].
      destruct (exec Unbounded junk order s1 v D M) as [M1|] eqn:E; [|easy].
      rewrite (IH1 r v D M M1) by trivial.
      now apply (IH2 r).
    - destruct (zdef v lo && zdef v hi && _) eqn:E; [|easy].
      apply andb_true_iff in E as [Hd _].
      pose proof Hd as [Hlo Hhi]%andb_true_iff.
      rewrite !(zwide_correct v r Hr) by trivial.
      cbn [andb].
      apply iterate_wide.
      intros z Hz M1 M2.
      apply (in_iterations order reordering) in Hz.
      apply IH with ((i, counter r lo hi) :: r); trivial.
      + apply within_bind; [|apply (counter_correct v)]; trivial.
      + eauto using each_claimed.
      + apply forallb_forall.
        intros ds Hds.
        apply (proj1 (forallb_forall _ _) Ha), in_flat_map.
        exists z.
        now rewrite in_zrange.
    - destruct (bdef v p) eqn:Hp; [|easy].
      rewrite (bwide_correct v r Hr) by trivial.
      destruct (be v p) eqn:E; [|easy].
      apply (IH r); eauto using given_claimed.
    - destruct (zdefs v ds && nonneg (evs v ds)) eqn:E; [|easy].
      apply andb_true_iff in E as [Hd _].
      cbn [forallb] in Ha.
      apply andb_true_iff in Ha as [Hds Ha].
      rewrite (zwide_all v r Hr), Hds by trivial.
      cbn [andb].
      destruct (exec Unbounded junk order b v _ _) as [M1|] eqn:E; [|easy].
      apply (IH r) in E as ->; auto using roomy_alloc.
    - destruct (lookup None D x) as [ds|] eqn:Hx; [|easy].
      destruct (zdefs v l && inboxb ds (evs v l) && sdef D v s) eqn:E; [|easy].
      rewrite !andb_true_iff in E.
      destruct E as [[Hd Hin] Hs].
      now rewrite (cell_wide D v r Hr x l ds), (swide_correct D v r Hr) by trivial.
  Qed.
End Wide.

(** ** Whole loop nests *)

(** The loop nest can be executed in 64 bits where it can be in unbounded integers. *)
Definition fits_64_bits {S : Scalars} (v : env) (nest : stmt) : Prop :=
  forall junk order D M M',
  reorders order ->
  forallb addressable (extents D ++ allocated nest v) = true ->
  exec Unbounded junk order nest v D M = Some M' ->
  exec Bits64 junk order nest v D M = Some M'.

Theorem wide_fits {S : Scalars} r v nest c :
  all_inside v r -> wide r nest = c -> claimed v c -> fits_64_bits v nest.
Proof.
  intros Hr <- Hc junk order D M M' Hord Ha.
  rewrite forallb_app in Ha.
  apply andb_true_iff in Ha as [HD Ha].
  apply (wide_executes junk order Hord nest r); trivial; [now apply all_within|].
  intros x ds Hx.
  apply (proj1 (forallb_forall _ _) HD).
  clear -Hx.
  induction D as [|[y b] D IH]; cbn [extents flat_map lookup snd] in *; [easy|].
  apply in_or_app.
  destruct (String.eqb x y); [subst; now left; left | auto].
Qed.
