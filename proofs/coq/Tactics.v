(** * The proofs of a program: equality of denotations

    Two programs are unfolded side by side, one tensor at a time, down to values that are the same expression up to
    arithmetic of indices.  What a temporary of the scheduled program holds, its prophecy, is proved where the temporary
    is met, and used where it is read. *)

From ATL Require Export Obligations.

(** ** Tensors get names *)

(** Rewrites with an equation about a term that is there as it stands: [rewrite] would look for what is convertible to
    it. *)
Ltac rewrite_as_is E := lazymatch type of E with ?l = ?r => pattern l; refine (@eq_ind_r _ r _ _ l E); cbv beta end.

(** Gives the tensor of the outermost let on one side of an equation a name, [X], and what it is, [HX]. *)
Ltac name_tensor init a v G X HX :=
  set (X := fun ys => value init (den a v G ys));
  assert (HX : forall ys, X ys = value init (den a v G ys)) by (intro; reflexivity);
  clearbody X.
Ltac bind_in side X HX :=
  match side with
  | context [result (PLet ?x ?i ?a ?p) ?v ?G ?o ?xs] =>
      rewrite_as_is (result_let x i a p v G o xs); name_tensor i a v G X HX
  | context [den (Let ?x ?i ?a ?e) ?v ?G ?xs] => rewrite_as_is (den_let x i a e v G xs); name_tensor i a v G X HX
  end.
Tactic Notation "bind_left" ident(X) ident(HX) := lazymatch goal with |- ?l = _ => bind_in l X HX end.
Tactic Notation "bind_right" ident(X) ident(HX) := lazymatch goal with |- _ = ?r => bind_in r X HX end.

(** ** Unfolding *)

Declare Reduction found := cbv [lookup String.eqb String.letter_eqb N.eqb Pos.eqb Byte.to_N result ze combine app cdiv].

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
          tryif is_const e then (let e' := eval red in e in change (den e v G xs) with (den e' v G xs))
          else rewrite_as_is (den_past e v G xs)
      end
  end.
(** Rows and columns of what was cut into rows, joined: arithmetic would go through all of it each time. *)
Ltac joined :=
  repeat match goal with |- context [?a / Zpos ?p * Zpos ?p + ?a mod Zpos ?p] => rewrite_as_is (divided a p) end.
Ltac unfolded := repeat unfold_step; computed; cbv beta iota; numerals; joined.

(** ** Steps *)

(** [if b] where [b] is decided by arithmetic; otherwise both cases. *)
Ltac innermost b := match b with context [if ?c then _ else _] => innermost c | _ => b end.
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

(** What a tensor holds, where it is read: proved before as its prophecy. *)
Ltac by_prophecy :=
  match goal with
  | P : forall _, _ -> _ |- _ => rewrite P by arith
  | P : _ = true -> ?X [] = _ |- context [?X []] => rewrite P by arith
  | P : ?X [] = _ |- context [?X []] => rewrite P
  end.

(** Two indices: the same operation of the same operands, or else by arithmetic, mostly without a hypothesis. *)
Ltac equal_index :=
  first [ lazymatch goal with |- ?a = ?a => reflexivity end
        | lazymatch goal with
          | |- Z.min _ _ = Z.min _ _ => solve [apply f_equal2; equal_index]
          | |- Z.max _ _ = Z.max _ _ => solve [apply f_equal2; equal_index]
          end
        | solve [clear; lia] | arith ].

(** A reduction over [n] terms against one over [m] rows of [c] terms, the last row perhaps not whole. *)
Ltac in_rows f m c n g :=
  let E := fresh in assert (E : m = (n + c - 1) / c) by arith; clear E; rewrite (total_split f n c g) by arith.
Ltac rows_of_terms :=
  match goal with
  | |- total ?f 0 ?m (fun o => total ?f 0 ?c _) = total ?f 0 ?n ?g => in_rows f m c n g
  | |- total ?f 0 ?n ?g = total ?f 0 ?m (fun o => total ?f 0 ?c _) => in_rows f m c n g
  end; unfold cdiv.

