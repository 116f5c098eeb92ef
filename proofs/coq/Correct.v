(** * Lowering is correct

    [lower_performs]: running the loop nest of an expression succeeds, and does to each cell of its buffer exactly the
    contributions that the expression denotes for the one cell that goes there, in the same order.  No law of the
    scalars is used.  [program_correct] is the same for a whole program and the values of its outputs. *)

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
    induction e; intros v G xs Hu; cbn [unwritten den] in *.
    - destruct xs; auto.
    - apply flat_map_nil. intros z Hz. apply in_zrange in Hz. now rewrite IHe by auto.
    - destruct (be v p); auto.
    - auto.
    - destruct xs as [|x xs]; [easy|]. destruct Hu as [Ha Hb].
      destruct (Z.ltb_spec x (hd 0 (evs v (shape e1)))); auto.
    - destruct (fst (npull r (evs v args) (evs v (shape e)) xs)); auto.
    - destruct xs; easy.
  Qed.

  Lemma written_den : forall e v G xs, written e v xs -> exists x l, den e v G xs = Put x :: l.
  Proof.
    induction e; intros v G xs Hw; cbn [written den] in *; try easy.
    - destruct xs; [easy|]. auto.
    - destruct Hw as [-> Hw]. auto.
    - auto.
    - destruct xs as [|x xs]; [easy|]. destruct Hw as [Ha Hb].
      destruct (Z.ltb_spec x (hd 0 (evs v (shape e1)))); auto.
    - destruct Hw as [-> Hw]. auto.
    - subst xs. eauto.
  Qed.

  (** ** Filling a buffer *)

  Lemma fill_var_inj : forall m n, fill_var m = fill_var n -> m = n.
  Proof.
    assert (Hne : forall n, fill_var n <> ""%string) by (destruct n; discriminate).
    induction m as [|m IH]; destruct n as [|n]; cbn; intros E; [easy | | |]; injection E as E.
    - now symmetry in E; apply Hne in E.
    - now apply Hne in E.
    - f_equal. auto.
  Qed.

  (** No variable of a program is one of a filling loop. *)
  Definition no_fill (n : nat) (vars : list string) : Prop := forall m, (n <= m)%nat ->
    mem (fill_var m) vars = false.

  Lemma fill_var_prefix : forall n, String.prefix "#" (fill_var n) = true.
  Proof. destruct n as [|n]; [easy|]. cbn. now destruct (fill_var n). Qed.

  Lemma no_fill_fresh i vars : fresh i vars = true -> no_fill 0 vars -> no_fill 0 (i :: vars).
  Proof.
    intros Hi Hv m Hm. apply andb_true_iff in Hi as [_ Hi]. cbn [mem]. rewrite (Hv m Hm), orb_false_r.
    apply String.eqb_neq. intros <-. now rewrite fill_var_prefix in Hi.
  Qed.

  Lemma fill_correct : forall x c ds sh n l vars v D M,
    lookup None D x = Some ds -> closed vars sh = true -> closed vars l = true -> no_fill n vars ->
    zdefs v sh = true -> zdefs v l = true ->
    (forall xs, inbox (evs v sh) xs -> inbox ds (evs v l ++ xs)) ->
    exists M', exec junk order (fill_loops registers x c n sh l) v D M = Some M' /\ others_unchanged x M M' /\
      (forall xs, inbox (evs v sh) xs -> M' x (flat ds (evs v l ++ xs)) = op c []) /\
      (forall a, M' x a = op c [] \/ M' x a = M x a).
  Proof.
    intros x c ds. induction sh as [|d sh IH]; intros n l vars v D M HD Cs Cl Hn Ds Dl Hin; cbn [fill_loops].
    - specialize (Hin [] I). rewrite app_nil_r in Hin. cbn [exec sdef forallb]. rewrite HD, Dl.
      apply inboxb_iff in Hin as ->. cbn [andb]. eexists. split; [reflexivity|]. split; [|split].
      + intros y Hy a. unfold set_cell. now apply String.eqb_neq in Hy as ->.
      + intros [|z xs] Hxs; [|easy]. unfold set_cell. now rewrite app_nil_r, String.eqb_refl, Z.eqb_refl.
      + intros a. unfold set_cell. rewrite String.eqb_refl. cbn [se map]. destruct (a =? _); auto.
    - cbn in Cs, Ds. apply andb_true_iff in Cs as [Cd Cs], Ds as [Dd Ds]. cbn [exec zdef ze]. rewrite Dd.
      cbn [andb].
      assert (Hi : mem (fill_var n) vars = false) by (apply Hn; lia).
      assert (Hbody : forall z M, 0 <= z < ze v d ->
        exists M', exec junk order (fill_loops registers x c (Datatypes.S n) sh (l ++ [Var (fill_var n)]))
          ((fill_var n, z) :: v) D M = Some M' /\
          others_unchanged x M M' /\
          (forall xs, inbox (evs v sh) xs -> M' x (flat ds (evs v l ++ z :: xs)) = op c []) /\
          (forall a, M' x a = op c [] \/ M' x a = M x a)).
      { intros z M0 Hz.
        assert (Ha : agree vars v ((fill_var n, z) :: v)) by now apply agree_bind.
        destruct (closed_agree _ _ _ _ Ha Cs) as [Es Ds'], (closed_agree _ _ _ _ Ha Cl) as [El Dl'].
        assert (El' : evs ((fill_var n, z) :: v) (l ++ [Var (fill_var n)]) = evs v l ++ [z]).
        { unfold evs in *. rewrite map_app, El. cbn [map ze]. now rewrite lookup_same. }
        destruct (IH (Datatypes.S n) (l ++ [Var (fill_var n)]) (fill_var n :: vars) ((fill_var n, z) :: v) D
          M0)
          as (M' & E & O & C & K); trivial.
        - unfold closed in *. rewrite forallb_forall in *. intros e He. specialize (Cs e He).
          clear -Cs. induction e; cbn in *; trivial;
            try (rewrite andb_true_iff in *; destruct Cs; auto). now rewrite Cs, orb_true_r.
        - unfold closed in *. rewrite forallb_app. cbn. rewrite String.eqb_refl, andb_true_r.
          rewrite forallb_forall in *. intros e He. specialize (Cl e He).
          clear -Cl. induction e; cbn in *; trivial;
            try (rewrite andb_true_iff in *; destruct Cl; auto). now rewrite Cl, orb_true_r.
        - intros m Hm. cbn [mem]. rewrite Hn by lia. rewrite orb_false_r. apply String.eqb_neq.
          intros E. apply fill_var_inj in E. lia.
        - now rewrite Ds'.
        - unfold zdefs in *. rewrite forallb_app, Dl', Dl. easy.
        - intros xs Hxs. rewrite Es in Hxs. rewrite El', <- app_assoc. apply Hin. now split.
        - rewrite El', Es in C. exists M'. repeat split; trivial.
          intros xs Hxs. rewrite <- (C xs Hxs), <- app_assoc. easy. }
      assert (Hiter : forall zs M, (forall z, In z zs -> 0 <= z < ze v d) ->
        exists M',
          iterate (fun z M =>
          exec junk order (fill_loops registers x c (Datatypes.S n) sh (l ++ [Var (fill_var n)]))
                                         ((fill_var n, z) :: v) D M) zs M = Some M' /\
          others_unchanged x M M' /\
          (forall z xs, In z zs -> inbox (evs v sh) xs -> M' x (flat ds (evs v l ++ z :: xs)) = op c []) /\
          (forall a, M' x a = op c [] \/ M' x a = M x a)).
      { induction zs as [|z zs IHz]; intros M0 Hzs; cbn [iterate].
        - exists M0. repeat split; auto; easy.
        - destruct (Hbody z M0 (Hzs z (or_introl eq_refl))) as (M1 & E1 & O1 & C1 & K1). rewrite E1.
          destruct (IHz M1) as (M2 & E2 & O2 & C2 & K2); [auto using in_cons|].
          exists M2. split; [exact E2|]. split; [now apply others_trans with M1|]. split.
          + intros y xs [->|Hy] Hxs; [|now apply C2].
            destruct (K2 (flat ds (evs v l ++ y :: xs))) as [->| ->]; auto.
          + intros a. destruct (K2 a) as [->| ->]; auto. }
      set (m := filling_mode registers x sh).
      assert (Hz : forall z, In z (iterations order m M 0 (ze v d)) <-> 0 <= z < ze v d)
        by (intros z; rewrite (in_iterations order reordering); apply in_zrange).
      destruct (Hiter (iterations order m M 0 (ze v d)) M) as (M' & E & O & C & K); [intros z; apply Hz|].
      exists M'. split; [exact E|]. split; [exact O|]. split; [|exact K].
      intros [|z xs] Hxs; [easy|]. apply C; [|apply Hxs]. apply Hz, Hxs.
  Qed.

  (** ** The tensor of a let, or of an output *)

  Lemma holds_stable R G D o : lookup None R o = None -> stable o (holds R G D).
  Proof.
    intros Ho M M' HO Hh x ds Hx. destruct (Hh x ds Hx) as (ds' & HD & Hc).
    exists ds'. split; trivial. intros xs Hxs. destruct (Hc xs Hxs) as [Hin <-]. split; trivial.
    apply HO. congruence.
  Qed.

  Lemma placed_id r F sh ds : (forall xs, inbox sh xs -> inbox ds xs) -> placed r F sh (fun xs => xs) ds.
  Proof. intros Hin. split; auto. Qed.

  (** The loops that fill a buffer and those of its tensor give the tensor, whatever the buffer held. *)
  Lemma tensor_computed R G D v x init a ds vars M : lookup None D x = Some ds -> lookup None R x = None ->
    closed vars (shape a) = true -> no_fill 0 vars -> zdefs v (shape a) = true ->
    (forall xs, inbox (evs v (shape a)) xs -> inbox ds xs) -> filled_or_written v init a ->
    performs junk order (holds R G D) (lower registers x None (fun l => l) a) v D x ds
      (touches None (den a v G) (evs v (shape a)) (fun xs => xs)) ->
    holds R G D M ->
    exists M',
      exec junk order (SSeq (fill registers x init (shape a)) (lower registers x None (fun l => l) a)) v D M =
      Some M' /\
      others_unchanged x M M' /\
      forall xs, inbox (evs v (shape a)) xs -> M' x (flat ds xs) = value init (den a v G xs).
  Proof.
    intros HD HR Ca Hn Da Hin Hfw Hperf Hh.
    assert (Hfill : exists M1, exec junk order (fill registers x init (shape a)) v D M = Some M1 /\
      others_unchanged x M M1 /\
      forall xs, inbox (evs v (shape a)) xs -> forall c, init = Some c -> M1 x (flat ds xs) = op c []).
    { destruct init as [c|]; cbn [fill].
      - destruct (fill_correct x c ds (shape a) 0 [] vars v D M) as (M1 & E & O & C & _); trivial.
        exists M1. repeat split; trivial. intros xs Hxs c' Ec. injection Ec as <-. now apply C.
      - exists M. repeat split; trivial. easy. }
    destruct Hfill as (M1 & E1 & O1 & C1).
    destruct (Hperf M1) as (M2 & E2 & O2 & C2); [now apply (holds_stable R G D x HR M)|].
    exists M2. cbn [exec]. rewrite E1. split; [exact E2|]. split; [now apply others_trans with M1|].
    intros xs Hxs.
    assert (Ht : touches None (den a v G) (evs v (shape a)) (fun xs => xs) xs (den a v G xs)).
    { destruct (list_nil_dec _ (den a v G xs)) as [E|HF].
      - rewrite E. apply miss. intros ys Hys HF ->. easy.
      - rewrite <- (within_none (den a v G xs)). now apply (hit None (den a v G)). }
    rewrite (C2 xs _ (Hin xs Hxs) Ht). unfold value.
    destruct init as [c|]; [now rewrite (C1 xs Hxs c)|].
    cbn in Hfw. rewrite forbox_iff in Hfw. now destruct (written_den a v G xs (Hfw xs Hxs)) as (y & l & ->).
  Qed.

  Definition in_scope (R : dims) (names : list string) : Prop :=
    forall x ds, lookup None R x = Some ds -> mem x names = true.

  Lemma not_in_scope R names x : in_scope R names -> mem x names = false -> lookup None R x = None.
  Proof.
    intros Hs Hx. destruct (lookup None R x) as [ds|] eqn:E; [|easy].
    apply Hs in E. congruence.
  Qed.

  Lemma in_scope_bind R names x ds : in_scope R names -> in_scope ((x, Some ds) :: R) (x :: names).
  Proof. intros Hs y dy. cbn. destruct (String.eqb y x); [easy|]. apply Hs. Qed.
  Lemma in_scope_more R names x : in_scope R names -> in_scope R (x :: names).
  Proof. intros Hs y dy Hy. cbn. rewrite (Hs y dy Hy). apply orb_true_r. Qed.

  (** Outside the scope of a buffer: what the others hold does not change by binding it. *)
  Lemma holds_alloc R G D M x ds B : lookup None R x = None -> holds R G D M ->
      holds R G ((x, Some ds) :: D) (set_buffer M x B).
  Proof.
    intros HR Hh y dy Hy. assert (y <> x) by congruence.
    destruct (Hh y dy Hy) as (ds' & HD & Hc). exists ds'. rewrite lookup_other by trivial. split; trivial.
    intros xs Hxs. unfold set_buffer. apply String.eqb_neq in H as ->. now apply Hc.
  Qed.

  Lemma evs_cut v sh : evs v (map cut_at_0 sh) = map (fun d => Z.max d 0) (evs v sh).
  Proof. unfold evs. now rewrite !map_map. Qed.

  Lemma alloc_defined v sh : zdefs v sh = true ->
      zdefs v (map cut_at_0 sh) && nonneg (evs v (map cut_at_0 sh)) = true.
  Proof.
    intros Hd. unfold zdefs, nonneg, evs in *. apply andb_true_iff.
    rewrite !forallb_forall in *.
    split; intros d Hin; rewrite ?map_map in Hin; apply in_map_iff in Hin as (e & <- & He).
    - cbn. now rewrite (Hd e He).
    - cbn. lia.
  Qed.

  (** A let around a body, for expressions and for programs: what the body needs, and what it then does. *)
  Lemma let_performs R G D v x init a names vars body M : mem x names = false -> in_scope R names ->
    closed vars (shape a) = true -> no_fill 0 vars -> zdefs v (shape a) = true ->
      filled_or_written v init a ->
    let ds := map (fun d => Z.max d 0) (evs v (shape a)) in
    (forall D', lookup None D' x = Some ds ->
       performs junk order (holds R G D') (lower registers x None (fun l => l) a) v D' x ds
         (touches None (den a v G) (evs v (shape a)) (fun xs => xs))) ->
    holds R G D M ->
    exists M2, others_unchanged x M M2 /\
      holds ((x, Some (evs v (shape a))) :: R) ((x, fun ys => value init (den a v G ys)) :: G)
        ((x, Some ds) :: D) M2 /\
      exec junk order (SAlloc x (map cut_at_0 (shape a))
                   (SSeq (SSeq (fill registers x init (shape a)) (lower registers x None (fun l => l) a))
                     body)) v D M =
      match exec junk order body v ((x, Some ds) :: D) M2 with
      | Some M' => Some (set_buffer M' x (M x))
      | None => None
      end.
  Proof.
    intros Hx Hs Ca Hn Da Hfw ds Ha Hh.
    pose proof (not_in_scope _ _ _ Hs Hx) as HR.
    destruct (tensor_computed R G ((x, Some ds) :: D) v x init a ds vars (set_buffer M x (junk M x)))
      as (M2 & E & O & C); trivial.
    - apply lookup_same.
    - intros xs Hxs. now apply inbox_max.
    - apply Ha, lookup_same.
    - now apply holds_alloc.
    - exists M2. split; [|split].
      + intros y Hy b. rewrite (O y Hy b). unfold set_buffer. now apply String.eqb_neq in Hy as ->.
      + intros y dy Hy. destruct (String.eqb_spec y x) as [->|Hne].
        * rewrite lookup_same in Hy. injection Hy as <-. exists ds. rewrite lookup_same. split; trivial.
          intros xs Hxs. rewrite lookup_same. split; [now apply inbox_max | now apply C].
        * rewrite lookup_other in Hy by trivial.
          destruct (holds_alloc R G D M x ds (junk M x) HR Hh y dy Hy) as (ds' & HD & Hc).
          exists ds'. split; trivial. intros xs Hxs. destruct (Hc xs Hxs) as [Hin Hv]. split; trivial.
          rewrite lookup_other by trivial. now rewrite (O y Hne).
      + cbn [exec] in *. rewrite (alloc_defined v (shape a) Da), evs_cut. fold ds.
        now rewrite E.
  Qed.

  (** ** The main induction *)

  Lemma fresh_not_bound i vars : fresh i vars = true -> mem i vars = false.
  Proof. intros Hi. apply andb_true_iff in Hi as [Hi _]. now apply negb_true_iff in Hi. Qed.

  Theorem lower_performs : forall e vars names R G D v o ods r th act,
    wf vars names e = true -> ok R v e -> no_fill 0 vars -> realizes vars v th act ->
    in_scope R names -> mem o names = true -> lookup None R o = None -> lookup None D o = Some ods ->
    r = None \/ meets e = false -> placed r (den e v G) (evs v (shape e)) act ods ->
    performs junk order (holds R G D) (lower registers o r th e) v D o ods
      (touches r (den e v G) (evs v (shape e)) act).
  Proof.
    induction e as [m i lo hi e IH|f i lo hi e IH|p e IH|x init a IHa e IHe|a IHa b IHb|rr args e IH|s];
      intros vars names R G D v o ods r th act Hwf Hok Hn Hth Hs Hmem HR HD Hr Hpl;
      cbn [wf ok lower shape meets] in *.
    - (* gen *)
      rewrite !andb_true_iff in Hwf. destruct Hwf as [[[Hi Hlo] Hsh] He]. destruct Hok as [Hdef Hok].
      pose proof (fresh_not_bound _ _ Hi) as Him.
      assert (Hrow : forall z, (fun xs => den (Gen m i lo hi e) v G (z - ze v lo :: xs)) =
        den e ((i, z) :: v) G).
      { intros z. cbn [den]. now replace (ze v lo + (z - ze v lo)) with z by lia. }
      change (evs v (Sub hi lo :: shape e)) with (ze v hi - ze v lo :: evs v (shape e)) in *.
      apply (performs_for junk order reordering) with
        (Uz := fun z => touches r (den e ((i, z) :: v) G) (evs v (shape e)) (fun xs =>
          act (z - ze v lo :: xs)));
        [now apply holds_stable | exact Hdef | |].
      + intros z Hz. pose proof (placed_row _ _ _ _ _ _ (z - ze v lo) Hpl ltac:(lia)) as Hpz.
        rewrite Hrow in Hpz.
        destruct (closed_agree _ _ _ _ (agree_bind vars v i z Him) Hsh) as [Esh _].
        rewrite <- Esh in Hpz |- *.
        apply IH with (i :: vars) names; auto; [now apply no_fill_fresh|].
        apply realizes_cons; trivial. now apply andb_true_iff in Hdef as [Hdlo _].
      + intros a l Ha Hl.
        destruct (touches_rows junk order reordering _ _ _ _ _ _ (ze v lo) (ze v hi) _ _ m Hpl eq_refl Hl) as
          (g & Hg & El).
        exists g. split; [|exact El]. intros z Hz. specialize (Hg z Hz). now rewrite Hrow in Hg.
    - (* sum *)
      rewrite !andb_true_iff in Hwf. destruct Hwf as [[[Hi Hsh] Hme] He]. apply negb_true_iff in Hme.
      destruct Hok as [Hdef Hok].
      pose proof (fresh_not_bound _ _ Hi) as Him.
      change (den (Sum f i lo hi e) v G) with
        (fun xs => total f (ze v lo) (ze v hi) (fun z => den e ((i, z) :: v) G xs)) in *.
      apply (performs_for junk order reordering) with
        (Uz := fun z => touches (Some f) (den e ((i, z) :: v) G) (evs v (shape e)) act);
        [now apply holds_stable | exact Hdef | |].
      + intros z Hz. pose proof (placed_term _ _ _ _ _ _ _ _ z Hpl Hz) as Hpz.
        destruct (closed_agree _ _ _ _ (agree_bind vars v i z Him) Hsh) as [Esh _].
        rewrite <- Esh in Hpz |- *.
        apply IH with (i :: vars) names; auto; [now apply no_fill_fresh | now apply realizes_bind].
      + intros a l Ha Hl. destruct (touches_terms _ _ _ _ _ _ _ _ _ _ Hpl Hl) as (g & Hg & ->). eauto.
    - (* guard *)
      destruct Hok as [Hdef Hok]. cbn [den] in *.
      apply performs_if with (U1 := touches r (den e v G) (evs v (shape e)) act); trivial.
      + intros Hp. rewrite Hp in Hpl. apply IH with vars names; auto.
      + intros a l Ha Hl. destruct (be v p); trivial. now destruct Hl.
    - (* let *)
      rewrite !andb_true_iff in Hwf. destruct Hwf as [[[Hx Hca] Hwa] Hwe]. apply negb_true_iff in Hx.
      destruct Hok as (Hda & Hoka & Hfw & Hoke). intros M Hh.
      pose proof (mem_other _ _ _ Hmem Hx) as Hox.
      destruct (let_performs R G D v x init a names vars (lower registers o r th e) M) as
        (M2 & O2 & Hh2 & ->); trivial.
      { intros D' HD'. apply IHa with vars (x :: names); trivial.
        - apply realizes_id.
        - now apply in_scope_more.
        - cbn. now rewrite String.eqb_refl.
        - now apply (not_in_scope R names).
        - now left.
        - apply placed_id. intros xs. now rewrite inbox_max. }
      destruct (IHe vars (x :: names) ((x, Some (evs v (shape a))) :: R)
        ((x, fun ys => value init (den a v G ys)) :: G)
                  ((x, Some (map (fun d => Z.max d 0) (evs v (shape a)))) :: D) v o ods r th act)
        with (M := M2) as (M3 & E3 & O3 & C3); trivial.
      { now apply in_scope_bind. }
      { cbn. now rewrite Hmem, orb_true_r. }
      { now rewrite lookup_other. }
      { now rewrite lookup_other. }
      rewrite E3. eexists. split; [reflexivity|]. unfold set_buffer. split.
      + intros y Hy b. destruct (String.eqb_spec y x) as [->|Hyx]; [easy|]. rewrite (O3 y Hy). now apply O2.
      + intros b l Hb Hl. apply String.eqb_neq in Hox as Hoxb. rewrite Hoxb.
        rewrite (C3 b l Hb Hl). now rewrite (O2 o Hox).
    - (* concat *)
      destruct Hok as (Hdn & Hna & Hnb & Htl & Hoka & Hokb). apply equal_all_eq in Htl.
      rewrite !andb_true_iff in Hwf. destruct Hwf as [[Hn1 Hwa] Hwb].
      destruct (shape a) as [|na sa] eqn:Esa; [easy|]. destruct (shape b) as [|nb sb] eqn:Esb; [easy|].
      cbn [hd tl evs map] in *.
      assert (Ej : den (Concat a b) v G = joined (ze v na) (den a v G) (den b v G)).
      { cbn [den]. rewrite Esa. reflexivity. }
      rewrite Ej in *. cbn [ze] in Hpl.
      assert (Eb : ze v nb :: map (ze v) sa = evs v (nb :: sb)) by (cbn; f_equal; exact Htl).
      apply performs_seq with
        (U1 := touches r (den a v G) (ze v na :: map (ze v) sa) act)
        (U2 := touches r (den b v G) (ze v nb :: map (ze v) sa) (fun xs => act (shifted (ze v na) xs)));
        [now apply holds_stable | | |].
      + apply IHa with vars names; trivial; [now rewrite orb_false_iff in Hr; tauto|].
        now apply (placed_left _ (ze v nb) _ _ (den b v G)).
      + unfold evs in Eb. cbn [map] in Eb. rewrite Eb.
        apply IHb with vars names; trivial; [now apply realizes_shift | now rewrite orb_false_iff in Hr;
          tauto |].
        unfold evs. rewrite <- Eb. now apply (placed_right (ze v na) (ze v nb) _ (den a v G)).
      + intros c l Hc Hl. now apply (touches_parts (ze v na) (ze v nb) _ _ _ act ods).
    - (* reshape *)
      rewrite !andb_true_iff in Hwf. destruct Hwf as [[Hca Hcs] Hwe].
      destruct Hok as (Hda & Hds & Hreq & Hcut & Hover & Hoke).
      rewrite shape_evaluates in *.
      change (den (Reshape rr args e) v G) with (reshaped rr (evs v args) (evs v (shape e)) (den e v G)) in *.
      assert (Hcut' : forall ys, inbox (evs v (shape e)) ys ->
                match rcut rr with Some cut => cut (evs v args) (evs v (shape e)) ys | None => False end ->
                  den e v G ys = []).
      { intros ys Hys. destruct (rcut rr);
          [|easy]. rewrite forbox_iff in Hcut. intros Hc. apply unwritten_den. auto. }
      assert (Halike : rover rr = true -> forall ys, inbox (evs v (shape e)) ys -> puts (den e v G ys) /\
                reshaped rr (evs v args) (evs v (shape e)) (den e v G)
                  (npush rr (evs v args) (evs v (shape e)) ys) = den e v G ys).
      { intros Ho. rewrite Ho in Hover. specialize (Hover S G). now rewrite forbox_iff in Hover. }
      rewrite orb_false_iff in Hr. intros M Hh.
      destruct (IH vars names R G D v o ods r (fun l => th (rpush rr args (shape e) l))
                  (fun ys => act (npush rr (evs v args) (evs v (shape e)) ys)))
        with (M := M) as (M' & E & O & C); trivial.
      { now apply realizes_reshape. }
      { tauto. }
      { apply placed_operand; trivial. tauto. }
      exists M'. repeat split; trivial. intros b l Hb Hl. apply C; trivial. now apply touches_operand.
    - (* scalar *)
      cbn [den] in *. destruct (Hth v [] (agree_refl _ _) eq_refl) as [Et Dt].
      change (evs v []) with (@nil Z) in Et. destruct Hpl as [Hin _].
      assert (Hods : inbox ods (act [])) by (apply Hin; easy).
      intros M Hh.
      destruct (performs_store junk order (holds R G D) v D o ods (th []) r s (se s v G) HD Dt) with (M := M)
        as (M' & E & O & C); trivial.
      { now rewrite Et. }
      { intros M0 Hh0. now apply (scalar_in_memory R). }
      exists M'. repeat split; trivial. intros b l Hb [[|x xs] Hxs HF Hxa|Hmiss]; try easy.
      + apply C; trivial. split; [easy|]. intros Hne. rewrite Et in Hne. congruence.
      + apply C; trivial. split; [|easy]. intros ->. rewrite Et in Hmiss. now destruct (Hmiss [] I).
  Qed.

  (** ** Programs *)

  Fixpoint output_names (p : program) : list string :=
    match p with
    | PLet _ _ _ p => output_names p
    | Outputs l => map fst l
    end.

  (** The buffers of the outputs are there, and are not read. *)
  Definition output_buffers (O R D : dims) (names : list string) : Prop :=
    forall o ds, lookup None O o = Some ds ->
      mem o names = true /\ lookup None R o = None /\ lookup None D o = Some ds.

  Lemma outputs_correct : forall vars names R G D O v l M,
    wf_outputs vars names l = true -> ok_outputs R O v l -> no_fill 0 vars -> in_scope R names ->
    output_buffers O R D names -> holds R G D M ->
    exists M', exec junk order (lower_outputs registers l) v D M = Some M' /\
      (forall y, mem y (map fst l) = false -> forall a, M' y a = M y a) /\
      forall o ds, mem o (map fst l) = true -> lookup None O o = Some ds -> forall xs, inbox ds xs ->
        M' o (flat ds xs) = result (Outputs l) v G o xs.
  Proof.
    intros vars names R G D O v l. induction l as [|[o [init e]] l IH]; intros M Hwf Hok Hn Hs Ho Hh.
    - exists M. now repeat split.
    - cbn [wf_outputs ok_outputs lower_outputs] in *. rewrite !andb_true_iff in Hwf.
      destruct Hwf as [[[[Hmo Hnew] Hce] Hwe] Hwl]. destruct Hok as (Hde & HO & Hoke & Hfw & Hokl).
      destruct (lookup None O o) as [ds|] eqn:EO; [|easy]. apply equal_all_eq in HO as ->. rename EO into HO.
      apply negb_true_iff in Hnew. destruct (Ho o _ HO) as (_ & HRo & HDo).
      destruct (tensor_computed R G D v o init e (evs v (shape e)) vars M) as (M1 & E1 & O1 & C1); trivial.
      { apply lower_performs with vars names; trivial; [apply realizes_id | now left | now apply placed_id]. }
      destruct (IH M1) as (M2 & E2 & O2 & C2); trivial.
      { now apply (holds_stable R G D o HRo M). }
      exists M2. cbn [exec] in *. rewrite E1. split; [exact E2|]. split.
      + intros y Hy a. cbn in Hy. apply orb_false_iff in Hy as [Hyo Hyl].
        rewrite (O2 y Hyl). apply O1. now apply String.eqb_neq.
      + intros o' ds Ho' Hds xs Hxs. cbn in Ho'. cbn [result lookup].
        destruct (String.eqb_spec o' o) as [->|Hne].
        * rewrite HO in Hds. injection Hds as <-. rewrite (O2 o Hnew). now apply C1.
        * now apply C2.
  Qed.

  Theorem program_correct : forall p vars names R G D O v M,
    wf_program vars names p = true -> ok_program R O v p -> no_fill 0 vars -> in_scope R names ->
    output_buffers O R D names -> holds R G D M ->
    exists M', exec junk order (lower_program registers p) v D M = Some M' /\
      (forall y, lookup None O y = None -> forall a, M' y a = M y a) /\
      forall o ds, mem o (output_names p) = true -> lookup None O o = Some ds -> forall xs, inbox ds xs ->
        M' o (flat ds xs) = result p v G o xs.
  Proof.
    induction p as [x init a p IH|l]; intros vars names R G D O v M Hwf Hok Hn Hs Ho Hh.
    - cbn [wf_program ok_program lower_program result output_names] in *. rewrite !andb_true_iff in Hwf.
      destruct Hwf as [[[Hx Hca] Hwa] Hwp]. apply negb_true_iff in Hx.
      destruct Hok as (Hda & Hoka & Hfw & Hokp).
      destruct (let_performs R G D v x init a names vars (lower_program registers p) M) as
        (M2 & O2 & Hh2 & ->); trivial.
      { intros D' HD'. apply lower_performs with vars (x :: names); trivial.
        - apply realizes_id.
        - now apply in_scope_more.
        - cbn. now rewrite String.eqb_refl.
        - now apply (not_in_scope R names).
        - now left.
        - apply placed_id. intros xs. now rewrite inbox_max. }
      set (D1 := (x, Some (map (fun d => Z.max d 0) (evs v (shape a)))) :: D) in *.
      assert (Hother : forall o ds, lookup None O o = Some ds -> o <> x).
      { intros o ds Hds. apply (mem_other o x names); trivial. now apply (Ho o ds). }
      destruct (IH vars (x :: names) ((x, Some (evs v (shape a))) :: R)
        ((x, fun ys => value init (den a v G ys)) :: G)
                  D1 O v M2) as (M3 & E3 & O3 & C3); trivial.
      { now apply in_scope_bind. }
      { intros o ds Hds. destruct (Ho o ds Hds) as (H1 & H2 & H3). pose proof (Hother o ds Hds) as Hne.
        unfold D1. rewrite !lookup_other by trivial. cbn [mem]. rewrite H1, orb_true_r. auto. }
      rewrite E3. eexists. split; [reflexivity|]. unfold set_buffer. split.
      + intros y Hy b. destruct (String.eqb_spec y x) as [->|Hyx]; [easy|].
        rewrite (O3 y Hy). now apply O2.
      + intros o ds Hin Hds xs Hxs. pose proof (Hother o ds Hds) as Hne. apply String.eqb_neq in Hne as ->.
        now apply C3.
    - destruct (outputs_correct vars names R G D O v l M) as (M' & E & OU & C); trivial.
      exists M'. split; [exact E|]. split; [|exact C].
      intros y Hy. apply OU. clear -Hok Hy. cbn [ok_program] in Hok.
      induction l as [|[o [init e]] l IH]; cbn in *; [easy|]. destruct Hok as (_ & HO & _ & _ & Hl).
      destruct (String.eqb_spec y o) as [->|_]; [now rewrite Hy in HO | auto].
  Qed.
End Correct.
