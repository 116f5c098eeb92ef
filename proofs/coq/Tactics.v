(** * The proofs of a program: equality of denotations

    Two programs are unfolded side by side, one tensor at a time, down to values that are the same expression up to arithmetic of
    indices.  What a temporary of the scheduled program holds, its prophecy, is proved where the temporary is met, and used
    where it is read. *)

From ATL Require Export Obligations.

(** ** Tensors get names *)

(** Gives the tensor of the outermost let on one side of an equation a name, [X], and what it is, [HX]. *)
Ltac name_tensor init a v G X HX :=
  set (X := fun ys => value init (den a v G ys));
  assert (HX : forall ys, X ys = value init (den a v G ys)) by (intro; reflexivity);
  clearbody X.
Ltac bind_in side X HX :=
  match side with
  | context [result (PLet ?x ?i ?a ?p) ?v ?G ?o ?xs] => rewrite (result_let x i a p v G o xs); name_tensor i a v G X HX
  | context [den (Let ?x ?i ?a ?e) ?v ?G ?xs] => rewrite (den_let x i a e v G xs); name_tensor i a v G X HX
  end.
Tactic Notation "bind_left" ident(X) ident(HX) := lazymatch goal with |- ?l = _ => bind_in l X HX end.
Tactic Notation "bind_right" ident(X) ident(HX) := lazymatch goal with |- _ = ?r => bind_in r X HX end.

(** ** Unfolding *)

(** Unfolds what can be unfolded without going through a let. *)
Ltac unfold_step :=
  match goal with
  | |- context [result (Outputs ?l) ?v ?G ?o ?xs] =>
      let t := eval cbv [result lookup String.eqb Ascii.eqb Bool.eqb] in (result (Outputs l) v G o xs) in
      change (result (Outputs l) v G o xs) with t
  | |- context [den ?e ?v ?G ?xs] =>
      lazymatch e with
      | Let ?x ?i (Scalar ?s) ?e => rewrite (den_let_scalar x i s e v G xs)
      | Let _ _ _ _ => fail
      | _ => tryif is_const e then (let e' := eval red in e in change (den e v G xs) with (den e' v G xs)) else rewrite (den_go e v G xs)
      end
  end.
Ltac unfolded := repeat unfold_step; computed; cbv beta iota; no_bool.

(** ** Steps *)

(** [if b] where [b] is decided by arithmetic; otherwise both cases. *)
Ltac decide_if :=
  match goal with
  | |- context [if ?b then _ else _] =>
      lazymatch b with context [if _ then _ else _] => fail | _ => idtac end;
      let E := fresh "Hp" in
      first [ assert (E : b = true) by arith; rewrite E; clear E
            | assert (E : b = false) by arith; rewrite E; clear E
            | destruct b eqn:E ];
      cbv iota
  end.

(** What a tensor holds, where it is read: proved before as its prophecy. *)
Ltac by_prophecy :=
  match goal with
  | P : forall _, _ -> _ |- _ => rewrite P by arith
  | P : _ = true -> ?X [] = _ |- context [?X []] => rewrite P by arith
  | P : ?X [] = _ |- context [?X []] => rewrite P
  end.

(** Two indices: the same operation of the same operands, or else by arithmetic. *)
Ltac equal_index :=
  first [ reflexivity
        | lazymatch goal with
          | |- Z.min _ _ = Z.min _ _ => solve [apply f_equal2; equal_index]
          | |- Z.max _ _ = Z.max _ _ => solve [apply f_equal2; equal_index]
          end
        | arith ].

(** A reduction over [n] terms against one over rows of [c] terms, the last row perhaps not whole. *)
Ltac rows_of_terms :=
  match goal with
  | |- total ?f 0 _ (fun o => total ?f 0 ?c _) = total ?f 0 ?n ?g => rewrite (total_split f n c g) by arith
  | |- total ?f 0 ?n ?g = total ?f 0 _ (fun o => total ?f 0 ?c _) => rewrite (total_split f n c g) by arith
  end; unfold cdiv.

