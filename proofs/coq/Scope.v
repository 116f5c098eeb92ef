(** * Scoping: what an expression evaluates to depends on the variables it mentions

    And: evaluating a scalar in the memory of a loop nest gives what it denotes, where the buffers hold the tensors. *)

From ATL Require Import Index Box Contrib ops.Reshape Syntax Denote Loops Lower.

Lemma lookup_same A (d a : A) l x : lookup d ((x, a) :: l) x = a.
Proof. cbn. now rewrite String.eqb_refl. Qed.
Lemma lookup_other A (d a : A) l x y : y <> x -> lookup d ((x, a) :: l) y = lookup d l y.
Proof. intros Hne. cbn. now apply String.eqb_neq in Hne as ->. Qed.
Lemma mem_other x y l : mem x l = true -> mem y l = false -> x <> y. Proof. intros Hx Hy ->. congruence. Qed.

(** ** Environments that agree on the variables in scope *)

Definition agree (vars : list string) (v v' : env) : Prop := forall x, mem x vars = true ->
  lookup 0 v' x = lookup 0 v x.

Lemma agree_refl : forall vars v, agree vars v v. Proof. easy. Qed.
Lemma agree_bind vars v i z : mem i vars = false -> agree vars v ((i, z) :: v).
Proof. intros Hi x Hx. apply lookup_other. now apply (mem_other x i vars). Qed.

(** What agrees with [v] and a new binding agrees with [v]. *)
Lemma agree_unbind vars v v' i z : mem i vars = false -> agree (i :: vars) ((i, z) :: v) v' ->
    agree vars v v'.
Proof.
  intros Hi Ha x Hx. rewrite (Ha x); [exact (agree_bind vars v i z Hi x Hx)|].
  cbn. now rewrite Hx, orb_true_r.
Qed.
Lemma closed_idx_agree vars v v' e : agree vars v v' -> closed_idx vars e = true ->
    ze v' e = ze v e /\ zdef v' e = zdef v e.
Proof.
  intros Ha. induction e; cbn; intros Hc;
    try (apply andb_true_iff in Hc as [Hc1 Hc2];
         destruct (IHe1 Hc1) as [-> ->], (IHe2 Hc2) as [-> ->]); auto.
Qed.
Lemma closed_agree vars v v' l : agree vars v v' -> closed vars l = true -> evs v' l = evs v l /\ zdefs v' l =
    zdefs v l.
Proof.
  intros Ha. unfold evs, zdefs. induction l as [|e l IH]; cbn; intros Hc; [easy|].
  apply andb_true_iff in Hc as [He Hl]. destruct (IH Hl) as [-> ->].
  now destruct (closed_idx_agree _ _ _ _ Ha He) as [-> ->].
Qed.

(** ** Index maps *)

(** [th], wherever it is used below this place, does [act] to numbers. *)
Definition realizes (vars : list string) (v : env) (th : list idx -> list idx) (act : list Z ->
  list Z) : Prop :=
  forall v' l, agree vars v v' -> zdefs v' l = true -> evs v' (th l) = act (evs v' l) /\ zdefs v' (th l) =
    true.

Lemma realizes_id : forall vars v, realizes vars v (fun l => l) (fun xs => xs). Proof. easy. Qed.
Lemma realizes_bind vars v th act i z : mem i vars = false -> realizes vars v th act ->
    realizes (i :: vars) ((i, z) :: v) th act.
Proof. intros Hi Hr v' l Ha. apply Hr. now apply agree_unbind with i z. Qed.
Lemma realizes_cons vars v th act i lo z : mem i vars = false -> closed_idx vars lo = true ->
    zdef v lo = true -> realizes vars v th act ->
  realizes (i :: vars) ((i, z) :: v) (fun l => th (Sub (Var i) lo :: l)) (fun xs => act (z - ze v lo :: xs)).
Proof.
  intros Hi Hlo Hd Hr v' l Ha Hl.
  pose proof (agree_unbind _ _ _ _ _ Hi Ha) as Ha'.
  destruct (closed_idx_agree _ _ _ _ Ha' Hlo) as [Ez Ed].
  assert (Ei : lookup 0 v' i = z).
  { rewrite (Ha i); [apply lookup_same|]. cbn. now rewrite String.eqb_refl. }
  destruct (Hr v' (Sub (Var i) lo :: l) Ha') as [E D].
  - unfold zdefs in *. cbn [forallb zdef]. now rewrite Hl, Ed, Hd.
  - split; [|exact D]. rewrite E. cbn. now rewrite Ei, Ez.
Qed.
Lemma realizes_reshape vars v th act r args sh : closed vars args = true -> closed vars sh = true ->
    zdefs v args = true -> zdefs v sh = true ->
  rreq r (evs v args) (evs v sh) -> realizes vars v th act ->
  realizes vars v (fun l => th (rpush r args sh l)) (fun ys => act (npush r (evs v args) (evs v sh) ys)).
Proof.
  intros Ca Cs Da Ds Hreq Hr v' l Ha Hl.
  destruct (closed_agree _ _ _ _ Ha Ca) as [Ea Da'], (closed_agree _ _ _ _ Ha Cs) as [Es Ds'].
  assert (Hd : zdefs v' (rpush r args sh l) = true).
  { apply push_defined; rewrite ?Ea, ?Es, ?Da', ?Ds'; trivial. }
  destruct (Hr v' _ Ha Hd) as [E D]. split; [|exact D].
  now rewrite E, push_evaluates, Ea, Es.
Qed.

(** The second part of a [concat] is shifted by the extent of the first. *)
Definition shifted (n : Z) (xs : list Z) : list Z := match xs with x :: r => x + n :: r | [] => [] end.

Lemma realizes_shift vars v th act n : closed_idx vars n = true -> zdef v n = true ->
    realizes vars v th act ->
  realizes vars v (fun l => th (match l with i :: l => Add i n :: l | [] => [] end))
                  (fun xs => act (shifted (ze v n) xs)).
Proof.
  intros Hc Hd Hr v' l Ha Hl. destruct (closed_idx_agree _ _ _ _ Ha Hc) as [Ez Ed].
  destruct l as [|i l]; [now apply Hr|].
  cbn in Hl. apply andb_true_iff in Hl as [Hi Hl].
  destruct (Hr v' (Add i n :: l) Ha) as [E D].
  - unfold zdefs in *. cbn [forallb zdef]. now rewrite Hi, Hl, Ed, Hd.
  - split; [|exact D]. rewrite E. cbn. now rewrite Ez.
Qed.

(** ** Scalars in memory *)

Section Memory.
  Context {S : Scalars}.

  (** The buffers [D] hold the tensors [G] that may be read. *)
  Definition holds (R : dims) (G : tensors) (D : dims) (M : memory) : Prop :=
    forall x ds, lookup None R x = Some ds -> exists ds', lookup None D x = Some ds' /\
      forall xs, inbox ds xs -> inbox ds' xs /\ M x (flat ds' xs) = lookup no_tensor G x xs.

  Lemma view_lookup D M x ds : lookup None D x = Some ds -> forall xs, lookup no_tensor (view D M) x xs =
      M x (flat ds xs).
  Proof.
    induction D as [|[y b] D IH]; [easy|]. unfold view in *. cbn.
    destruct (String.eqb x y) eqn:E; intros Hb xs; [|now apply IH]. apply String.eqb_eq in E as ->.
    now rewrite Hb.
  Qed.
  Lemma scalar_in_memory R G D M v : holds R G D M -> forall s, sdef R v s = true ->
      sdef D v s = true /\ se s v (view D M) = se s v G.
  Proof.
    intros Hh. fix IH 1. intros [x l|f args|ty z|p|p s t|c e]; cbn [sdef se]; intros Hd; try easy.
    - apply andb_true_iff in Hd as [Hl Hx]. destruct (lookup None R x) as [ds|] eqn:Ex; [|easy].
      apply inboxb_iff in Hx. destruct (Hh x ds Ex) as (ds' & Ed & Hc). destruct (Hc _ Hx) as [Hin Hv].
      rewrite Hl, Ed, (view_lookup _ _ _ _ Ed). split; [|exact Hv]. cbn. now apply inboxb_iff.
    - enough (E : forallb (sdef D v) args = true /\
                  map (fun s => se s v (view D M)) args = map (fun s => se s v G) args)
        by (destruct E as [E1 E2]; now rewrite E2).
      revert args Hd. fix IHargs 1. intros [|s args] Hd; [easy|]. cbn in Hd |- *.
      apply andb_true_iff in Hd as [Hs Ha]. destruct (IH s Hs) as [-> ->].
      destruct (IHargs args Ha) as [-> ->]. easy.
    - apply andb_true_iff in Hd as [Hd Ht]. apply andb_true_iff in Hd as [Hp Hs].
      rewrite Hp. destruct (be v p); cbn in *.
      + now destruct (IH s Hs) as [-> ->].
      + now destruct (IH t Ht) as [-> ->].
  Qed.
End Memory.
