(** * Loop nests compared by computation

    [quick] compares whole loop nests, indices in normal form, with loops unrolled and guards
    decided whose values are numbers. What needs a hypothesis it claims, for arithmetic. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib syntax.Syntax
  lowering.Loops lowering.Lower lowering.Cells lowering.Sim lowering.Normal lowering.Claims.

(** ** Flat blocks

    Statements with what their variables stand for. *)

Definition bound_code := list (binding * stmt).

Definition concrete (v : env) (l : bound_code) : list (env * stmt) :=
  map (fun p => (close v (fst p), snd p)) l.

(** Loops that are unrolled if their bounds are numbers. *)
Definition few (m : mode) (lo hi : Z) : bool :=
  match m with
  | Unrolled => true
  | Sequential => hi - lo <=? 1
  | _ => false
  end.

(** Blocks are flat, loops unrolled, and guards decided whose numbers are known. *)
Fixpoint flat_steps (s : stmt) (b : binding) : bound_code :=
  match s with
  | SSkip => []
  | SSeq s t => flat_steps s b ++ flat_steps t b
  | SIf p t =>
      match truth_of b p, none (good_p b p) with
      | Some true, true => flat_steps t b
      | Some false, true => []
      | _, _ => [(b, s)]
      end
  | SFor m i lo hi t =>
      match number_of b lo, number_of b hi with
      | Some x, Some y =>
          if few m x y && none (good b lo) && none (good b hi)
          then flat_map (fun z => flat_steps t ((i, Lit z) :: b)) (zrange x y)
          else [(b, s)]
      | _, _ => [(b, s)]
      end
  | _ => [(b, s)]
  end.

Definition all_flat (l : bound_code) : bound_code :=
  flat_map (fun p => flat_steps (snd p) (fst p)) l.

(** Nothing depends on the variable [x]. *)
Definition unused (x : string) : binding -> bool :=
  forallb (fun p =>
    match snd p with
    | Lit _ => true
    | Var y => negb (String.eqb y x)
    | _ => false
    end).

Lemma close_unused x z v b : unused x b = true -> close ((x, z) :: v) b = close v b.
Proof.
  induction b as [|[y e] b IH]; cbn [unused forallb close map fst snd]; [easy|].
  intros [He Hb]%andb_true_iff.
  unfold close in IH.
  rewrite IH by trivial.
  destruct e; try easy.
  cbn.
  apply negb_true_iff in He.
  now rewrite He.
Qed.

(** ** Two statements

    [heads] compares two statements of the same form. *)

(** Guards around guards: where there are more in the source, some always hold. *)
Fixpoint guards (s : stmt) : nat :=
  match s with
  | SIf _ s => S (guards s)
  | SSeq s SSkip => guards s
  | _ => O
  end.

(** Two statements of the same form. [rec] compares what is in them; [d] numbers the loops
    around. *)
Definition heads (rec : nat -> bound_code -> bound_code -> claims) (d : nat)
    (b b' : binding) (s s' : stmt) : claims :=
  match s, s' with
  | SFor m i lo hi s, SFor m' i' lo' hi' s' =>
      let x := fill_var d in
      let bounds := both (same_z b b' lo lo') (same_z b b' hi hi') in
      if Bool.eqb (unordered m) (unordered m') &&
         (none bounds || String.eqb i i' || String.begins_with hash i) &&
         (unused x b && unused x b')
      then both (both (both (good b' lo') (good b' hi')) bounds)
             (each x (resolved b lo) (resolved b hi)
                (rec (S d) (all_flat [((i, Var x) :: b, s)]) (all_flat [((i', Var x) :: b', s')])))
      else Impossible
  | SIf p s, SIf p' s' =>
      if (guards s' <? guards s)%nat && negb (same_p b b' p p')
      then Impossible
      else both (both (good_p b' p') (alike b b' p p'))
             (under (resolved_p b p) (rec d (all_flat [(b, s)]) (all_flat [(b', s')])))
  | SAlloc x ds s, SAlloc x' ds' s' =>
      if String.eqb x x'
      then both (both (all1 (good b') ds') (all2 (same_z b b') ds ds'))
             (rec d (all_flat [(b, s)]) (all_flat [(b', s')]))
      else Impossible
  | SStore x l r s, SStore x' l' r' s' =>
      if String.eqb x x' &&
         match r, r' with
         | Some f, Some f' => String.eqb f f'
         | None, None => true
         | _, _ => false
         end
      then both (both (all1 (good b') l') (all2 (same_z b b') l l')) (same_s b b' s s')
      else Impossible
  | _, _ => Impossible
  end.

(** ** Sequences of statements

    [quick] finds out which statements of the two sides correspond. *)

(** Whether [tgt] may begin with the first statement of [l]. *)
Definition begins (l tgt : bound_code) : bool :=
  match l, tgt with
  | (_, s) :: _, (_, t) :: _ => fit s t
  | [], _ => true
  | _, [] => false
  end.

(** A short loop, unrolled. *)
Definition copies_of (m : mode) (i : string) (lo hi : idx) (t : stmt) (b : binding) : bound_code :=
  match m, number_of b lo, number_of b hi with
  | Sequential, Some x, Some y =>
      if y - x <=? 16 then flat_steps (SFor Unrolled i lo hi t) b else []
  | _, _, _ => []
  end.

(** Statements in sequence.  [tgt] may lack guards that always or never hold, and loops without an
    iteration.  [n] limits the steps. *)
Fixpoint quick (n d : nat) (src tgt : bound_code) : claims :=
  match n, src, tgt with
  | S _, [], [] => Nothing
  | S n, (b, s) :: src', _ =>
      match
        match tgt with
        | (b', s') :: _ => heads (quick n) d b b' s s'
        | [] => Impossible
        end
      with
      | Impossible =>
          match s with
          | SIf p t =>
              if begins (flat_steps t b) tgt
              then both (claim b p) (quick n d (flat_steps t b ++ src') tgt)
              else both (claim b (Not p)) (quick n d src' tgt)
          | SFor m i lo hi t =>
              let copies := copies_of m i lo hi t b in
              if begins copies tgt && negb (length copies =? 0)%nat
              then quick n d (copies ++ src') tgt
              else both (claim b (Le hi lo)) (quick n d src' tgt)
          | _ => Impossible
          end
      | c => both c (quick n d src' (tl tgt))
      end
  | _, _, _ => Impossible
  end.

Definition claims_of (n : nat) (src tgt : bound_code) : claims :=
  quick n 20 (all_flat src) (all_flat tgt).

(** ** Correctness

    If what is claimed is so, the source is refined by the target. *)

Section Quick.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.
  Notation refines := (refines junk order).

  Lemma flat_steps_exec v :
    forall s b D M,
    execs junk order (concrete v (flat_steps s b)) D M =
    exec Unbounded junk order s (close v b) D M.
  Proof.
    induction s; intros b D M; cbn [flat_steps]; try apply execs_one; [easy | | |].
    - unfold concrete in *.
      rewrite map_app, execs_app, IHs1.
      cbn [exec in_range].
      now destruct (exec Unbounded junk order s1 _ D M).
    - destruct (number_of b lo) as [x|] eqn:Ex; [|apply execs_one].
      destruct (number_of b hi) as [y|] eqn:Ey; [|apply execs_one].
      destruct (few m x y && none (good b lo) && none (good b hi)) eqn:E; [|apply execs_one].
      rewrite !andb_true_iff in E.
      destruct E as [[Hf Hlo] Hhi].
      cbn [exec in_range].
      rewrite !good_correct by auto using none_claimed.
      rewrite (number_of_correct v b lo x Ex), (number_of_correct v b hi y Ey).
      replace (race_free m i x y s (close v b)) with true by (now destruct m).
      replace (iterations order m M x y) with (zrange x y) by (now destruct m).
      cbn [andb].
      clear Ex Ey Hf.
      revert M.
      induction (zrange x y) as [|z l IH]; intros M; cbn [flat_map iterate]; [easy|].
      unfold concrete in *.
      rewrite map_app, execs_app, IHs.
      cbn [close map fst snd ze].
      change (map (fun p => (fst p, ze v (snd p))) b) with (close v b).
      destruct exec; auto.
    - destruct (truth_of b p) as [t|] eqn:E; [|apply execs_one].
      destruct (none (good_p b p)) eqn:G; [|destruct t; apply execs_one].
      cbn [exec in_range].
      rewrite (good_p_correct v b p (none_claimed v _ G)), (truth_of_correct v b p t E).
      destruct t; [apply IHs | easy].
  Qed.

  Lemma flat_steps_footprint v :
    forall s b, footprints (concrete v (flat_steps s b)) = footprint s (close v b).
  Proof.
    induction s; intros b; cbn [flat_steps]; try apply footprints_one; [easy | | |].
    - unfold concrete in *.
      now rewrite map_app, footprints_app, IHs1, IHs2.
    - destruct (number_of b lo) as [x|] eqn:Ex; [|apply footprints_one].
      destruct (number_of b hi) as [y|] eqn:Ey; [|apply footprints_one].
      destruct (_ && _ && _); [|apply footprints_one].
      cbn [footprint].
      rewrite (number_of_correct v b lo x Ex), (number_of_correct v b hi y Ey).
      induction (zrange x y) as [|z l IH]; cbn [flat_map]; [easy|].
      unfold concrete in *.
      now rewrite map_app, footprints_app, IHs, IH.
    - destruct (truth_of b p) as [t|] eqn:E; [|apply footprints_one].
      destruct (none (good_p b p)); [|destruct t; apply footprints_one].
      cbn [footprint].
      rewrite (truth_of_correct v b p t E).
      destruct t; [apply IHs | easy].
  Qed.

  Lemma all_flat_exec v l D :
    forall M, execs junk order (concrete v (all_flat l)) D M = execs junk order (concrete v l) D M.
  Proof.
    unfold concrete, all_flat.
    induction l as [|[b s] l IH]; intros M; cbn [flat_map map execs fst snd]; [easy|].
    rewrite map_app, execs_app.
    fold (concrete v (flat_steps s b)).
    rewrite flat_steps_exec.
    destruct exec; auto.
  Qed.

  Lemma all_flat_footprint v l :
    footprints (concrete v (all_flat l)) = footprints (concrete v l).
  Proof.
    unfold concrete, all_flat.
    induction l as [|[b s] l IH]; cbn [flat_map map fst snd]; [easy|].
    rewrite map_app, footprints_app, IH.
    fold (concrete v (flat_steps s b)).
    now rewrite flat_steps_footprint.
  Qed.

  Lemma refines_flat v src tgt :
    refines (concrete v (all_flat src)) (concrete v (all_flat tgt)) ->
    refines (concrete v src) (concrete v tgt).
  Proof.
    intros H D M M'.
    rewrite <- (all_flat_exec v src), <- (all_flat_exec v tgt).
    rewrite <- (all_flat_footprint v src), <- (all_flat_footprint v tgt).
    apply H.
  Qed.

  Lemma refines_body v b s src tgt :
    refines (concrete v (flat_steps s b ++ src)) tgt ->
    refines ((close v b, s) :: concrete v src) tgt.
  Proof.
    apply refines_source.
    intros D M M' E.
    unfold concrete.
    rewrite map_app, execs_app, footprints_app.
    fold (concrete v (flat_steps s b)).
    now rewrite flat_steps_exec, flat_steps_footprint.
  Qed.

  Lemma heads_correct rec d :
    (forall d v src tgt, claimed v (rec d src tgt) -> refines (concrete v src) (concrete v tgt)) ->
    forall v b b' s s' src tgt, claimed v (heads rec d b b' s s') ->
    refines src tgt ->
    refines ((close v b, s) :: src) ((close v b', s') :: tgt).
  Proof.
    intros Hrec v b b' s s' src tgt H Hl.
    assert (Hin : forall v b b' s s' d,
      claimed v (rec d (all_flat [(b, s)]) (all_flat [(b', s')])) ->
      refines [(close v b, s)] [(close v b', s')])
      by (intros ? b1 b2 s1 s2 ? Hc; apply (refines_flat _ [(b1, s1)] [(b2, s2)]); eauto).
    destruct s as [| |m i lo hi s|p s|x ds s|x k r s], s'
      as [| |m' i' lo' hi' s'|p' s'|x' ds' s'|x' k' r' s'];
      try easy; cbn [heads] in H.
    - destruct (Bool.eqb _ _ && _ && (_ && _)) eqn:E; [|easy].
      rewrite !andb_true_iff in E.
      destruct E as ((Em & _) & Eb & Eb').
      apart.
      apply refines_for; auto using Bool.eqb_prop, same_z_correct.
      + now rewrite !good_correct by trivial.
      + intros z Hz.
        rewrite <- !resolved_correct in Hz.
        match goal with C : claimed _ (each _ _ _ _) |- _ => eapply each_claimed in C; [|exact Hz];
          apply Hin in C end.
        cbn [close map fst snd ze lookup] in *.
        rewrite String.eqb_refl in *.
        fold (close ((fill_var d, z) :: v) b) (close ((fill_var d, z) :: v) b') in *.
        now rewrite !close_unused in * by trivial.
    - destruct ((_ <? _)%nat && _); [easy|].
      apart.
      apply refines_if; auto using good_p_correct, alike_correct.
      intros F.
      rewrite <- resolved_p_correct in F.
      eauto using under_claimed.
    - destruct (String.eqb_spec x x') as [->|]; [|easy].
      apart.
      apply refines_alloc; eauto using good_all, same_all.
    - destruct (String.eqb_spec x x') as [->|]; [|easy].
      cbn [andb] in H.
      replace r' with r by (destruct r, r'; try easy; destruct (String.eqb_spec s0 s1); now subst).
      destruct (match r with Some _ => _ | None => _ end); [|easy].
      apart.
      apply refines_store; auto using good_all, same_all, same_s_correct.
  Qed.

  Lemma quick_correct :
    forall n d v src tgt,
    claimed v (quick n d src tgt) -> refines (concrete v src) (concrete v tgt).
  Proof.
    induction n as [|n IH]; intros d v [|[b s] src] tgt H; try easy; [now destruct tgt|].
    cbn [quick] in H.
    destruct
      (match tgt with (b', s') :: _ => heads (quick n) d b b' s s' | [] => Impossible end) eqn:E;
      try (destruct tgt as [|[b' s'] tgt]; [easy|]; cbn [tl] in H; apart;
        apply (heads_correct (quick n) d IH v b b' s s' (concrete v src) (concrete v tgt));
          [now rewrite E | eauto]).
    clear E.
    change (refines ((close v b, s) :: concrete v src) (concrete v tgt)).
    destruct s as [| |m i lo hi t|p t| |]; try easy; cbv beta iota in H.
    - destruct (begins (copies_of m i lo hi t b) tgt && _) eqn:E; apart.
      + unfold copies_of in *.
        destruct m, (number_of b lo), (number_of b hi); try (now rewrite andb_false_r in E).
        destruct (_ <=? 16); [|now rewrite andb_false_r in E].
        change (refines ((close v b, SFor Unrolled i lo hi t) :: concrete v src) (concrete v tgt)).
        apply refines_body; eauto.
      + match goal with C : claimed _ (claim _ _) |- _ => apply claim_correct in C;
          cbn [be] in C end.
        apply refines_for_none; [trivial | lia | eauto].
    - destruct (begins _ _); apart;
        match goal with C : claimed _ (claim _ _) |- _ => apply claim_correct in C end.
      + apply refines_if_true; [trivial | apply refines_body; eauto].
      + apply refines_if_false; [now apply negb_true_iff | eauto].
  Qed.

  Theorem claims_correct n v src tgt c :
    claims_of n src tgt = c -> claimed v c -> refines (concrete v src) (concrete v tgt).
  Proof.
    intros <- H.
    apply refines_flat.
    exact (quick_correct _ _ _ _ _ H).
  Qed.
End Quick.