(** The prophecies of a program's temporaries and the algorithm's tensors are among the hypotheses of its proof, for
    [equal_step]; tensors that are met inside the algorithm's expressions join them. *)
Ltac foretold_with ps :=
  lazymatch goal with |- _ = result _ _ ?G _ _ => let f := fresh "foretold" in pose (f := Foretold ps G) end.

(** So are the renumberings of reductions, by tensor; those of the tensor that is being proved on their own. *)
Ltac renumbered_with numbers :=
  let all := fresh "everywhere" in pose (all := Numbered numbers);
  lazymatch goal with
  | |- result _ ?v _ ?x ?cs = _ =>
      let l := eval red in numbers in let l := eval found in (lookup [] l x) in
      let r := fresh "here" in pose (r := Here l cs v)
  end.
(** What is inside an expression has none: those of the tensor around hold there. *)
Ltac renumberings_of x v :=
  lazymatch goal with
  | all := Numbered ?l |- _ ?cs = _ =>
      let l := eval red in l in let l := eval found in (lookup [] l x) in
      lazymatch l with
      | [] => idtac
      | _ => try match goal with r := Here _ _ _ |- _ => clear r end; let r := fresh "here" in pose (r := Here l cs v)
      end
  | |- _ => idtac
  end.

Ltac remember_right X :=
  try lazymatch goal with
    | f := Foretold ?ps ?A |- context [(?x, X) :: _] =>
        clear f; let f := fresh "foretold" in pose (f := Foretold ps ((x, X) :: A))
    end.

(** ** Reductions whose terms are numbered otherwise *)

(** A nest of [n] reductions as one over a box.  [t] is a function of the variables around, the innermost first. *)
Ltac ranges_of n t :=
  lazymatch n with
  | O => constr:(fun _ : list Z => Point)
  | S ?n =>
      lazymatch t with
      | fun zs => total _ (@?lo zs) (@?hi zs) (@?g zs) =>
          let inner := eval cbv beta in (fun zs : list Z => g (tl zs) (hd 0 zs)) in
          let rs := ranges_of n inner in constr:(fun zs : list Z => Range (lo zs) (hi zs) (fun z => rs (z :: zs)))
      end
  end.
Ltac terms_of n t :=
  lazymatch n with
  | O => t
  | S ?n =>
      lazymatch t with
      | fun zs => total _ _ _ (@?g zs) =>
          let inner := eval cbv beta in (fun zs : list Z => g (tl zs) (hd 0 zs)) in terms_of n inner
      end
  end.
Ltac box_of n t :=
  lazymatch t with
  | total ?f _ _ _ =>
      let rs := ranges_of n (fun _ : list Z => t) in
      let g := terms_of n (fun _ : list Z => t) in
      let rs := eval cbv beta in (rs []) in constr:(total_box f rs (fun zs => g (rev zs)))
  end.

(** Only where there are terms. *)
Ltac where_terms :=
  repeat match goal with
         | H : (if ?b then _ else _) <> [] |- _ => let E := fresh "Hp" in destruct b eqn:E; [| now elim H]
         end.
(** The two parts of a reduction that was cut, one at a time, so that products with the part's number are linear. *)
Ltac parts :=
  repeat match goal with
         | H : 0 <= ?z < 2 |- _ =>
             is_var z; let E := fresh in assert (E : z = 0 \/ z = 1) by lia; destruct E as [E|E]; subst z
         | |- context [Z.min (Z.max ?e 0) 1] =>
             let E := fresh in let L := fresh in
             assert (E : Z.min (Z.max e 0) 1 = 0 /\ e <= 0 \/ Z.min (Z.max e 0) 1 = 1 /\ 1 <= e)
               by (integers_only; lia);
             destruct E as [[E L]|[E L]]; rewrite !E; clear E
         end.
Ltac numbers := cbv [for_ranges in_ranges before combine rev]; computed; numerals.

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
         end.

Ltac keeps_order := numbers; intros; parts; where_terms; linear.

(** The goal is that two reductions have the same value; [psi] takes the indices of the left one's terms to those of the
    right one, [phi] back. That the operation [commutes] is among the hypotheses. What is left is that the terms are the
    same. *)
Ltac reorder_terms n psi m phi :=
  lazymatch goal with
  | |- value ?i ?t = value ?i' ?t' =>
      let b := box_of n t in let b' := box_of m t' in change (value i b = value i' b');
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
      let b := box_of n t in let b' := box_of m t' in change (b = b');
      lazymatch goal with
      | |- total_box ?f ?rs ?F = total_box _ ?rs' ?F' =>
          apply (total_in_order f rs rs' F F' phi psi);
            [discriminate | discriminate | terms_correspond | terms_correspond | keeps_order]
      end
  end.

(** ** Partial results *)

(** Lets in the terms of a reduction are read through: what they bind differs from term to term, so that it cannot have
    a name. *)
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

(** A product with a reduction: the factor goes to its terms. That the operations so [distributes] is among the
    hypotheses. *)
Ltac multiplied :=
  match goal with
  | D : distributes ?g ?f, A : absorbs ?g ?u |- context [op ?g [?a; value (Some ?u) (total ?f ?lo ?hi ?t)]] =>
      rewrite (times_total g f u a lo hi t D A) by all_terms
  | D : distributes ?g ?f, A : absorbs ?g ?u |- context [op ?g [value (Some ?u) (total ?f ?lo ?hi ?t); ?a]] =>
      rewrite (total_times g f u a lo hi t D A) by all_terms
  | _ : distributes ?g _, H : forall _, ?X _ = value _ _ |- context [op ?g [_; ?X ?l]] => rewrite (H l); unfolded
  | _ : distributes ?g _, H : forall _, ?X _ = value _ _ |- context [op ?g [?X ?l; _]] => rewrite (H l); unfolded
  end;
  cbv beta; cbn [map scaled].

(** What a cell of a tensor is, down to the reduction that it holds, whose terms may be such cells again, with [unit] as
    their start. *)
Ltac down_to_reduction unit :=
  repeat match goal with
         | |- [Put _] = [Put _] => apply (f_equal (fun x => [Put x]))
         | |- context [if _ then _ else _] => decide_if
         | |- context [value ?i [Put ?x]] => rewrite (value_put i x)
         | |- context [den (Let _ _ _ _) _ _ _] => let X := fresh "X" in let HX := fresh "HX" in bind_left X HX
         | |- context [den _ _ _ _] => progress unfolded
         | H : forall _, ?X _ = value _ (den _ _ _ _) |- ?X _ = _ => rewrite H
         | |- op _ _ = _ => multiplied
         end;
  try in_parts unit;
  lazymatch goal with |- value _ (total ?f ?lo ?hi ?t) = _ => rewrite <- (comb_total f f lo hi t); reflexivity end
(** The left side reduces what was reduced before, in parts: it becomes one reduction. That the operation [associates]
    and [has_unit] are among the hypotheses. *)
with in_parts unit :=
  lazymatch goal with
  | |- value ?i (total ?f ?lo ?hi ?t) = _ =>
      etransitivity;
      [ eapply (value_partial_terms f unit i lo hi t);
        [assumption | assumption
        | let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; cbv beta; down_to_reduction unit
        | all_terms]
      | cbv beta ]
  end.

(** ** A reduction whose terms but one do not matter *)

(** Reads are followed to what their tensors are. *)
Ltac looked_up :=
  repeat match goal with
         | H : forall _, ?X _ = value _ (den _ _ _ _) |- context [?X ?l] => rewrite (H l); unfolded; repeat decide_if
         | |- context [value ?i [Put ?x]] => rewrite (value_put i x)
         | |- context [value (Some ?c) []] => change (value (Some c) []) with (op c [])
         end.
Ltac is_nothing :=
  intros; cbv beta;
  repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:?; try (exfalso; linear) end.
Ltac does_not_matter :=
  let z := fresh "z" in intros z; intros; cbv beta; unfold no_term;
  repeat match goal with |- context [if ?b then _ else _] => destruct b eqn:?; try (exfalso; linear) end;
  first [ left; reflexivity
        | right; apply f_equal2; [apply f_equal | reflexivity]; looked_up;
          match goal with H : absorbs ?g ?u |- op ?g [?a; ?b] = op ?u [] => first [apply (H b) | apply (H a)] end ].

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
              [assumption | arith | cbv beta; repeat decide_if; looked_up | now is_nothing]
            | apply (value_one_term f u lo hi g a x);
              [assumption | assumption | arith | cbv beta; repeat decide_if; looked_up | does_not_matter] ]
  end.

(** A renumbering of the schedule's proof, where the variables around have the values that [v] says and the cell is
    [cs]. *)
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
      | true => lazymatch goal with |- value _ _ = _ => apply f_equal | _ => idtac end; renumber_terms n psi n' phi
      | false => reorder_terms n psi n' phi
      end
  end.
Ltac renumbered_by_one_of l cs v :=
  lazymatch l with ?m :: ?l => first [renumbered_by m cs v | renumbered_by_one_of l cs v] end.
Ltac renumbered := lazymatch goal with r := Here ?l ?cs ?v |- _ => renumbered_by_one_of l cs v end.

Ltac terms_read :=
  intros; cbv beta;
  lazymatch goal with
  | |- map ?c (total ?f ?lo ?hi ?t) = _ =>
      apply (f_equal (map c)); eapply (total_ext f lo lo hi hi t); [reflexivity | reflexivity | terms_read]
  | |- _ => read_through; reflexivity
  end.
Ltac lets_in_terms :=
  match goal with
  | |- value _ (total _ ?lo ?hi _) = value _ (total _ ?lo ?hi _) => fail 1
  | |- context [total ?f ?lo ?hi ?t] =>
      lazymatch t with context [den (Let _ _ _ _) _ _ _] => idtac end;
      erewrite (total_ext f lo lo hi hi t _ eq_refl eq_refl); [| terms_read]
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
  | A : associates ?f, U : has_unit ?f ?u
    |- value ?i (total ?f ?lo ?hi ?t) = value ?i (total ?f ?lo ?hi (fun z => total ?f ?lo' ?hi' (@?g z))) =>
      solve [ apply (value_partial_terms f u i lo hi t (fun z => total f lo' hi' (g z)) A U); intros; cbv beta;
              [rewrite comb_total; apply (f_equal (fun x => [Put x])); denotes_same | all_terms] ]
  | |- value _ (total _ _ _ _) = value _ (total _ _ _ _) => first [renumbered | lets_in_terms]
  | _ : absorbs _ ?u |- value (Some ?u) [] = value (Some ?u) (total _ _ _ _) =>
      change (value (Some u) []) with (op u []); no_terms
  | |- value _ _ = value _ _ => apply f_equal
  | |- total _ _ _ _ = total _ _ _ _ =>
      apply total_ext; [arith | arith | let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; cbv beta]
  | |- map _ (total _ _ _ _) = _ => rewrite comb_total
  | |- _ = map _ (total _ _ _ _) => rewrite comb_total
  | |- _ :: _ = _ :: _ => apply f_equal2
  | |- op _ _ = value _ _ => multiplied
  | |- value _ _ = op _ _ => multiplied
  | A : associates ?f, C : commutes ?f, U : has_unit ?f ?u |- value (Some ?u) (total ?f 0 2 ?g) = op ?f [?a; ?b] =>
      apply (value_started f u g a b A C U); cbv beta; [| all_terms |]; repeat decide_if; rewrite ?comb_total
  | L : has_left_unit ?f ?u |- value (Some ?u) [comb ?f (Put ?x)] = _ =>
      change (value (Some u) [comb f (Put x)]) with (red f (op u []) x); rewrite L
  | |- Put _ = Put _ => apply f_equal | |- op ?f _ = op ?f _ => apply f_equal
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
with bind_next :=
  let X := fresh "X" in let HX := fresh "HX" in
  first [bind_right X HX; remember_right X | bind_left X HX; foretell X HX]
with foretell X HX :=
  try lazymatch goal with
    | _ := Foretold ?ps ?A, _ : forall ys, X ys = value ?init (den ?a ?v ?G ys) |- context [(?x, X) :: ?G] =>
        let ps := eval red in ps in let p := eval found in (lookup None ps x) in
        lazymatch p with
        | Some (Holds ?c ?k ?valid ?t ?l ?u) =>
            lazymatch A with context [(t, _) :: _] => idtac end;
            let a' := match a with _ => eval red in a | _ => a end in
            let P := fresh "holds" in
            assert (P : holds (Holds c k valid t l u) X v A (evs v (shape a')));
            [ solve [cbv [holds combine]; obligations_with ltac:(renumberings_of x v; rewrite ?HX; denotes_same)]
            | revert P; cbv [holds combine]; computed; intro P;
              lazymatch k with Truth true => clear HX | _ => idtac end ]
        end
    end
with denotes_same := lazymatch goal with |- _ => tryif equal_step then denotes_same else idtac end.

(** ** Obligations *)

(** Every contribution is a value that is put there. *)
Ltac only_puts :=
  repeat first [progress read_through | match goal with |- puts (if ?b then _ else _) => destruct b end]; exact Logic.I.

(** They are about indices; but where rows lie over each other, about values. *)
Ltac obligation_left :=
  idtac;
  lazymatch goal with
  | |- puts _ => only_puts
  | |- den _ _ _ _ = den _ _ _ _ => solve [denotes_same]
  | |- _ => arith
  end.
Ltac obligations := obligations_with obligation_left.

(** ** Whole programs *)

(** The claims of a theorem about all outputs, one for each. *)
Ltac outputs_equal :=
  cbv [same_outputs forbox];
  repeat match goal with |- _ /\ _ => split | |- True => exact Logic.I | |- forall _, _ => intro end.
