(** * Reductions that are equal

    Reductions whose terms are numbered otherwise, partial results, common factors, and
    reductions with one term that matters. *)

From ATL Require Export equality.ScalarLaws equality.Ranges equality.Sums equality.SumsInOrder
  tactics.Steps.

(** ** A nest of reductions, as one over a box

    [box_of n t] is the reduction over all indices that [n] reductions inside each other are
    equal to. *)

(** The ranges of [n] reductions inside each other, and their terms. [t] is a function of the
    variables around, the innermost first. *)
Ltac ranges_of n t :=
  lazymatch n with
  | O => constr:(fun _ : list Z => Point)
  | S ?n =>
      lazymatch t with
      | fun zs => total _ (@?lo zs) (@?hi zs) (@?g zs) =>
          let inner := eval cbv beta in (fun zs : list Z => g (tl zs) (hd 0 zs)) in
          let rs := ranges_of n inner in
          constr:(fun zs : list Z => Range (lo zs) (hi zs) (fun z => rs (z :: zs)))
      end
  end.

Ltac terms_of n t :=
  lazymatch n with
  | O => t
  | S ?n =>
      lazymatch t with
      | fun zs => total _ _ _ (@?g zs) =>
          let inner := eval cbv beta in (fun zs : list Z => g (tl zs) (hd 0 zs)) in
          terms_of n inner
      end
  end.

Ltac box_of n t :=
  lazymatch t with
  | total ?f _ _ _ =>
      let rs := ranges_of n (fun _ : list Z => t) in
      let g := terms_of n (fun _ : list Z => t) in
      let rs := eval cbv beta in (rs []) in
      constr:(total_box f rs (fun zs => g (rev zs)))
  end.

(** ** Terms that correspond

    Two reductions over boxes are equal if index maps take the terms of one to those of the
    other. *)

(** Only where there are terms. *)
Ltac where_terms :=
  repeat match goal with
         | H : (if ?b then _ else _) <> [] |- _ =>
             let E := fresh "Hp" in
             destruct b eqn:E; [| now elim H]
         end.

(** The two parts of a reduction that was cut, one at a time, so that products with the part's
    number are linear. *)
Ltac parts :=
  repeat match goal with
         | H : 0 <= ?z < 2 |- _ =>
             is_var z;
             let E := fresh in
             assert (E : z = 0 \/ z = 1) by lia;
             destruct E as [E|E]; subst z
         | |- context [Z.min (Z.max ?e 0) 1] =>
             let E := fresh in
             let L := fresh in
             assert (E : Z.min (Z.max e 0) 1 = 0 /\ e <= 0 \/ Z.min (Z.max e 0) 1 = 1 /\ 1 <= e)
               by (integers_only; lia);
             destruct E as [[E L]|[E L]]; rewrite !E; clear E
         end.

Ltac numbers := cbv [for_ranges in_ranges before combine rev]; computed; numerals.

(** If the indices do not correspond, it is another renumbering. *)
Ltac not_about_indices :=
  lazymatch goal with
  | |- _ <= _ => fail
  | |- _ < _ => fail
  | |- _ = _ :> Z => fail
  | |- _ => idtac
  end.

Ltac terms_correspond :=
  numbers; intros; parts; where_terms;
  repeat match goal with
         | |- _ /\ _ => split
         | |- True => exact Logic.I
         | |- terms _ (if ?b then _ else _) => destruct b
         | |- terms _ [Put _] => apply terms_put
         | |- terms _ [] => apply terms_nil
         | |- _ <= _ => arith
         | |- _ < _ => arith
         | |- _ :: _ = _ :: _ :> list Z => apply f_equal2
         | |- _ = _ :> list Z => reflexivity
         | |- _ = _ :> Z => equal_index
         end;
  not_about_indices.

Ltac keeps_order := numbers; intros; parts; where_terms; linear.

(** The goal is that two reductions have the same value. [psi] takes the indices of the left
    one's terms to those of the right one, [phi] back. That the operation [commutes] is among the
    hypotheses. What is left is that the terms are the same. *)
Ltac reorder_terms n psi m phi :=
  lazymatch goal with
  | |- value ?i ?t = value ?i' ?t' =>
      let b := box_of n t in
      let b' := box_of m t' in
      change (value i b = value i' b');
      lazymatch goal with
      | |- value _ (total_box ?f ?rs ?F) = value _ (total_box _ ?rs' ?F') =>
          apply (value_reindexed f i rs rs' F F' phi psi);
            [assumption | discriminate | discriminate | terms_correspond | terms_correspond]
      end
  end.

