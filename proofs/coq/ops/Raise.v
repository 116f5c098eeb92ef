(** Read this to believe a theorem, up to the section on lowering. *)
(** * [raise d] and [sink d]: dimension [d] becomes the first, and back

    Dimensions are counted from 0. [d] is a number, not an index expression, so that each is a
    family of operators. *)

From ATL Require Import ops.Lawful.

(** The element number [d] is put in front of the others. *)
Definition raised {A} (d : nat) (l : list A) : list A :=
  firstn 1 (skipn d l) ++ firstn d l ++ skipn (S d) l.

(** The first element is put at position [d]. *)
Definition sunk {A} (d : nat) (l : list A) : list A :=
  match l with
  | [] => []
  | a :: r => firstn d r ++ a :: skipn d r
  end.

(** [raise d] has the shape [raised d sh] and reads its cell [xs] from [sunk d xs].  [sink d] is the
    reverse. *)
Definition raise_shape (d : nat) (args sh : list idx) : list idx := raised d sh.
Definition raise_pull (d : nat) (args ds xs : list Z) : bool * list Z := (true, sunk d xs).
Definition sink_shape (d : nat) (args sh : list idx) : list idx := sunk d sh.
Definition sink_pull (d : nat) (args ds xs : list Z) : bool * list Z := (true, raised d xs).

(** ** Lowering, and the laws

    Raising and sinking a list are inverse permutations. *)

Lemma raised_map A B (f : A -> B) d l : map f (raised d l) = raised d (map f l).
Proof. unfold raised. now rewrite !map_app, <- !firstn_map, <- !skipn_map. Qed.

Lemma sunk_map A B (f : A -> B) d l : map f (sunk d l) = sunk d (map f l).
Proof. destruct l; cbn; [easy|]. now rewrite map_app, <- firstn_map, map_cons, <- skipn_map. Qed.

(** On a list in parts. *)
Lemma raised_at A (a b : list A) x : raised (length a) (a ++ x :: b) = x :: a ++ b.
Proof.
  unfold raised.
  rewrite firstn_app, firstn_all, skipn_app, skipn_all, Nat.sub_diag, app_nil_r.
  cbn [firstn skipn app].
  do 2 f_equal.
  induction a; cbn in *; auto.
Qed.

Lemma sunk_at A (a b : list A) x : sunk (length a) (x :: a ++ b) = a ++ x :: b.
Proof. cbn. now rewrite firstn_app, skipn_app, Nat.sub_diag, firstn_all, skipn_all, app_nil_r. Qed.

Lemma parts_at A d (l : list A) :
  (d < length l)%nat -> exists a x b, l = a ++ x :: b /\ d = length a.
Proof.
  intros Hd.
  destruct l as [|y l]; [easy|].
  destruct (nth_split (y :: l) y Hd) as (a & b & E & <-).
  eauto.
Qed.

Lemma parts_front A d (l : list A) :
  (d < length l)%nat -> exists a x b, l = x :: a ++ b /\ d = length a.
Proof.
  destruct l as [|x l]; cbn; intros Hd; [easy|].
  exists (firstn d l), x, (skipn d l).
  rewrite firstn_skipn, firstn_length.
  split; [easy | lia].
Qed.

Lemma sunk_raised A d (l : list A) : (d < length l)%nat -> sunk d (raised d l) = l.
Proof. intros (a & x & b & -> & ->)%parts_at. now rewrite raised_at, sunk_at. Qed.

Lemma raised_sunk A d (l : list A) : (d < length l)%nat -> raised d (sunk d l) = l.
Proof. intros (a & x & b & -> & ->)%parts_front. now rewrite sunk_at, raised_at. Qed.

Lemma raised_length A d (l : list A) : (d < length l)%nat -> length (raised d l) = length l.
Proof.
  intros (a & x & b & -> & ->)%parts_at.
  rewrite raised_at.
  cbn.
  rewrite !app_length.
  cbn.
  lia.
Qed.

Lemma sunk_length A d (l : list A) : length (sunk d l) = length l.
Proof.
  destruct l; cbn; [easy|].
  rewrite app_length, firstn_length.
  cbn.
  rewrite skipn_length.
  lia.
Qed.

Lemma zdefs_app v a b : zdefs v (a ++ b) = zdefs v a && zdefs v b.
Proof. apply forallb_app. Qed.

Lemma zdefs_part v d l :
  zdefs v l = true -> zdefs v (firstn d l) = true /\ zdefs v (skipn d l) = true.
Proof.
  intros Hl.
  rewrite <- (firstn_skipn d l), zdefs_app, andb_true_iff in Hl.
  exact Hl.
