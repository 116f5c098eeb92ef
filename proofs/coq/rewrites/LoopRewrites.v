(** * The rewrites of loops

    One lemma for each rule of [atl/rewrites] that makes, cuts or moves loops of a tensor, under
    the name of the rule. Where a rule replaces variables in a body, the hypothesis says what the
    new body means in terms of the old one. *)

From ATL Require Import syntax.IndexFacts syntax.Contrib ops.Reshape ops.All syntax.Syntax
  syntax.Denote.

Section Rewrites.
  Context {S : Scalars}.
  Implicit Types (e : expr) (v : env) (G : tensors) (xs : list Z).

  (** gen y < n { b(y) }  =  truncr (cdiv(n, c) * c - n) flatten gen o < cdiv(n, c), r < c {
      [o * c + r < n] b(o * c + r) } *)
  Lemma split_loop m m1 m2 i o r n c e e' v G x xs :
    o <> r ->
    0 < c ->
    0 <= x < ze v n ->
    ze ((r, x mod c) :: (o, x / c) :: v) n = ze v n ->
    den e' ((r, x mod c) :: (o, x / c) :: v) G xs = den e ((i, x) :: v) G xs ->
    den
      (Reshape truncr [Sub (Mul (Cdiv n (Lit c)) (Lit c)) n]
        (Reshape flatten []
          (Gen m1 o (Lit 0) (Cdiv n (Lit c))
            (Gen m2 r (Lit 0) (Lit c)
              (Guard (Lt (Add (Mul (Var o) (Lit c)) (Var r)) n) e')))))
      v G (x :: xs) =
    den (Gen m i (Lit 0) n e) v G (x :: xs).
  Proof.
    intros Hor Hc Hx Hn He.
    apply String.eqb_neq in Hor.
    cbn [den shape extent evs map ze npull truncr truncr_pull rshape flatten flatten_shape
      flatten_pull fst snd be lookup].
    rewrite !Z.add_0_l, !String.eqb_refl, Hor, row_again, Hn by lia.
    now replace (x <? ze v n) with true by lia.
  Qed.

  (** The same with an exact split: no guard and no truncation. *)
  Lemma split_loop_exact m m1 m2 i o r n c k e e' v G x xs :
    0 < c ->
    den e' ((r, x mod c) :: (o, x / c) :: v) G xs = den e ((i, x) :: v) G xs ->
    den (Reshape flatten [] (Gen m1 o (Lit 0) k (Gen m2 r (Lit 0) (Lit c) e'))) v G (x :: xs) =
    den (Gen m i (Lit 0) n e) v G (x :: xs).
  Proof.
    intros Hc He.
    cbn [den shape extent evs map ze npull flatten flatten_pull fst snd].
    now rewrite !Z.add_0_l.
  Qed.

  (** gen i in [lo, hi) { b }  =  concat(gen a in [lo, p) { b }, gen z in [p, hi) { b }) *)
  Lemma cut_loop m i a b lo p hi e e1 e2 v G x xs :
    (forall z ys, den e1 ((a, z) :: v) G ys = den e ((i, z) :: v) G ys) ->
    (forall z ys, den e2 ((b, z) :: v) G ys = den e ((i, z) :: v) G ys) ->
    den (Concat (Gen m a lo p e1) (Gen m b p hi e2)) v G (x :: xs) =
    den (Gen m i lo hi e) v G (x :: xs).
  Proof.
    intros H1 H2.
    cbn [den shape evs map hd].
    rewrite extent_correct.
    destruct (x <? ze v p - ze v lo); rewrite ?H1, ?H2; do 3 f_equal; lia.
  Qed.

  (** gen i { concat(a, b) }  =  transpose concat(transpose gen x { a }, transpose gen y { b }) *)
  Lemma distribute_loop m i i1 i2 lo hi a b e1 e2 v G x y xs :
    (forall z ys, den e1 ((i1, z) :: v) G ys = den a ((i, z) :: v) G ys) ->
    (forall z ys, den e2 ((i2, z) :: v) G ys = den b ((i, z) :: v) G ys) ->
    (forall z, hd 0 (evs ((i, z) :: v) (shape a)) = hd 0 (evs v (shape e1))) ->
    shape e1 <> [] ->
    den
      (Reshape transpose []
        (Concat (Reshape transpose [] (Gen m i1 lo hi e1))
                (Reshape transpose [] (Gen m i2 lo hi e2))))
      v G (x :: y :: xs) =
    den (Gen m i lo hi (Concat a b)) v G (x :: y :: xs).
  Proof.
    intros H1 H2 Hn Hne.
    cbn [den npull transpose transpose_shape transpose_pull exchanged fst snd shape rshape].
    rewrite Hn.
    destruct (shape e1) as [|n sh]; [easy|].
    cbn [evs map hd].
    destruct (y <? ze v n); now rewrite ?H1, ?H2.
  Qed.

  (** gen i { gen j { b } }  =  transpose gen j { gen i { b } } *)
  Lemma reorder_loops m m' i j lo hi lo' hi' e v G x y xs :
    i <> j ->
    (forall z, ze ((i, z) :: v) lo' = ze v lo') ->
    (forall z, ze ((j, z) :: v) lo = ze v lo) ->
    (forall z w ys, den e ((i, z) :: (j, w) :: v) G ys = den e ((j, w) :: (i, z) :: v) G ys) ->
    den (Reshape transpose [] (Gen m' j lo' hi' (Gen m i lo hi e))) v G (x :: y :: xs) =
    den (Gen m i lo hi (Gen m' j lo' hi' e)) v G (x :: y :: xs).
  Proof.
    intros Hij Hlo' Hlo He.
    cbn [den npull transpose transpose_pull exchanged fst snd].
    now rewrite Hlo', Hlo, He.
  Qed.

  (** gen i < n, j < m { b }  =  split m gen f < n * m { b(f / m, f % m) } *)
  Lemma fuse_loops m1 m2 m3 i j f n m e e' v G x y xs :
    0 <= x < ze v n ->
    0 <= y < ze v m ->
    den e' ((f, x * ze v m + y) :: v) G xs = den e ((j, y) :: (i, x) :: v) G xs ->
    den (Reshape split [m] (Gen m3 f (Lit 0) (Mul n m) e')) v G (x :: y :: xs) =
    den (Gen m1 i (Lit 0) n (Gen m2 j (Lit 0) m e)) v G (x :: y :: xs).
  Proof.
    intros Hx Hy He.
    cbn [den shape extent evs map ze npull split split_pull fst snd].
    rewrite !Z.add_0_l, He.
    pose proof (row_bound x y (ze v n) (ze v m) Hx Hy).
    now replace (x * ze v m + y <? ze v n * ze v m) with true by lia.
  Qed.

  (** The modes of loops do not change what they compute. *)
  Lemma set_mode :
    forall m m' i lo hi e v G xs, den (Gen m i lo hi e) v G xs = den (Gen m' i lo hi e) v G xs.
  Proof. reflexivity. Qed.

  (** e  =  truncr k padr k e, e  =  truncl k padl k e *)
  Lemma pad_right k e v G x xs :
    0 <= x < hd 0 (evs v (shape e)) ->
    den (Reshape truncr [k] (Reshape padr [k] e)) v G (x :: xs) = den e v G (x :: xs).
  Proof.
    intros Hx.
    cbn [den npull truncr truncr_pull padr padr_pull evs map shape rshape padr_shape fst snd].
    destruct (shape e) as [|n sh]; [cbn in Hx; lia|].
    cbn in *.
    now replace (x <? ze v n) with true by lia.
  Qed.

  Lemma pad_left k e v G x xs :
    0 <= x ->
    shape e <> [] ->
    den (Reshape truncl [k] (Reshape padl [k] e)) v G (x :: xs) = den e v G (x :: xs).
  Proof.
    intros Hx Hne.
    cbn [den npull truncl truncl_pull padl padl_pull evs map shape rshape padl_shape fst snd].
    destruct (shape e) as [|n sh]; [easy|].
    cbn.
    replace (ze v k <=? x + ze v k) with true by lia.
    now replace (x + ze v k - ze v k) with x by lia.
  Qed.
End Rewrites.
