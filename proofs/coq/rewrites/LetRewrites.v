(** * The rewrites of lets

    One lemma for each rule of [atl/rewrites] about temporaries, under the name of the rule. A
    rule that replaces reads has as its hypothesis what the new body means: it denotes the same
    if the temporary holds what it is said to hold. *)

From ATL Require Import syntax.IndexFacts syntax.ContribFacts syntax.Syntax syntax.Denote
  equality.Unfold.

Section Rewrites.
  Context {S : Scalars}.
  Implicit Types (a b e : expr) (v : env) (G : tensors) (xs : list Z).

  (** let x = a in e  =  e with every x[i] replaced by the cell i of a *)
  Lemma inline_let x init a e e' v G xs :
    (forall T : tensor,
       (forall ys, T ys = value init (den a v G ys)) -> den e v ((x, T) :: G) xs = den e' v G xs) ->
    den (Let x init a e) v G xs = den e' v G xs.
  Proof.
    intros He.
    rewrite den_let.
    now apply He.
  Qed.

  (** e  =  let x = a in e', where e' reads x for what it holds: [stage_window] copies a window
      of another tensor, [bind_access] a single cell, [bind_expression] any tensor. *)
  Lemma bind_expression x init a e e' v G xs :
    (forall T : tensor,
       (forall ys, T ys = value init (den a v G ys)) -> den e' v ((x, T) :: G) xs = den e v G xs) ->
    den e v G xs = den (Let x init a e') v G xs.
  Proof.
    intros He.
    symmetry.
    now apply inline_let.
  Qed.

  (** The copy of a window of [t]: cell ys of it is the cell [window ys] of [t]. *)
  Lemma stage_window x t l a e e' v G xs (window : list Z -> list Z) :
    (forall ys, den a v G ys = [Put (lookup no_tensor G t (window ys))]) ->
    (forall T : tensor,
       (forall ys, T ys = lookup no_tensor G t (window ys)) ->
       den e' v ((x, T) :: G) xs = den e v G xs) ->
    l = None ->
    den e v G xs = den (Let x l a e') v G xs.
  Proof.
    intros Ha He ->.
    apply bind_expression.
    intros T HT.
    apply He.
    intros ys.
    now rewrite HT, Ha.
  Qed.

  Lemma bind_access x t l p e e' v G xs :
    (be v p = true ->
     forall T : tensor, T [] = lookup no_tensor G t (evs v l) ->
     den e' v ((x, T) :: G) xs = den e v G xs) ->
    den (Guard p e) v G xs = den (Guard p (Let x None (Scalar (Get t l)) e')) v G xs.
  Proof.
    intros He.
    cbn [den].
    destruct (be v p); trivial.
    symmetry.
    now apply He.
  Qed.

  (** let x = e in let y = e in b  =  let x = e in b with x for y *)
  Lemma merge_lets x y init a b b' v G xs :
    (forall T T' : tensor,
       (forall ys, T' ys = T ys) ->
       den b' v ((x, T) :: G) xs = den b v ((y, T') :: (x, T) :: G) xs) ->
    (forall T ys, den a v ((x, T) :: G) ys = den a v G ys) ->
    den (Let x init a (Let y init a b)) v G xs = den (Let x init a b') v G xs.
  Proof.
    intros Hb Ha.
    cbn [den].
    symmetry.
    apply Hb.
    intros ys.
    now rewrite Ha.
  Qed.

  (** gen i { let x = a(i) in e }  =  let x' = gen i { a(i) } in gen i { e with x = x'[i] } *)
  Lemma hoist_let m i lo hi x y init a e e' v G z xs :
    (forall T : tensor,
       den e' ((i, ze v lo + z) :: v) ((y, T) :: G) xs =
       den e ((i, ze v lo + z) :: v) ((x, fun ys => T (z :: ys)) :: G) xs) ->
    den (Let y init (Gen m i lo hi a) (Gen m i lo hi e')) v G (z :: xs) =
    den (Gen m i lo hi (Let x init a e)) v G (z :: xs).
  Proof.
    intros He.
    cbn [den].
    now rewrite He.
  Qed.

  (** A let that does not depend on the loop moves out as it is. *)
  Lemma hoist_let_unchanged m i lo hi x init a e v G z xs :
    (forall ys, den a ((i, ze v lo + z) :: v) G ys = den a v G ys) ->
    (forall T T' : tensor,
       (forall ys, T ys = T' ys) ->
       den e ((i, ze v lo + z) :: v) ((x, T) :: G) xs =
       den e ((i, ze v lo + z) :: v) ((x, T') :: G) xs) ->
    den (Let x init a (Gen m i lo hi e)) v G (z :: xs) =
    den (Gen m i lo hi (Let x init a e)) v G (z :: xs).
  Proof.
    intros Ha He.
    cbn [den].
    apply He.
    intros ys.
    now rewrite Ha.
  Qed.

  (** let x = a in ... loop { e }  =  ... loop { let x' = the window of a that e reads in e }:
      where the loop's body is, the window [w] holds the cells of [a]. *)
  Lemma sink_let x y init init' a w e e' v G xs (window : list Z -> list Z) :
    (forall ys, value init' (den w v G ys) = value init (den a v G (window ys))) ->
    (forall T T' : tensor,
       (forall ys, T' ys = T (window ys)) ->
       den e' v ((y, T') :: G) xs = den e v ((x, T) :: G) xs) ->
    den (Let x init a e) v G xs = den (Let y init' w e') v G xs.
  Proof.
    intros Hw He.
    cbn [den].
    symmetry.
    now apply He.
  Qed.

  (** let x = a in e  =  let x = a, its dimensions laid out otherwise, in e with reads to match:
      [place] says where a cell is now. *)
  Lemma change_layout x init a a' e e' v G xs (place : list Z -> list Z) :
    (forall ys, value init (den a v G ys) = value init (den a' v G (place ys))) ->
    (forall T T' : tensor,
       (forall ys, T ys = T' (place ys)) ->
       den e' v ((x, T') :: G) xs = den e v ((x, T) :: G) xs) ->
    den (Let x init a e) v G xs = den (Let x init a' e') v G xs.
  Proof.
    intros Ha He.
    cbn [den].
    symmetry.
    now apply He.
  Qed.

  (** c * sum k { b(k) }  =  sum k { c * b(k) }, if multiplication distributes and 0 times
      anything is 0 *)
  Lemma absorb_factor add mul zero k lo hi c s v G :
    (forall x y, red mul c (red add x y) = red add (red mul c x) (red mul c y)) ->
    red mul c (op zero []) = op zero [] ->
    red mul c (value (Some zero) (den (Sum add k lo hi (Scalar s)) v G [])) =
    value (Some zero)
      (total add (ze v lo) (ze v hi) (fun z => [Put (red mul c (se s ((k, z) :: v) G))])).
  Proof.
    intros Hd Hz.
    cbn [den].
    unfold value, total, runs.
    cbn [start].
    rewrite <- Hz at 2.
    generalize (op zero []) as x.
    induction (zrange (ze v lo) (ze v hi)) as [|z l IH]; intros x; [easy|].
    cbn [flat_map map app comb fold_left run].
    rewrite IH.
    now rewrite Hd.
  Qed.
End Rewrites.
