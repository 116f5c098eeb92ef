(** * Loop nests of which all numbers fit 64 bits

    [wide] walks through a loop nest with an interval for each variable. Where the intervals do
    not show that a number fits, it claims so, for arithmetic. If what it claims holds, the loop
    nest can be executed in 64 bits wherever it can be in unbounded integers ([wide_fits]). That
    addresses fit follows from the number of cells; that the sums fit on the way to them, from that
    number and the intervals. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Cells lowering.Claims.
From ATL Require Export lowering.Intervals.

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

(** ** Addresses

    Of a buffer with at most [cells] cells, numbers of rows and of cells are from 0 to [cells]. So
    on the way to a number, the sum of a row and the first terms of an index lies where the
    intervals of these terms and those of the other terms say. *)

Definition fit (i : interval) : bool :=
  match i with Some (a, b) => (least <=? a) && (b <=? greatest) | None => false end.

(** [row] plus [e] is in [known]. *)
Fixpoint sums_within (r : intervals) (row known : interval) (e : idx) : bool :=
  let left a known :=
    sums_within r row known a && fit (common known (added row (interval_of r a))) in
  match e with
  | Add a b => left a (subtracted known (interval_of r b))
  | Sub a b => left a (added known (interval_of r b))
  | _ => true
  end.

(** To the first row, which is 0, an index is added as it is. *)
Definition address_within (t : addressing) (r : intervals) (cells : interval) (l : list idx)
    : bool :=
  forallb (fun e => is_apart t e || sums_within r cells cells e) (tl l).

Definition cells_of (t : addressing) (x : string) : Z := greatest / bytes_of t x.

Definition cwide (t : addressing) (r : intervals) (x : string) (l : list idx) : claims :=
  if address_within t r (Some (0, cells_of t x)) l then all1 (zwide r) l else Impossible.

Fixpoint swide (t : addressing) (r : intervals) (s : sexpr) : claims :=
  match s with
  | Get x l => cwide t r x l
  | Op _ args => all1 (swide t r) args
  | OfZ _ z => zwide r z
  | OfB p => bwide r p
  | If p a b =>
      both (bwide r p) (both (given p true (swide t r a)) (given p false (swide t r b)))
  | Cell _ _ => Nothing
  end.

(** ** Statements *)

Definition counter (r : intervals) (lo hi : idx) : interval :=
  both_ends (fun a _ _ d => (a, d - 1)) (interval_of r lo) (interval_of r hi).

Fixpoint wide (t : addressing) (r : intervals) (s : stmt) : claims :=
  match s with
  | SSkip => Nothing
  | SSeq a b => both (wide t r a) (wide t r b)
  | SFor _ i lo hi b =>
      both (both (zwide r lo) (zwide r hi)) (each i lo hi (wide t ((i, counter r lo hi) :: r) b))
  | SIf p b => both (bwide r p) (given p true (wide t r b))
  | SAlloc _ ds b => both (all1 (zwide r) ds) (wide t r b)
  | SStore x l _ s => both (cwide t r x l) (swide t r s)
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
Definition roomy (t : addressing) (D : dims) : Prop :=
  forall x ds, lookup None D x = Some ds -> addressable t (x, ds) = true.

Lemma fit_fits z i : inside z i -> fit i = true -> fits z = true.
Proof.
  destruct i as [[a b]|]; [|easy].
  unfold fit, fits.
  cbn.
  lia.
Qed.

Lemma sums_correct v r (Hr : within v r) row rows : inside row rows ->
  forall e known, zdef v e = true -> inside (row + ze v e) known ->
  sums_within r rows known e = true ->
  fits (row + ze v e) = true ->
  sums_fit v row e = true.
Proof.
  intros Hrow.
  assert (Left : forall a known,
    (forall known, zdef v a = true -> inside (row + ze v a) known ->
       sums_within r rows known a = true -> fits (row + ze v a) = true ->
       sums_fit v row a = true) ->
    zdef v a = true -> inside (row + ze v a) known ->
    sums_within r rows known a && fit (common known (added rows (interval_of r a))) = true ->
    sums_fit v row a = true).
  { intros a known IH Ha Hk [Hw Hf]%andb_true_iff.
    apply (IH known); trivial.
    apply fit_fits with (2 := Hf).
    apply common_inside; trivial.
    apply added_inside; trivial.
    now apply interval_of_correct. }
  induction e; intros known Hd Hk Hw Hf; cbn [sums_fit]; rewrite Hf, ?andb_true_r; trivial;
    cbn [zdef sums_within ze] in *; apply andb_true_iff in Hd as [H1 H2];
    apply Left with (4 := Hw); trivial.
  - replace (row + ze v e1) with (row + (ze v e1 + ze v e2) - ze v e2) by lia.
    apply subtracted_inside; trivial.
    now apply interval_of_correct.
  - replace (row + ze v e1) with (row + (ze v e1 - ze v e2) + ze v e2) by lia.
    apply added_inside; trivial.
    now apply interval_of_correct.
Qed.

(** Where all that the row is added to fits, nothing else is computed in the first row. *)
Lemma sums_from_zero v e : zfits v e = true -> sums_fit v 0 e = true.
Proof.
  induction e; cbn [zfits sums_fit]; rewrite !andb_true_iff; rewrite Z.add_0_l; tauto.
Qed.

Lemma address_inside t v r (Hr : within v r) n : n <= greatest ->
  forall ds l row,
  inbox ds (evs v l) -> zdefs v l = true -> 0 <= row -> (row + 1) * size ds <= n ->
  forallb (fun e => is_apart t e || sums_within r (Some (0, n)) (Some (0, n)) e) l = true ->
  address_fits t v row ds l = true.
Proof.
  intros Hg.
  induction ds as [|d ds IH]; intros [|e l] row; cbn [inbox evs map address_fits size]; try easy.
  intros [Hx Hxs] Hd Hrow Hn Hw.
  cbn [zdefs forallb] in Hd, Hw.
  apply andb_true_iff in Hd as [He Hl].
  apply andb_true_iff in Hw as [Hw Hws].
  set (x := ze v e) in *.
  assert (Hs : 0 < size ds) by (pose proof (flat_bound _ _ Hxs); lia).
  pose proof (Z.mul_nonneg_nonneg row d).
  pose proof (Z.mul_le_mono_nonneg_r (row * d + x + 1) (row * d + d) (size ds)).
  pose proof (Z.mul_le_mono_nonneg_l 1 (size ds) (row * d + x + 1)).
  rewrite (IH l (row * d + x)) by (trivial; lia).
  assert (Hf : forall z, 0 <= z <= row * d + x -> fits z = true).
  { intros z Hz. unfold fits, least. lia. }
  rewrite (Hf (row * d)) by lia.
  unfold added_fits.
  destruct (is_apart t e); [now rewrite Hf by lia|].
  rewrite (sums_correct v r Hr (row * d) (Some (0, n))) with (known := Some (0, n)); trivial;
    cbn [inside]; fold x; [lia | lia | apply Hf; lia].
Qed.

(** A cell has bytes. *)
Definition substantial (t : addressing) : bool := forallb (fun b => 1 <=? snd b) (cell_bytes t).

Lemma bytes_positive t x : substantial t = true -> 1 <= bytes_of t x.
Proof.
  unfold substantial, bytes_of.
  induction (cell_bytes t) as [|[y n] l IH]; cbn; [easy|].
  intros [Hn Hl]%andb_true_iff.
  destruct (String.eqb x y); [lia | auto].
Qed.

Lemma room_for_cells t x ds :
  substantial t = true -> addressable t (x, ds) = true ->
  size ds <= cells_of t x <= greatest.
Proof.
  intros Ht%(bytes_positive t x) Ha.
  unfold addressable, fits in Ha.
  cbn [fst snd] in Ha.
  unfold cells_of.
  split; [apply Z.div_le_lower_bound; lia|].
  apply Z.div_le_upper_bound; unfold greatest; lia.
Qed.

Lemma zfits_whole v e : zfits v e = true -> fits (ze v e) = true.
Proof. destruct e; cbn [zfits]; rewrite andb_true_iff; tauto. Qed.

Lemma first_added_fits t v e : zfits v e = true -> added_fits t v 0 e = true.
Proof.
  intros He.
  unfold added_fits.
  destruct (is_apart t e); [now apply zfits_whole | now apply sums_from_zero].
Qed.

Lemma cell_wide t D v r (Hr : within v r) x l ds :
  substantial t = true -> roomy t D ->
  zdefs v l = true -> lookup None D x = Some ds -> inboxb ds (evs v l) = true ->
  claimed v (cwide t r x l) ->
  cell_fits t D v x l = true.
Proof.
  intros Ht HD Hd Hx Hin%inboxb_iff Hc.
  unfold cell_fits, cwide in *.
  destruct (address_within _ _ _ _) eqn:Hw; [|easy].
  pose proof (zwide_all v r Hr l Hd Hc) as Hl.
  rewrite Hl, Hx.
  apply HD, room_for_cells in Hx as [Hs Hg]; trivial.
  destruct ds as [|d ds], l as [|e l]; cbn [address_fits]; try easy.
  cbn [zsfit forallb inbox evs map size zdefs] in *.
  apply andb_true_iff in Hl as [He _].
  apply andb_true_iff in Hd as [_ Hd].
  destruct Hin as [Hx Hxs].
  assert (0 < size ds) by (pose proof (flat_bound _ _ Hxs); lia).
  pose proof (Z.mul_le_mono_nonneg_r (ze v e + 1) d (size ds)).
  change (0 * d) with 0.
  rewrite (first_added_fits t v e He).
  apply (address_inside t v r Hr (cells_of t x)); trivial; lia.
Qed.

Lemma swide_correct t D v r (Ht : substantial t = true) (Hr : within v r) (HD : roomy t D) :
  forall s, sdef D v s = true -> claimed v (swide t r s) -> sfits t D v s = true.
Proof.
  fix IH 1.
  intros [x l|f args|ty z|p|p a b|c e]; cbn [swide sfits sdef]; intros Hd Hc; trivial.
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
    destruct Hd as [[Hp Ha] Hb].
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

Lemma roomy_alloc t D x ds :
  roomy t D -> addressable t (x, ds) = true -> roomy t ((x, Some ds) :: D).
Proof.
  intros HD Hds y ds'.
  cbn.
  destruct (String.eqb_spec y x) as [->|_]; [now intros [= <-] | apply HD].
Qed.

Section Wide.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.
  Variable t : addressing.
  Hypothesis bytes : substantial t = true.

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
    claimed v (wide t r s) ->
    roomy t D ->
    forallb (addressable t) (allocated s v) = true ->
    exec Unbounded junk order s v D M = Some M' ->
    exec (Bits64 t) junk order s v D M = Some M'.
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
      now rewrite (cell_wide t D v r Hr x l ds), (swide_correct t D v r bytes Hr) by trivial.
  Qed.
End Wide.

(** ** Whole loop nests *)

(** The loop nest can be executed in 64 bits where it can be in unbounded integers. *)
Definition fits_64_bits {S : Scalars} (t : addressing) (v : env) (nest : stmt) : Prop :=
  forall junk order D M M',
  reorders order ->
  forallb (addressable t) (extents D ++ allocated nest v) = true ->
  exec Unbounded junk order nest v D M = Some M' ->
  exec (Bits64 t) junk order nest v D M = Some M'.

Theorem wide_fits {S : Scalars} r t v nest c :
  all_inside v r ->
  substantial t = true ->
  wide t r nest = c ->
  claimed v c ->
  fits_64_bits t v nest.
Proof.
  intros Hr Ht <- Hc junk order D M M' Hord Ha.
  rewrite forallb_app in Ha.
  apply andb_true_iff in Ha as [HD Ha].
  apply (wide_executes junk order Hord t Ht nest r); trivial; [now apply all_within|].
  intros x ds Hx.
  apply (proj1 (forallb_forall _ _) HD).
  clear -Hx.
  induction D as [|[y b] D IH]; cbn [extents flat_map lookup fst snd] in *; [easy|].
  apply in_or_app.
  destruct (String.eqb_spec x y) as [->|_]; [subst; now left; left | auto].
Qed.
