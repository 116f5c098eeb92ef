(** * Accesses, races and keys

    What is stored and read, when iterations do not disturb each other, and how a key tells cells
    apart. [Touched.v] applies it to the loop nest of an expression. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.ContribFacts ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Ok lowering.Scope
  lowering.Reached.

(** ** Accesses *)

(** The tensors [R] are read, and the cells [T] of [o] are stored. *)
Definition touches (R : dims) (o : string) (T : list Z -> Prop) (l : list access) : Prop :=
  forall a, In a l ->
  match a with
  | Reads x _ => lookup None R x <> None
  | Stores x xs => x = o /\ T xs
  end.

Lemma touches_app R o T l l' : touches R o T l -> touches R o T l' -> touches R o T (l ++ l').
Proof. intros H H' a [Ha|Ha]%in_app_iff; [now apply H | now apply H']. Qed.

Lemma touches_flat_map {A} R o T (f : A -> list access) l :
  (forall x, In x l -> touches R o T (f x)) -> touches R o T (flat_map f l).
Proof. intros H a (x & Hx & Ha)%in_flat_map. now apply (H x). Qed.

Lemma touches_more R o (T T' : list Z -> Prop) l :
  touches R o T l -> (forall xs, T xs -> T' xs) -> touches R o T' l.
Proof. intros H HT [x xs|x xs] Ha; apply H in Ha; [trivial | intuition auto]. Qed.

(** What may be evaluated reads what may be read. *)
Lemma reads_touch R o T v : forall s, sdef R v s = true -> touches R o T (reads v s).
Proof.
  fix IH 1.
  intros [x l|f args|ty z|p|p s t|c e]; cbn [sdef reads]; intros Hd; try easy.
  - apply andb_true_iff in Hd as [_ Hx].
    intros a [<-|[]] E.
    now rewrite E in Hx.
  - revert args Hd.
    fix IHargs 1.
    intros [|s args] Hd; [easy|].
    cbn in Hd |- *.
    apply andb_true_iff in Hd as [Hs Ha].
    apply touches_app; auto.
  - rewrite !andb_true_iff in Hd.
    destruct Hd as [[_ Hs] Ht], (be v p); auto.
Qed.

(** ** Races *)

Lemma conflict_stores R o T T' a b :
  lookup None R o = None ->
  touches R o T [a] ->
  touches R o T' [b] ->
  conflict a b = true ->
  exists xs, T xs /\ T' xs.
Proof.
  intros Ho Ha Hb Hc.
  specialize (Ha a (in_eq _ _)).
  specialize (Hb b (in_eq _ _)).
  unfold conflict in Hc.
  rewrite !andb_true_iff in Hc.
  destruct Hc as [[Hs Hx%String.eqb_eq] Hcell].
  destruct (list_eq_dec Z.eq_dec (cell a) (cell b)) as [E|]; [|easy].
  destruct a as [x xs|x xs], b as [y ys|y ys]; cbn in *; try easy; subst.
  - now destruct Hb as [-> _].
  - now destruct Ha as [-> _].
  - exists ys; tauto.
Qed.

Lemma touches_apart R o (T : Z -> list Z -> Prop) (f : Z -> list access) zs :
  lookup None R o = None ->
  NoDup zs ->
  (forall z, In z zs -> touches R o (T z) (f z)) ->
  (forall y z xs, In y zs -> In z zs -> T y xs -> T z xs -> y = z) ->
  apart (map f zs) = true.
Proof.
  intros Ho.
  induction zs as [|z zs IH]; cbn [apart map]; intros Hnd Hf HT; [easy|].
  apply NoDup_cons_iff in Hnd as [Hz Hnd].
  rewrite IH, andb_true_r; eauto using in_cons.
  apply forallb_forall.
  intros g (y & <- & Hy)%in_map_iff.
  apply negb_true_iff, not_true_iff_false.
  intros (a & Ha & (b & Hb & Hc)%existsb_exists)%existsb_exists.
  destruct (conflict_stores R o (T z) (T y) a b) as (xs & Tz & Ty); trivial.
  - intros c [<-|[]].
    now apply (Hf z (in_eq _ _)).
  - intros c [<-|[]].
    now apply (Hf y (in_cons _ _ _ Hy)).
  - elim Hz.
    now replace z with y by (apply (HT y z xs); auto using in_eq, in_cons).
Qed.

Lemma zrange_apart R o (T : Z -> list Z -> Prop) m i lo hi b v :
  lookup None R o = None ->
  (forall z, lo <= z < hi -> touches R o (T z) (footprint b ((i, z) :: v))) ->
  (unordered m = true ->
   forall y z xs, lo <= y < hi -> lo <= z < hi -> T y xs -> T z xs -> y = z) ->
  race_free m i lo hi b v = true.
Proof.
  intros Ho Hb HT.
  unfold race_free.
  destruct (unordered m); [|easy].
  apply (touches_apart R o T); trivial; [apply zrange_nodup | |]; intros *;
    rewrite ?in_zrange; auto.
  eauto.
Qed.

(** ** Keys

    A key does to numbers what it should. Cells that go to one place and have the same key are
    one cell. *)

Definition keyed (v : env) (key : list idx -> list idx) (nkey : list Z -> list Z) : Prop :=
  forall v' l, agree v v' -> evs v' (key l) = nkey (evs v' l).

Lemma keyed_none v : keyed v no_key (fun _ => []).
Proof. easy. Qed.

Lemma keyed_bind v key nkey i z :
  mem i (map fst v) = false -> keyed v key nkey -> keyed ((i, z) :: v) key nkey.
Proof. intros Hi H v' l Ha. now apply H, agree_unbind with i z. Qed.

Lemma keyed_row v key nkey i lo z :
  mem i (map fst v) = false ->
  closed_idx (map fst v) lo = true ->
  keyed v key nkey ->
  keyed ((i, z) :: v) (row_key (Var i) lo key) (fun xs => nkey (z - ze v lo :: xs)).
Proof.
  intros Hi Hlo H v' l Ha.
  unfold row_key.
  pose proof (agree_unbind _ _ _ _ Hi Ha) as Ha'.
  rewrite (H v' _ Ha').
  cbn.
  rewrite (agree_bound _ _ _ _ Ha).
  now destruct (closed_idx_agree _ _ _ Ha' Hlo) as [-> _].
Qed.

Lemma keyed_second v key nkey n :
  closed_idx (map fst v) n = true ->
  keyed v key nkey ->
  keyed v (second_key n key) (fun xs => nkey (shifted (ze v n) xs)).
Proof.
  intros Hn H v' [|i l] Ha; unfold second_key; rewrite (H v' _ Ha); trivial.
  cbn.
  now destruct (closed_idx_agree _ _ _ Ha Hn) as [-> _].
Qed.

Definition operand_nkey (r : reshape) (args ds : list Z) (nkey : list Z -> list Z) (ys : list Z)
    : list Z :=
  (if rover r then [hd 0 ys] else []) ++ nkey (npush r args ds ys).

Lemma keyed_operand v key nkey r args sh :
  closed (map fst v) args = true ->
  closed (map fst v) sh = true ->
  keyed v key nkey ->
  keyed v (operand_key r args sh key) (operand_nkey r (evs v args) (evs v sh) nkey).
Proof.
  intros Ca Cs H v' l Ha.
  unfold operand_key, operand_nkey.
  destruct (closed_agree _ _ _ Ha Ca) as [Ea _], (closed_agree _ _ _ Ha Cs) as [Es _].
  unfold evs at 1.
  rewrite map_app.
  fold (evs v' (key (rpush r args sh l))).
  rewrite (H v' _ Ha), push_evaluates, Ea, Es.
  f_equal.
  destruct (rover r); [|easy].
  now destruct l.
Qed.

(** Variables that nobody uses can stand for any cell; so a key that mentions variables around it
    only is the same for all cells. *)
Fixpoint fill_env (n : nat) (xs : list Z) : env :=
  match xs with
  | [] => []
  | x :: xs => (fill_var n, x) :: fill_env (S n) xs
  end.

Lemma fill_env_var n m xs : (m < n)%nat -> forall v,
  lookup 0 (fill_env n xs ++ v) (fill_var m) = lookup 0 v (fill_var m).
Proof.
  revert n.
  induction xs as [|x xs IH]; intros n Hm v; cbn; [easy|].
  destruct (String.eqb_spec (fill_var m) (fill_var n)) as [E|]; [|apply IH; lia].
  apply (f_equal String.length) in E.
  rewrite !fill_var_length in E.
  lia.
Qed.

Lemma any_cell_evaluates v xs : evs (fill_env 0 xs ++ v) (any_cell (length xs)) = xs.
Proof.
  unfold any_cell, evs.
  rewrite map_map.
  cbn [ze].
  generalize 0%nat as n.
  induction xs as [|x xs IH]; intros n; cbn; [easy|].
  rewrite String.eqb_refl.
  f_equal.
  etransitivity; [|apply (IH (S n))].
  apply map_ext_in.
  intros m [Hm _]%in_seq.
  apply lookup_other.
  intros E%(f_equal String.length).
  rewrite !fill_var_length in E.
  lia.
Qed.

Lemma fill_env_agree v n xs : no_fill n (map fst v) -> agree v (fill_env n xs ++ v).
Proof.
  intros Hn x Hx.
  revert n Hn.
  induction xs as [|y xs IH]; intros n Hn; cbn; [easy|].
  destruct (String.eqb_spec x (fill_var n)) as [->|]; [now rewrite Hn in Hx|].
  apply IH.
  intros m Hm.
  apply Hn.
  lia.
Qed.

Lemma key_constant v key nkey xs ys :
  no_fill 0 (map fst v) ->
  keyed v key nkey ->
  closed (map fst v) (key (any_cell (length xs))) = true ->
  length xs = length ys ->
  nkey xs = nkey ys.
Proof.
  intros Hn Hk Hc Hl.
  assert (E : forall zs, length zs = length xs -> nkey zs = evs v (key (any_cell (length xs)))).
  { intros zs Hzs.
    pose proof (fill_env_agree v 0 zs Hn) as Ha.
    destruct (closed_agree _ _ _ Ha Hc) as [<- _].
    now rewrite (Hk _ _ Ha), <- Hzs, any_cell_evaluates. }
  now rewrite !E.
Qed.
