(** * The cells that a tensor reaches

    Where the contributions to a tensor's cells go when they are computed into a buffer.
    [placed]: at most one cell goes to each place of the buffer, or cells that put the same value
    there. [reached]: what then becomes of a place. For each tensor form, what holds of the whole
    follows from what holds of its parts. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.ContribFacts ops.Reshape
  syntax.Syntax lowering.Ok lowering.Scope.

(** ** Chains

    From one state to the other by [R z] for each of the numbers, in order. *)

Inductive chain {A} (R : Z -> A -> A -> Prop) : list Z -> A -> A -> Prop :=
| no_link c : chain R [] c c
| link z zs c c1 c2 : R z c c1 -> chain R zs c1 c2 -> chain R (z :: zs) c c2.

Section Reached.
  Context {S : Scalars}.

  (** What a contribution is inside the reduction [r], if there is one. *)
  Definition within (r : option string) (w : contrib) : contrib :=
    match r with
    | Some f => comb f w
    | None => w
    end.

  Lemma within_none (l : list contrib) : map (within None) l = l.
  Proof. apply map_id. Qed.

  (** ** Places

      [F]: the contributions to the cells of a tensor of dimensions [sh]. [act]: where its cells
      go. *)

  (** The cell [xs] is written. *)
  Definition live (F : list Z -> list contrib) (sh xs : list Z) : Prop :=
    inbox sh xs /\ F xs <> [].

  (** It goes to the place [a]. *)
  Definition goes (F : list Z -> list contrib) (sh : list Z) (act : list Z -> list Z)
      (xs a : list Z) : Prop :=
    inbox sh xs /\ F xs <> [] /\ act xs = a.

  (** At most one cell goes to each place, or else cells that put the same value there. *)
  Definition placed (r : option string) (F : list Z -> list contrib) (sh : list Z)
      (act : list Z -> list Z) (ods : list Z) : Prop :=
    (forall xs a, goes F sh act xs a -> inbox ods a) /\
    (forall xs ys a, goes F sh act xs a -> goes F sh act ys a ->
       xs = ys \/ r = None /\ F xs = F ys /\ puts (F xs)).

  (** What becomes of the place [a] that held [c]: a cell that goes there contributes to it, or
      none does. *)
  Inductive reached (r : option string) (F : list Z -> list contrib) (sh : list Z)
      (act : list Z -> list Z) (a : list Z) (c : V) : V -> Prop :=
  | hit xs : goes F sh act xs a -> reached r F sh act a c (runs c (map (within r) (F xs)))
  | miss : (forall xs, ~ goes F sh act xs a) -> reached r F sh act a c c.

  (** A value that is put in a place once more. *)
  Lemma puts_again w c : puts w -> w <> [] -> runs (runs c w) w = runs c w.
  Proof. now destruct w as [|[x|f x] w]. Qed.

  (** ** Rows: the iterations of a loop

      Different iterations go to different places, so their order does not matter. *)

  Lemma goes_row F n sh act x xs a :
    0 <= x < n ->
    goes (fun xs => F (x :: xs)) sh (fun xs => act (x :: xs)) xs a <->
    goes F (n :: sh) act (x :: xs) a.
  Proof.
    unfold goes.
    cbn.
    tauto.
  Qed.

  Lemma placed_row r F n sh act ods x :
    placed r F (n :: sh) act ods ->
    0 <= x < n ->
    placed r (fun xs => F (x :: xs)) sh (fun xs => act (x :: xs)) ods.
  Proof.
    intros [Hin Hinj] Hx.
    split.
    - intros xs a H%(goes_row F n); eauto.
    - intros xs ys a Hxs%(goes_row F n) Hys%(goes_row F n); trivial.
      destruct (Hinj _ _ a Hxs Hys) as [[= E]|]; auto.
  Qed.

  (** Different rows, which are different iterations of a loop, go to different cells, or put the
      same value there. *)
  Lemma rows_disjoint r F sh act ods x y xs ys a :
    placed r F sh act ods ->
    goes F sh act (x :: xs) a ->
    goes F sh act (y :: ys) a ->
    x <> y ->
    r = None /\ F (x :: xs) = F (y :: ys) /\ puts (F (x :: xs)).
  Proof. intros [_ Hinj] Hx Hy Hne. now destruct (Hinj _ _ a Hx Hy) as [[= E _]|]. Qed.

  (** So their order does not matter. *)
  Lemma reached_rows r F n sh act ods lo hi a zs c c' :
    placed r F (n :: sh) act ods ->
    n = hi - lo ->
    NoDup zs ->
    (forall z, In z zs <-> lo <= z < hi) ->
    chain
      (fun z => reached r (fun xs => F (z - lo :: xs)) sh (fun xs => act (z - lo :: xs)) a)
      zs c c' ->
    reached r F (n :: sh) act a c c'.
  Proof.
    intros Hpl Hn Hnd Hzs Hch.
    assert (Hall :
      (exists z xs,
         In z zs /\ goes F (n :: sh) act (z - lo :: xs) a /\
         c' = runs c (map (within r) (F (z - lo :: xs)))) \/
      c' = c /\ forall z xs, In z zs -> ~ goes F (n :: sh) act (z - lo :: xs) a).
    { assert (Hin : forall z, In z zs -> 0 <= z - lo < n) by (intros z Hz%Hzs; lia).
      clear Hzs.
      induction Hch as [c|z zs c c1 c2 Hz Hch IH]; [now right|].
      apply NoDup_cons_iff in Hnd as [Hnew Hnd].
      assert (Hz0 : 0 <= z - lo < n) by auto using in_eq.
      destruct IH as [(y & ys & Hy & Gy & ->)|[-> Hmiss]]; auto using in_cons.
      - left.
        exists y, ys.
        repeat split; auto using in_cons; try apply Gy.
        destruct Hz as [xs Gx%(goes_row F n)|_]; trivial.
        destruct (rows_disjoint r F _ act ods _ _ _ _ a Hpl Gx Gy) as (-> & E & Hp).
        { intros E.
          now replace y with z in Hy by lia. }
        rewrite <- E, within_none.
        apply puts_again; trivial.
        apply Gx.
      - destruct Hz as [xs Gx%(goes_row F n)|Hz]; trivial; [left; exists z, xs; auto using in_eq|].
        right.
        split; trivial.
        intros y ys [<-|Hy]; auto.
        now rewrite <- goes_row. }
    destruct Hall as [(z & xs & _ & G & ->)|[-> Hmiss]]; [now apply hit|].
    apply miss.
    intros [|x xs] G; [now destruct G|].
    apply (Hmiss (lo + x) xs); [apply Hzs; destruct G as [[Hx _] _]; lia|].
    now replace (lo + x - lo) with x by lia.
  Qed.

  (** ** The terms of a reduction

      Each term goes where the reduction goes, and they do so in order. *)

  Definition sum_of (f : string) (Fz : Z -> list Z -> list contrib) (zs xs : list Z)
      : list contrib :=
    flat_map (fun z => map (comb f) (Fz z xs)) zs.

  Lemma within_comb r f l : map (within r) (map (comb f) l) = map (within (Some f)) l.
  Proof.
    rewrite map_map.
    apply map_ext.
    intros [x|g x]; now destruct r.
  Qed.

  Lemma term_in_sum f Fz zs xs z : In z zs -> Fz z xs <> [] -> sum_of f Fz zs xs <> [].
  Proof.
    intros Hz HF E.
    unfold sum_of in E.
    apply in_split in Hz as (l1 & l2 & ->).
    rewrite flat_map_app in E.
    apply app_eq_nil in E as [_ [E _]%app_eq_nil].
    now apply map_eq_nil in E.
  Qed.

  Lemma sum_does_not_put f Fz zs xs : sum_of f Fz zs xs <> [] -> ~ puts (sum_of f Fz zs xs).
  Proof.
    unfold sum_of.
    induction zs as [|z zs IH]; cbn; [easy|].
    destruct (Fz z xs) as [|[x|g x] w]; cbn; auto.
  Qed.

  (** Each term goes where its sum goes. *)
  Lemma goes_sum f Fz zs sh act z xs a :
    In z zs -> goes (Fz z) sh act xs a -> goes (sum_of f Fz zs) sh act xs a.
  Proof.
    intros Hz (Hxs & HF & Ha).
    repeat split; trivial.
    now apply term_in_sum with z.
  Qed.

  Lemma sums_apart r f Fz zs sh act ods xs ys a :
    placed r (sum_of f Fz zs) sh act ods ->
    goes (sum_of f Fz zs) sh act xs a ->
    goes (sum_of f Fz zs) sh act ys a ->
    xs = ys.
  Proof.
    intros [_ Hinj] Hx Hy.
    destruct (Hinj xs ys a Hx Hy) as [|(_ & _ & Hp)]; trivial.
    apply sum_does_not_put in Hp; [easy | apply Hx].
  Qed.

  Lemma placed_term r f Fz zs sh act ods z :
    placed r (sum_of f Fz zs) sh act ods -> In z zs -> placed (Some f) (Fz z) sh act ods.
  Proof.
    intros Hpl Hz.
    split.
    - intros xs a H%(goes_sum f Fz zs); trivial.
      now apply Hpl in H.
    - intros xs ys a Hx%(goes_sum f Fz zs) Hy%(goes_sum f Fz zs); trivial.
      left.
      now apply (sums_apart r f Fz zs sh act ods xs ys a).
  Qed.

  Lemma reached_terms r f Fz sh act ods a zs c c' :
    placed r (sum_of f Fz zs) sh act ods ->
    chain (fun z => reached (Some f) (Fz z) sh act a) zs c c' ->
    reached r (sum_of f Fz zs) sh act a c c'.
  Proof.
    intros Hpl Hch.
    pose proof (fun xs ys => sums_apart r f Fz zs sh act ods xs ys a Hpl) as Hone.
    clear Hpl.
    induction Hch as [c|z zs c c1 c2 Hz Hch IH]; [now apply miss; intros xs (_ & H & _)|].
    assert (Hsum : forall xs, sum_of f Fz (z :: zs) xs =
      map (comb f) (Fz z xs) ++ sum_of f Fz zs xs) by easy.
    assert (Hhere : forall xs, goes (Fz z) sh act xs a -> goes (sum_of f Fz (z :: zs)) sh act xs a)
      by (intros xs; apply goes_sum; now left).
    assert (Hrest : forall xs, goes (sum_of f Fz zs) sh act xs a ->
      goes (sum_of f Fz (z :: zs)) sh act xs a)
      by (intros xs (H1 & H2 & H3); repeat split; trivial; now intros [_ E]%app_eq_nil).
    destruct IH as [ys Gy|Hmiss]; [now auto| |].
    - replace (runs c1 _) with (runs c (map (within r) (sum_of f Fz (z :: zs) ys)));
        [apply hit; auto|].
      rewrite Hsum, map_app, within_comb, runs_app.
      f_equal.
      destruct Hz as [xs Gx|Hz].
      + now rewrite (Hone ys xs) by auto.
      + destruct (list_nil_dec _ (Fz z ys)) as [->|HF]; [easy|].
        destruct Gy as (Hys & _ & Ha).
        elim (Hz ys).
        now repeat split.
    - destruct Hz as [xs Gx|Hz].
      + replace (runs c _) with (runs c (map (within r) (sum_of f Fz (z :: zs) xs)));
          [apply hit; auto|].
        rewrite Hsum, map_app, within_comb, runs_app.
        destruct (list_nil_dec _ (sum_of f Fz zs xs)) as [->|HF]; [easy|].
        destruct Gx as (Hxs & _ & Ha).
        elim (Hmiss xs).
        now repeat split.
      + apply miss.
        intros xs (Hxs & HF & Ha).
        rewrite Hsum in HF.
        destruct (list_nil_dec _ (Fz z xs)) as [E|HFx]; [|elim (Hz xs); now repeat split].
        rewrite E in HF.
        elim (Hmiss xs).
        now repeat split.
  Qed.

  (** ** The operand of a reshape

      Cells that are not cut go where the result's cell goes. *)

  Section Reshaped.
    Variables (rr : reshape) (args ds : list Z) (F : list Z -> list contrib).
    Variables (act : list Z -> list Z) (ods : list Z).
    Hypothesis req : rreq rr args ds.

    Hypothesis cut_unwritten : forall ys,
      inbox ds ys -> match rcut rr with Some cut => cut args ds ys | None => False end -> F ys = [].

    Definition reshaped (xs : list Z) : list contrib :=
      if fst (npull rr args ds xs) then F (snd (npull rr args ds xs)) else [].

    Hypothesis over_alike : rover rr = true -> forall ys,
      inbox ds ys -> puts (F ys) /\ reshaped (npush rr args ds ys) = F ys.

    Lemma live_push ys :
      live F ds ys ->
      live reshaped (nshape rr args ds) (npush rr args ds ys) /\
      reshaped (npush rr args ds ys) = F ys.
    Proof.
      intros [Hys HF].
      destruct (push_inside rr args ds ys req Hys) as [Hin|Hcut].
      - assert (E : reshaped (npush rr args ds ys) = F ys).
        { destruct (rover rr) eqn:Ho; [now apply over_alike|].
          unfold reshaped.
          now rewrite (pull_push rr args ds ys Ho req Hys Hin). }
        now repeat split; rewrite ?E.
      - now rewrite cut_unwritten in HF.
    Qed.

    Lemma goes_push ys a :
      goes F ds (fun ys => act (npush rr args ds ys)) ys a ->
      goes reshaped (nshape rr args ds) act (npush rr args ds ys) a /\
      reshaped (npush rr args ds ys) = F ys.
    Proof.
      intros (Hys & HF & Ha).
      destruct (live_push ys (conj Hys HF)) as [[Hin HF'] E].
      now repeat split.
    Qed.

    Lemma placed_operand r :
      r = None \/ rover rr = false ->
      placed r reshaped (nshape rr args ds) act ods ->
      placed r F ds (fun ys => act (npush rr args ds ys)) ods.
    Proof.
      intros Hr [Hin Hinj].
      split; [intros ys a [H _]%goes_push; eauto|].
      intros xs ys a Gx Gy.
      destruct (goes_push xs a Gx) as [Px Ex], (goes_push ys a Gy) as [Py Ey].
      destruct (Hinj _ _ a Px Py) as [E|E]; [|rewrite Ex, Ey in E; now right].
      destruct (rover rr) eqn:Ho.
      - right.
        destruct Hr as [->|]; [|easy].
        rewrite E, Ey in Ex.
        repeat split; [easy|].
        now apply over_alike, Gx.
      - left.
        pose proof (pull_push rr args ds xs Ho req (proj1 Gx) (proj1 Px)) as E'.
        rewrite E, (pull_push rr args ds ys Ho req (proj1 Gy) (proj1 Py)) in E'.
        congruence.
    Qed.

    Lemma reached_operand r a c c' :
      reached r F ds (fun ys => act (npush rr args ds ys)) a c c' ->
      reached r reshaped (nshape rr args ds) act a c c'.
    Proof.
      intros [ys [G <-]%goes_push|Hmiss]; [now apply hit|].
      apply miss.
      unfold reshaped.
      intros xs (Hxs & HF & Ha).
      destruct (npull rr args ds xs) as [[|] ys] eqn:E; [|easy].
      destruct (push_pull rr args ds xs ys req Hxs E) as [Hys <-].
      elim (Hmiss ys).
      now repeat split.
    Qed.
  End Reshaped.

  (** ** The parts of a [concat]

      The cells of the second part are shifted by the extent of the first. *)

  Section Joined.
    Variables (na nb : Z) (sh : list Z) (Fa Fb : list Z -> list contrib).
    Variables (act : list Z -> list Z) (ods : list Z).
    Hypotheses (na_nonneg : 0 <= na) (nb_nonneg : 0 <= nb).

    Definition joined (xs : list Z) : list contrib :=
      match xs with
      | x :: xs => if x <? na then Fa (x :: xs) else Fb (x - na :: xs)
      | [] => []
      end.

    Lemma live_left xs :
      live Fa (na :: sh) xs -> live joined (na + nb :: sh) xs /\ joined xs = Fa xs.
    Proof.
      intros [Hin HF].
      destruct xs as [|x xs]; [easy|].
      destruct Hin as [Hx Hxs].
      unfold live.
      cbn.
      replace (x <? na) with true by lia.
      repeat split; trivial; lia.
    Qed.

    Lemma live_right xs :
      live Fb (nb :: sh) xs ->
      live joined (na + nb :: sh) (shifted na xs) /\ joined (shifted na xs) = Fb xs.
    Proof.
      intros [Hin HF].
      destruct xs as [|x xs]; [easy|].
      destruct Hin as [Hx Hxs].
      unfold live.
      cbn in *.
      replace (x + na <? na) with false by lia.
      replace (x + na - na) with x by lia.
      repeat split; trivial; lia.
    Qed.

    Lemma goes_left xs a :
      goes Fa (na :: sh) act xs a -> goes joined (na + nb :: sh) act xs a /\ joined xs = Fa xs.
    Proof.
      intros (Hin & HF & Ha).
      destruct (live_left xs (conj Hin HF)) as [[Hin' HF'] E].
      now repeat split.
    Qed.

    Lemma goes_right xs a :
      goes Fb (nb :: sh) (fun xs => act (shifted na xs)) xs a ->
      goes joined (na + nb :: sh) act (shifted na xs) a /\ joined (shifted na xs) = Fb xs.
    Proof.
      intros (Hin & HF & Ha).
      destruct (live_right xs (conj Hin HF)) as [[Hin' HF'] E].
      now repeat split.
    Qed.

    Lemma placed_left r : placed r joined (na + nb :: sh) act ods -> placed r Fa (na :: sh) act ods.
    Proof.
      intros [Hin Hinj].
      split; [intros xs a [H _]%goes_left; eauto|].
      intros xs ys a [Gx <-]%goes_left [Gy <-]%goes_left.
      eauto.
    Qed.

    Lemma placed_right r :
      placed r joined (na + nb :: sh) act ods ->
      placed r Fb (nb :: sh) (fun xs => act (shifted na xs)) ods.
    Proof.
      intros [Hin Hinj].
      split; [intros xs a [H _]%goes_right; eauto|].
      intros xs ys a Gx Gy.
      destruct (goes_right xs a Gx) as [Px <-], (goes_right ys a Gy) as [Py <-].
      destruct (Hinj _ _ a Px Py) as [E|]; auto.
      left.
      destruct xs as [|x xs], ys as [|y ys]; try (now destruct Gx); try (now destruct Gy).
      injection E as E ->.
      f_equal.
      lia.
    Qed.

    Lemma reached_parts r a c c1 c2 :
      placed r joined (na + nb :: sh) act ods ->
      reached r Fa (na :: sh) act a c c1 ->
      reached r Fb (nb :: sh) (fun xs => act (shifted na xs)) a c1 c2 ->
      reached r joined (na + nb :: sh) act a c c2.
    Proof.
      intros [_ Hinj] [ys Gy|H1] [zs Gz|H2];
        try (destruct (goes_left ys a Gy) as [Py <-]);
          try (destruct (goes_right zs a Gz) as [Pz <-]).
      - destruct (Hinj ys (shifted na zs) a Py Pz) as [E|(-> & <- & Hp)].
        + destruct Gy as [Hy _], Gz as [Hz _], ys as [|y ys], zs as [|z zs]; try easy.
          cbn in *.
          injection E as E _.
          lia.
        + rewrite !within_none, puts_again by (trivial; apply Py).
          rewrite <- (within_none (joined ys)).
          now apply hit.
      - now apply hit.
      - now apply hit.
      - apply miss.
        intros [|x xs] (Hin & HF & Ha); [easy|].
        destruct Hin as [Hx Hxs].
        cbn in HF.
        destruct (Z.ltb_spec x na).
        + elim (H1 (x :: xs)).
          repeat split; trivial; lia.
        + elim (H2 (x - na :: xs)).
          repeat split; cbn; trivial; try lia.
          now replace (x - na + na) with x by lia.
    Qed.
  End Joined.
End Reached.
