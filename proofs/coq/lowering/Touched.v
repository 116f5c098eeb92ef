(** * What the loop nest of an expression touches

    [lower_touches]: it stores only where cells of the expression go, and reads only tensors that
    may be read. [rows_race_free]: so the iterations of a [gen] may run at the same time, if no
    cells of different iterations lie over each other; [separate] says so. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.ContribFacts ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Ok lowering.Scope
  lowering.Reached lowering.Touches.

Section Touched.
  Context {S : Scalars}.
  Variable registers : list string.

  Definition separate (nkey : list Z -> list Z) (F : list Z -> list contrib) (sh : list Z)
      (act : list Z -> list Z) : Prop :=
    forall xs ys a, goes F sh act xs a -> goes F sh act ys a -> nkey xs = nkey ys -> xs = ys.

  Lemma separate_id nkey F sh : separate nkey F sh (fun xs => xs).
  Proof. intros xs ys a (_ & _ & <-) (_ & _ & E) _. now symmetry. Qed.

  Lemma separate_row nkey F n sh act x :
    0 <= x < n ->
    separate nkey F (n :: sh) act ->
    separate (fun xs => nkey (x :: xs)) (fun xs => F (x :: xs)) sh (fun xs => act (x :: xs)).
  Proof.
    intros Hx H xs ys a Gx%(goes_row F n) Gy%(goes_row F n) E; trivial.
    now injection (H _ _ a Gx Gy E).
  Qed.

  Lemma separate_term nkey f Fz zs sh act z :
    In z zs -> separate nkey (sum_of f Fz zs) sh act -> separate nkey (Fz z) sh act.
  Proof. intros Hz H xs ys a Gx Gy. apply (H xs ys a); now apply goes_sum with z. Qed.

  Lemma separate_left nkey na nb sh Fa Fb act :
    0 <= nb ->
    separate nkey (joined na Fa Fb) (na + nb :: sh) act ->
    separate nkey Fa (na :: sh) act.
  Proof.
    intros Hnb H xs ys a Gx Gy.
    apply (H xs ys a); now apply goes_left.
  Qed.

  Lemma separate_right nkey na nb sh Fa Fb act :
    0 <= na ->
    separate nkey (joined na Fa Fb) (na + nb :: sh) act ->
    separate (fun xs => nkey (shifted na xs)) Fb (nb :: sh) (fun xs => act (shifted na xs)).
  Proof.
    intros Hna H xs ys a Gx Gy E.
    pose proof (proj1 (goes_right na nb sh Fa Fb act Hna xs a Gx)) as Gx'.
    pose proof (proj1 (goes_right na nb sh Fa Fb act Hna ys a Gy)) as Gy'.
    pose proof (H _ _ a Gx' Gy' E) as E'.
    destruct xs as [|x xs], ys as [|y ys]; try (now destruct Gx); try (now destruct Gy).
    injection E' as E' ->.
    f_equal.
    lia.
  Qed.

  Lemma separate_operand nkey rr args ds F act :
    rreq rr args ds ->
    (forall ys, inbox ds ys ->
       match rcut rr with Some cut => cut args ds ys | None => False end -> F ys = []) ->
    (rover rr = true -> forall ys, inbox ds ys ->
       puts (F ys) /\ reshaped rr args ds F (npush rr args ds ys) = F ys) ->
    separate nkey (reshaped rr args ds F) (nshape rr args ds) act ->
    separate (operand_nkey rr args ds nkey) F ds (fun ys => act (npush rr args ds ys)).
  Proof.
    intros Hreq Hcut Hover H xs ys a Gx Gy E.
    destruct (goes_push rr args ds F act Hreq Hcut Hover xs a Gx) as [Px _].
    destruct (goes_push rr args ds F act Hreq Hcut Hover ys a Gy) as [Py _].
    unfold operand_nkey in E.
    destruct (rover rr) eqn:Ho; cbn [app] in E.
    - injection E as Eh E.
      apply (push_rows rr args ds); trivial; try apply Gx; try apply Gy.
      now apply (H _ _ a Px Py).
    - pose proof (H _ _ a Px Py E) as E'.
      pose proof (pull_push rr args ds xs Ho Hreq (proj1 Gx) (proj1 Px)) as E1.
      pose proof (pull_push rr args ds ys Ho Hreq (proj1 Gy) (proj1 Py)) as E2.
      congruence.
  Qed.

  (** ** What the obligations say about the denotation

      A cell that is [unwritten] has no contributions; the first one to a cell that is [written]
      puts a value there. *)

  Lemma unwritten_den : forall e v G xs, unwritten e v xs -> den e v G xs = [].
  Proof.
    induction e; intros v G xs; cbn; auto.
    - destruct xs; rewrite ?from_correct; auto.
    - intros Hu.
      apply flat_map_nil.
      intros z Hz%in_zrange.
      now rewrite IHe by auto.
    - destruct (be v p); auto.
    - destruct xs as [|x xs]; [easy|].
      intros [Ha Hb].
      destruct (Z.ltb_spec x (hd 0 (evs v (shape e1)))); auto.
    - destruct (fst (npull r (evs v args) (evs v (shape e)) xs)); auto.
    - now destruct xs.
  Qed.

  Lemma written_den : forall e v G xs, written e v xs -> exists x l, den e v G xs = Put x :: l.
  Proof.
    induction e; intros v G xs; cbn; auto; try easy.
    - destruct xs; rewrite ?from_correct; [easy | auto].
    - intros [-> Hw].
      auto.
    - destruct xs as [|x xs]; [easy|].
      intros [Ha Hb].
      destruct (Z.ltb_spec x (hd 0 (evs v (shape e1)))); auto.
    - intros [-> Hw].
      auto.
    - intros ->.
      eauto.
  Qed.

  (** ** Index maps of the parts of an expression

      What the index map of an expression does for its cells, it does for those of its parts. *)

  Lemma row_of_gen m i lo hi e v G z :
    (fun xs => den (Gen m i lo hi e) v G (z - ze v lo :: xs)) = den e ((i, z) :: v) G.
  Proof. cbn [den]. now replace (ze v lo + (z - ze v lo)) with z by lia. Qed.

  Lemma realizes_gen m i lo hi e v G th act z :
    fresh i (map fst v) = true ->
    closed_idx (map fst v) lo = true ->
    closed (map fst v) (shape e) = true ->
    zdef v lo = true ->
    ze v lo <= z < ze v hi ->
    realizes v (live (den (Gen m i lo hi e) v G) (ze v hi - ze v lo :: evs v (shape e))) th act ->
    realizes ((i, z) :: v) (live (den e ((i, z) :: v) G) (evs v (shape e)))
      (fun l => th (Sub (Var i) lo :: l)) (fun xs => act (z - ze v lo :: xs)).
  Proof.
    intros Hi%fresh_not_bound Hlo Hsh Hdef Hz Hth.
    eapply realizes_fewer.
    - apply realizes_cons; [trivial | | exact Hth].
      intros v' Ha.
      cbn [ze zdef].
      rewrite (agree_bound _ _ _ _ Ha).
      apply agree_unbind in Ha; trivial.
      now destruct (closed_idx_agree _ _ _ Ha Hlo) as [-> ->].
    - intros xs [Hin HF].
      rewrite <- (row_of_gen m i lo hi) in HF.
      split; [split; [lia | easy] | easy].
  Qed.

  Lemma realizes_sum f i lo hi e v G th act z :
    fresh i (map fst v) = true ->
    ze v lo <= z < ze v hi ->
    realizes v (live (den (Sum f i lo hi e) v G) (evs v (shape e))) th act ->
    realizes ((i, z) :: v) (live (den e ((i, z) :: v) G) (evs v (shape e))) th act.
  Proof.
    intros Hi%fresh_not_bound Hz Hth.
    apply realizes_bind; trivial.
    apply (realizes_fewer _ _ _ _ _ Hth).
    intros xs [Hin HF].
    split; trivial.
    apply (term_in_sum f (fun z => den e ((i, z) :: v) G) _ _ z); trivial.
    now apply in_zrange.
  Qed.

  Lemma realizes_second v na nb sh Fa Fb th act :
    closed_idx (map fst v) na = true ->
    zdef v na = true ->
    0 <= ze v na ->
    realizes v (live (joined (ze v na) Fa Fb) (ze v na + nb :: sh)) th act ->
    realizes v (live Fb (nb :: sh))
      (fun l => th (match l with i :: l => Add i na :: l | [] => [] end))
      (fun xs => act (shifted (ze v na) xs)).
  Proof.
    intros Hc Hd Hna Hth.
    eapply realizes_fewer; [now apply realizes_shift; eauto|].
    intros xs Hxs.
    now apply (live_right _ _ _ Fa).
  Qed.

  (** ** The loop nest of an expression

      [place]: where contributions go. *)

  Definition place (F : list Z -> list contrib) (sh : list Z) (act : list Z -> list Z)
      (a : list Z) : Prop :=
    exists xs, goes F sh act xs a.

  (** What the obligations of a reshape say about the contributions of its operand. *)
  Lemma uncut_unwritten R v G r args e :
    ok R v (Reshape r args e) ->
    forall ys, inbox (evs v (shape e)) ys ->
    match rcut r with Some cut => cut (evs v args) (evs v (shape e)) ys | None => False end ->
    den e v G ys = [].
  Proof.
    intros Hok ys Hys Hcut.
    cbn [ok] in Hok.
    rewrite provided_iff, also_iff in Hok.
    destruct Hok as (_ & _ & Hu & _), (rcut r); [|easy].
    cbn in Hu.
    rewrite forbox_iff in Hu.
    auto using unwritten_den.
  Qed.

  Lemma over_rows_alike R v G r args e :
    ok R v (Reshape r args e) ->
    rover r = true ->
    forall ys, inbox (evs v (shape e)) ys ->
    puts (den e v G ys) /\
    reshaped r (evs v args) (evs v (shape e)) (den e v G)
      (npush r (evs v args) (evs v (shape e)) ys) =
    den e v G ys.
  Proof.
    intros Hok Ho.
    cbn [ok] in Hok.
    rewrite provided_iff, !also_iff, Ho in Hok.
    destruct Hok as (_ & _ & _ & Hover & _).
    cbn in Hover.
    specialize (Hover S G).
    now rewrite forbox_iff in Hover.
  Qed.

  Lemma realizes_fill n v d sh th act z :
    closed (map fst v) (d :: sh) = true ->
    no_fill n (map fst v) ->
    0 <= z < ze v d ->
    realizes v (inbox (evs v (d :: sh))) th act ->
    let v' := (fill_var n, z) :: v in
    closed (map fst v') sh = true /\
    no_fill (Datatypes.S n) (map fst v') /\
    realizes v' (inbox (evs v' sh)) (fun l => th (Var (fill_var n) :: l)) (fun xs => act (z :: xs)).
  Proof.
    intros [_ Cs]%andb_true_iff Hn Hz Hth v'.
    assert (Hi : mem (fill_var n) (map fst v) = false) by (apply Hn; lia).
    destruct (closed_agree _ _ _ (agree_bind v _ z Hi) Cs) as [Es _].
    split; [now apply closed_more|].
    split.
    - intros m Hm.
      cbn [map fst mem v'].
      rewrite Hn, orb_false_r by lia.
      apply String.eqb_neq.
      intros E%(f_equal String.length).
      rewrite !fill_var_length in E.
      lia.
    - eapply realizes_fewer; [apply realizes_cons; [exact Hi | | exact Hth]|].
      + intros v1 Ha.
        cbn.
        now rewrite (agree_bound _ _ _ _ Ha).
      + intros xs Hxs.
        unfold v' in Hxs.
        rewrite Es in Hxs.
        now split.
  Qed.

  Lemma fill_touches x c R v n sh th act :
    closed (map fst v) sh = true ->
    no_fill n (map fst v) ->
    realizes v (inbox (evs v sh)) th act ->
    touches R x (fun a => exists xs, act xs = a) (footprint (fill_loops registers x c n sh th) v).
  Proof.
    revert n v th act.
    induction sh as [|d sh IH]; intros n v th act Cs Hn Hth; cbn [fill_loops footprint reads].
    - intros a [<-|[]].
      split; trivial.
      exists [].
      now destruct (Hth v []) as [-> _].
    - apply touches_flat_map.
      intros z Hz%in_zrange.
      destruct (realizes_fill n v d sh th act z Cs Hn Hz Hth) as (Cs' & Hn' & Hth').
      eapply touches_more; [exact (IH _ _ _ _ Cs' Hn' Hth')|].
      intros a [xs <-].
      now exists (z :: xs).
  Qed.

  (** Each cell is put there once. *)
  Lemma fill_race_free x c (R : dims) v n d sh th act :
    closed (map fst v) (d :: sh) = true ->
    no_fill n (map fst v) ->
    realizes v (inbox (evs v (d :: sh))) th act ->
    (forall xs ys, act xs = act ys -> xs = ys) ->
    lookup None R x = None ->
    race_free (filling_mode registers x sh) (fill_var n) 0 (ze v d)
      (fill_loops registers x c (Datatypes.S n) sh (fun l => th (Var (fill_var n) :: l))) v = true.
  Proof.
    intros Cs Hn Hth Hinj Hx.
    apply zrange_apart with (R := R) (o := x) (T := fun z a => exists xs, act (z :: xs) = a);
      trivial.
    - intros z Hz.
      destruct (realizes_fill n v d sh th act z Cs Hn Hz Hth) as (Cs' & Hn' & Hth').
      exact (fill_touches x c R _ _ sh _ _ Cs' Hn' Hth').
    - intros _ y z a _ _ [xs <-] [ys E].
      now injection (Hinj _ _ E).
  Qed.

  Lemma filling_touches x init R v sh :
    closed (map fst v) sh = true ->
    no_fill 0 (map fst v) ->
    touches R x (fun _ => True) (footprint (fill registers x init sh) v).
  Proof.
    intros Cs Hn.
    destruct init as [c|]; [|easy].
    eapply touches_more; [now apply fill_touches with (act := fun xs => xs)|easy].
  Qed.

  (** A buffer that is allocated is of no interest further outside. *)
  Lemma touches_alloc R R' x o T T' l l' :
    (forall y, y <> x -> lookup None R' y = lookup None R y) ->
    touches R x T' l ->
    touches R' o T l' ->
    touches R o T (filter (fun a => negb (String.eqb (buffer a) x)) (l ++ l')).
  Proof.
    intros HR Hl Hl' a [Ha Hx%negb_true_iff%String.eqb_neq]%filter_In.
    apply in_app_iff in Ha as [Ha|Ha]; [specialize (Hl a Ha) | specialize (Hl' a Ha)];
      destruct a as [y ys|y ys]; cbn in *; trivial.
    - now destruct Hl.
    - now rewrite <- HR.
  Qed.

  Theorem lower_touches :
    forall e key R G v names o r th act,
    wf key (map fst v) names e = true ->
    ok R v e ->
    no_fill 0 (map fst v) ->
    realizes v (live (den e v G) (evs v (shape e))) th act ->
    touches R o (place (den e v G) (evs v (shape e)) act)
      (footprint (lower registers o r th e) v).
  Proof.
    induction e
      as [m i lo hi e IH|f i lo hi e IH|p e IH|x init a IHa e IHe|a IHa b IHb|rr args e IH|s];
      intros key R G v names o r th act Hwf Hok Hn Hth;
      cbn [wf lower shape footprint] in *; rewrite ?andb_true_iff in Hwf.
    - (* gen *)
      destruct Hwf as [[[[Hi Hlo] Hsh] _] He].
      cbn [ok] in Hok.
      rewrite provided_iff, andb_true_iff in Hok.
      destruct Hok as [[Hdlo _] Hok].
      change (evs v (extent lo hi :: shape e)) with (ze v (extent lo hi) :: evs v (shape e)) in *.
      rewrite extent_correct in *.
      apply touches_flat_map.
      intros z Hz%in_zrange.
      destruct (closed_agree _ _ _ (agree_bind v i z (fresh_not_bound _ _ Hi)) Hsh) as [Esh _].
      eapply touches_more.
      + apply (IH (row_key (Var i) lo key) R G)
          with (names := names) (act := fun xs => act (z - ze v lo :: xs));
          [exact He | auto | now apply no_fill_fresh |].
        rewrite Esh.
        now apply realizes_gen with m hi.
      + intros a [xs Gx].
        exists (z - ze v lo :: xs).
        rewrite Esh, <- (row_of_gen m i lo hi) in Gx.
        now apply goes_row; [lia|].
    - (* sum *)
      destruct Hwf as [[[Hi Hsh] _] He].
      cbn [ok] in Hok.
      rewrite provided_iff in Hok.
      apply touches_flat_map.
      intros z Hz%in_zrange.
      destruct (closed_agree _ _ _ (agree_bind v i z (fresh_not_bound _ _ Hi)) Hsh) as [Esh _].
      eapply touches_more.
      + apply (IH key R G) with (names := names) (act := act);
          [exact He | now apply Hok | now apply no_fill_fresh |].
        rewrite Esh.
        now apply realizes_sum with f lo hi.
      + intros a [xs Gx].
        exists xs.
        rewrite Esh in Gx.
        apply (goes_sum f (fun z => den e ((i, z) :: v) G)) with z; trivial.
        now apply in_zrange.
    - (* guard *)
      cbn [ok den] in *.
      rewrite provided_iff in Hok.
      destruct (be v p); [|easy].
      apply IH with key names; trivial.
      now apply Hok.
    - (* let *)
      destruct Hwf as [[[_ Hca] Hwa] Hwe].
      cbn [ok] in Hok.
      rewrite provided_iff, also_iff in Hok.
      destruct Hok as (_ & _ & Hoka & Hoke).
      apply touches_alloc with
        (R' := (x, Some (evs v (shape a))) :: R) (T' := fun _ => True).
      + intros y Hy.
        now apply lookup_other.
      + apply touches_app; [now apply filling_touches|].
        eapply touches_more; [|easy].
        now apply (IHa no_key R G) with (names := x :: names) (act := fun xs => xs).
      + now apply (IHe key _ ((x, fun ys => value init (den a v G ys)) :: G))
          with (names := x :: names).
    - (* concat *)
      cbn [ok] in Hok.
      rewrite provided_iff in Hok.
      destruct Hok as (Hdn & Hna & Hnb & Htl%equal_all_eq & Hoka & Hokb), Hwf as [[Hn1 Hwa] Hwb].
      destruct (shape a) as [|na sa] eqn:Esa; [easy|].
      destruct (shape b) as [|nb sb] eqn:Esb; [easy|].
      cbn [hd tl evs map] in *.
      assert (Ej : den (Concat a b) v G = joined (ze v na) (den a v G) (den b v G)).
      { cbn [den].
        now rewrite Esa. }
      rewrite Ej in *.
      cbn [ze] in Hth |- *.
      apply touches_app.
      + eapply touches_more.
        * apply (IHa key R G) with (names := names) (act := act); trivial.
          apply (realizes_fewer _ _ _ _ _ Hth).
          intros xs Hxs.
          now apply live_left.
        * intros c [xs Gx].
          exists xs.
          now apply goes_left.
      + change (map (ze v) sb) with (evs v sb) in *.
        change (map (ze v) sa) with (evs v sa) in *.
        rewrite Htl in *.
        eapply touches_more.
        * apply (IHb (second_key na key) R G)
            with (names := names) (act := fun xs => act (shifted (ze v na) xs));
            [exact Hwb | trivial | trivial |].
          now apply realizes_second with (Fa := den a v G).
        * intros c [xs Gx].
          exists (shifted (ze v na) xs).
          now apply goes_right.
    - (* reshape *)
      pose proof (uncut_unwritten R v G rr args e Hok) as Hcut.
      pose proof (over_rows_alike R v G rr args e Hok) as Hover.
      destruct Hwf as [[Hca Hcs] Hwe].
      cbn [ok] in Hok.
      rewrite provided_iff, !also_iff in Hok.
      destruct Hok as ([Hda Hds]%andb_true_iff & Hreq & _ & _ & Hoke).
      rewrite shape_evaluates in *.
      change (den (Reshape rr args e) v G)
        with (reshaped rr (evs v args) (evs v (shape e)) (den e v G)) in *.
      eapply touches_more.
      + apply (IH (operand_key rr args (shape e) key) R G) with
          (names := names) (act := fun ys => act (npush rr (evs v args) (evs v (shape e)) ys));
          [exact Hwe | trivial | trivial |].
        apply realizes_reshape with
          (asked := live (reshaped rr (evs v args) (evs v (shape e)) (den e v G))
             (nshape rr (evs v args) (evs v (shape e)))); trivial.
        intros ys Hys.
        split; [apply Hys|].
        now apply live_push.
      + intros c [ys Gy].
        exists (npush rr (evs v args) (evs v (shape e)) ys).
        now apply goes_push.
    - (* scalar *)
      apply touches_app; [now apply reads_touch|].
      intros c [<-|[]].
      split; trivial.
      exists [].
      now destruct (Hth v []) as [-> _].
  Qed.

  (** ** The iterations of a [gen] do not disturb each other *)

  Theorem gen_race_free m i lo hi e key nkey R G v names o r th act :
    wf key (map fst v) names (Gen m i lo hi e) = true ->
    ok R v (Gen m i lo hi e) ->
    no_fill 0 (map fst v) ->
    keyed v key nkey ->
    lookup None R o = None ->
    separate nkey (den (Gen m i lo hi e) v G) (evs v (shape (Gen m i lo hi e))) act ->
    realizes v (live (den (Gen m i lo hi e) v G) (evs v (shape (Gen m i lo hi e)))) th act ->
    race_free m i (ze v lo) (ze v hi)
      (lower registers o r (fun l => th (Sub (Var i) lo :: l)) e) v = true.
  Proof.
    intros Hwf Hok Hn Hk Ho Hsep Hth.
    cbn [wf ok shape] in *.
    rewrite !andb_true_iff, orb_true_iff, negb_true_iff in Hwf.
    rewrite provided_iff, andb_true_iff in Hok.
    destruct Hwf as [[[[Hi Hlo] Hsh] Hkey] He], Hok as [[Hdlo _] Hok].
    change (evs v (extent lo hi :: shape e)) with (ze v (extent lo hi) :: evs v (shape e)) in *.
    rewrite extent_correct in *.
    apply zrange_apart with (R := R) (o := o)
      (T := fun z => place (den e ((i, z) :: v) G) (evs v (shape e))
              (fun xs => act (z - ze v lo :: xs))); trivial.
    - intros z Hz.
      destruct (closed_agree _ _ _ (agree_bind v i z (fresh_not_bound _ _ Hi)) Hsh) as [Esh _].
      rewrite <- Esh.
      apply lower_touches with (row_key (Var i) lo key) names; trivial;
        [auto | now apply no_fill_fresh |].
      rewrite Esh.
      now apply realizes_gen with m hi.
    - intros Hm y z a Hy Hz [xs Gx] [ys Gy].
      rewrite <- (row_of_gen m i lo hi) in Gx, Gy.
      apply (goes_row (den (Gen m i lo hi e) v G) (ze v hi - ze v lo) _ act) in Gx, Gy;
        [|lia|lia].
      destruct Hkey as [Hkey|Hkey]; [congruence|].
      assert (E : y - ze v lo :: xs = z - ze v lo :: ys); [|injection E; lia].
      apply (Hsep _ _ a Gx Gy).
      destruct Gx as [[_ Lx] _], Gy as [[_ Ly] _].
      apply inbox_length in Lx, Ly.
      unfold evs in Lx, Ly.
      rewrite map_length in Lx, Ly.
      apply (key_constant v key nkey); trivial; cbn [length]; [now rewrite Lx | congruence].
  Qed.
End Touched.