Qed.

Lemma inbox_app d1 x1 d2 x2 :
  length d1 = length x1 -> (inbox (d1 ++ d2) (x1 ++ x2) <-> inbox d1 x1 /\ inbox d2 x2).
Proof.
  revert x1.
  induction d1 as [|d d1 IH]; destruct x1 as [|x x1]; cbn; intros E; try easy.
  rewrite IH by congruence.
  tauto.
Qed.

Lemma inbox_raised d ds xs :
  (d < length ds)%nat ->
  length xs = length ds ->
  (inbox (raised d ds) (raised d xs) <-> inbox ds xs).
Proof.
  intros Hd Hlen.
  destruct (parts_at Z d xs) as (a' & x & b' & -> & Hd'); [lia|].
  apply parts_at in Hd as (a & n & b & -> & Hd).
  rewrite Hd at 1.
  rewrite Hd', !raised_at.
  cbn.
  rewrite !inbox_app by lia.
  cbn.
  tauto.
Qed.

Lemma inbox_sunk d ds xs :
  (d < length ds)%nat -> length xs = length ds -> (inbox (sunk d ds) (sunk d xs) <-> inbox ds xs).
Proof.
  intros Hd Hlen.
  rewrite <- (inbox_raised d (sunk d ds)) by (rewrite !sunk_length; lia).
  now rewrite !raised_sunk by lia.
Qed.

(** Opens a law of one of the two operators: the lists have the same length. *)
Ltac permutation_laws :=
  intros;
  repeat match goal with
         | H : (_, _) = (_, _) |- _ => injection H as; subst
         | H : inbox _ ?l |- _ =>
             lazymatch goal with
             | E : length l = _ |- _ => fail
             | _ => pose proof (inbox_length _ _ H)
             end
         end;
  rewrite ?sunk_length, ?(raised_length _ _ _ ltac:(eassumption)) in *.

Definition raise (d : nat) : reshape.
Proof.
  refine {|
    rname := "raise";
    rshape := raise_shape d;
    npull := raise_pull d;
    nshape := fun _ ds => raised d ds;
    rpush := fun _ _ l => raised d l;
    npush := fun _ _ ys => raised d ys;
    rreq := fun _ ds => (d < length ds)%nat;
    rcut := None;
    rover := false
  |};
  unfold raise_shape, raise_pull.
  - (* shape_evaluates *)
    abstract (intros; apply raised_map).
  - (* push_evaluates *)
    abstract (intros; apply raised_map).
  - (* push_defined *)
    abstract (intros v args sh l _ _ _ _ Hl; unfold raised; rewrite !zdefs_app, !andb_true_iff;
      repeat split; try (apply zdefs_part; trivial); apply zdefs_part; trivial).
  - (* push_inside *)
    abstract (permutation_laws; left; apply inbox_raised; trivial).
  - (* pull_push *)
    abstract (permutation_laws; now rewrite sunk_raised by lia).
  - (* push_pull *)
    abstract (permutation_laws; rewrite raised_sunk by lia; split; trivial;
      apply (inbox_raised d); rewrite ?sunk_length, ?raised_sunk by lia; trivial).
  - (* push_rows *)
    abstract easy.
Defined.

Definition sink (d : nat) : reshape.
Proof.
  refine {|
    rname := "sink";
    rshape := sink_shape d;
    npull := sink_pull d;
    nshape := fun _ ds => sunk d ds;
    rpush := fun _ _ l => sunk d l;
    npush := fun _ _ ys => sunk d ys;
    rreq := fun _ ds => (d < length ds)%nat;
    rcut := None;
    rover := false
  |};
  unfold sink_shape, sink_pull.
  - (* shape_evaluates *)
    abstract (intros; apply sunk_map).
  - (* push_evaluates *)
    abstract (intros; apply sunk_map).
  - (* push_defined *)
    abstract (intros v args sh [|a l] _ _ _ _ Hl; [easy|]; cbn in Hl; apply andb_true_iff in Hl;
      unfold sunk; rewrite zdefs_app; cbn; rewrite !andb_true_iff;
      repeat split; try apply Hl; apply zdefs_part, Hl).
  - (* push_inside *)
    abstract (permutation_laws; left; apply inbox_sunk; trivial).
  - (* pull_push *)
    abstract (permutation_laws; now rewrite raised_sunk by lia).
  - (* push_pull *)
    abstract (permutation_laws; rewrite sunk_raised by lia; split; trivial;
      apply (inbox_sunk d); rewrite ?raised_length, ?sunk_raised by lia; trivial).
  - (* push_rows *)
    abstract easy.
Defined.
