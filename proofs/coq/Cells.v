(** * What a loop nest contributes to the cells of a buffer

    [performs P s v D o ods U]: where the memory satisfies [P], the loop nest [s] can be executed, changes no buffer but [o], and
    does to each cell [a] of [o] the contributions that [U] relates to [a].  One lemma for each statement; then, for the
    tensor forms, how the contributions of the whole are those of the parts. *)

From ATL Require Import Index Box Contrib ops.Reshape Syntax Denote Loops Lower Scope.

Section Cells.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.

  Definition others_unchanged (o : string) (M M' : memory) : Prop :=
    forall y, y <> o -> forall a, M' y a = M y a.

  Definition performs (P : memory -> Prop) (s : stmt) (v : env) (D : dims) (o : string) (ods : list Z)
      (U : list Z -> list contrib -> Prop) : Prop :=
    forall M, P M -> exists M', exec junk order s v D M = Some M' /\ others_unchanged o M M' /\
      forall a l, inbox ods a -> U a l -> M' o (flat ods a) = runs (M o (flat ods a)) l.

  (** [P] is about other buffers than [o]. *)
  Definition stable (o : string) (P : memory -> Prop) : Prop :=
    forall M M', others_unchanged o M M' -> P M -> P M'.

  Lemma others_trans : forall o M1 M2 M3,
    others_unchanged o M1 M2 -> others_unchanged o M2 M3 -> others_unchanged o M1 M3.
  Proof. intros o M1 M2 M3 H12 H23 y Hy a. now rewrite H23, H12. Qed.

  Lemma runs_app : forall l1 l2 c, runs c (l1 ++ l2) = runs (runs c l1) l2.
  Proof. intros. apply fold_left_app. Qed.

  (** ** Statements *)

  Lemma iterations_permuted : forall m M lo hi, Permutation (zrange lo hi) (iterations order m M lo hi).
  Proof. intros [] M lo hi; try apply reordering; reflexivity. Qed.

  Lemma in_iterations : forall m M lo hi z, In z (iterations order m M lo hi) <-> In z (zrange lo hi).
  Proof.
    intros m M lo hi z. pose proof (iterations_permuted m M lo hi) as HP.
    split; apply Permutation_in; [now symmetry | trivial].
  Qed.

  Lemma iterations_nodup : forall m M lo hi, NoDup (iterations order m M lo hi).
  Proof. intros m M lo hi. now apply (Permutation_NoDup (iterations_permuted m M lo hi)), zrange_nodup. Qed.

  Lemma performs_seq : forall P s1 s2 v D o ods U1 U2 (U : list Z -> list contrib -> Prop), stable o P ->
    performs P s1 v D o ods U1 -> performs P s2 v D o ods U2 ->
    (forall a l, inbox ods a -> U a l -> exists l1 l2, U1 a l1 /\ U2 a l2 /\ l = l1 ++ l2) ->
    performs P (SSeq s1 s2) v D o ods U.
  Proof.
    intros P s1 s2 v D o ods U1 U2 U Hst H1 H2 HU M HP.
    destruct (H1 M HP) as (M1 & E1 & O1 & C1). destruct (H2 M1) as (M2 & E2 & O2 & C2); [now apply (Hst M)|].
    exists M2. cbn. rewrite E1. split; [exact E2|]. split; [now apply others_trans with M1|].
    intros a l Ha Hl. destruct (HU a l Ha Hl) as (l1 & l2 & Hl1 & Hl2 & ->).
    rewrite runs_app, <- (C1 a l1 Ha Hl1). now apply C2.
  Qed.

  Lemma performs_for : forall P m i lo hi s v D o ods Uz (U : list Z -> list contrib -> Prop), stable o P ->
    zdef v lo && zdef v hi = true ->
    (forall z, ze v lo <= z < ze v hi -> performs P s ((i, z) :: v) D o ods (Uz z)) ->
    (forall a l, inbox ods a -> U a l ->
       exists g, (forall z, ze v lo <= z < ze v hi -> Uz z a (g z)) /\
         forall M, l = flat_map g (iterations order m M (ze v lo) (ze v hi))) ->
    performs P (SFor m i lo hi s) v D o ods U.
  Proof.
    intros P m i lo hi s v D o ods Uz U Hst Hdef Hbody HU M HP.
    assert (Hiter : forall zs M, (forall z, In z zs -> ze v lo <= z < ze v hi) -> P M ->
      exists M', iterate (fun z M => exec junk order s ((i, z) :: v) D M) zs M = Some M' /\ others_unchanged o M M' /\
        forall a g, inbox ods a -> (forall z, In z zs -> Uz z a (g z)) ->
          M' o (flat ods a) = runs (M o (flat ods a)) (flat_map g zs)).
    { induction zs as [|z zs IH]; intros M0 Hzs HP0; cbn [iterate].
      - exists M0. now repeat split.
      - destruct (Hbody z (Hzs z (or_introl eq_refl)) M0 HP0) as (M1 & E1 & O1 & C1). rewrite E1.
        destruct (IH M1) as (M2 & E2 & O2 & C2); [auto using in_cons | now apply (Hst M0) |].
        exists M2. split; [exact E2|]. split; [now apply others_trans with M1|].
        intros a g Ha Hg. cbn [flat_map]. rewrite runs_app, <- (C1 a (g z) Ha (Hg z (or_introl eq_refl))).
        apply C2; auto using in_cons. }
    assert (Hin : forall z, In z (iterations order m M (ze v lo) (ze v hi)) -> ze v lo <= z < ze v hi).
    { intros z Hz. apply in_zrange. now apply in_iterations in Hz. }
    destruct (Hiter (iterations order m M (ze v lo) (ze v hi)) M Hin HP) as (M' & E & O & C).
    exists M'. cbn [exec]. rewrite Hdef. split; [exact E|]. split; [exact O|].
    intros a l Ha Hl. destruct (HU a l Ha Hl) as (g & Hg & El). rewrite (El M). apply C; auto.
  Qed.

  Lemma performs_if : forall P p s v D o ods U1 (U : list Z -> list contrib -> Prop), bdef v p = true ->
    (be v p = true -> performs P s v D o ods U1) ->
    (forall a l, inbox ods a -> U a l -> if be v p then U1 a l else l = []) ->
    performs P (SIf p s) v D o ods U.
  Proof.
    intros P p s v D o ods U1 U Hdef Hs HU M HP. cbn [exec]. rewrite Hdef. destruct (be v p).
    - destruct (Hs eq_refl M HP) as (M' & E & O & C). exists M'. repeat split; trivial.
      intros a l Ha Hl. apply C; trivial. now apply HU.
    - exists M. repeat split. intros a l Ha Hl. now rewrite (HU a l Ha Hl).
  Qed.

  (** One store: its value to one cell. *)
  Lemma performs_store : forall (P : memory -> Prop) v D o ods l r s x, lookup None D o = Some ods ->
    zdefs v l = true -> inbox ods (evs v l) -> (forall M, P M -> sdef D v s = true /\ se s v (view D M) = x) ->
    performs P (SStore o l r s) v D o ods
      (fun a w => (a = evs v l -> w = [within r (Put x)]) /\ (a <> evs v l -> w = [])).
  Proof.
    intros P v D o ods l r s x HD Hl Hin Hs M HP. destruct (Hs M HP) as [Hd Hx].
    cbn [exec]. rewrite HD, Hl, Hd. apply inboxb_iff in Hin as Hinb. rewrite Hinb. cbn [andb].
    eexists. split; [reflexivity|]. split.
    - intros y Hy a. unfold set_cell. now apply String.eqb_neq in Hy as ->.
    - intros a w Ha [Hat Hnot]. unfold set_cell. rewrite String.eqb_refl.
      destruct (Z.eqb_spec (flat ods a) (flat ods (evs v l))) as [E|E].
      + apply flat_inj in E; trivial. rewrite (Hat E), <- E, Hx. now destruct r.
      + rewrite Hnot; [easy|]. intros ->. easy.
  Qed.

  (** ** The contributions of a tensor *)

  (** [F]: the contributions to the cells of a tensor of dimensions [sh]; [act]: where its cells go.  At most one
      cell that is written goes to each place. *)
  Definition placed (F : list Z -> list contrib) (sh : list Z) (act : list Z -> list Z) (ods : list Z) : Prop :=
    (forall xs, inbox sh xs -> F xs <> [] -> inbox ods (act xs)) /\
    (forall xs ys, inbox sh xs -> inbox sh ys -> F xs <> [] -> F ys <> [] -> act xs = act ys -> xs = ys).

  Inductive touches (r : option string) (F : list Z -> list contrib) (sh : list Z) (act : list Z -> list Z)
      (a : list Z) : list contrib -> Prop :=
  | hit xs : inbox sh xs -> F xs <> [] -> act xs = a -> touches r F sh act a (map (within r) (F xs))
  | miss : (forall xs, inbox sh xs -> F xs <> [] -> act xs <> a) -> touches r F sh act a [].

  (** ** Parts of a tensor *)

  Lemma flat_map_nil : forall A B (g : A -> list B) l, (forall z, In z l -> g z = []) -> flat_map g l = [].
  Proof.
    induction l as [|z l IH]; cbn; intros Hg; [easy|]. rewrite Hg, IH; auto.
  Qed.

  Lemma flat_map_single : forall A (w : list A) k l, NoDup l -> In k l ->
    flat_map (fun z => if z =? k then w else []) l = w.
  Proof.
    induction l as [|z l IH]; cbn; intros Hnd Hin; [easy|]. apply NoDup_cons_iff in Hnd as [Hz Hnd].
    destruct (Z.eqb_spec z k) as [->|Hne].
    - rewrite flat_map_nil; [apply app_nil_r|]. intros y Hy. destruct (Z.eqb_spec y k) as [->|]; easy.
    - destruct Hin as [->|Hin]; [easy|]. now rewrite IH.
  Qed.

  Lemma flat_map_nonempty : forall A B (g : A -> list B) l z, In z l -> g z <> [] -> flat_map g l <> [].
  Proof.
    induction l as [|y l IH]; cbn; intros z Hin Hg; [easy|].
    destruct Hin as [->|Hin]; intros E; apply app_eq_nil in E as [E1 E2]; [easy|]. now apply (IH z).
  Qed.

  Lemma list_nil_dec : forall A (l : list A), l = [] \/ l <> [].
  Proof. intros A [|a l]; [now left | right; discriminate]. Qed.

  (** The rows of a tensor go where the whole says. *)
  Lemma placed_row : forall F n sh act ods x, placed F (n :: sh) act ods -> 0 <= x < n ->
    placed (fun xs => F (x :: xs)) sh (fun xs => act (x :: xs)) ods.
  Proof.
    intros F n sh act ods x [Hin Hinj] Hx. split.
    - intros xs Hxs HF. apply Hin; cbn; auto.
    - intros xs ys Hxs Hys HFx HFy E. specialize (Hinj (x :: xs) (x :: ys)). cbn in Hinj.
      assert (Ec : x :: xs = x :: ys) by auto. congruence.
  Qed.

  Lemma touches_rows : forall r F n sh act ods lo hi a l m, placed F (n :: sh) act ods -> n = hi - lo ->
    touches r F (n :: sh) act a l ->
    exists g, (forall z, lo <= z < hi ->
                 touches r (fun xs => F (z - lo :: xs)) sh (fun xs => act (z - lo :: xs)) a (g z)) /\
              forall M, l = flat_map g (iterations order m M lo hi).
  Proof.
    intros r F n sh act ods lo hi a l m [Hin Hinj] Hn [[|x xs] Hxs HF Ha|Hmiss]; [easy| |].
    - destruct Hxs as [Hx Hxs].
      exists (fun z => if z =? lo + x then map (within r) (F (x :: xs)) else []). split.
      + intros z Hz. destruct (Z.eqb_spec z (lo + x)) as [->|Hne].
        * replace (F (x :: xs)) with (F (lo + x - lo :: xs)) by (do 2 f_equal; lia).
          apply (hit r (fun xs => F (lo + x - lo :: xs))); trivial;
            replace (lo + x - lo) with x by lia; trivial.
        * apply miss. intros ys Hys HFy E. apply Hne.
          assert (Ec : z - lo :: ys = x :: xs).
          { apply Hinj; trivial; cbn; try split; trivial; try lia. congruence. }
          injection Ec as Ex _. lia.
      + intros M. rewrite flat_map_single; trivial; [apply iterations_nodup|].
        apply in_iterations, in_zrange. lia.
    - exists (fun _ => []). split; [|intros M; now rewrite flat_map_nil].
      intros z Hz. apply miss. intros ys Hys HFy. apply Hmiss; trivial. cbn. split; trivial. lia.
  Qed.

  (** Different rows, which are different iterations of a loop, do not touch the same cell. *)
  Lemma rows_disjoint : forall r r' F n sh act ods lo hi z w a l l', placed F (n :: sh) act ods -> n = hi - lo ->
    lo <= z < hi -> lo <= w < hi -> z <> w ->
    touches r (fun xs => F (z - lo :: xs)) sh (fun xs => act (z - lo :: xs)) a l ->
    touches r' (fun xs => F (w - lo :: xs)) sh (fun xs => act (w - lo :: xs)) a l' -> l = [] \/ l' = [].
  Proof.
    intros r r' F n sh act ods lo hi z w a l l' [_ Hinj] Hn Hz Hw Hne [xs Hxs HF Ha|_] [ys Hys HF' Ha'|_]; auto.
    assert (E : z - lo :: xs = w - lo :: ys) by (apply Hinj; trivial; [cbn; split; trivial; lia | cbn; split; trivial; lia | congruence]).
    injection E as E _. lia.
  Qed.

  (** The terms of a reduction each go where their sum goes. *)
  Lemma within_comb : forall r f l, map (within r) (map (comb f) l) = map (within (Some f)) l.
  Proof. intros r f l. rewrite map_map. apply map_ext. intros [x|g x]; now destruct r. Qed.

  Lemma within_flat_map : forall r f (F : Z -> list contrib) l,
    map (within r) (flat_map (fun z => map (comb f) (F z)) l) = flat_map (fun z => map (within (Some f)) (F z)) l.
  Proof.
    induction l as [|z l IH]; cbn; [easy|]. now rewrite map_app, within_comb, IH.
  Qed.

  Lemma total_nonempty : forall f (Fz : Z -> list Z -> list contrib) lo hi xs z,
    lo <= z < hi -> Fz z xs <> [] -> total f lo hi (fun z => Fz z xs) <> [].
  Proof.
    intros f Fz lo hi xs z Hz HF. apply flat_map_nonempty with z; [now apply in_zrange|].
    intros E. now apply map_eq_nil in E.
  Qed.

  Lemma placed_term : forall f (Fz : Z -> list Z -> list contrib) lo hi sh act ods z,
    placed (fun xs => total f lo hi (fun z => Fz z xs)) sh act ods -> lo <= z < hi ->
    placed (Fz z) sh act ods.
  Proof.
    intros f Fz lo hi sh act ods z [Hin Hinj] Hz. split.
    - intros xs Hxs HF. apply Hin; trivial. now apply total_nonempty with z.
    - intros xs ys Hxs Hys HFx HFy. apply Hinj; trivial; now apply total_nonempty with z.
  Qed.

  Lemma touches_terms : forall r f (Fz : Z -> list Z -> list contrib) lo hi sh act ods a l,
    placed (fun xs => total f lo hi (fun z => Fz z xs)) sh act ods ->
    touches r (fun xs => total f lo hi (fun z => Fz z xs)) sh act a l ->
    exists g, (forall z, lo <= z < hi -> touches (Some f) (Fz z) sh act a (g z)) /\ l = flat_map g (zrange lo hi).
  Proof.
    intros r f Fz lo hi sh act ods a l [Hin Hinj] [xs Hxs HF Ha|Hmiss].
    - exists (fun z => map (within (Some f)) (Fz z xs)). split; [|now apply within_flat_map].
      intros z Hz. destruct (list_nil_dec _ (Fz z xs)) as [E|HFz]; [|now apply hit].
      rewrite E. apply miss. intros ys Hys HFy Ey.
      assert (Eq : ys = xs).
      { apply Hinj; trivial; [|congruence]. now apply total_nonempty with z. }
      now subst ys.
    - exists (fun _ => []). split; [|now rewrite flat_map_nil].
      intros z Hz. apply miss. intros ys Hys HFy. apply Hmiss; trivial. now apply total_nonempty with z.
  Qed.

  (** The operand of a reshape: cells that are not cut go where the result's cell goes. *)
  Section Reshaped.
    Variables (rr : reshape) (args ds : list Z) (F : list Z -> list contrib) (act : list Z -> list Z) (ods : list Z).
    Hypothesis req : rreq rr args ds.
    Hypothesis cut_unwritten : forall ys, inbox ds ys -> rcut rr args ds ys -> F ys = [].

    Definition reshaped (xs : list Z) : list contrib :=
      if fst (npull rr args ds xs) then F (snd (npull rr args ds xs)) else [].

    Lemma reshaped_push : forall ys, inbox ds ys -> F ys <> [] ->
      inbox (nshape rr args ds) (npush rr args ds ys) /\ reshaped (npush rr args ds ys) = F ys.
    Proof.
      intros ys Hys HF. destruct (push_inside rr args ds ys req Hys) as [Hin|Hcut].
      - split; trivial. unfold reshaped. now rewrite (pull_push rr args ds ys req Hys Hin).
      - now rewrite cut_unwritten in HF.
    Qed.

    Lemma placed_operand : placed reshaped (nshape rr args ds) act ods ->
      placed F ds (fun ys => act (npush rr args ds ys)) ods.
    Proof.
      intros [Hin Hinj]. split.
      - intros ys Hys HF. destruct (reshaped_push ys Hys HF) as [Hp E]. apply Hin; trivial. now rewrite E.
      - intros xs ys Hxs Hys HFx HFy E.
        destruct (reshaped_push xs Hxs HFx) as [Hpx Ex], (reshaped_push ys Hys HFy) as [Hpy Ey].
        apply Hinj in E; trivial; [|now rewrite Ex | now rewrite Ey].
        pose proof (pull_push rr args ds xs req Hxs Hpx) as Px.
        pose proof (pull_push rr args ds ys req Hys Hpy) as Py. rewrite E, Py in Px. congruence.
    Qed.

    Lemma touches_operand : forall r a l, touches r reshaped (nshape rr args ds) act a l ->
      touches r F ds (fun ys => act (npush rr args ds ys)) a l.
    Proof.
      intros r a l [xs Hxs HF Ha|Hmiss].
      - unfold reshaped in *. destruct (npull rr args ds xs) as [[|] ys] eqn:E; cbn [fst snd] in *; [|easy].
        destruct (push_pull rr args ds xs ys req Hxs E) as [Hys Ep].
        apply hit; trivial. now rewrite Ep.
      - apply miss. intros ys Hys HF. destruct (reshaped_push ys Hys HF) as [Hp E].
        apply Hmiss; trivial. now rewrite E.
    Qed.
  End Reshaped.

  (** Both parts of a [concat]. *)
  Section Joined.
    Variables (na nb : Z) (sh : list Z) (Fa Fb : list Z -> list contrib) (act : list Z -> list Z) (ods : list Z).
    Hypotheses (na_nonneg : 0 <= na) (nb_nonneg : 0 <= nb).

    Definition joined (xs : list Z) : list contrib :=
      match xs with
      | x :: xs => if x <? na then Fa (x :: xs) else Fb (x - na :: xs)
      | [] => []
      end.

    Lemma joined_left : forall xs, inbox (na :: sh) xs -> inbox (na + nb :: sh) xs /\ joined xs = Fa xs.
    Proof.
      intros [|x xs]; [easy|]. cbn. intros [Hx Hxs]. split; [split; trivial; lia|].
      now replace (x <? na) with true by lia.
    Qed.

    Lemma joined_right : forall xs, inbox (nb :: sh) xs ->
      inbox (na + nb :: sh) (shifted na xs) /\ joined (shifted na xs) = Fb xs.
    Proof.
      intros [|x xs]; [easy|]. cbn. intros [Hx Hxs]. split; [split; trivial; lia|].
      replace (x + na <? na) with false by lia. do 2 f_equal. lia.
    Qed.

    Lemma placed_left : placed joined (na + nb :: sh) act ods -> placed Fa (na :: sh) act ods.
    Proof.
      intros [Hin Hinj]. split.
      - intros xs Hxs HF. destruct (joined_left xs Hxs) as [Hj E]. apply Hin; trivial. now rewrite E.
      - intros xs ys Hxs Hys HFx HFy. destruct (joined_left xs Hxs) as [Hjx Ex], (joined_left ys Hys) as [Hjy Ey].
        apply Hinj; trivial; [now rewrite Ex | now rewrite Ey].
    Qed.

    Lemma placed_right : placed joined (na + nb :: sh) act ods ->
      placed Fb (nb :: sh) (fun xs => act (shifted na xs)) ods.
    Proof.
      intros [Hin Hinj]. split.
      - intros xs Hxs HF. destruct (joined_right xs Hxs) as [Hj E]. apply Hin; trivial. now rewrite E.
      - intros xs ys Hxs Hys HFx HFy E. destruct (joined_right xs Hxs) as [Hjx Ex], (joined_right ys Hys) as [Hjy Ey].
        apply Hinj in E; trivial; [|now rewrite Ex | now rewrite Ey].
        destruct xs as [|x xs], ys as [|y ys]; try easy. cbn in E. injection E as E ->. f_equal. lia.
    Qed.

    Lemma touches_parts : forall r a l, placed joined (na + nb :: sh) act ods ->
      touches r joined (na + nb :: sh) act a l ->
      exists l1 l2, touches r Fa (na :: sh) act a l1 /\
                    touches r Fb (nb :: sh) (fun xs => act (shifted na xs)) a l2 /\ l = l1 ++ l2.
    Proof.
      intros r a l [_ Hinj] [xs Hxs HF Ha|Hmiss].
      - destruct xs as [|x xs]; [easy|]. destruct (Z_lt_le_dec x na) as [Hx|Hx].
        + assert (Hl : inbox (na :: sh) (x :: xs)) by (cbn in *; intuition lia).
          destruct (joined_left _ Hl) as [_ E]. rewrite E in *.
          exists (map (within r) (Fa (x :: xs))), []. rewrite app_nil_r. split; [now apply hit|]. split; [|easy].
          apply miss. intros ys Hys HFy Ey. destruct (joined_right ys Hys) as [Hjy Eq].
          assert (Ec : shifted na ys = x :: xs).
          { apply Hinj; trivial; [now rewrite Eq | now rewrite E | congruence]. }
          destruct ys as [|y ys]; [easy|]. cbn in *. injection Ec as Ec _. lia.
        + assert (Hr : inbox (nb :: sh) (x - na :: xs)) by (cbn in *; intuition lia).
          assert (Es : shifted na (x - na :: xs) = x :: xs) by (cbn; f_equal; lia).
          destruct (joined_right _ Hr) as [_ E]. rewrite Es in E. rewrite E in *.
          exists [], (map (within r) (Fb (x - na :: xs))). split; [|split; [|easy]].
          * apply miss. intros ys Hys HFy Ey. destruct (joined_left ys Hys) as [Hjy Eq].
            assert (Ec : ys = x :: xs).
            { apply Hinj; trivial; [now rewrite Eq | now rewrite E | congruence]. }
            subst ys. cbn in Hys. lia.
          * apply (hit r Fb); trivial. now rewrite Es.
      - exists [], []. split; [|split; [|easy]]; apply miss; intros ys Hys HF.
        + destruct (joined_left ys Hys) as [Hj E]. apply Hmiss; trivial. now rewrite E.
        + destruct (joined_right ys Hys) as [Hj E]. apply Hmiss; trivial. now rewrite E.
    Qed.
  End Joined.
End Cells.
