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

  Definition others_unchanged (o : string) (M M' : memory) : Prop := forall y, y <> o ->
    forall a, M' y a = M y a.

  Definition performs (P : memory -> Prop) (s : stmt) (v : env) (D : dims) (o : string) (ods : list Z)
      (U : list Z -> list contrib -> Prop) : Prop :=
    forall M, P M -> exists M', exec junk order s v D M = Some M' /\ others_unchanged o M M' /\
      forall a l, inbox ods a -> U a l -> M' o (flat ods a) = runs (M o (flat ods a)) l.

  (** [P] is about other buffers than [o]. *)
  Definition stable (o : string) (P : memory -> Prop) : Prop := forall M M', others_unchanged o M M' -> P M ->
    P M'.

  Lemma others_trans o M1 M2 M3 : others_unchanged o M1 M2 -> others_unchanged o M2 M3 ->
      others_unchanged o M1 M3.
  Proof. intros H12 H23 y Hy a. now rewrite H23, H12. Qed.
  Lemma runs_app l1 l2 c : runs c (l1 ++ l2) = runs (runs c l1) l2. Proof. apply fold_left_app. Qed.

  (** ** Statements *)

  Lemma iterations_permuted : forall m M lo hi, Permutation (zrange lo hi) (iterations order m M lo hi).
  Proof. intros [] M lo hi; try apply reordering; reflexivity. Qed.
  Lemma in_iterations m M lo hi z : In z (iterations order m M lo hi) <-> In z (zrange lo hi).
  Proof. pose proof (iterations_permuted m M lo hi) as HP.
  split; apply Permutation_in; [now symmetry | trivial]. Qed.
  Lemma iterations_nodup m M lo hi : NoDup (iterations order m M lo hi).
  Proof. now apply (Permutation_NoDup (iterations_permuted m M lo hi)), zrange_nodup. Qed.
  Lemma performs_seq P s1 s2 v D o ods U1 U2 (U : list Z -> list contrib -> Prop) : stable o P ->
    performs P s1 v D o ods U1 -> performs P s2 v D o ods U2 ->
    (forall a l, inbox ods a -> U a l ->
       exists l1 l2, U1 a l1 /\ U2 a l2 /\ forall c, runs c l = runs c (l1 ++ l2)) ->
    performs P (SSeq s1 s2) v D o ods U.
  Proof.
    intros Hst H1 H2 HU M HP.
    destruct (H1 M HP) as (M1 & E1 & O1 & C1). destruct (H2 M1) as (M2 & E2 & O2 & C2); [now apply (Hst M)|].
    exists M2. cbn. rewrite E1. split; [exact E2|]. split; [now apply others_trans with M1|].
    intros a l Ha Hl. destruct (HU a l Ha Hl) as (l1 & l2 & Hl1 & Hl2 & ->).
    rewrite runs_app, <- (C1 a l1 Ha Hl1). now apply C2.
  Qed.
  Lemma performs_for P m i lo hi s v D o ods Uz (U : list Z -> list contrib -> Prop) : stable o P ->
    zdef v lo && zdef v hi = true ->
    (forall z, ze v lo <= z < ze v hi -> performs P s ((i, z) :: v) D o ods (Uz z)) ->
    (forall a l, inbox ods a -> U a l ->
       exists g, (forall z, ze v lo <= z < ze v hi -> Uz z a (g z)) /\
         forall M c, runs c l = runs c (flat_map g (iterations order m M (ze v lo) (ze v hi)))) ->
    performs P (SFor m i lo hi s) v D o ods U.
  Proof.
    intros Hst Hdef Hbody HU M HP.
    assert (Hiter : forall zs M, (forall z, In z zs -> ze v lo <= z < ze v hi) -> P M ->
      exists M', iterate (fun z M => exec junk order s ((i, z) :: v) D M) zs M = Some M' /\
        others_unchanged o M M' /\
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
    intros a l Ha Hl. destruct (HU a l Ha Hl) as (g & Hg & El). rewrite (El M _). apply C; auto.
  Qed.
  Lemma performs_if P p s v D o ods U1 (U : list Z -> list contrib -> Prop) : bdef v p = true ->
    (be v p = true -> performs P s v D o ods U1) ->
    (forall a l, inbox ods a -> U a l -> if be v p then U1 a l else l = []) ->
    performs P (SIf p s) v D o ods U.
  Proof.
    intros Hdef Hs HU M HP. cbn [exec]. rewrite Hdef. destruct (be v p).
    - destruct (Hs eq_refl M HP) as (M' & E & O & C). exists M'. repeat split; trivial.
      intros a l Ha Hl. apply C; trivial. now apply HU.
    - exists M. repeat split. intros a l Ha Hl. now rewrite (HU a l Ha Hl).
  Qed.

  (** One store: its value to one cell. *)
  Lemma performs_store (P : memory -> Prop) v D o ods l r s x : lookup None D o = Some ods ->
    zdefs v l = true -> inbox ods (evs v l) ->
      (forall M, P M -> sdef D v s = true /\ se s v (view D M) = x) ->
    performs P (SStore o l r s) v D o ods
      (fun a w => (a = evs v l -> w = [within r (Put x)]) /\ (a <> evs v l -> w = [])).
  Proof.
    intros HD Hl Hin Hs M HP. destruct (Hs M HP) as [Hd Hx].
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
      cell that is written goes to each place, or else cells that put the same value there. *)
  Definition placed (r : option string) (F : list Z -> list contrib) (sh : list Z) (act : list Z ->
    list Z) (ods : list Z) : Prop :=
    (forall xs, inbox sh xs -> F xs <> [] -> inbox ods (act xs)) /\
    (forall xs ys, inbox sh xs -> inbox sh ys -> F xs <> [] -> F ys <> [] -> act xs = act ys ->
       xs = ys \/ r = None /\ F xs = F ys /\ puts (F xs)).

  Inductive touches (r : option string) (F : list Z -> list contrib) (sh : list Z) (act : list Z -> list Z)
      (a : list Z) : list contrib -> Prop :=
  | hit xs : inbox sh xs -> F xs <> [] -> act xs = a -> touches r F sh act a (map (within r) (F xs))
  | miss : (forall xs, inbox sh xs -> F xs <> [] -> act xs <> a) -> touches r F sh act a [].

  (** ** Parts of a tensor *)

  Lemma flat_map_nil : forall A B (g : A -> list B) l, (forall z, In z l -> g z = []) -> flat_map g l = [].
  Proof. induction l as [|z l IH]; cbn; intros Hg; [easy|]. rewrite Hg, IH; auto. Qed.
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
  Lemma within_none : forall l : list contrib, map (within None) l = l.
  Proof. induction l as [|w l IH]; cbn; congruence. Qed.

  (** A value that is put in a place once more. *)
  Lemma puts_again : forall w c c', puts w -> w <> [] -> runs c w = runs c' w.
  Proof. intros [|[x|f x] w] c c'; easy. Qed.
  Lemma runs_copies w g l : puts w -> w <> [] -> (forall z : Z, In z l -> g z = [] \/ g z = w) ->
    (exists z, In z l /\ g z = w) -> forall c, runs c w = runs c (flat_map g l).
  Proof.
    intros Hp Hw Hg (z & Hz & Ez) c. apply in_split in Hz as (l1 & l2 & ->).
    rewrite flat_map_app. cbn [flat_map].
    rewrite !runs_app, Ez, (puts_again w (runs c (flat_map g l1)) c Hp Hw).
    assert (Hrest : forall z, In z l2 -> g z = [] \/ g z = w) by (intros y Hy; apply Hg, in_app_iff; cbn;
      auto).
    clear Hg. induction l2 as [|y l2 IH]; cbn [flat_map]; [easy|]. rewrite runs_app.
    destruct (Hrest y (or_introl eq_refl)) as [->| ->]; [|rewrite (puts_again w (runs c w) c Hp Hw)];
      apply IH; auto using in_cons.
  Qed.

  (** Whether a cell of a tensor goes to [a]: a box is finite. *)
  Lemma box_dec : forall sh (P : list Z -> Prop), (forall xs, P xs \/ ~ P xs) ->
      (exists xs, inbox sh xs /\ P xs) \/ forall xs, inbox sh xs -> ~ P xs.
  Proof.
    induction sh as [|n sh IH]; intros P HP.
    - destruct (HP []) as [H|H]; [left; now exists [] | right; intros [|x xs]; easy].
    - assert (Hl : forall l, (exists x xs, In x l /\ inbox sh xs /\ P (x :: xs)) \/
                             forall x xs, In x l -> inbox sh xs -> ~ P (x :: xs)).
      { induction l as [|x l IHl]; [right; easy|].
        destruct (IH (fun xs => P (x :: xs)) (fun xs => HP (x :: xs))) as [(xs & Hxs & H)|H];
          [left; exists x, xs; cbn; auto|].
        destruct IHl as [(y & ys & Hy & H')|H']; [left; exists y, ys; cbn; tauto|].
        right. intros y ys [<-|Hy]; auto. }
      destruct (Hl (zrange 0 n)) as [(x & xs & Hx & Hxs & H)|H].
      + left. exists (x :: xs). now apply in_zrange in Hx.
      + right. intros [|x xs]; [easy|]. intros [Hx Hxs]. apply H; trivial. now apply in_zrange.
  Qed.
  Lemma touches_some r F sh act a : exists l, touches r F sh act a l.
  Proof.
    destruct (box_dec sh (fun xs => F xs <> [] /\ act xs = a)) as [(xs & Hxs & HF & Ha)|H].
    - intros xs.
      destruct (F xs); [right; now intros [] | destruct (list_eq_dec Z.eq_dec (act xs) a); [left | right];
        intuition easy].
    - eexists. now apply (hit r F sh act a xs).
    - eexists. apply miss. intros xs Hxs HF Ha. now apply (H xs).
  Qed.
  Lemma choose (R : Z -> list contrib -> Prop) l : (forall z, exists w, R z w) ->
      exists g, forall z, In z l -> R z (g z).
  Proof.
    intros HR. induction l as [|z l [g Hg]]; [now exists (fun _ => [])|]. destruct (HR z) as [w Hw].
    exists (fun y => if y =? z then w else g y). intros y [<-|Hy]; [now rewrite Z.eqb_refl|].
    destruct (Z.eqb_spec y z) as [->|]; auto.
  Qed.

  (** A part of a tensor does to a place what the whole does, or nothing. *)
  Lemma same_place r F sh act ods xs ys : placed r F sh act ods -> inbox sh xs -> inbox sh ys ->
    F xs <> [] -> F ys <> [] -> act xs = act ys -> map (within r) (F xs) = map (within r) (F ys).
  Proof. intros [_ Hinj] Hxs Hys HFx HFy E. destruct (Hinj xs ys Hxs Hys HFx HFy E) as [->|(_ & -> & _)];
    easy. Qed.

  (** The rows of a tensor go where the whole says. *)
  Lemma placed_row r F n sh act ods x : placed r F (n :: sh) act ods -> 0 <= x < n ->
      placed r (fun xs => F (x :: xs)) sh (fun xs => act (x :: xs)) ods.
  Proof.
    intros [Hin Hinj] Hx. split.
    - intros xs Hxs HF. apply Hin; cbn; auto.
    - intros xs ys Hxs Hys HFx HFy E. destruct (Hinj (x :: xs) (x :: ys)) as [Ec|H]; cbn; auto.
      left. congruence.
  Qed.

  Lemma touches_rows r F n sh act ods lo hi a l m : placed r F (n :: sh) act ods -> n = hi - lo ->
    touches r F (n :: sh) act a l ->
    exists g, (forall z, lo <= z < hi ->
                 touches r (fun xs => F (z - lo :: xs)) sh (fun xs => act (z - lo :: xs)) a (g z)) /\
              forall M c, runs c l = runs c (flat_map g (iterations order m M lo hi)).
  Proof.
    intros Hpl Hn Hl.
    destruct (choose (fun z => touches r (fun xs => F (z - lo :: xs)) sh (fun xs => act (z - lo :: xs)) a)
      (zrange lo hi))
      as [g Hg]; [intros z; apply touches_some|].
    exists g. split; [intros z Hz; now apply Hg, in_zrange|]. intros M c.
    assert (Hg' : forall z, In z (iterations order m M lo hi) -> lo <= z < hi /\
              touches r (fun xs => F (z - lo :: xs)) sh (fun xs => act (z - lo :: xs)) a (g z)).
    { intros z Hz. apply in_iterations in Hz. split; [now apply in_zrange | now apply Hg]. }
    clear Hg. destruct Hl as [[|x xs] Hxs HF Ha|Hmiss]; [easy| |].
    - assert (Hx : In (lo + x) (iterations order m M lo hi)) by (apply in_iterations, in_zrange; destruct Hxs;
        lia).
      assert (Ex : g (lo + x) = map (within r) (F (x :: xs))).
      { destruct (Hg' _ Hx) as [_ Ht]. replace (lo + x - lo) with x in Ht by lia.
        destruct Ht as [ys Hys HFy Hay|Hmiss]; [|now destruct (Hmiss xs ltac:(apply Hxs))].
        apply (same_place r F (n :: sh) act ods); trivial; [split; [apply Hxs | trivial] | congruence]. }
      assert (Hother : forall z, In z (iterations order m M lo hi) -> g z = [] \/
                z = lo + x \/ g z = map (within r) (F (x :: xs)) /\ r = None /\ puts (F (x :: xs))).
      { intros z Hz. destruct (Hg' z Hz) as [Hzr [ys Hys HFy Hay|]]; [right|now left].
        destruct Hpl as [_ Hinj]. destruct (Hinj (x :: xs) (z - lo :: ys)) as [Ec|(-> & -> & Hp)]; auto;
          [cbn; split; trivial; lia| |].
        - congruence.
        - left. injection Ec as Ec _. lia. }
      assert (Hcase : (r = None /\ puts (F (x :: xs))) \/ ~ (r = None /\ puts (F (x :: xs)))).
      { destruct r; [right; now intros []|]. destruct (F (x :: xs)) as [|[y|f y] l]; cbn; tauto. }
      destruct Hcase as [[-> Hp]|Hno].
      + rewrite within_none in *.
        apply runs_copies; trivial; [intros z Hz; destruct (Hother z Hz); intuition congruence
          | now exists (lo + x)].
      + f_equal.
        rewrite <- (flat_map_single _ (map (within r) (F (x :: xs))) (lo + x) _ (iterations_nodup m M lo hi)
          Hx).
        rewrite !flat_map_concat_map. f_equal. apply map_ext_in. intros z Hz.
        destruct (Z.eqb_spec z (lo + x)) as [->|Hne]; [easy|]. destruct (Hother z Hz) as [E|[E|[_ E]]]; easy.
    - rewrite flat_map_nil; [easy|]. intros z Hz. destruct (Hg' z Hz) as [Hzr [ys Hys HFy Hay|]]; [|easy].
      destruct (Hmiss (z - lo :: ys)); trivial. cbn. split; trivial. lia.
  Qed.

  (** Different rows, which are different iterations of a loop, do not touch the same cell, or put the same value there. *)
  Lemma rows_disjoint r F n sh act ods lo hi z w a l l' : placed r F (n :: sh) act ods -> n = hi - lo ->
    lo <= z < hi -> lo <= w < hi -> z <> w ->
    touches r (fun xs => F (z - lo :: xs)) sh (fun xs => act (z - lo :: xs)) a l ->
    touches r (fun xs => F (w - lo :: xs)) sh (fun xs => act (w - lo :: xs)) a l' -> l = [] \/ l' = [] \/ l =
      l' /\ puts l.
  Proof.
    intros [_ Hinj] Hn Hz Hw Hne [xs Hxs HF Ha|_] [ys Hys HF' Ha'|_]; auto.
    destruct (Hinj (z - lo :: xs) (w - lo :: ys)) as [E|(-> & E & Hp)]; trivial;
      [cbn; split; trivial; lia | cbn; split; trivial; lia | congruence | injection E as E _; lia |].
    right. right. now rewrite !within_none.
  Qed.

  (** The terms of a reduction each go where their sum goes. *)
  Lemma within_comb r f l : map (within r) (map (comb f) l) = map (within (Some f)) l.
  Proof. rewrite map_map. apply map_ext. intros [x|g x]; now destruct r. Qed.

  Lemma within_flat_map : forall r f (F : Z -> list contrib) l,
      map (within r) (flat_map (fun z => map (comb f) (F z)) l) =
        flat_map (fun z => map (within (Some f)) (F z)) l.
  Proof. induction l as [|z l IH]; cbn; [easy|]. now rewrite map_app, within_comb, IH. Qed.

  Lemma total_nonempty f (Fz : Z -> list Z -> list contrib) lo hi xs z : lo <= z < hi -> Fz z xs <> [] ->
      total f lo hi (fun z => Fz z xs) <> [].
  Proof. intros Hz HF. apply flat_map_nonempty with z; [now apply in_zrange|]. intros E.
  now apply map_eq_nil in E. Qed.

  Lemma total_does_not_put f lo hi (terms : Z -> list contrib) : total f lo hi terms <> [] ->
      ~ puts (total f lo hi terms).
  Proof.
    unfold total. induction (zrange lo hi) as [|z l IH]; cbn; [easy|].
    destruct (terms z) as [|[x|g x] w]; cbn; auto.
  Qed.

  (** Sums do not lie over each other. *)
  Lemma placed_total r f (Fz : Z -> list Z -> list contrib) lo hi sh act ods xs ys : let F := fun xs =>
      total f lo hi (fun z => Fz z xs) in
    placed r F sh act ods -> inbox sh xs -> inbox sh ys -> F xs <> [] -> F ys <> [] -> act xs = act ys ->
      xs = ys.
  Proof.
    intros F [_ Hinj] Hxs Hys HFx HFy E.
    destruct (Hinj xs ys Hxs Hys HFx HFy E) as [|(_ & _ & Hp)]; trivial. now apply total_does_not_put in Hp.
  Qed.

  Lemma placed_term r f (Fz : Z -> list Z -> list contrib) lo hi sh act ods z : placed r (fun xs =>
      total f lo hi (fun z => Fz z xs)) sh act ods -> lo <= z < hi ->
    placed (Some f) (Fz z) sh act ods.
  Proof.
    intros Hpl Hz. split.
    - intros xs Hxs HF. apply Hpl; trivial. now apply total_nonempty with z.
    - intros xs ys Hxs Hys HFx HFy E. left.
      apply (placed_total r f Fz lo hi sh act ods); trivial; now apply total_nonempty with z.
  Qed.

  Lemma touches_terms r f (Fz : Z -> list Z -> list contrib) lo hi sh act ods a l : placed r (fun xs =>
      total f lo hi (fun z => Fz z xs)) sh act ods ->
    touches r (fun xs => total f lo hi (fun z => Fz z xs)) sh act a l ->
    exists g, (forall z, lo <= z < hi -> touches (Some f) (Fz z) sh act a (g z)) /\ l =
      flat_map g (zrange lo hi).
  Proof.
    intros Hpl [xs Hxs HF Ha|Hmiss].
    - exists (fun z => map (within (Some f)) (Fz z xs)). split; [|now apply within_flat_map].
      intros z Hz. destruct (list_nil_dec _ (Fz z xs)) as [E|HFz]; [|now apply hit].
      rewrite E. apply miss. intros ys Hys HFy Ey.
      assert (Eq : ys = xs).
      { apply (placed_total r f Fz lo hi sh act ods); trivial;
          [|congruence]. now apply total_nonempty with z. }
      now subst ys.
    - exists (fun _ => []). split; [|now rewrite flat_map_nil].
      intros z Hz. apply miss. intros ys Hys HFy. apply Hmiss; trivial. now apply total_nonempty with z.
  Qed.

  (** The operand of a reshape: cells that are not cut go where the result's cell goes. *)
  Section Reshaped.
    Variables (rr : reshape) (args ds : list Z) (F : list Z -> list contrib) (act : list Z ->
      list Z) (ods : list Z).
    Hypothesis req : rreq rr args ds.
    Hypothesis cut_unwritten : forall ys, inbox ds ys -> match rcut rr with Some cut => cut args ds ys
      | None => False end -> F ys = [].

    Definition reshaped (xs : list Z) : list contrib :=
      if fst (npull rr args ds xs) then F (snd (npull rr args ds xs)) else [].

    Hypothesis over_alike : rover rr = true -> forall ys, inbox ds ys ->
      puts (F ys) /\ reshaped (npush rr args ds ys) = F ys.

    Lemma reshaped_push ys : inbox ds ys -> F ys <> [] -> inbox (nshape rr args ds) (npush rr args ds ys) /\
        reshaped (npush rr args ds ys) = F ys.
    Proof.
      intros Hys HF. destruct (push_inside rr args ds ys req Hys) as [Hin|Hcut].
      - split; trivial. destruct (rover rr) eqn:Ho; [now apply over_alike|].
        unfold reshaped. now rewrite (pull_push rr args ds ys Ho req Hys Hin).
      - now rewrite cut_unwritten in HF.
    Qed.

    Lemma placed_operand r : r = None \/ rover rr = false -> placed r reshaped (nshape rr args ds) act ods ->
        placed r F ds (fun ys => act (npush rr args ds ys)) ods.
    Proof.
      intros Hr [Hin Hinj]. split.
      - intros ys Hys HF. destruct (reshaped_push ys Hys HF) as [Hp E]. apply Hin; trivial. now rewrite E.
      - intros xs ys Hxs Hys HFx HFy E.
        destruct (reshaped_push xs Hxs HFx) as [Hpx Ex], (reshaped_push ys Hys HFy) as [Hpy Ey].
        apply Hinj in E; trivial; [|now rewrite Ex | now rewrite Ey]. rewrite Ex, Ey in E.
        destruct E as [E|E]; [|now right]. destruct (rover rr) eqn:Ho.
        + right. destruct Hr as [->|]; [|easy]. rewrite E, Ey in Ex. split; [easy|]. split; [easy|].
          now apply over_alike.
        + left. pose proof (pull_push rr args ds xs Ho req Hxs Hpx) as Px.
          pose proof (pull_push rr args ds ys Ho req Hys Hpy) as Py. rewrite E, Py in Px. congruence.
    Qed.

    Lemma touches_operand r a l : touches r reshaped (nshape rr args ds) act a l ->
        touches r F ds (fun ys => act (npush rr args ds ys)) a l.
    Proof.
      intros [xs Hxs HF Ha|Hmiss].
      - unfold reshaped in *. destruct (npull rr args ds xs) as [[|] ys] eqn:E; cbn [fst snd] in *; [|easy].
        destruct (push_pull rr args ds xs ys req Hxs E) as [Hys Ep].
        apply hit; trivial. now rewrite Ep.
      - apply miss. intros ys Hys HF. destruct (reshaped_push ys Hys HF) as [Hp E].
        apply Hmiss; trivial. now rewrite E.
    Qed.
  End Reshaped.

  (** Both parts of a [concat]. *)
  Section Joined.
    Variables (na nb : Z) (sh : list Z) (Fa Fb : list Z -> list contrib) (act : list Z ->
      list Z) (ods : list Z).
    Hypotheses (na_nonneg : 0 <= na) (nb_nonneg : 0 <= nb).

    Definition joined (xs : list Z) : list contrib :=
      match xs with
      | x :: xs => if x <? na then Fa (x :: xs) else Fb (x - na :: xs)
      | [] => []
      end.

    Lemma joined_left : forall xs, inbox (na :: sh) xs -> inbox (na + nb :: sh) xs /\ joined xs = Fa xs.
    Proof. intros [|x xs]; [easy|]. cbn. intros [Hx Hxs]. split; [split; trivial; lia|].
    now replace (x <? na) with true by lia. Qed.

    Lemma joined_right : forall xs, inbox (nb :: sh) xs -> inbox (na + nb :: sh) (shifted na xs) /\
        joined (shifted na xs) = Fb xs.
    Proof.
      intros [|x xs]; [easy|]. cbn. intros [Hx Hxs]. split; [split; trivial; lia|].
      replace (x + na <? na) with false by lia. do 2 f_equal. lia.
    Qed.

    Lemma placed_left r : placed r joined (na + nb :: sh) act ods -> placed r Fa (na :: sh) act ods.
    Proof.
      intros [Hin Hinj]. split.
      - intros xs Hxs HF. destruct (joined_left xs Hxs) as [Hj E]. apply Hin; trivial. now rewrite E.
      - intros xs ys Hxs Hys HFx HFy.
        destruct (joined_left xs Hxs) as [Hjx Ex], (joined_left ys Hys) as [Hjy Ey].
        rewrite <- Ex in *. rewrite <- Ey in *. now apply Hinj.
    Qed.

    Lemma placed_right r : placed r joined (na + nb :: sh) act ods ->
        placed r Fb (nb :: sh) (fun xs => act (shifted na xs)) ods.
    Proof.
      intros [Hin Hinj]. split.
      - intros xs Hxs HF. destruct (joined_right xs Hxs) as [Hj E]. apply Hin; trivial. now rewrite E.
      - intros xs ys Hxs Hys HFx HFy E.
        destruct (joined_right xs Hxs) as [Hjx Ex], (joined_right ys Hys) as [Hjy Ey].
        apply Hinj in E; trivial; [|now rewrite Ex | now rewrite Ey]. rewrite Ex, Ey in E.
        destruct E as [E|E]; [left | now right].
        destruct xs as [|x xs], ys as [|y ys]; try easy. cbn in E. injection E as E ->. f_equal. lia.
    Qed.

    Lemma touches_parts r a l : placed r joined (na + nb :: sh) act ods ->
      touches r joined (na + nb :: sh) act a l ->
      exists l1 l2, touches r Fa (na :: sh) act a l1 /\
                    touches r Fb (nb :: sh) (fun xs => act (shifted na xs)) a l2 /\ forall c, runs c l =
                      runs c (l1 ++ l2).
    Proof.
      intros Hpl Hl. destruct (touches_some r Fa (na :: sh) act a) as [l1 H1].
      destruct (touches_some r Fb (nb :: sh) (fun xs => act (shifted na xs)) a) as [l2 H2].
      exists l1, l2. split; [exact H1|]. split; [exact H2|]. intros c.
      assert (Hleft : forall ys, inbox (na :: sh) ys -> Fa ys <> [] -> act ys = a ->
                inbox (na + nb :: sh) ys /\ joined ys <> [] /\ joined ys = Fa ys).
      { intros ys Hys HF _. destruct (joined_left ys Hys) as [Hj E]. now rewrite E. }
      assert (Hright : forall ys, inbox (nb :: sh) ys -> Fb ys <> [] -> act (shifted na ys) = a ->
                inbox (na + nb :: sh) (shifted na ys) /\ joined (shifted na ys) <> [] /\
                  joined (shifted na ys) = Fb ys).
      { intros ys Hys HF _. destruct (joined_right ys Hys) as [Hj E]. now rewrite E. }
      destruct Hl as [xs Hxs HF Ha|Hmiss].
      - destruct H1 as [ys Hys HFy Hay|H1], H2 as [zs Hzs HFz Haz|H2].
        + destruct (Hleft ys Hys HFy Hay) as (Jy & Ny & <-), (Hright zs Hzs HFz Haz) as (Jz & Nz & <-).
          rewrite (same_place r joined _ act ods ys xs Hpl),
            (same_place r joined _ act ods (shifted na zs) xs Hpl) by congruence.
          destruct Hpl as [_ Hinj]. destruct (Hinj ys (shifted na zs)) as [E|(-> & E & Hp)]; trivial;
            [congruence| |].
          * destruct ys as [|y ys], zs as [|z zs]; try easy. cbn in *. injection E as E _. lia.
          * rewrite within_none, runs_app.
            destruct (Hinj ys xs) as [->|(_ & E' & _)]; trivial; [congruence|now apply puts_again|].
            rewrite <- E'. now apply puts_again.
        + destruct (Hleft ys Hys HFy Hay) as (Jy & Ny & <-). rewrite app_nil_r.
          now rewrite (same_place r joined _ act ods ys xs Hpl) by congruence.
        + destruct (Hright zs Hzs HFz Haz) as (Jz & Nz & <-). cbn [app].
          now rewrite (same_place r joined _ act ods (shifted na zs) xs Hpl) by congruence.
        + exfalso. destruct xs as [|x xs]; [easy|]. destruct (Z_lt_le_dec x na) as [Hx|Hx].
          * assert (Hl : inbox (na :: sh) (x :: xs)) by (cbn in *; intuition lia).
            apply (H1 _ Hl); trivial. now rewrite <- (proj2 (joined_left _ Hl)).
          * assert (Hr : inbox (nb :: sh) (x - na :: xs)) by (cbn in *; intuition lia).
            assert (Es : shifted na (x - na :: xs) = x :: xs) by (cbn; f_equal; lia).
            apply (H2 _ Hr); [|now rewrite Es]. rewrite <- (proj2 (joined_right _ Hr)). now rewrite Es.
      - destruct H1 as [ys Hys HFy Hay|_]; [destruct (Hleft ys Hys HFy Hay) as (Jy & Ny & _);
          now destruct (Hmiss ys)|].
        destruct H2 as [ys Hys HFy Hay|_]; [destruct (Hright ys Hys HFy Hay) as (Jy & Ny & _);
          now destruct (Hmiss _ Jy Ny)|easy].
    Qed.
  End Joined.
End Cells.
