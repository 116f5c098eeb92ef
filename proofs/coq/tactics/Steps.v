(** * Steps of a proof that denotations are equal

    Two programs are unfolded side by side, one tensor at a time, down to values that are the
    same expression up to arithmetic of indices. What a temporary of the scheduled program holds,
    its prophecy, is proved where the temporary is met, and used where it is read. *)

From ATL Require Export equality.Unfold tactics.Obligations.

(** ** Tensors get names

    A tensor that has a name is not unfolded again where it is read. *)

(** Rewrites with an equation about a term that is there as it stands. [rewrite] would look for
    what is convertible to it. *)
Ltac rewrite_as_is E :=
  lazymatch type of E with
  | ?l = ?r => pattern l; refine (@eq_ind_r _ r _ _ l E); cbv beta
  end.

(** Gives the tensor of the outermost let on one side of an equation a name, [X], and what it is,
    [HX]. *)
Ltac name_tensor init a v G X HX :=
  set (X := fun ys => value init (den a v G ys));
  assert (HX : forall ys, X ys = value init (den a v G ys)) by (intro; reflexivity);
  clearbody X.

Ltac bind_in side X HX :=
  match side with
  | context [result (PLet ?x ?i ?a ?p) ?v ?G ?o ?xs] =>
      rewrite_as_is (result_let x i a p v G o xs);
      name_tensor i a v G X HX
  | context [den (Let ?x ?i ?a ?e) ?v ?G ?xs] =>
      rewrite_as_is (den_let x i a e v G xs);
      name_tensor i a v G X HX
  end.

Tactic Notation "bind_left" ident(X) ident(HX) :=
  lazymatch goal with |- ?l = _ => bind_in l X HX end.

Tactic Notation "bind_right" ident(X) ident(HX) :=
  lazymatch goal with |- _ = ?r => bind_in r X HX end.

(** ** Unfolding

    The denotation of an expression, up to the next let. *)

Declare Reduction found := cbv [
  lookup String.eqb String.letter_eqb N.eqb Pos.eqb Byte.to_N result ze combine app cdiv
].

(** Unfolds what can be unfolded without going through a let, but for scalars. *)
Ltac unfold_step :=
  match goal with
  | |- context [result (Outputs ?l) ?v ?G ?o ?xs] =>
      let t := eval found in (result (Outputs l) v G o xs) in
      change (result (Outputs l) v G o xs) with t
  | |- context [den ?e ?v ?G ?xs] =>
      lazymatch e with
      | Let _ _ (Scalar _) _ => rewrite_as_is (den_past e v G xs)
      | Let _ _ _ _ => fail
      | _ =>
          tryif is_const e
          then let e' := eval red in e in change (den e v G xs) with (den e' v G xs)
          else rewrite_as_is (den_past e v G xs)
      end
  end.

(** Rows and columns of what was cut into rows, joined. Arithmetic would go through all of it
    each time. *)
Ltac joined :=
  repeat match goal with
         | |- context [?a / Zpos ?p * Zpos ?p + ?a mod Zpos ?p] => rewrite_as_is (divided a p)
         end.

Ltac unfolded := repeat unfold_step; computed; cbv beta iota; numerals; joined.

(** ** Cases

    Guards that arithmetic decides are decided; others are two cases. *)

Ltac innermost b :=
  match b with
  | context [if ?c then _ else _] => innermost c
  | _ => b
  end.

(** [if b] where [b] is decided by arithmetic; otherwise both cases. *)
Ltac decide_if :=
  lazymatch goal with
  | |- context [if ?b then _ else _] =>
      let b := innermost b in
      let E := fresh "Hp" in
      first [ assert (E : b = true) by linear; rewrite E; clear E
            | assert (E : b = false) by linear; rewrite E; clear E
            | assert (E : b = true) by products; rewrite E; clear E
            | assert (E : b = false) by products; rewrite E; clear E
            | destruct b eqn:E ];
      cbv iota
  end.

(** ** Indices, and cells that are read

    A cell of a temporary is what its prophecy says, and indices are equal by arithmetic. *)

(** What a tensor holds, where it is read: proved before as its prophecy. *)
Ltac by_prophecy :=
  match goal with
  | P : forall _, _ -> _ |- _ => rewrite P by arith
  | P : _ = true -> ?X [] = _ |- context [?X []] => rewrite P by arith
  | P : ?X [] = _ |- context [?X []] => rewrite P
  end.

(** Two indices: the same operation of the same operands, or else by arithmetic, mostly without a
    hypothesis. *)
Ltac equal_index :=
  first [ lazymatch goal with |- ?a = ?a => reflexivity end
        | lazymatch goal with
          | |- Z.min _ _ = Z.min _ _ => solve [apply f_equal2; equal_index]
          | |- Z.max _ _ = Z.max _ _ => solve [apply f_equal2; equal_index]
          end
        | solve [clear; lia]
        | arith ].

(** ** Rows of terms

    A reduction that was split is equal to the one before it, bit by bit. *)

(** A reduction over [n] terms against one over [m] rows of [c] terms, the last row perhaps not
    whole. *)
Ltac in_rows f m c n g :=
  let E := fresh in
  assert (E : m = (n + c - 1) / c) by arith;
  clear E;
  rewrite (total_split f n c g) by arith.

Ltac rows_of_terms :=
  match goal with
  | |- total ?f 0 ?m (fun o => total ?f 0 ?c _) = total ?f 0 ?n ?g => in_rows f m c n g
  | |- total ?f 0 ?n ?g = total ?f 0 ?m (fun o => total ?f 0 ?c _) => in_rows f m c n g
  end;
  unfold cdiv.

(** ** What is known

    The prophecies of a program's temporaries, and the algorithm's tensors, are among the
    hypotheses of its proof; tensors that are met inside the algorithm's expressions join them. *)

Ltac foretold_with ps :=
  lazymatch goal with
  | |- _ = result _ _ ?G _ _ => let f := fresh "foretold" in pose (f := Foretold ps G)
  end.

Ltac remember_right X :=
  try lazymatch goal with
    | f := Foretold ?ps ?A |- context [(?x, X) :: _] =>
        clear f;
        let f := fresh "foretold" in pose (f := Foretold ps ((x, X) :: A))
    end.

(** So are the renumberings of reductions, by tensor, and on their own those of the tensor that
    is being proved. *)
Ltac renumbered_with numbers :=
  let all := fresh "everywhere" in
  pose (all := Numbered numbers);
  lazymatch goal with
  | |- result _ ?v _ ?x ?cs = _ =>
      let l := eval red in numbers in
      let l := eval found in (lookup [] l x) in
      let r := fresh "here" in
      pose (r := Here l cs v)
  end.

(** What is inside an expression has none: those of the tensor around hold there. *)
Ltac renumberings_of x v :=
  lazymatch goal with
  | all := Numbered ?l |- _ ?cs = _ =>
      let l := eval red in l in
      let l := eval found in (lookup [] l x) in
      lazymatch l with
      | [] => idtac
      | _ =>
          try match goal with r := Here _ _ _ |- _ => clear r end;
          let r := fresh "here" in
          pose (r := Here l cs v)
      end
  | |- _ => idtac
  end.
