(** * Scoping: what an expression evaluates to depends on the variables that it mentions

    An index map that lowering composes does to numbers what it should ([realizes]). A scalar
    that is evaluated in the memory of a loop nest gives what it denotes, where the buffers hold
    the tensors ([buffers_hold]). *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Ok.

Lemma lookup_mem A (l : list (string * option A)) x a :
  lookup None l x = Some a -> mem x (map fst l) = true.
Proof. induction l as [|[y b] l IH]; cbn; [easy|]. destruct (String.eqb x y); auto. Qed.

Lemma mem_other x y l : mem x l = true -> mem y l = false -> x <> y.
Proof. intros Hx Hy ->. congruence. Qed.

(** ** Environments that agree on the variables in scope

    Further inside, variables are added and none is changed. *)

(** [v'], further inside, has not changed what [v] binds. *)
Definition agree (v v' : env) : Prop :=
  forall x, mem x (map fst v) = true -> lookup 0 v' x = lookup 0 v x.

Lemma agree_bind v i z : mem i (map fst v) = false -> agree v ((i, z) :: v).
Proof.
  intros Hi x Hx.
  apply lookup_other.
  now apply (mem_other x i (map fst v)).
Qed.

Lemma agree_bound v v' i z : agree ((i, z) :: v) v' -> lookup 0 v' i = z.
Proof.
  intros Ha.
  rewrite (Ha i); [apply lookup_same|].
  cbn.
  now rewrite String.eqb_refl.
Qed.

(** What agrees with [v] and a new binding agrees with [v]. *)
Lemma agree_unbind v v' i z : mem i (map fst v) = false -> agree ((i, z) :: v) v' -> agree v v'.
Proof.
  intros Hi Ha x Hx.
  rewrite (Ha x); [exact (agree_bind v i z Hi x Hx)|].
  cbn.
  now rewrite Hx, orb_true_r.
Qed.

Lemma closed_idx_agree v v' e :
  agree v v' -> closed_idx (map fst v) e = true -> ze v' e = ze v e /\ zdef v' e = zdef v e.
Proof.
  intros Ha.
  induction e; cbn; auto; intros [Hc1 Hc2]%andb_true_iff;
    now destruct (IHe1 Hc1) as [-> ->], (IHe2 Hc2) as [-> ->].
Qed.

Lemma closed_agree v v' l :
  agree v v' -> closed (map fst v) l = true -> evs v' l = evs v l /\ zdefs v' l = zdefs v l.
Proof.
  intros Ha.
  unfold evs, zdefs.
  induction l as [|e l IH]; cbn; [easy|].
  intros [He Hl]%andb_true_iff.
  destruct (IH Hl) as [-> ->].
  now destruct (closed_idx_agree _ _ _ Ha He) as [-> ->].
Qed.

Lemma closed_more x vars l : closed vars l = true -> closed (x :: vars) l = true.
Proof.
  assert (He : forall e, closed_idx vars e = true -> closed_idx (x :: vars) e = true).
  { induction e; cbn; rewrite ?andb_true_iff, ?orb_true_iff; tauto. }
  induction l as [|e l IH]; cbn; rewrite ?andb_true_iff; auto.
  intros []; auto.
Qed.

(** ** Variables of filling loops

    No variable of a program is one of a filling loop. *)

Lemma fill_var_length n : String.length (fill_var n) = S n.
Proof. induction n; cbn; auto. Qed.

Definition no_fill (n : nat) (vars : list string) : Prop :=
  forall m, (n <= m)%nat -> mem (fill_var m) vars = false.

Lemma fill_var_begins n : String.begins_with hash (fill_var n) = true.
Proof. now destruct n. Qed.

Lemma no_fill_fresh i vars : fresh i vars = true -> no_fill 0 vars -> no_fill 0 (i :: vars).
Proof.
  intros Hi Hv m Hm.
  apply andb_true_iff in Hi as [_ Hi].
  cbn [mem].
  rewrite (Hv m Hm), orb_false_r.
  apply String.eqb_neq.
  intros <-.
  now rewrite fill_var_begins in Hi.
Qed.

Lemma fresh_not_bound i vars : fresh i vars = true -> mem i vars = false.
Proof. intros [Hi _]%andb_true_iff. now apply negb_true_iff in Hi. Qed.

(** ** Index maps

    The map that lowering composes, as expressions, does what the map of numbers does. *)

(** Wherever it is used below this place, [th] does [act] to the numbers of a cell. Only some
    cells are [asked] for: those that are written. *)
Definition realizes (v : env) (asked : list Z -> Prop) (th : list idx -> list idx)
    (act : list Z -> list Z) : Prop :=
  forall v' l, agree v v' -> zdefs v' l = true -> asked (evs v' l) ->
    evs v' (th l) = act (evs v' l) /\ zdefs v' (th l) = true.

Lemma realizes_id v asked : realizes v asked (fun l => l) (fun xs => xs).
Proof. easy. Qed.

Lemma realizes_fewer v (asked asked' : list Z -> Prop) th act :
  realizes v asked th act -> (forall xs, asked' xs -> asked xs) -> realizes v asked' th act.
Proof. intros Hr Hask v' l Ha Hl Hl'. apply Hr; auto. Qed.

Lemma realizes_bind v asked th act i z :
  mem i (map fst v) = false -> realizes v asked th act -> realizes ((i, z) :: v) asked th act.
Proof.
  intros Hi Hr v' l Ha.
  apply Hr.
  now apply agree_unbind with i z.
Qed.

(** Inside a loop [k] is the first index. *)
Lemma realizes_cons v asked th act i z k x :
  mem i (map fst v) = false ->
  (forall v', agree ((i, z) :: v) v' -> ze v' k = x /\ zdef v' k = true) ->
  realizes v asked th act ->
  realizes ((i, z) :: v) (fun xs => asked (x :: xs)) (fun l => th (k :: l))
    (fun xs => act (x :: xs)).
Proof.
  intros Hi Hk Hr v' l Ha Hl Hask.
  destruct (Hk v' Ha) as [E D].
  destruct (Hr v' (k :: l)) as [E' D'].
  - now apply agree_unbind with i z.
  - cbn.
    now rewrite D.
  - cbn.
    now rewrite E.
  - split; [|exact D'].
    rewrite E'.
    cbn.
    now rewrite E.
Qed.

Lemma realizes_reshape v (asked asked' : list Z -> Prop) th act r args sh :
  closed (map fst v) args = true ->
  closed (map fst v) sh = true ->
  zdefs v args = true ->
  zdefs v sh = true ->
  rreq r (evs v args) (evs v sh) ->
  (forall ys, asked' ys -> inbox (evs v sh) ys /\ asked (npush r (evs v args) (evs v sh) ys)) ->
  realizes v asked th act ->
  realizes v asked' (fun l => th (rpush r args sh l))
    (fun ys => act (npush r (evs v args) (evs v sh) ys)).
Proof.
  intros Ca Cs Da Ds Hreq Hask Hr v' l Ha Hl Hl'.
  destruct (closed_agree _ _ _ Ha Ca) as [Ea Da'], (closed_agree _ _ _ Ha Cs) as [Es Ds'].
  destruct (Hask _ Hl') as [Hin Hpush].
  assert (E : evs v' (rpush r args sh l) = npush r (evs v args) (evs v sh) (evs v' l)).
  { now rewrite push_evaluates, Ea, Es. }
  destruct (Hr v' (rpush r args sh l) Ha) as [E' D'].
  - apply push_defined; rewrite ?Ea, ?Es, ?Da', ?Ds'; trivial.
  - now rewrite E.
  - split; [|exact D'].
    now rewrite E', E.
Qed.

(** The second part of a [concat] is shifted by the extent of the first. *)
Definition shifted (n : Z) (xs : list Z) : list Z :=
  match xs with
  | x :: r => x + n :: r
  | [] => []
  end.

Lemma realizes_shift v asked th act n :
  closed_idx (map fst v) n = true ->
  zdef v n = true ->
  realizes v asked th act ->
  realizes v (fun xs => asked (shifted (ze v n) xs))
    (fun l => th (match l with i :: l => Add i n :: l | [] => [] end))
    (fun xs => act (shifted (ze v n) xs)).
Proof.
  intros Hc Hd Hr v' [|i l] Ha Hl Hask; [now apply Hr|].
  destruct (closed_idx_agree _ _ _ Ha Hc) as [Ez Ed].
  cbn in Hl.
  apply andb_true_iff in Hl as [Hi Hl].
  destruct (Hr v' (Add i n :: l) Ha) as [E D].
  - cbn.
    now rewrite Hi, Ed, Hd.
  - cbn in *.
    now rewrite Ez.
  - split; [|exact D].
    rewrite E.
    cbn.
    now rewrite Ez.
Qed.

(** ** Scalars in memory

    A scalar is the same in memory as in the denotation. *)

Section Memory.
  Context {S : Scalars}.

  (** The buffers [D] hold the tensors [G] that may be read. *)
  Definition buffers_hold (R : dims) (G : tensors) (D : dims) (M : memory) : Prop :=
    forall x ds, lookup None R x = Some ds -> exists ds', lookup None D x = Some ds' /\
      forall xs, inbox ds xs -> inbox ds' xs /\ M x (flat ds' xs) = lookup no_tensor G x xs.

  Lemma view_lookup D M x ds :
    lookup None D x = Some ds -> forall xs, lookup no_tensor (view D M) x xs = M x (flat ds xs).
  Proof.
    induction D as [|[y b] D IH]; [easy|].
    unfold view in *.
    cbn.
    destruct (String.eqb_spec x y) as [->|]; intros Hb xs; [now rewrite Hb | now apply IH].
  Qed.

  Lemma scalar_in_memory R G D M v :
    buffers_hold R G D M ->
    forall s, sdef R v s = true ->
    sdef D v s = true /\ se s v (view D M) = se s v G.
  Proof.
    intros Hh.
    fix IH 1.
    intros [x l|f args|ty z|p|p s t|c e]; cbn [sdef se]; intros Hd; try easy.
    - apply andb_true_iff in Hd as [Hl Hx].
      destruct (lookup None R x) as [ds|] eqn:Ex; [|easy].
      apply inboxb_iff in Hx.
      destruct (Hh x ds Ex) as (ds' & Ed & Hc).
      destruct (Hc _ Hx) as [Hin Hv].
      rewrite Hl, Ed, (view_lookup _ _ _ _ Ed).
      split; [|exact Hv].
      cbn.
      now apply inboxb_iff.
    - enough (E : forallb (sdef D v) args = true /\
                  map (fun s => se s v (view D M)) args = map (fun s => se s v G) args)
        by (destruct E as [E1 E2]; now rewrite E2).
      revert args Hd.
      fix IHargs 1.
      intros [|s args] Hd; [easy|].
      cbn in Hd |- *.
      apply andb_true_iff in Hd as [Hs Ha].
      now destruct (IH s Hs) as [-> ->], (IHargs args Ha) as [-> ->].
    - apply andb_true_iff in Hd as [[Hp Hs]%andb_true_iff Ht].
      rewrite Hp.
      destruct (be v p); cbn in *.
      + now destruct (IH s Hs) as [-> ->].
      + now destruct (IH t Ht) as [-> ->].
  Qed.
End Memory.
