(** * Lowering is correct

    [lower_performs]: running the loop nest of an expression succeeds. It does to each place of
    the buffer exactly the contributions that the expression denotes for the cell that goes
    there, in the same order. No law of the scalars is used. [program_correct] is the same for a
    whole program and the values of its outputs. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.ContribFacts ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Ok lowering.Scope
  lowering.Reached lowering.Touches lowering.Touched lowering.Cells lowering.Tensors.

Section Correct.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.
  Variable registers : list string.

  (** ** The main induction

      On the expression, for all places where it may stand. *)

  Theorem lower_performs :
    forall e key nkey R G D v o ods r th act,
    wf key (map fst v) (map fst D) e = true ->
    ok R v e ->
    no_fill 0 (map fst v) ->
    keyed v key nkey ->
    separate nkey (den e v G) (evs v (shape e)) act ->
    realizes v (live (den e v G) (evs v (shape e))) th act ->
    lookup None R o = None ->
    lookup None D o = Some ods ->
    r = None \/ meets e = false ->
    placed r (den e v G) (evs v (shape e)) act ods ->
    performs junk order (buffers_hold R G D) (lower registers o r th e) v D o ods
      (reached r (den e v G) (evs v (shape e)) act).
  Proof.
    induction e
      as [m i lo hi e IH|f i lo hi e IH|p e IH|x init a IHa e IHe|a IHa b IHb|rr args e IH|s];
      intros key nkey R G D v o ods r th act Hwf Hok Hn Hkey Hsep Hth HR HD Hr Hpl;
      pose proof Hwf as Hwf0; pose proof Hok as Hok0;
      cbn [wf ok lower shape meets] in *;
      rewrite ?andb_true_iff in Hwf; rewrite ?provided_iff, ?also_iff in Hok.
    - (* gen *)
      pose proof (gen_race_free registers m i lo hi e key nkey R G v _ o r th act Hwf0 Hok0 Hn Hkey
        HR Hsep Hth) as Hrace.
      destruct Hwf as [[[[Hi Hlo] Hsh] _] He], Hok as [Hdef Hok].
      pose proof (fresh_not_bound _ _ Hi) as Him.
      pose proof (fun z => row_of_gen m i lo hi e v G z) as Hrow.
      change (evs v (extent lo hi :: shape e)) with (ze v (extent lo hi) :: evs v (shape e)) in *.
      rewrite extent_correct in *.
      apply (performs_rows junk order reordering); trivial; [now apply buffers_hold_stable|].
      intros z Hz.
      pose proof (placed_row _ _ _ _ _ _ (z - ze v lo) Hpl ltac:(lia)) as Hpz.
      rewrite Hrow in *.
      destruct (closed_agree _ _ _ (agree_bind v i z Him) Hsh) as [Esh _].
      rewrite <- Esh in *.
      apply IH with (row_key (Var i) lo key) (fun xs => nkey (z - ze v lo :: xs)); auto.
      + now apply no_fill_fresh.
      + now apply keyed_row.
      + rewrite Esh in *.
        rewrite <- (Hrow z).
        apply separate_row with (ze v hi - ze v lo); [lia | exact Hsep].
      + rewrite Esh in *.
        apply andb_true_iff in Hdef as [Hdlo _].
        now apply realizes_gen with m hi.
    - (* sum *)
      destruct Hwf as [[[Hi Hsh] Hme%negb_true_iff] He], Hok as [Hdef Hok].
      pose proof (fresh_not_bound _ _ Hi) as Him.
      change (den (Sum f i lo hi e) v G)
        with (sum_of f (fun z => den e ((i, z) :: v) G) (zrange (ze v lo) (ze v hi))) in *.
      apply (performs_for junk order)
        with (Uz := fun z => reached (Some f) (den e ((i, z) :: v) G) (evs v (shape e)) act);
        trivial;
        [now apply buffers_hold_stable | | intros M a c c'; now apply reached_terms with ods].
      intros z Hz.
      apply (placed_term _ _ _ _ _ _ _ z) in Hpl; [|now apply in_zrange].
      destruct (closed_agree _ _ _ (agree_bind v i z Him) Hsh) as [Esh _].
      rewrite <- Esh in *.
      apply IH with key nkey; auto.
      + now apply no_fill_fresh.
      + now apply keyed_bind.
      + rewrite Esh in *.
        apply (separate_term nkey f (fun z => den e ((i, z) :: v) G)) with (2 := Hsep).
        now apply in_zrange.
      + rewrite Esh in *.
        now apply realizes_sum with f lo hi.
    - (* guard *)
      destruct Hok as [Hdef Hok].
      cbn [den] in *.
      apply performs_if; trivial.
      + intros Hp.
        rewrite Hp in *.
        apply IH with key nkey; auto.
      + intros Hp a c.
        apply miss.
        intros xs (_ & HF & _).
        now rewrite Hp in HF.
    - (* let *)
      destruct Hwf as [[[Hx%negb_true_iff Hca] Hwa] Hwe], Hok as (Hda & Hfw & Hoka & Hoke).
      intros M Hh.
      pose proof (mem_other _ _ _ (lookup_mem _ _ _ _ HD) Hx) as Hox.
      destruct
        (let_performs junk order reordering registers R G D v x init a
           (lower registers o r th e) M) as (M2 & O2 & Hh2 & ->); trivial.
      { apply IHa with no_key (fun _ => []); trivial;
          [apply keyed_none | apply separate_id | apply realizes_id | now apply (not_read R G D M)
          | apply lookup_same | now left |].
        apply placed_id.
        intros xs.
        now rewrite inbox_max. }
      destruct
        (IHe key nkey ((x, Some (evs v (shape a))) :: R)
           ((x, fun ys => value init (den a v G ys)) :: G)
           ((x, Some (map (fun d => Z.max d 0) (evs v (shape a)))) :: D) v o ods r th act)
        with (M := M2) as (M3 & E3 & O3 & C3); rewrite ?lookup_other; trivial.
      rewrite E3.
      eexists.
      split; [reflexivity|].
      unfold set_buffer.
      split.
      + intros y Hy b.
        destruct (String.eqb_spec y x) as [->|Hyx]; [easy|].
        rewrite (O3 y Hy).
        now apply O2.
      + intros b Hb.
        apply String.eqb_neq in Hox as Hoxb.
        rewrite Hoxb, <- (O2 o Hox).
        now apply C3.
    - (* concat *)
      rewrite orb_false_iff in Hr.
      destruct Hok as (Hdn & Hna & Hnb & Htl%equal_all_eq & Hoka & Hokb), Hwf as [[Hn1 Hwa] Hwb].
      destruct (shape a) as [|na sa] eqn:Esa; [easy|].
      destruct (shape b) as [|nb sb] eqn:Esb; [easy|].
      cbn [hd tl evs map] in *.
      assert (Ej : den (Concat a b) v G = joined (ze v na) (den a v G) (den b v G)).
      { cbn [den].
        now rewrite Esa. }
      rewrite Ej in *.
      cbn [ze] in Hpl, Hth.
      apply performs_seq with
        (U1 := reached r (den a v G) (ze v na :: evs v sa) act)
        (U2 := reached r (den b v G) (ze v nb :: evs v sa) (fun xs => act (shifted (ze v na) xs)));
        [now apply buffers_hold_stable | | |].
      + apply IHa with key nkey; trivial; [| | tauto |].
        * now apply separate_left with (ze v nb) (den b v G).
        * apply (realizes_fewer _ _ _ _ _ Hth).
          intros xs Hxs.
          now apply live_left.
        * now apply (placed_left _ (ze v nb) _ _ (den b v G)).
      + rewrite Htl in *.
        apply IHb with (second_key na key) (fun xs => nkey (shifted (ze v na) xs)); trivial;
          [| | | tauto |].
        * now apply keyed_second.
        * now apply separate_right with (den a v G).
        * now apply realizes_second with (Fa := den a v G).
        * now apply (placed_right (ze v na) (ze v nb) _ (den a v G)).
      + intros c l c1 c2.
        now apply (reached_parts (ze v na) (ze v nb)) with ods.
    - (* reshape *)
      pose proof (uncut_unwritten R v G rr args e Hok0) as Hcut.
      pose proof (over_rows_alike R v G rr args e Hok0) as Hover.
      destruct Hwf as [[Hca Hcs] Hwe], Hok as ([Hda Hds]%andb_true_iff & Hreq & _ & _ & Hoke).
      rewrite shape_evaluates in *.
      change (den (Reshape rr args e) v G)
        with (reshaped rr (evs v args) (evs v (shape e)) (den e v G)) in *.
      rewrite orb_false_iff in Hr.
      apply performs_weaken with
        (U := reached r (den e v G) (evs v (shape e)) (fun ys =>
          act (npush rr (evs v args) (evs v (shape e)) ys)));
        [|intros a c c'; now apply reached_operand].
      apply IH with
        (operand_key rr args (shape e) key) (operand_nkey rr (evs v args) (evs v (shape e)) nkey);
        trivial; [| | | tauto |].
      + now apply keyed_operand.
      + now apply separate_operand.
      + apply realizes_reshape with
          (asked := live (reshaped rr (evs v args) (evs v (shape e)) (den e v G))
             (nshape rr (evs v args) (evs v (shape e)))); trivial.
        intros ys Hys.
        split; [apply Hys|].
        now apply live_push.
      + apply placed_operand; trivial.
        tauto.
    - (* scalar *)
      apply performs_store with (asked := live (den (Scalar s) v G) []) (x := se s v G); trivial.
      + easy.
      + now apply (proj1 Hpl []).
      + intros M Hh.
        now apply (scalar_in_memory R).
  Qed.

  (** ** Programs

      Its tensors are lets around its outputs, which are computed one after the other. *)

  Fixpoint output_names (p : program) : list string :=
    match p with
    | PLet _ _ _ p => output_names p
    | Outputs l => map fst l
    end.

  (** The buffers of the outputs are there, and are not read. *)
  Definition output_buffers (O R D : dims) : Prop :=
    forall o ds, lookup None O o = Some ds -> lookup None R o = None /\ lookup None D o = Some ds.

  Lemma outputs_correct R G D O v l M :
    wf_outputs (map fst v) (map fst D) l = true ->
    ok_outputs R O v l ->
    no_fill 0 (map fst v) ->
    output_buffers O R D ->
    buffers_hold R G D M ->
    exists M',
      exec Unbounded junk order (lower_outputs registers l) v D M = Some M' /\
      (forall y, mem y (map fst l) = false -> forall a, M' y a = M y a) /\
      forall o ds, mem o (map fst l) = true ->
    lookup None O o = Some ds ->
    forall xs, inbox ds xs ->
    M' o (flat ds xs) = result (Outputs l) v G o xs.
  Proof.
    revert M.
    induction l as [|[o [init e]] l IH]; intros M Hwf Hok Hn Ho Hh.
    - exists M.
      now repeat split.
    - cbn [wf_outputs ok_outputs lower_outputs] in *.
      rewrite !andb_true_iff in Hwf.
      rewrite provided_iff, also_iff in Hok.
      destruct Hwf as [[[[Hmo Hnew%negb_true_iff] Hce] Hwe] Hwl], Hok
        as (Hde & HO & Hfw & Hoke & Hokl).
      destruct (lookup None O o) as [ds|] eqn:EO; [|easy].
      apply equal_all_eq in HO as ->.
      destruct (Ho o _ EO) as (HRo & HDo).
      destruct
        (tensor_computed junk order reordering registers R G D v o init e (evs v (shape e)) M)
          as (M1 & E1 & O1 & C1);
        trivial.
      { apply lower_performs with no_key (fun _ => []); trivial;
          [apply keyed_none | apply separate_id | apply realizes_id
          | now left | now apply placed_id]. }
      destruct (IH M1) as (M2 & E2 & O2 & C2); trivial;
        [now apply (buffers_hold_stable R G D o HRo M)|].
      exists M2.
      cbn [exec in_range] in *.
      rewrite E1.
      split; [exact E2|].
      split.
      + intros y [Hyo Hyl]%orb_false_iff a.
        rewrite (O2 y Hyl).
        apply O1.
        now apply String.eqb_neq.
      + intros o' ds Ho' Hds xs Hxs.
        cbn in Ho'.
        cbn [result lookup].
        destruct (String.eqb_spec o' o) as [->|Hne]; [|now apply C2].
        rewrite EO in Hds.
        injection Hds as <-.
        rewrite (O2 o Hnew).
        now apply C1.
  Qed.

  Theorem program_correct :
    forall p R G D O v M,
    wf_program (map fst v) (map fst D) p = true ->
    ok_program R O v p ->
    no_fill 0 (map fst v) ->
    output_buffers O R D ->
    buffers_hold R G D M ->
    exists M',
      exec Unbounded junk order (lower_program registers p) v D M = Some M' /\
      (forall y, lookup None O y = None -> forall a, M' y a = M y a) /\
      forall o ds, mem o (output_names p) = true ->
    lookup None O o = Some ds ->
    forall xs, inbox ds xs ->
    M' o (flat ds xs) = result p v G o xs.
  Proof.
    induction p as [x init a p IH|l]; intros R G D O v M Hwf Hok Hn Ho Hh.
    - cbn [wf_program ok_program lower_program result output_names] in *.
      rewrite !andb_true_iff in Hwf.
      rewrite provided_iff, also_iff in Hok.
      destruct Hwf as [[[Hx%negb_true_iff Hca] Hwa] Hwp], Hok as (Hda & Hfw & Hoka & Hokp).
      destruct
        (let_performs junk order reordering registers R G D v x init a
           (lower_program registers p) M) as (M2 & O2 & Hh2 & ->); trivial.
      { apply lower_performs with no_key (fun _ => []); trivial;
          [apply keyed_none | apply separate_id | apply realizes_id | now apply (not_read R G D M)
          | apply lookup_same | now left |].
        apply placed_id.
        intros xs.
        now rewrite inbox_max. }
      assert (Hother : forall o ds, lookup None O o = Some ds -> o <> x).
      { intros o ds Hds.
        destruct (Ho o ds Hds) as [_ HD].
        apply (mem_other o x (map fst D)); trivial.
        now apply lookup_mem in HD. }
      edestruct IH with (O := O) (2 := Hokp) (5 := Hh2) as (M3 & E3 & O3 & C3); trivial.
      { intros o ds Hds.
        rewrite !lookup_other by now apply (Hother o ds).
        now apply Ho. }
      rewrite E3.
      eexists.
      split; [reflexivity|].
      unfold set_buffer.
      split.
      + intros y Hy b.
        destruct (String.eqb_spec y x) as [->|Hyx]; [easy|].
        rewrite (O3 y Hy).
        now apply O2.
      + intros o ds Hin Hds xs Hxs.
        pose proof (Hother o ds Hds) as ->%String.eqb_neq.
        now apply C3.
    - destruct (outputs_correct R G D O v l M) as (M' & E & OU & C); trivial.
      exists M'.
      split; [exact E|].
      split; [|exact C].
      intros y Hy.
      apply OU.
      clear -Hok Hy.
      cbn [ok_program] in Hok.
      induction l as [|[o [init e]] l IH]; cbn in *; [easy|].
      rewrite provided_iff, also_iff in Hok.
      destruct Hok as (_ & HO & _ & _ & Hl).
      destruct (String.eqb_spec y o) as [->|_]; [now rewrite Hy in HO | auto].
  Qed.
End Correct.