(** The prophecies of a program's temporaries and the algorithm's tensors are among the hypotheses of its proof, for
    [equal_step]; tensors that are met inside the algorithm's expressions join them. *)
Ltac foretold_with prophecies :=
  let ps := eval red in prophecies in
  lazymatch goal with |- _ = result _ _ ?G _ _ => pose (foretold := (ps, G)) end.

Ltac remember_right X :=
  try lazymatch goal with
    | foretold := (?ps, ?A) |- context [(?x, X) :: _] =>
        let new := fresh in pose (new := (ps, (x, X) :: A)); clear foretold; rename new into foretold
    end.

(** Two values, or two lists of contributions, that are the same expression up to index arithmetic. *)
Ltac equal_step :=
  match goal with
  | |- ?a = ?a => reflexivity
  | |- ?a = ?b :> Z => equal_index
  | |- ?a = ?b :> bool => arith
  | |- context [value ?i [Put ?x]] => rewrite (value_put i x)
  | |- context [if _ then _ else _] => decide_if
  | |- context [result (PLet _ _ _ _) _ _ _ _] => bind_next
  | |- context [den _ _ _ _] => progress unfolded
  | |- context [result _ _ _ _ _] => progress unfolded
  | H : forall _, ?X _ = value _ (den _ _ _ _) |- value _ _ = ?X _ => rewrite H
  | |- context [den (Let _ _ _ _) _ _ _] => bind_next
  | |- map (comb _) [Put _] = map (comb _) [Put _] => apply f_equal
  | |- value _ _ = value _ _ => apply f_equal
  | |- total _ _ _ _ = total _ _ _ _ =>
      apply total_ext; [arith | arith | let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; cbv beta]
  | |- map _ (total _ _ _ _) = _ => rewrite comb_total
  | |- _ = map _ (total _ _ _ _) => rewrite comb_total
  | |- _ :: _ = _ :: _ => apply f_equal2
  | |- Put _ = Put _ => apply f_equal
  | |- op ?f _ = op ?f _ => apply f_equal
  | |- ?f ?x = ?f ?y => apply f_equal
  | |- _ => by_prophecy
  | H : forall _, ?X _ = value _ (den _ _ _ _) |- ?X _ = _ => rewrite H
  | H : forall _, ?X _ = value _ (den _ _ _ _) |- _ = ?X _ => rewrite H
  | |- context [value (Some ?c) []] => change (value (Some c) []) with (op c [])
  | |- [] = total _ _ _ _ => symmetry
  | |- total ?f ?lo ?hi _ = [] => apply total_empty; intros
  | |- _ => rows_of_terms
  end
with bind_next :=
  let X := fresh "X" in
  let HX := fresh "HX" in
  first [bind_right X HX; remember_right X | bind_left X HX; foretell X HX]
with foretell X HX :=
  try lazymatch goal with
    | foretold := (?ps, ?A), _ : forall ys, X ys = value ?init (den ?a ?v ?G ys) |- context [(?x, X) :: ?G] =>
        let p := eval cbv [lookup String.eqb Ascii.eqb Bool.eqb] in (lookup None ps x) in
        lazymatch p with
        | Some (Holds ?c ?k ?valid ?t ?l ?u) =>
            lazymatch A with context [(t, _) :: _] => idtac end;
            let a' := match a with _ => eval red in a | _ => a end in
            let P := fresh "holds" in
            assert (P : holds (Holds c k valid t l u) X v A (evs v (shape a')));
            [ solve [cbv [holds combine]; obligations_with ltac:(rewrite ?HX; denotes_same)]
            | revert P; cbv [holds combine]; computed; intro P;
              lazymatch k with Truth true => clear HX | _ => idtac end ]
        end
    end
with denotes_same := repeat equal_step.

(** The claims of a theorem about all outputs, one for each. *)
Ltac outputs_equal :=
  cbv [same_outputs forbox]; repeat match goal with |- _ /\ _ => split | |- True => exact Logic.I | |- forall _, _ => intro end.

(** ** Reductions in another order *)

(** A nest of reductions, as one over a box. *)
Ltac box_of t :=
  match t with
  | total ?f ?l1 ?h1 (fun a => total ?f ?l2 ?h2 (fun b => total ?f ?l3 ?h3 (fun c => total ?f ?l4 ?h4 (fun d =>
      total ?f ?l5 ?h5 (fun e => total ?f ?l6 ?h6 (fun g => @?B a b c d e g)))))) =>
      constr:(total_box f [(l1, h1); (l2, h2); (l3, h3); (l4, h4); (l5, h5); (l6, h6)]
                (fun zs => match zs with [a; b; c; d; e; g] => B a b c d e g | _ => [] end))
  | total ?f ?l1 ?h1 (fun a => total ?f ?l2 ?h2 (fun b => total ?f ?l3 ?h3 (fun c => total ?f ?l4 ?h4 (fun d =>
      total ?f ?l5 ?h5 (fun e => @?B a b c d e))))) =>
      constr:(total_box f [(l1, h1); (l2, h2); (l3, h3); (l4, h4); (l5, h5)]
                (fun zs => match zs with [a; b; c; d; e] => B a b c d e | _ => [] end))
  | total ?f ?l1 ?h1 (fun a => total ?f ?l2 ?h2 (fun b => total ?f ?l3 ?h3 (fun c => total ?f ?l4 ?h4 (fun d => @?B a b c d)))) =>
      constr:(total_box f [(l1, h1); (l2, h2); (l3, h3); (l4, h4)]
                (fun zs => match zs with [a; b; c; d] => B a b c d | _ => [] end))
  | total ?f ?l1 ?h1 (fun a => total ?f ?l2 ?h2 (fun b => total ?f ?l3 ?h3 (fun c => @?B a b c))) =>
      constr:(total_box f [(l1, h1); (l2, h2); (l3, h3)] (fun zs => match zs with [a; b; c] => B a b c | _ => [] end))
  | total ?f ?l1 ?h1 (fun a => total ?f ?l2 ?h2 (fun b => @?B a b)) =>
      constr:(total_box f [(l1, h1); (l2, h2)] (fun zs => match zs with [a; b] => B a b | _ => [] end))
  | total ?f ?l1 ?h1 (fun a => @?B a) =>
      constr:(total_box f [(l1, h1)] (fun zs => match zs with [a] => B a | _ => [] end))
  end.

Ltac terms_correspond :=
  cbv [for_ranges in_ranges];
  repeat match goal with
         | |- forall _ : Z, _ => intro
         | |- _ <= _ < _ -> _ => intro
         end;
  cbv beta iota; repeat decide_if;
  lazymatch goal with
  | |- [] <> [] -> _ => let H := fresh in intro H; now elim H
  | |- _ -> _ => intros _
  end;
  repeat match goal with
         | |- _ /\ _ => split
         | |- True => exact Logic.I
         | |- terms _ [Put _] => apply terms_put
         | |- _ <= _ => arith
         | |- _ < _ => arith
         end;
  repeat equal_step.

(** The goal is that two reductions have the same value; [psi] takes the indices of the left one's terms to those of the right one, [phi] back.
    That the operation [commutes] is among the hypotheses. *)
Ltac reindexed psi phi :=
  lazymatch goal with
  | |- value ?i ?t = value ?i' ?t' =>
      let b := box_of t in let b' := box_of t' in change (value i b = value i' b');
      lazymatch goal with
      | |- value _ (total_box ?f ?rs ?F) = value _ (total_box _ ?rs' ?F') =>
          apply (value_reindexed f i rs rs' F F' phi psi); [assumption | discriminate | discriminate | terms_correspond | terms_correspond]
      end
  end.

(** ** Partial results *)

Ltac all_terms :=
  cbv beta;
  repeat match goal with
         | |- forall _, _ => intro
         | |- terms _ (total _ _ _ _) => apply terms_total
         | |- terms _ [Put _] => apply terms_put
         | |- terms _ [] => apply terms_nil
         | |- terms _ (if ?b then _ else _) => destruct b
         end.

(** What a cell of a tensor is, down to the reduction that it holds. *)
Ltac down_to_reduction :=
  repeat match goal with
         | |- value _ [Put _] = _ => rewrite value_put
         | |- value _ (den (Let _ _ _ _) _ _ _) = _ => let X := fresh "X" in let HX := fresh "HX" in bind_left X HX
         | |- value _ (den _ _ _ _) = _ => progress unfolded
         | H : forall _, ?X _ = value _ (den _ _ _ _) |- ?X _ = _ => rewrite H
         end;
  lazymatch goal with
  | |- value _ (total ?f ?lo ?hi ?t) = _ => rewrite <- (comb_total f f lo hi t); reflexivity
  end.

(** The left side reduces what was reduced before, in parts with [unit] as their start: it becomes one reduction. That the operation
    [associates] and [has_unit] are among the hypotheses. *)
Ltac partial_results unit :=
  lazymatch goal with
  | |- value ?i (total ?f ?lo ?hi (fun z => [Put (@?X z)])) = _ =>
      etransitivity;
      [ eapply (value_partial_read f unit i lo hi X);
        [assumption | assumption
        | let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; cbv beta; down_to_reduction
        | all_terms]
      | cbv beta ]
  end.