(** The same for terms that keep their order, without a hypothesis. *)
Ltac renumber_terms n psi m phi :=
  lazymatch goal with
  | |- ?t = ?t' =>
      let b := box_of n t in
      let b' := box_of m t' in
      change (b = b');
      lazymatch goal with
      | |- total_box ?f ?rs ?F = total_box _ ?rs' ?F' =>
          apply (total_in_order f rs rs' F F' phi psi);
            [discriminate | discriminate | terms_correspond | terms_correspond | keeps_order]
      end
  end.

(** ** Partial results

    A reduction of reductions that have accumulators of their own is one reduction. *)

(** Lets in the terms of a reduction are read through: what they bind differs from term to term,
    so that it cannot have a name. *)
Ltac read_through :=
  repeat match goal with
         | |- context [den (Let ?x ?i ?a ?e) ?v ?G ?xs] => rewrite (den_let x i a e v G xs)
         | |- context [den _ _ _ _] => progress unfolded
         end.

Ltac all_terms :=
  cbv beta;
  repeat match goal with
         | |- forall _, _ => intro
         | |- terms _ (total _ _ _ _) => apply terms_total
         | |- terms _ [Put _] => apply terms_put
         | |- terms _ [] => apply terms_nil
         | |- terms _ (if ?b then _ else _) => destruct b
         | |- terms _ (den _ _ _ _) => progress read_through
         end.

(** A product with a reduction: the factor goes to its terms. That the operations so
    [distributes] is among the hypotheses. *)
Ltac multiplied :=
  match goal with
  | D : distributes ?g ?f, A : absorbs ?g ?u
    |- context [op ?g [?a; value (Some ?u) (total ?f ?lo ?hi ?t)]] =>
      rewrite (times_total g f u a lo hi t D A) by all_terms
  | D : distributes ?g ?f, A : absorbs ?g ?u
    |- context [op ?g [value (Some ?u) (total ?f ?lo ?hi ?t); ?a]] =>
      rewrite (total_times g f u a lo hi t D A) by all_terms
  | _ : distributes ?g _, H : forall _, ?X _ = value _ _ |- context [op ?g [_; ?X ?l]] =>
      rewrite (H l); unfolded
  | _ : distributes ?g _, H : forall _, ?X _ = value _ _ |- context [op ?g [?X ?l; _]] =>
      rewrite (H l); unfolded
  end;
  cbv beta; cbn [map scaled].

(** Two reductions that are the same up to index arithmetic. *)
Ltac same_terms :=
  repeat lazymatch goal with
         | |- ?a = ?a => reflexivity
         | |- _ = _ :> Z => equal_index
         | |- context [if _ then _ else _] => decide_if
         | |- map _ (total _ _ _ _) = _ => rewrite comb_total
         | |- _ = map _ (total _ _ _ _) => rewrite comb_total
         | |- total _ _ _ _ = total _ _ _ _ => apply total_ext; [arith | arith | intros; cbv beta]
         | |- _ :: _ = _ :: _ => apply f_equal2
         | |- ?f _ = ?f _ => apply f_equal
         end.

(** What a cell of a tensor is, down to the reduction that it holds, whose terms may be such
    cells again, with [unit] as their start. Where the tensor has regions, those of the first one
    are the terms, and the others have the same, up to index arithmetic. *)
Ltac down_to_reduction unit :=
  repeat match goal with
         | |- [Put _] = [Put _] => apply (f_equal (fun x => [Put x]))
         | |- context [if _ then _ else _] => decide_if
         | |- context [value ?i [Put ?x]] => rewrite (value_put i x)
         | |- context [den (Let _ _ _ _) _ _ _] =>
             let X := fresh "X" in
             let HX := fresh "HX" in
             bind_left X HX
         | |- context [den _ _ _ _] => progress unfolded
         | H : forall _, ?X _ = value _ (den _ _ _ _) |- ?X _ = _ => rewrite H
         | |- op _ _ = _ => multiplied
         end;
  try in_parts unit;
  lazymatch goal with
  | |- value _ (total ?f ?lo ?hi ?t) = _ =>
      rewrite <- (comb_total f f lo hi t);
      first [ reflexivity
            | lazymatch goal with
              | |- value ?i (map ?c ?a) = value _ (_ ?b) =>
                  change (value i (map c a) = value i (map c b));
                  apply (f_equal (fun l => value i (map c l)))
              end;
              solve [same_terms] ]
  end

(** The left side reduces what was reduced before, in parts: it becomes one reduction. That the
    operation [associates] and [has_unit] are among the hypotheses. *)
with in_parts unit :=
  lazymatch goal with
  | |- value ?i (total ?f ?lo ?hi ?t) = _ =>
      etransitivity;
      [ eapply (value_partial_terms f unit i lo hi t);
        [assumption | assumption
        | let z := fresh "z" in
          let Hz := fresh "Hz" in
          intros z Hz; cbv beta; down_to_reduction unit
        | all_terms]
      | cbv beta ]
  end.

(** ** A reduction with at most one term that matters

    The other terms are nothing, or the unit of the operation. *)

(** Reads are followed to what their tensors are. *)
Ltac looked_up :=
  repeat match goal with
         | H : forall _, ?X _ = value _ (den _ _ _ _) |- context [?X ?l] =>
             rewrite (H l); unfolded; repeat decide_if
         | |- context [value ?i [Put ?x]] => rewrite (value_put i x)
         | |- context [value (Some ?c) []] => change (value (Some c) []) with (op c [])
         end.

Ltac is_nothing :=
  intros; cbv beta;
  repeat match goal with
         | |- context [if ?b then _ else _] => destruct b eqn:?; try (exfalso; linear)
         end.

Ltac does_not_matter :=
  let z := fresh "z" in
  intros z; intros; cbv beta; unfold no_term;
  repeat match goal with
         | |- context [if ?b then _ else _] => destruct b eqn:?; try (exfalso; linear)
         end;
  first [ left; reflexivity
        | right; apply f_equal2; [apply f_equal | reflexivity]; looked_up;
          match goal with
          | H : absorbs ?g ?u |- op ?g [?a; ?b] = op ?u [] => first [apply (H b) | apply (H a)]
          end ].

Ltac no_terms :=
  lazymatch goal with
  | |- op ?u [] = value (Some ?u) (total ?f ?lo ?hi ?g) =>
      symmetry; apply value_no_terms; [assumption | does_not_matter]
  end.

Ltac one_term a :=
  lazymatch goal with
  | |- ?x = value (Some ?u) (total ?f ?lo ?hi ?g) =>
      symmetry;
      first [ apply (value_only_term f u lo hi g a x);
                [ assumption
                | arith
                | cbv beta; repeat decide_if; looked_up
                | now is_nothing ]
            | apply (value_one_term f u lo hi g a x);
                [ assumption
                | assumption
                | arith
                | cbv beta; repeat decide_if; looked_up
                | does_not_matter ] ]
  end.

(** ** Renumberings

    The file of a program says which of these ways a reduction takes. *)

(** A renumbering of the schedule's proof, where the variables around have the values that [v]
    says and the cell is [cs]. *)
Ltac renumbered_by m cs v :=
  lazymatch m with
  | Renumbered ?cell _ _ [] [?a] _ _ =>
      let a := eval found in (ze (combine cell cs ++ v) a) in
      one_term a
  | Renumbered ?cell ?partial ?in_order ?now ?to_before ?before ?to_now =>
      let n := eval cbv in (length now) in
      let n' := eval cbv in (length before) in
      let psi := constr:(fun zs => evs (combine now zs ++ combine cell cs ++ v) to_before) in
      let phi := constr:(fun zs => evs (combine before zs ++ combine cell cs ++ v) to_now) in
      lazymatch partial with Some ?unit => in_parts unit | None => idtac end;
      lazymatch in_order with
      | true =>
          lazymatch goal with |- value _ _ = _ => apply f_equal | _ => idtac end;
          renumber_terms n psi n' phi
      | false => reorder_terms n psi n' phi
      end
  end.

Ltac renumbered_by_one_of l cs v :=
  lazymatch l with
  | ?m :: ?l => first [renumbered_by m cs v | renumbered_by_one_of l cs v]
  end.

Ltac renumbered :=
  lazymatch goal with
  | r := Here ?l ?cs ?v |- _ => renumbered_by_one_of l cs v
  end.

(** ** Lets in terms

    What the terms of a reduction bind is read through. *)

Ltac terms_read :=
  intros; cbv beta;
  lazymatch goal with
  | |- map ?c (total ?f ?lo ?hi ?t) = _ =>
      apply (f_equal (map c));
      eapply (total_ext f lo lo hi hi t); [reflexivity | reflexivity | terms_read]
  | |- _ => read_through; reflexivity
  end.

Ltac lets_in_terms :=
  match goal with
  | |- value _ (total _ ?lo ?hi _) = value _ (total _ ?lo ?hi _) => fail 1
  | |- context [total ?f ?lo ?hi ?t] =>
      lazymatch t with context [den (Let _ _ _ _) _ _ _] => idtac end;
      erewrite (total_ext f lo lo hi hi t _ eq_refl eq_refl); [| terms_read]
  end.
