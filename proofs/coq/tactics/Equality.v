(** * Denotations are equal

    [denotes_same] proves that two programs denote the same, one step at a time. With it
    [obligations] proves what lowering asks of a program. *)

From ATL Require Export lowering.Compile tactics.Reductions.

(** ** Programs that are the same text

    The schedule may have changed nothing. Then nothing is unfolded: reshapes of reshapes may
    double an index each. *)

(** What the name of a tensor's expression stands for; fails where there is no name. *)
Ltac body_of a := let checked := match goal with _ => is_const a end in eval red in a.

(** A program in which the expressions of tensors have no names. *)
Ltac written_out p :=
  match p with
  | context P [PLet ?x ?i ?a ?q] =>
      let a := body_of a in
      let p := context P [PLet x i a q] in
      written_out p
  | context P [(?o, (?i, ?a))] =>
      let a := body_of a in
      let p := context P [(o, (i, a))] in
      written_out p
  | _ => p
  end.

Ltac same_text :=
  lazymatch goal with
  | |- result ?p ?v ?G ?o ?xs = result ?q ?v ?G ?o ?xs =>
      let p' := written_out p in
      let q' := written_out q in
      constr_eq p' q';
      exact (eq_refl (result p' v G o xs))
  end.

(** ** The step

    Two values, or two lists of contributions, that are the same expression up to index
    arithmetic. *)

Ltac equal_step :=
  match goal with
  | |- ?a = ?a => reflexivity
  | |- result _ _ _ _ _ = result _ _ _ _ _ => same_text
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
  | A : associates ?f, U : has_unit ?f ?u
    |- value ?i (total ?f ?lo ?hi ?t) =
       value ?i (total ?f ?lo ?hi (fun z => total ?f ?lo' ?hi' (@?g z))) =>
      solve [ apply (value_partial_terms f u i lo hi t (fun z => total f lo' hi' (g z)) A U);
              intros; cbv beta;
              [ rewrite comb_total; apply (f_equal (fun x => [Put x])); denotes_same
              | all_terms ] ]
  | |- value _ (total _ _ _ _) = value _ (total _ _ _ _) => first [renumbered | lets_in_terms]
  | _ : absorbs _ ?u |- value (Some ?u) [] = value (Some ?u) (total _ _ _ _) =>
      change (value (Some u) []) with (op u []); no_terms
  | |- value _ _ = value _ _ => apply f_equal
  | |- total _ _ _ _ = total _ _ _ _ =>
      apply total_ext;
        [ arith
        | arith
        | let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; cbv beta ]
  | |- context [@map ?A ?B (comb ?f) []] => change (@map A B (comb f) []) with (@nil B)
  | |- map _ (total _ _ _ _) = _ => rewrite comb_total
  | |- _ = map _ (total _ _ _ _) => rewrite comb_total
  | |- _ :: _ = _ :: _ => apply f_equal2
  | |- op _ _ = value _ _ => multiplied
  | |- value _ _ = op _ _ => multiplied
  | A : associates ?f, C : commutes ?f, U : has_unit ?f ?u
    |- value (Some ?u) (total ?f 0 2 ?g) = op ?f [?a; ?b] =>
      first
        [ apply (value_started f u g a b A C U); cbv beta;
          [ solve [repeat decide_if; denotes_same]
          | all_terms
          | repeat decide_if; rewrite ?comb_total ]
        | apply (value_ended f u g a b); cbv beta; repeat decide_if; rewrite ?comb_total ]
  | L : has_left_unit ?f ?u |- value (Some ?u) [comb ?f (Put ?x)] = _ =>
      change (value (Some u) [comb f (Put x)]) with (red f (op u []) x); rewrite L
  | |- Put _ = Put _ => apply f_equal
  | |- op ?f _ = op ?f _ => apply f_equal
  | |- ?f ?x = ?f ?y => apply f_equal
  | |- _ => by_prophecy
  | H : forall _, ?X _ = value _ (den _ _ _ _) |- ?X _ = _ => rewrite H
  | H : forall _, ?X _ = value _ (den _ _ _ _) |- _ = ?X _ => rewrite H
  | |- _ = value _ (total _ _ _ _) => renumbered
  | |- context [value (Some ?c) []] => change (value (Some c) []) with (op c [])
  | |- [] = total _ _ _ _ => symmetry
  | |- total ?f ?lo ?hi _ = [] => apply total_empty; intros
  | |- value (Some ?u) (total _ _ _ _) = op ?u [] => refine (value_ext (Some u) _ [] _)
  | |- _ => rows_of_terms
  end

(** The next tensor of the algorithm gets a name, or else the next of the schedule. *)
with bind_next :=
  let X := fresh "X" in
  let HX := fresh "HX" in
  first [bind_right X HX; remember_right X | bind_left X HX; foretell X HX]

(** The prophecy of the schedule's tensor [X], if there is one, is proved, and takes the place of
    [HX], which says what the tensor is. *)
with foretell X HX :=
  try lazymatch goal with
    | _ := Foretold ?ps ?A, _ : forall ys, X ys = value ?init (den ?a ?v ?G ys)
      |- context [(?x, X) :: ?G] =>
        let ps := eval red in ps in
        let p := eval found in (lookup None ps x) in
        lazymatch p with
        | Some (Holds ?c ?k ?valid ?t ?l ?u) =>
            lazymatch A with context [(t, _) :: _] => idtac end;
            let a' := match a with _ => eval red in a | _ => a end in
            let P := fresh "holds" in
            assert (P : holds (Holds c k valid t l u) X v A (evs v (shape a')));
            [ solve [ cbv [holds combine];
                      obligations_with ltac:(renumberings_of x v; rewrite ?HX; denotes_same) ]
            | revert P; cbv [holds combine]; computed; intro P;
              lazymatch k with Truth true => clear HX | _ => idtac end ]
        end
    end

(** All steps. *)
with denotes_same :=
  lazymatch goal with
  | |- _ => tryif equal_step then denotes_same else idtac
  end.

(** ** Obligations

    They are about indices, except that rows which lie over each other have equal values. *)

(** Every contribution is a value that is put there. *)
Ltac only_puts :=
  repeat first
    [ progress read_through
    | match goal with |- puts (if ?b then _ else _) => destruct b end ];
  exact Logic.I.

(** They are about indices; but where rows lie over each other, about values. *)
Ltac obligation_left :=
  idtac;
  lazymatch goal with
  | |- puts _ => only_puts
  | |- den _ _ _ _ = den _ _ _ _ => solve [denotes_same]
  | |- _ => first [arith | not_found ltac:(fun c => idtac "not found in in_bounds:" c)]
  end.

Ltac obligations := obligations_with obligation_left.

(** ** Whole programs

    A program has one claim for each output. *)

(** The claims of a theorem about all outputs, one for each. *)
Ltac outputs_equal :=
  cbv [same_outputs forbox];
  repeat match goal with
         | |- _ /\ _ => split
         | |- True => exact Logic.I
         | |- forall _, _ => intro
         end.
