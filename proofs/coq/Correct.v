(** * Lowering is correct

    [lower_performs]: running the loop nest of an expression succeeds, and does to each cell of its buffer
    exactly the contributions that the expression denotes for the one cell that goes there, in the same
    order.  No law of the scalars is used.  [program_correct] is the same for a whole program and the values
    of its outputs. *)

From ATL Require Import Index Box Contrib ops.Reshape Syntax Denote Loops Lower Scope Cells.

Section Correct.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.
  Variable registers : list string.

  (** ** What the obligations say about the denotation *)

  Lemma unwritten_den : forall e v G xs, unwritten e v xs -> den e v G xs = [].
  Proof.
    induction e; intros v G xs; cbn; auto.
    - destruct xs; rewrite ?from_correct; auto.
    - intros Hu. apply flat_map_nil. intros z Hz%in_zrange. now rewrite IHe by auto.
    - destruct (be v p); auto.
    - destruct xs as [|x xs]; [easy|]. intros [Ha Hb].
      destruct (Z.ltb_spec x (hd 0 (evs v (shape e1)))); auto.
    - destruct (fst (npull r (evs v args) (evs v (shape e)) xs)); auto.
    - now destruct xs.
  Qed.

  Lemma written_den : forall e v G xs, written e v xs -> exists x l, den e v G xs = Put x :: l.
  Proof.
    induction e; intros v G xs; cbn; auto; try easy.
    - destruct xs; rewrite ?from_correct; [easy | auto].
    - intros [-> Hw]. auto.
    - destruct xs as [|x xs]; [easy|]. intros [Ha Hb].
      destruct (Z.ltb_spec x (hd 0 (evs v (shape e1)))); auto.
    - intros [-> Hw]. auto.
    - intros ->. eauto.
  Qed.

  (** ** Filling a buffer *)

  Lemma fill_var_length n : String.length (fill_var n) = Datatypes.S n. Proof. induction n; cbn; auto. Qed.

  (** No variable of a program is one of a filling loop. *)
  Definition no_fill (n : nat) (vars : list string) : Prop :=
    forall m, (n <= m)%nat -> mem (fill_var m) vars = false.

  Lemma fill_var_begins n : String.begins_with hash (fill_var n) = true. Proof. now destruct n. Qed.

  Lemma no_fill_fresh i vars : fresh i vars = true -> no_fill 0 vars -> no_fill 0 (i :: vars).
  Proof.
    intros Hi Hv m Hm. apply andb_true_iff in Hi as [_ Hi]. cbn [mem]. rewrite (Hv m Hm), orb_false_r.
    apply String.eqb_neq. intros <-. now rewrite fill_var_begins in Hi.
  Qed.

  Lemma fill_performs x c D ds sh n v th act : lookup None D x = Some ds ->
    closed (map fst v) sh = true -> no_fill n (map fst v) -> zdefs v sh = true -> realizes v th act ->
    (forall xs, inbox (evs v sh) xs -> inbox ds (act xs)) ->
    performs junk order (fun _ => True) (fill_loops registers x c n sh th) v D x ds
      (reached None (fun _ => [Put (op c [])]) (evs v sh) act).
  Proof.
    intros HD. revert n v th act.
    induction sh as [|d sh IH]; intros n v th act Cs Hn Ds Hth Hin; cbn [fill_loops].
    - apply performs_store with (op c []); trivial; [now apply Hin | easy].
    - cbn in Cs, Ds. apply andb_true_iff in Cs as [Cd Cs], Ds as [Dd Ds].
      assert (Hi : mem (fill_var n) (map fst v) = false) by (apply Hn; lia).
      change (evs v (d :: sh)) with (ze v d :: evs v sh) in *.
      replace (ze v d) with (ze v d - ze v (Lit 0)) in * by (cbn; lia).
      apply (performs_rows junk order reordering); [easy | exact Dd | |].
      + split; [intros xs a (Hxs & _ & <-); auto | now right].
      + intros z Hz. destruct (closed_agree _ _ _ (agree_bind v _ z Hi) Cs) as [Es Ds']. rewrite <- Es.
        apply IH; trivial.
        * now apply closed_more.
        * intros m Hm. cbn [map fst mem]. rewrite Hn, orb_false_r by lia. apply String.eqb_neq.
          intros E%(f_equal String.length). rewrite !fill_var_length in E. lia.
        * now rewrite Ds'.
        * apply realizes_cons; trivial. intros v' Ha. cbn. rewrite (agree_bound _ _ _ _ Ha). split; trivial.
          lia.
        * intros xs Hxs. rewrite Es in Hxs. apply Hin. split; trivial. cbn in *. lia.
  Qed.

  (** ** The tensor of a let, or of an output *)

  (** What is around the place of a tensor expression: what may be read is there, no filling loop is. *)
  Lemma not_read R G D M x : holds R G D M -> mem x (map fst D) = false -> lookup None R x = None.
  Proof.
    intros Hh Hx. destruct (lookup None R x) as [ds|] eqn:E; [|easy].
    destruct (Hh x ds E) as (ds' & HD & _). apply lookup_mem in HD. congruence.
  Qed.

  Lemma holds_stable R G D o : lookup None R o = None -> stable o (holds R G D).
  Proof.
    intros Ho M M' HO Hh x ds Hx. destruct (Hh x ds Hx) as (ds' & HD & Hc).
    exists ds'. split; trivial. intros xs Hxs. rewrite HO by congruence. auto.
  Qed.

  Lemma placed_id r F sh ds : (forall xs, inbox sh xs -> inbox ds xs) -> placed r F sh (fun xs => xs) ds.
  Proof. intros Hin. split; [intros xs a (Hxs & _ & <-); auto|]. intros xs ys a (_ & _ & <-) (_ & _ & <-).
  auto. Qed.

  Notation computing x init a :=
    (SSeq (fill registers x init (shape a)) (lower registers x None (fun l => l) a)).

  (** The loops that fill a buffer and those of its tensor give the tensor, whatever the buffer held. *)
  Lemma tensor_computed R G D v x init a ds M :
    lookup None D x = Some ds -> lookup None R x = None ->
    closed (map fst v) (shape a) = true -> no_fill 0 (map fst v) -> zdefs v (shape a) = true ->
    (forall xs, inbox (evs v (shape a)) xs -> inbox ds xs) -> maybe (filled_or_written v init a) ->
    performs junk order (holds R G D) (lower registers x None (fun l => l) a) v D x ds
      (reached None (den a v G) (evs v (shape a)) (fun xs => xs)) ->
    holds R G D M ->
    exists M', exec junk order (computing x init a) v D M = Some M' /\ others_unchanged x M M' /\
      forall xs, inbox (evs v (shape a)) xs -> M' x (flat ds xs) = value init (den a v G xs).
  Proof.
    intros HD HR Ca Hn Da Hin Hfw Hperf Hh.
    assert (Hfill : exists M1, exec junk order (fill registers x init (shape a)) v D M = Some M1 /\
      others_unchanged x M M1 /\
      forall xs, inbox (evs v (shape a)) xs -> forall c, init = Some c -> M1 x (flat ds xs) = op c []).
    { destruct init as [c|]; cbn [fill]; [|now exists M].
      destruct (fill_performs x c D ds (shape a) 0 v (fun l => l) (fun xs => xs)) with (M := M)
        as (M1 & E & O & C); trivial; [apply realizes_id|].
      exists M1. repeat split; trivial. intros xs Hxs _ [= <-].
      destruct (C xs (Hin xs Hxs)) as [|Hmiss]; [easy | now elim (Hmiss xs)]. }
    destruct Hfill as (M1 & E1 & O1 & C1).
    destruct (Hperf M1) as (M2 & E2 & O2 & C2); [now apply (holds_stable R G D x HR M)|].
    exists M2. cbn [exec]. rewrite E1. split; [exact E2|]. split; [now apply others_trans with M1|].
    intros xs Hxs. replace (M2 x (flat ds xs)) with (runs (M1 x (flat ds xs)) (den a v G xs)).
    - unfold value. destruct init as [c|]; [now rewrite (C1 xs Hxs c)|].
      cbn in Hfw. rewrite forbox_iff in Hfw. now destruct (written_den a v G xs (Hfw xs Hxs)) as (y & l & ->).
    - destruct (C2 xs (Hin xs Hxs)) as [ys (_ & _ & <-)|Hmiss]; [now rewrite within_none|].
      destruct (list_nil_dec _ (den a v G xs)) as [->|HF]; [easy | now elim (Hmiss xs)].
  Qed.

  Lemma alloc_defined v sh : zdefs v sh = true -> zdefs v (map cut_at_0 sh) && nonneg (evs v (map cut_at_0 sh)) = true.
  Proof.
    unfold zdefs, nonneg, evs. induction sh as [|d sh IH]; cbn; [easy|].
    rewrite !andb_true_iff in *. intuition. lia.
  Qed.

  (** A let around a body, for expressions and for programs: what the body needs, and what it then does. *)
  Lemma let_performs R G D v x init a body M :
    mem x (map fst D) = false -> closed (map fst v) (shape a) = true -> no_fill 0 (map fst v) ->
    zdefs v (shape a) = true -> maybe (filled_or_written v init a) ->
    let ds := map (fun d => Z.max d 0) (evs v (shape a)) in
    performs junk order (holds R G ((x, Some ds) :: D)) (lower registers x None (fun l => l) a)
      v ((x, Some ds) :: D) x ds (reached None (den a v G) (evs v (shape a)) (fun xs => xs)) ->
    holds R G D M ->
    exists M2, others_unchanged x M M2 /\
      holds ((x, Some (evs v (shape a))) :: R) ((x, fun ys => value init (den a v G ys)) :: G)
        ((x, Some ds) :: D) M2 /\
      exec junk order (SAlloc x (map cut_at_0 (shape a)) (SSeq (computing x init a) body)) v D M =
      match exec junk order body v ((x, Some ds) :: D) M2 with
      | Some M' => Some (set_buffer M' x (M x))
      | None => None
      end.
  Proof.
    intros Hx Ca Hn Da Hfw ds Ha Hh. pose proof (not_read _ _ _ _ _ Hh Hx) as HR.
    assert (Hh' : holds R G ((x, Some ds) :: D) (set_buffer M x (junk M x))).
    { intros y dy Hy. assert (Hne : y <> x)
        by congruence. destruct (Hh y dy Hy) as (ds' & HD & Hc). exists ds'.
      rewrite lookup_other by trivial. unfold set_buffer. now apply String.eqb_neq in Hne as ->. }
    destruct (tensor_computed R G ((x, Some ds) :: D) v x init a ds (set_buffer M x (junk M x)))
      as (M2 & E & O & C); trivial; [apply lookup_same | intros xs; apply inbox_max |].
    exists M2. split; [|split].
    - intros y Hy b. rewrite (O y Hy b). unfold set_buffer. now apply String.eqb_neq in Hy as ->.
    - intros y dy Hy. destruct (String.eqb_spec y x) as [->|Hne].
      + rewrite lookup_same in Hy. injection Hy as <-. exists ds. rewrite lookup_same. split; trivial.
        intros xs Hxs. rewrite lookup_same. split; [now apply inbox_max | now apply C].
      + rewrite lookup_other in Hy by trivial. destruct (Hh' y dy Hy) as (ds' & HD & Hc).
        exists ds'. split; trivial. intros xs Hxs. rewrite lookup_other, (O y Hne) by trivial. auto.
    - cbn [exec] in *. rewrite (alloc_defined v (shape a) Da).
      assert (Eds : evs v (map cut_at_0 (shape a)) = ds).
      { unfold ds, evs. now rewrite !map_map. }
      now rewrite Eds, E.
  Qed.

  (** ** The main induction *)

  Lemma fresh_not_bound i vars : fresh i vars = true -> mem i vars = false.
  Proof. intros [Hi _]%andb_true_iff. now apply negb_true_iff in Hi. Qed.

  Theorem lower_performs : forall e R G D v o ods r th act,
    wf (map fst v) (map fst D) e = true -> ok R v e -> no_fill 0 (map fst v) -> realizes v th act ->
    lookup None R o = None -> lookup None D o = Some ods ->
    r = None \/ meets e = false -> placed r (den e v G) (evs v (shape e)) act ods ->
    performs junk order (holds R G D) (lower registers o r th e) v D o ods
      (reached r (den e v G) (evs v (shape e)) act).
  Proof.
    induction e as [m i lo hi e IH|f i lo hi e IH|p e IH|x init a IHa e IHe|a IHa b IHb|rr args e IH|s];
      intros R G D v o ods r th act Hwf Hok Hn Hth HR HD Hr Hpl; cbn [wf ok lower shape meets] in *;
      rewrite ?andb_true_iff in Hwf; rewrite ?provided_iff, ?also_iff in Hok.
    - (* gen *)
      destruct Hwf as [[[Hi Hlo] Hsh] He], Hok as [Hdef Hok]. pose proof (fresh_not_bound _ _ Hi) as Him.
      assert (Hrow : forall z, (fun xs => den (Gen m i lo hi e) v G (z - ze v lo :: xs)) = den e ((i, z) :: v)
        G).
      { intros z. cbn [den]. now replace (ze v lo + (z - ze v lo)) with z by lia. }
      change (evs v (extent lo hi :: shape e)) with (ze v (extent lo hi) :: evs v (shape e)) in *.
      rewrite extent_correct in *.
      apply (performs_rows junk order reordering); trivial; [now apply holds_stable|]. intros z Hz.
      pose proof (placed_row _ _ _ _ _ _ (z - ze v lo) Hpl ltac:(lia)) as Hpz. rewrite Hrow in *.
      destruct (closed_agree _ _ _ (agree_bind v i z Him) Hsh) as [Esh _].
      rewrite <- Esh in *. apply IH; auto; [now apply no_fill_fresh|].
      apply realizes_cons; trivial. intros v' Ha. cbn [ze zdef]. rewrite (agree_bound _ _ _ _ Ha).
      apply andb_true_iff in Hdef as [Hdlo _]. apply agree_unbind in Ha; trivial.
      now destruct (closed_idx_agree _ _ _ Ha Hlo) as [-> ->].
    - (* sum *)
      destruct Hwf as [[[Hi Hsh] Hme%negb_true_iff] He], Hok as [Hdef Hok].
      pose proof (fresh_not_bound _ _ Hi) as Him.
      change (den (Sum f i lo hi e) v G)
        with (sum_of f (fun z => den e ((i, z) :: v) G) (zrange (ze v lo) (ze v hi))) in *.
      apply (performs_for junk order)
        with (Uz := fun z => reached (Some f) (den e ((i, z) :: v) G) (evs v (shape e)) act);
        trivial; [now apply holds_stable | | intros M a c c'; now apply reached_terms with ods].
      intros z Hz. apply (placed_term _ _ _ _ _ _ _ z) in Hpl; [|now apply in_zrange].
      destruct (closed_agree _ _ _ (agree_bind v i z Him) Hsh) as [Esh _]. rewrite <- Esh in *.
      apply IH; auto; [now apply no_fill_fresh | now apply realizes_bind].
    - (* guard *)
      destruct Hok as [Hdef Hok]. cbn [den] in *. apply performs_if; trivial.
      + intros Hp. rewrite Hp in *. now apply IH; auto.
      + intros Hp a c. apply miss. intros xs (_ & HF & _). now rewrite Hp in HF.
    - (* let *)
      destruct Hwf as [[[Hx%negb_true_iff Hca] Hwa] Hwe], Hok as (Hda & Hfw & Hoka & Hoke). intros M Hh.
      pose proof (mem_other _ _ _ (lookup_mem _ _ _ _ HD) Hx) as Hox.
      destruct (let_performs R G D v x init a (lower registers o r th e) M) as (M2 & O2 & Hh2 & ->); trivial.
      { apply IHa; trivial; [apply realizes_id | now apply (not_read R G D M) | apply lookup_same
          | now left |].
        apply placed_id. intros xs. now rewrite inbox_max. }
      destruct (IHe ((x, Some (evs v (shape a))) :: R) ((x, fun ys => value init (den a v G ys)) :: G)
                  ((x, Some (map (fun d => Z.max d 0) (evs v (shape a)))) :: D) v o ods r th act)
        with (M := M2) as (M3 & E3 & O3 & C3); rewrite ?lookup_other; trivial.
      rewrite E3. eexists. split; [reflexivity|]. unfold set_buffer. split.
      + intros y Hy b. destruct (String.eqb_spec y x) as [->|Hyx]; [easy|]. rewrite (O3 y Hy). now apply O2.
      + intros b Hb. apply String.eqb_neq in Hox as Hoxb. rewrite Hoxb, <- (O2 o Hox). now apply C3.
    - (* concat *)
      rewrite orb_false_iff in Hr.
      destruct Hok as (Hdn & Hna & Hnb & Htl%equal_all_eq & Hoka & Hokb), Hwf as [[Hn1 Hwa] Hwb].
      destruct (shape a) as [|na sa] eqn:Esa; [easy|]. destruct (shape b) as [|nb sb] eqn:Esb; [easy|].
      cbn [hd tl evs map] in *.
      assert (Ej : den (Concat a b) v G = joined (ze v na) (den a v G) (den b v G)).
      { cbn [den]. now rewrite Esa. }
      rewrite Ej in *. cbn [ze] in Hpl.
      apply performs_seq with
        (U1 := reached r (den a v G) (ze v na :: evs v sa) act)
        (U2 := reached r (den b v G) (ze v nb :: evs v sa) (fun xs => act (shifted (ze v na) xs)));
        [now apply holds_stable | | |].
      + apply IHa; trivial; [tauto|]. now apply (placed_left _ (ze v nb) _ _ (den b v G)).
      + rewrite Htl in *. apply IHb; trivial; [now apply realizes_shift | tauto |].
        now apply (placed_right (ze v na) (ze v nb) _ (den a v G)).
      + intros c l c1 c2. now apply (reached_parts (ze v na) (ze v nb)) with ods.
    - (* reshape *)
      destruct Hwf as [[Hca Hcs] Hwe], Hok as ([Hda Hds]%andb_true_iff & Hreq & Hcut & Hover & Hoke).
      rewrite shape_evaluates in *.
      change (den (Reshape rr args e) v G) with (reshaped rr (evs v args) (evs v (shape e)) (den e v G)) in *.
      assert (Hcut' : forall ys, inbox (evs v (shape e)) ys ->
        match rcut rr with Some cut => cut (evs v args) (evs v (shape e)) ys | None => False end ->
        den e v G ys = []).
      { intros ys Hys. destruct (rcut rr); [|easy]. cbn in Hcut. rewrite forbox_iff in Hcut. auto using unwritten_den. }
      assert (Halike : rover rr = true -> forall ys, inbox (evs v (shape e)) ys -> puts (den e v G ys) /\
        reshaped rr (evs v args) (evs v (shape e)) (den e v G) (npush rr (evs v args) (evs v (shape e)) ys) =
        den e v G ys).
      { intros Ho. rewrite Ho in Hover. cbn in Hover. specialize (Hover S G). now rewrite forbox_iff in Hover. }
      rewrite orb_false_iff in Hr.
      apply performs_weaken with
        (U := reached r (den e v G) (evs v (shape e)) (fun ys =>
          act (npush rr (evs v args) (evs v (shape e)) ys)));
        [|intros a c c'; now apply reached_operand].
      apply IH; trivial; [now apply realizes_reshape | tauto |]. apply placed_operand; trivial. tauto.
    - (* scalar *)
      apply performs_store with (se s v G); trivial.
      + now apply (proj1 Hpl []).
      + intros M Hh. now apply (scalar_in_memory R).
  Qed.

  (** ** Programs *)

  Fixpoint output_names (p : program) : list string :=
    match p with
    | PLet _ _ _ p => output_names p
    | Outputs l => map fst l
    end.

  (** The buffers of the outputs are there, and are not read. *)
  Definition output_buffers (O R D : dims) : Prop :=
    forall o ds, lookup None O o = Some ds -> lookup None R o = None /\ lookup None D o = Some ds.

  Lemma outputs_correct R G D O v l M :
    wf_outputs (map fst v) (map fst D) l = true -> ok_outputs R O v l -> no_fill 0 (map fst v) ->
    output_buffers O R D -> holds R G D M ->
    exists M', exec junk order (lower_outputs registers l) v D M = Some M' /\
      (forall y, mem y (map fst l) = false -> forall a, M' y a = M y a) /\
      forall o ds, mem o (map fst l) = true -> lookup None O o = Some ds -> forall xs, inbox ds xs ->
        M' o (flat ds xs) = result (Outputs l) v G o xs.
  Proof.
    revert M. induction l as [|[o [init e]] l IH]; intros M Hwf Hok Hn Ho Hh.
    - exists M. now repeat split.
    - cbn [wf_outputs ok_outputs lower_outputs] in *. rewrite !andb_true_iff in Hwf.
      rewrite provided_iff, also_iff in Hok.
      destruct Hwf as [[[[Hmo Hnew%negb_true_iff] Hce] Hwe] Hwl], Hok as (Hde & HO & Hfw & Hoke & Hokl).
      destruct (lookup None O o) as [ds|] eqn:EO; [|easy]. apply equal_all_eq in HO as ->.
      destruct (Ho o _ EO) as (HRo & HDo).
      destruct (tensor_computed R G D v o init e (evs v (shape e)) M) as (M1 & E1 & O1 & C1); trivial.
      { apply lower_performs; trivial; [apply realizes_id | now left | now apply placed_id]. }
      destruct (IH M1) as (M2 & E2 & O2 & C2); trivial; [now apply (holds_stable R G D o HRo M)|].
      exists M2. cbn [exec] in *. rewrite E1. split; [exact E2|]. split.
      + intros y [Hyo Hyl]%orb_false_iff a. rewrite (O2 y Hyl). apply O1. now apply String.eqb_neq.
      + intros o' ds Ho' Hds xs Hxs. cbn in Ho'. cbn [result lookup].
        destruct (String.eqb_spec o' o) as [->|Hne]; [|now apply C2].
        rewrite EO in Hds. injection Hds as <-. rewrite (O2 o Hnew). now apply C1.
  Qed.

  Theorem program_correct : forall p R G D O v M,
    wf_program (map fst v) (map fst D) p = true -> ok_program R O v p -> no_fill 0 (map fst v) ->
    output_buffers O R D -> holds R G D M ->
    exists M', exec junk order (lower_program registers p) v D M = Some M' /\
      (forall y, lookup None O y = None -> forall a, M' y a = M y a) /\
      forall o ds, mem o (output_names p) = true -> lookup None O o = Some ds -> forall xs, inbox ds xs ->
        M' o (flat ds xs) = result p v G o xs.
  Proof.
    induction p as [x init a p IH|l]; intros R G D O v M Hwf Hok Hn Ho Hh.
    - cbn [wf_program ok_program lower_program result output_names] in *. rewrite !andb_true_iff in Hwf.
      rewrite provided_iff, also_iff in Hok.
      destruct Hwf as [[[Hx%negb_true_iff Hca] Hwa] Hwp], Hok as (Hda & Hfw & Hoka & Hokp).
      destruct (let_performs R G D v x init a (lower_program registers p) M) as (M2 & O2 & Hh2 & ->); trivial.
      { apply lower_performs; trivial;
          [apply realizes_id | now apply (not_read R G D M) | apply lookup_same | now left |].
        apply placed_id. intros xs. now rewrite inbox_max. }
      assert (Hother : forall o ds, lookup None O o = Some ds -> o <> x).
      { intros o ds Hds. destruct (Ho o ds Hds) as [_ HD]. apply (mem_other o x (map fst D)); trivial.
        now apply lookup_mem in HD. }
      edestruct IH with (O := O) (2 := Hokp) (5 := Hh2) as (M3 & E3 & O3 & C3); trivial.
      { intros o ds Hds. rewrite !lookup_other by now apply (Hother o ds). now apply Ho. }
      rewrite E3. eexists. split; [reflexivity|]. unfold set_buffer. split.
      + intros y Hy b. destruct (String.eqb_spec y x) as [->|Hyx]; [easy|]. rewrite (O3 y Hy). now apply O2.
      + intros o ds Hin Hds xs Hxs. pose proof (Hother o ds Hds) as ->%String.eqb_neq. now apply C3.
    - destruct (outputs_correct R G D O v l M) as (M' & E & OU & C); trivial.
      exists M'. split; [exact E|]. split; [|exact C].
      intros y Hy. apply OU. clear -Hok Hy. cbn [ok_program] in Hok.
      induction l as [|[o [init e]] l IH]; cbn in *; [easy|].
      rewrite provided_iff, also_iff in Hok. destruct Hok as (_ & HO & _ & _ & Hl).
      destruct (String.eqb_spec y o) as [->|_]; [now rewrite Hy in HO | auto].
  Qed.
End Correct.
