(** * What a loop nest does to the cells of a buffer

    [performs P s v D o ods U]: where the memory satisfies [P], the loop nest [s] can be
    executed, changes no buffer but [o], and does to each cell [a] of [o] what [U] says:
    [U a c c'] if the cell held [c] before and [c'] afterwards. There is one lemma for each
    statement. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Scope lowering.Reached.

Section Cells.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.

  (** ** What is said of a loop nest

      It may change one buffer, and how. *)

  Definition others_unchanged (o : string) (M M' : memory) : Prop :=
    forall y, y <> o -> forall a, M' y a = M y a.

  Definition performs (P : memory -> Prop) (s : stmt) (v : env) (D : dims) (o : string)
      (ods : list Z) (U : list Z -> V -> V -> Prop) : Prop :=
    forall M, P M ->
    exists M',
      exec Unbounded junk order s v D M = Some M' /\
      others_unchanged o M M' /\
      forall a, inbox ods a -> U a (M o (flat ods a)) (M' o (flat ods a)).

  (** [P] is about other buffers than [o]. *)
  Definition stable (o : string) (P : memory -> Prop) : Prop :=
    forall M M', others_unchanged o M M' -> P M -> P M'.

  Lemma others_trans o M1 M2 M3 :
    others_unchanged o M1 M2 -> others_unchanged o M2 M3 -> others_unchanged o M1 M3.
  Proof. intros H12 H23 y Hy a. now rewrite H23, H12. Qed.

  (** ** The iterations of a loop

      They are those of its range, in some order. *)

  Lemma iterations_permuted m M lo hi : Permutation (zrange lo hi) (iterations order m M lo hi).
  Proof. unfold iterations. destruct (unordered m); [apply reordering | reflexivity]. Qed.

  Lemma in_iterations m M lo hi z : In z (iterations order m M lo hi) <-> lo <= z < hi.
  Proof.
    rewrite <- in_zrange.
    pose proof (iterations_permuted m M lo hi).
    split; now apply Permutation_in.
  Qed.

  (** ** Statements

      What a statement does, from what its parts do. *)

  Lemma performs_seq P s1 s2 v D o ods U1 U2 (U : list Z -> V -> V -> Prop) :
    stable o P ->
    performs P s1 v D o ods U1 ->
    performs P s2 v D o ods U2 ->
    (forall a c c1 c2, U1 a c c1 -> U2 a c1 c2 -> U a c c2) ->
    performs P (SSeq s1 s2) v D o ods U.
  Proof.
    intros Hst H1 H2 HU M HP.
    destruct (H1 M HP) as (M1 & E1 & O1 & C1).
    destruct (H2 M1) as (M2 & E2 & O2 & C2); [now apply (Hst M)|].
    exists M2.
    cbn.
    rewrite E1.
    split; [exact E2|].
    split; [now apply others_trans with M1 | eauto].
  Qed.

  Lemma performs_for P m i lo hi s v D o ods Uz (U : list Z -> V -> V -> Prop) :
    stable o P ->
    zdef v lo && zdef v hi = true ->
    race_free m i (ze v lo) (ze v hi) s v = true ->
    (forall z, ze v lo <= z < ze v hi -> performs P s ((i, z) :: v) D o ods (Uz z)) ->
    (forall M a c c',
       chain (fun z => Uz z a) (iterations order m M (ze v lo) (ze v hi)) c c' -> U a c c') ->
    performs P (SFor m i lo hi s) v D o ods U.
  Proof.
    intros Hst Hdef Hrace Hbody HU M HP.
    cbn [exec in_range].
    rewrite Hdef, Hrace.
    cbn [andb].
    enough (Hiter : forall zs M, (forall z, In z zs -> ze v lo <= z < ze v hi) -> P M ->
      exists M',
        iterate (fun z M => exec Unbounded junk order s ((i, z) :: v) D M) zs M = Some M' /\
        others_unchanged o M M' /\
        forall a, inbox ods a -> chain (fun z => Uz z a) zs (M o (flat ods a)) (M' o (flat ods a))).
    { destruct (Hiter (iterations order m M (ze v lo) (ze v hi)) M) as (M' & E & O & C); trivial;
        [|now eauto 6].
      intros z.
      apply in_iterations. }
    induction zs as [|z zs IH]; intros M0 Hzs HP0; cbn [iterate].
    - exists M0.
      repeat split.
      constructor.
    - destruct (Hbody z (Hzs z (or_introl eq_refl)) M0 HP0) as (M1 & E1 & O1 & C1).
      rewrite E1.
      destruct (IH M1) as (M2 & E2 & O2 & C2); [auto using in_cons | now apply (Hst M0) |].
      exists M2.
      split; [exact E2|].
      split; [now apply others_trans with M1|].
      intros a Ha.
      apply link with (M1 o (flat ods a)); auto.
  Qed.

  Lemma performs_if P p s v D o ods (U : list Z -> V -> V -> Prop) :
    bdef v p = true ->
    (be v p = true -> performs P s v D o ods U) ->
    (be v p = false -> forall a c, U a c c) ->
    performs P (SIf p s) v D o ods U.
  Proof.
    intros Hdef Hs Hnot M HP.
    cbn [exec in_range].
    rewrite Hdef.
    destruct (be v p); [now apply Hs|].
    exists M.
    repeat split.
    auto.
  Qed.

  Lemma performs_weaken P s v D o ods (U U' : list Z -> V -> V -> Prop) :
    performs P s v D o ods U -> (forall a c c', U a c c' -> U' a c c') -> performs P s v D o ods U'.
  Proof.
    intros H HU M HP.
    destruct (H M HP) as (M' & E & O & C).
    exists M'.
    auto.
  Qed.

  (** ** Stores and rows

      What a store and a loop do to the cells of a tensor. *)

  (** One store: its value to one cell. *)
  Lemma performs_store (P : memory -> Prop) v D o ods asked th act r s x F :
    lookup None D o = Some ods ->
    realizes v asked th act ->
    asked [] ->
    inbox ods (act []) ->
    F [] = [Put x] ->
    (forall M, P M -> sdef D v s = true /\ se s v (view D M) = x) ->
    performs P (SStore o (th []) r s) v D o ods (reached r F [] act).
  Proof.
    intros HD Hth Hask Hin HF Hs M HP.
    destruct (Hs M HP) as [Hd <-].
    destruct (Hth v []) as [El Dl]; [easy | easy | easy |].
    change (evs v []) with (@nil Z) in El.
    cbn [exec in_range].
    rewrite HD, El, Dl, Hd, (proj2 (inboxb_iff _ _) Hin).
    cbn [andb].
    eexists.
    split; [reflexivity|].
    unfold set_cell.
    split.
    - intros y Hy a.
      now apply String.eqb_neq in Hy as ->.
    - intros a Ha.
      rewrite String.eqb_refl.
      destruct (Z.eqb_spec (flat ods a) (flat ods (act []))) as [E|Hne].
      + apply flat_inj in E as ->; trivial.
        pose proof (hit r F [] act (act []) (M o (flat ods (act []))) []) as H.
        unfold goes in H.
        rewrite HF in H.
        now destruct r; apply H.
      + apply miss.
        intros [|y xs] (Hxs & _ & E); [congruence | easy].
  Qed.

  (** A loop that computes a row in each iteration. *)
  Lemma performs_rows P m i lo hi s v D o ods r F sh act :
    stable o P ->
    zdef v lo && zdef v hi = true ->
    race_free m i (ze v lo) (ze v hi) s v = true ->
    placed r F (ze v hi - ze v lo :: sh) act ods ->
    (forall z,
       ze v lo <= z < ze v hi ->
       performs P s ((i, z) :: v) D o ods
         (reached r (fun xs => F (z - ze v lo :: xs)) sh (fun xs => act (z - ze v lo :: xs)))) ->
    performs P (SFor m i lo hi s) v D o ods (reached r F (ze v hi - ze v lo :: sh) act).
  Proof.
    intros Hst Hdef Hrace Hpl Hrow.
    eapply performs_for; [exact Hst | exact Hdef | exact Hrace | exact Hrow |].
    intros M a c c'.
    apply reached_rows with ods (ze v hi); trivial; [|intros z; apply in_iterations].
    apply (Permutation_NoDup (iterations_permuted m M _ _)), zrange_nodup.
  Qed.
End Cells.
