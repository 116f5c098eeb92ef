(** * Loop nests that do the same

    After lowering, the compiler simplifies indices, drops guards that always or never hold and
    loops without an iteration, unrolls loops and renames loop variables. It need not be trusted
    with that. [refines src tgt]: whenever the statements [src] can be executed, [tgt] can be,
    too, the memory afterwards is the same, and they touch the same cells. A statement comes with
    its environment. There is one lemma for each thing that may have happened;
    [tactics/LoopNests.v] chooses among them. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Cells.

(** ** Scalars

    [same] says when a scalar may take the place of another. *)

(** The scalar [s'] may be evaluated where [s] may, and is the same. *)
Fixpoint same (v v' : env) (s s' : sexpr) : Prop :=
  match s, s' with
  | Get x l, Get x' l' => x = x' /\ zdefs v' l' = true /\ equal_all (evs v l) (evs v' l')
  | Op f args, Op f' args' =>
      f = f' /\
      (fix all (l l' : list sexpr) : Prop :=
         match l, l' with
         | [], [] => True
         | s :: l, s' :: l' => same v v' s s' /\ all l l'
         | _, _ => False
         end) args args'
  | OfZ ty z, OfZ ty' z' => ty = ty' /\ zdef v' z' = true /\ ze v z = ze v' z'
  | OfB p, OfB p' => bdef v' p' = true /\ be v p = be v' p'
  | If p s t, If p' s' t' =>
      bdef v' p' = true /\ be v p = be v' p' /\
      (be v p = true -> same v v' s s') /\ (be v p = false -> same v v' t t')
  | If p s t, _ => (be v p = true -> same v v' s s') /\ (be v p = false -> same v v' t s')
  | _, _ => False
  end.

Section Simulation.
  Context {S : Scalars}.

  Lemma same_correct v v' D G :
    forall s s',
    same v v' s s' ->
    sdef D v s = true ->
    sdef D v' s' = true /\ se s' v' G = se s v G /\ reads v' s' = reads v s.
  Proof.
    fix IH 1.
    intros [x l|f args|ty z|p|p s t|c e] s' Hsame Hd; cbn [sdef se reads] in Hd |- *.
    - destruct s'; try easy.
      destruct Hsame as (-> & Hz & He%equal_all_eq).
      cbn [sdef se reads].
      now rewrite Hz, <- He, (proj2 (andb_prop _ _ Hd)).
    - destruct s' as [|f' args'| | | |]; try easy.
      destruct Hsame as [-> Hall].
      cbn [sdef se reads].
      enough (E : forallb (sdef D v') args' = true /\
                  map (fun s => se s v' G) args' = map (fun s => se s v G) args /\
                  flat_map (reads v') args' = flat_map (reads v) args)
        by (destruct E as (E1 & E2 & E3); now rewrite E2).
      revert args args' Hall Hd.
      fix IHargs 1.
      intros [|s args] [|s' args'] Hall Hd; try easy.
      destruct Hall as [Hs Hall].
      cbn in Hd |- *.
      apply andb_true_iff in Hd as [Hds Hd].
      now destruct (IH s s' Hs Hds) as (-> & -> & ->),
        (IHargs args args' Hall Hd) as (-> & -> & ->).
    - destruct s'; try easy.
      destruct Hsame as (-> & Hz & He).
      cbn [sdef se reads].
      now rewrite Hz, He.
    - destruct s'; try easy.
      destruct Hsame as (Hp & He).
      cbn [sdef se reads].
      now rewrite Hp, He.
    - rewrite !andb_true_iff in Hd.
      destruct Hd as [[_ Hds] Hdt].
      destruct s' as [| | | |p' s' t'|];
        try (destruct Hsame as [Hs Ht], (be v p); [apply (IH s) | apply (IH t)]; now auto).
      destruct Hsame as (Hp & He & Hs & Ht).
      cbn [sdef se reads].
      rewrite Hp, <- He.
      destruct (be v p); cbn in *.
      + now destruct (IH s s' (Hs eq_refl) Hds) as (-> & -> & ->).
      + now destruct (IH t t' (Ht eq_refl) Hdt) as (-> & -> & ->).
    - now destruct s'.
  Qed.

  (** ** Statements in sequence

      Both sides are lists of statements; blocks become part of the list. *)

  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.

  Definition code := list (env * stmt).

  Fixpoint execs (l : code) (D : dims) (M : memory) : option memory :=
    match l with
    | [] => Some M
    | (v, s) :: l =>
        match exec Unbounded junk order s v D M with
        | Some M' => execs l D M'
        | None => None
        end
    end.

  Definition footprints (l : code) : list access := flat_map (fun p => footprint (snd p) (fst p)) l.

  Definition refines (src tgt : code) : Prop :=
    forall D M M', execs src D M = Some M' ->
    execs tgt D M = Some M' /\ footprints tgt = footprints src.

  Lemma execs_app l l' D M :
    execs (l ++ l') D M = match execs l D M with Some M' => execs l' D M' | None => None end.
  Proof.
    revert M.
    induction l as [|[v s] l IH]; cbn; intros M; [easy|].
    destruct exec; auto.
  Qed.

  Lemma execs_copies i v b zs D M :
    execs (map (fun z => ((i, z) :: v, b)) zs) D M =
    iterate (fun z M => exec Unbounded junk order b ((i, z) :: v) D M) zs M.
  Proof.
    revert M.
    induction zs as [|z zs IH]; cbn; intros M; [easy|].
    destruct exec; auto.
  Qed.

  Lemma footprints_app l l' : footprints (l ++ l') = footprints l ++ footprints l'.
  Proof. apply flat_map_app. Qed.

  Lemma footprints_copies i v b zs :
    footprints (map (fun z => ((i, z) :: v, b)) zs) =
    flat_map (fun z => footprint b ((i, z) :: v)) zs.
  Proof. unfold footprints. induction zs as [|z zs IH]; cbn; [easy | now rewrite IH]. Qed.

  Lemma refines_app src tgt src' tgt' :
    refines src tgt -> refines src' tgt' -> refines (src ++ src') (tgt ++ tgt').
  Proof.
    intros H H' D M M'.
    rewrite !execs_app, !footprints_app.
    destruct (execs src D M) as [M1|] eqn:E; [|easy].
    destruct (H D M M1 E) as [-> ->].
    intros E'.
    now destruct (H' D M1 M' E') as [-> ->].
  Qed.

  (** Two statements alone. *)
  Definition done_by (v : env) (s : stmt) (v' : env) (s' : stmt) : Prop :=
    forall D M M', exec Unbounded junk order s v D M = Some M' ->
    exec Unbounded junk order s' v' D M = Some M' /\ footprint s' v' = footprint s v.

  Lemma execs_one v s D M : execs [(v, s)] D M = exec Unbounded junk order s v D M.
  Proof. cbn. now destruct exec. Qed.

  Lemma footprints_one v s : footprints [(v, s)] = footprint s v.
  Proof. apply app_nil_r. Qed.

  Lemma refines_one v v' s s' : refines [(v, s)] [(v', s')] -> done_by v s v' s'.
  Proof.
    intros H D M M'.
    rewrite <- !execs_one, <- !footprints_one.
    apply H.
  Qed.

  Lemma refines_cons v v' s s' src tgt :
    done_by v s v' s' -> refines src tgt -> refines ((v, s) :: src) ((v', s') :: tgt).
  Proof.
    intros H.
    apply (refines_app [(v, s)] [(v', s')]).
    intros D M M'.
    rewrite !execs_one, !footprints_one.
    apply H.
  Qed.

  (** What is done and touched by other statements is all that matters of the source, and of the
      target. *)
  Lemma refines_source src' src tgt :
    (forall D M M', execs src D M = Some M' ->
       execs src' D M = Some M' /\ footprints src' = footprints src) ->
    refines src' tgt -> refines src tgt.
  Proof. intros Hs H D M M' E. destruct (Hs D M M' E) as [E' <-]. auto. Qed.

  Lemma refines_target tgt' src tgt :
    (forall D M, execs tgt D M = execs tgt' D M) ->
    footprints tgt = footprints tgt' ->
    refines src tgt' -> refines src tgt.
  Proof. intros Ht Hf H D M M' E. rewrite Ht, Hf. auto. Qed.

  (** Blocks are taken apart on both sides. *)
  Lemma refines_nil : refines [] [].
  Proof. now intros D M M'. Qed.

  Lemma execs_seq v a b l D M : execs ((v, SSeq a b) :: l) D M = execs ((v, a) :: (v, b) :: l) D M.
  Proof. cbn. now destruct (exec Unbounded junk order a v D M). Qed.

  Lemma footprints_seq v a b l :
    footprints ((v, SSeq a b) :: l) = footprints ((v, a) :: (v, b) :: l).
  Proof. unfold footprints. cbn. now rewrite app_assoc. Qed.

  Lemma refines_seq v a b src tgt :
    refines ((v, a) :: (v, b) :: src) tgt -> refines ((v, SSeq a b) :: src) tgt.
  Proof. apply refines_source. intros D M M'. now rewrite execs_seq, footprints_seq. Qed.

  Lemma refines_seq' v a b src tgt :
    refines src ((v, a) :: (v, b) :: tgt) -> refines src ((v, SSeq a b) :: tgt).
  Proof. apply refines_target; auto using execs_seq, footprints_seq. Qed.

  Lemma refines_skip v src tgt : refines src tgt -> refines ((v, SSkip) :: src) tgt.
  Proof. easy. Qed.

  Lemma refines_skip' v src tgt : refines src tgt -> refines src ((v, SSkip) :: tgt).
  Proof. easy. Qed.

  (** ** Loops

      With other bounds, without an iteration, or unrolled. *)

  (** What iterations that could be executed touch is the same. *)
  Lemma iterations_touch v v' i i' b b' D zs :
    (forall z, In z zs -> done_by ((i, z) :: v) b ((i', z) :: v') b') ->
    forall M M',
    iterate (fun z M => exec Unbounded junk order b ((i, z) :: v) D M) zs M = Some M' ->
    iterate (fun z M => exec Unbounded junk order b' ((i', z) :: v') D M) zs M = Some M' /\
    forall z, In z zs -> footprint b' ((i', z) :: v') = footprint b ((i, z) :: v).
  Proof.
    induction zs as [|z zs IH]; intros Hb M M'; cbn [iterate]; [now intros [= <-]|].
    destruct (exec Unbounded junk order b ((i, z) :: v) D M) as [M1|] eqn:E; [|easy].
    destruct (Hb z (in_eq _ _) D M M1 E) as [-> F].
    intros E'.
    apply IH in E' as [-> Fs]; auto using in_cons.
    split; trivial.
    intros y [<-|Hy]; auto.
  Qed.

  (** A loop, its bounds written otherwise. Only what the schedule made so may run in any order. *)
  Lemma refines_for v v' m m' i i' lo lo' hi hi' b b' src tgt :
    unordered m = unordered m' ->
    zdef v' lo' && zdef v' hi' = true ->
    ze v lo = ze v' lo' ->
    ze v hi = ze v' hi' ->
    (forall z, ze v lo <= z < ze v hi -> refines [((i, z) :: v, b)] [((i', z) :: v', b')]) ->
    refines src tgt ->
    refines ((v, SFor m i lo hi b) :: src) ((v', SFor m' i' lo' hi' b') :: tgt).
  Proof.
    intros Hm Hd Hlo Hhi Hb.
    apply refines_cons.
    intros D M M'.
    cbn [exec in_range footprint].
    unfold race_free, iterations.
    rewrite Hd, <- Hlo, <- Hhi, <- Hm.
    fold (iterations order m M (ze v lo) (ze v hi)).
    destruct (zdef v lo && zdef v hi); [|easy].
    cbn [andb].
    set (zs := iterations order m M (ze v lo) (ze v hi)).
    destruct (negb (unordered m) || apart _) eqn:Hrace; [|easy].
    intros E.
    assert (Hin : forall z, In z zs <-> ze v lo <= z < ze v hi)
      by (intros z; now apply in_iterations).
    apply (iterations_touch v v' i i' b b') in E as [-> F];
      [|intros z Hz%Hin; now apply refines_one, Hb].
    assert (F' : forall z, In z (zrange (ze v lo) (ze v hi)) ->
      footprint b' ((i', z) :: v') = footprint b ((i, z) :: v))
      by (intros z Hz%in_zrange; now apply F, Hin).
    rewrite (map_ext_in _ _ _ F'), Hrace.
    split; trivial.
    clear -F'.
    induction (zrange (ze v lo) (ze v hi)) as [|z l IH]; cbn; [easy|].
    rewrite IH, F'; auto using in_eq, in_cons.
  Qed.

  (** A loop without an iteration. *)
  Lemma refines_for_none v m i lo hi b src tgt :
    ze v hi <= ze v lo -> refines src tgt -> refines ((v, SFor m i lo hi b) :: src) tgt.
  Proof.
    intros Hle.
    apply refines_source.
    intros D M M' E.
    unfold footprints.
    cbn in E |- *.
    pose proof (iterations_permuted order reordering m M (ze v lo) (ze v hi)) as HP.
    rewrite zrange_nil in HP |- * by trivial.
    apply Permutation_nil in HP.
    rewrite HP in E.
    destruct (_ && race_free _ _ _ _ _ _); [|easy].
    now cbn in E.
  Qed.

  (** A statement that does nothing, by its form alone. *)
  Fixpoint idle (s : stmt) : bool :=
    match s with
    | SSkip | SIf (Truth false) _ => true
    | SSeq a b => idle a && idle b
    | SFor _ _ _ _ b | SIf _ b => idle b
    | _ => false
    end.

  Lemma idle_exec s v D M M' :
    idle s = true -> exec Unbounded junk order s v D M = Some M' -> M' = M.
  Proof.
    revert v M M'.
    induction s; intros v M M' Hi; cbn [exec in_range]; try discriminate.
    - now intros [= <-].
    - cbn in Hi.
      apply andb_true_iff in Hi as [H1 H2].
      destruct (exec Unbounded junk order s1 v D M) as [M1|] eqn:E; [|easy].
      apply IHs1 in E as ->; trivial.
      now apply IHs2.
    - destruct (_ && race_free _ _ _ _ _ _); [|easy].
      generalize (iterations order m M (ze v lo) (ze v hi)) as zs.
      induction zs as [|z zs IH]; cbn; [now intros [= <-]|].
      destruct (exec Unbounded junk order s ((i, z) :: v) D M) as [M1|] eqn:E; [|easy].
      apply IHs in E as ->; trivial.
    - destruct (bdef v p); [|easy].
      destruct (be v p) eqn:E; [|now intros [= <-]].
      apply IHs.
      now destruct p as [[]| | | | | | | | |].
  Qed.

  Lemma idle_footprint s v : idle s = true -> footprint s v = [].
  Proof.
    revert v.
    induction s; intros v; cbn [idle footprint]; try easy.
    - intros [H1 H2]%andb_true_iff.
      now rewrite IHs1, IHs2.
    - intros Hi.
      now induction (zrange (ze v lo) (ze v hi)); cbn; rewrite ?IHs.
    - destruct (be v p) eqn:E; [|easy].
      destruct p as [[]| | | | | | | | |]; auto.
      discriminate.
  Qed.

  Lemma refines_idle v s src tgt : idle s = true -> refines src tgt -> refines ((v, s) :: src) tgt.
  Proof.
    intros Hi.
    apply refines_source.
    intros D M M' E.
    unfold footprints.
    cbn [execs flat_map fst snd] in *.
    rewrite idle_footprint by trivial.
    destruct (exec Unbounded junk order s v D M) as [M1|] eqn:E1; [|easy].
    now apply idle_exec in E1 as ->.
  Qed.

  (** A loop that was unrolled. *)
  Lemma refines_unroll v m i lo hi b src tgt a c :
    unordered m = false ->
    ze v lo = a ->
    ze v hi = c ->
    refines (map (fun z => ((i, z) :: v, b)) (zrange a c) ++ src) tgt ->
    refines ((v, SFor m i lo hi b) :: src) tgt.
  Proof.
    intros Hm <- <-.
    apply refines_source.
    intros D M M' E.
    rewrite execs_app, execs_copies, footprints_app, footprints_copies.
    cbn in E.
    unfold iterations in E.
    rewrite Hm in E.
    now destruct (_ && race_free _ _ _ _ _ _).
  Qed.

  (** ** Guards

      Written otherwise, dropped, or added where a version is chosen. *)

  (** They may correspond: both are loops, or both are stores, ... *)
  Definition fit (s t : stmt) : bool :=
    match s, t with
    | SFor m _ _ _ _, SFor m' _ _ _ _ => Bool.eqb (unordered m) (unordered m')
    | SIf _ _, SIf _ _ => true
    | SAlloc x _ _, SAlloc y _ _ | SStore x _ _ _, SStore y _ _ _ => String.eqb x y
    | _, _ => false
    end.

  (** A guard, written otherwise; one that always holds; one that never does. *)
  Lemma refines_if v v' p p' b b' src tgt :
    bdef v' p' = true ->
    be v p = be v' p' ->
    (be v p = true -> refines [(v, b)] [(v', b')]) ->
    refines src tgt ->
    refines ((v, SIf p b) :: src) ((v', SIf p' b') :: tgt).
  Proof.
    intros Hd He Hb.
    apply refines_cons.
    intros D M M'.
    cbn [exec in_range footprint].
    rewrite Hd, <- He.
    destruct (bdef v p); [|easy].
    destruct (be v p); [|easy].
    now apply refines_one, Hb.
  Qed.

  Lemma refines_if_true v p b src tgt :
    be v p = true -> refines ((v, b) :: src) tgt -> refines ((v, SIf p b) :: src) tgt.
  Proof.
    intros Hp.
    apply refines_source.
    intros D M M'.
    unfold footprints.
    cbn.
    rewrite Hp.
    now destruct (bdef v p).
  Qed.

  Lemma refines_if_false v p b src tgt :
    be v p = false -> refines src tgt -> refines ((v, SIf p b) :: src) tgt.
  Proof.
    intros Hp.
    apply refines_source.
    intros D M M'.
    unfold footprints.
    cbn.
    rewrite Hp.
    now destruct (bdef v p).
  Qed.

  (** A version that is chosen, or not, where the sizes are such. *)
  Lemma refines_if_true' v p b src tgt :
    bdef v p = true ->
    be v p = true ->
    refines src ((v, b) :: tgt) ->
    refines src ((v, SIf p b) :: tgt).
  Proof.
    intros Hd Hp.
    apply refines_target; intros; unfold footprints; cbn; now rewrite ?Hd, Hp.
  Qed.

  Lemma refines_if_false' v p b src tgt :
    bdef v p = true -> be v p = false -> refines src tgt -> refines src ((v, SIf p b) :: tgt).
  Proof.
    intros Hd Hp.
    apply refines_target; intros; unfold footprints; cbn; now rewrite ?Hd, Hp.
  Qed.

  (** ** Allocations and stores

      With other dimensions, indices and values. *)

  (** An allocation, its dimensions written otherwise. *)
  Lemma refines_alloc v v' x ds ds' b b' src tgt :
    zdefs v' ds' = true ->
    equal_all (evs v ds) (evs v' ds') ->
    refines [(v, b)] [(v', b')] ->
    refines src tgt ->
    refines ((v, SAlloc x ds b) :: src) ((v', SAlloc x ds' b') :: tgt).
  Proof.
    intros Hd He%equal_all_eq Hb.
    apply refines_cons.
    intros D M M'.
    cbn [exec in_range footprint].
    rewrite Hd, <- He.
    destruct (zdefs v ds); [|easy].
    cbn [andb].
    destruct (nonneg (evs v ds)); [|easy].
    destruct (exec Unbounded junk order b v _ _) as [M1|] eqn:E; [|easy].
    now destruct (refines_one _ _ _ _ Hb _ _ _ E) as [-> ->].
  Qed.

  (** A store, indices and value written otherwise. *)
  Lemma refines_store v v' x l l' r s s' src tgt :
    zdefs v' l' = true ->
    equal_all (evs v l) (evs v' l') ->
    same v v' s s' ->
    refines src tgt ->
    refines ((v, SStore x l r s) :: src) ((v', SStore x l' r s') :: tgt).
  Proof.
    intros Hd He%equal_all_eq Hs.
    apply refines_cons.
    intros D M M'.
    cbn [exec in_range footprint].
    rewrite Hd, <- He.
    destruct (lookup None D x) as [ds|]; [|easy].
    destruct (zdefs v l && inboxb ds (evs v l) && sdef D v s) eqn:E; [|easy].
    apply andb_true_iff in E as [[_ Hin]%andb_true_iff Hds].
    destruct (same_correct v v' D (view D M) s s' Hs Hds) as (-> & -> & ->).
    now rewrite Hin.
  Qed.
End Simulation.
