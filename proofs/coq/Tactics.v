(** * The proofs of a program

    Exported files prove a program's obligations with these.  [computed] unfolds the library's definitions, and nothing of
    integers; [arith] is linear arithmetic with divisions by constants, then a few lemmas for products of sizes, then [nia] for a
    limited time.  No tactic searches without a limit. *)

From Coq Require Export ZifyBool.
From ATL Require Export Index Box Contrib ops.Reshape Syntax Denote Loops Lower Scope Correct Sim Compile Unfold Sums.
From ATL Require Export ops.Flatten ops.Split ops.Transpose ops.Truncr ops.Truncl ops.Padr ops.Padl ops.Raise.

Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** ** Unfolding *)

Ltac computed :=
  cbv [ok_program ok_outputs ok filled_or_written forbox written unwritten same same_outputs equal_all
       go sev evs zdefs shape ze zdef be bdef sdef inboxb inbox lookup view output_names
       map forallb hd tl app fst snd String.eqb Ascii.eqb Bool.eqb cdiv
       rshape nshape npull rpush npush rreq rcut length skipn firstn
       flatten flatten_shape flatten_nshape flatten_pull flatten_push flatten_npush flatten_req
       split split_shape split_nshape split_pull split_push split_npush split_req
       transpose exchanged transpose_pull transpose_req
       truncr truncr_shape truncr_nshape truncr_pull truncr_push truncr_npush truncr_req truncr_cut
       truncl truncl_shape truncl_nshape truncl_pull truncl_push truncl_npush truncl_req truncl_cut
       padr padr_shape padr_nshape padr_pull padr_push padr_npush padr_req
       padl padl_shape padl_nshape padl_pull padl_push padl_npush padl_req
       raise sink raised sunk].

(** ** Arithmetic *)

Lemma cdiv_mul : forall n d, 0 < d -> (n * d + d - 1) / d = n.
Proof. intros. replace (n * d + d - 1) with (n * d + (d - 1)) by lia. apply row_div. lia. Qed.

Lemma row_bound : forall i j n m, 0 <= i < n -> 0 <= j < m -> 0 <= i * m + j < n * m.
Proof. intros. nia. Qed.

Lemma div_bound : forall x n m, 0 <= x < n * m -> 0 < m -> 0 <= x / m < n.
Proof.
  intros x n m Hx Hm. split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia].
Qed.

Lemma row_lt : forall i j n m, i < n -> 0 <= j < m -> i * m + j < n * m.
Proof. intros. nia. Qed.

Lemma row_nonneg : forall i j m, 0 <= i -> 0 <= j -> 0 < m -> 0 <= i * m + j.
Proof. intros. nia. Qed.

Ltac no_bool := cbn [andb orb negb implb].

(** Products of sizes, as they come from loops that were split or fused: quotients and remainders of rows. *)
Ltac row_simpl :=
  repeat match goal with
         | H : context [?x - 0] |- _ => rewrite (Z.sub_0_r x) in H
         | H : context [(?n * ?d + ?d - 1) / ?d] |- _ => rewrite (cdiv_mul n d) in H by lia
         end;
  repeat first
    [ rewrite Z.sub_0_r | rewrite Z.add_0_l | rewrite cdiv_mul by lia
    | rewrite row_div by lia | rewrite row_mod by lia | rewrite Z.div_mul by lia ].
Ltac row_side :=
  first [ assumption | lia
        | apply Z.mod_pos_bound; lia
        | apply Z.div_pos; [row_side | lia]
        | apply Z.div_lt_upper_bound; [lia | rewrite Z.mul_comm; row_side]
        | apply row_nonneg; [row_side | row_side | lia]
        | apply row_lt; [row_side | split; row_side]
        | split; row_side
        | repeat apply Z.mul_nonneg_nonneg; lia ].
Ltac rows :=
  repeat match goal with
         | |- (_ && _)%bool = true => apply andb_true_intro; split
         | |- (_ <=? _) = true => apply Z.leb_le
         | |- (_ <? _) = true => apply Z.ltb_lt
         end;
  row_simpl; first [ reflexivity | row_side ].

(** Only what is said of integers is of use to them: not what tensors hold. *)
Ltac integers_only := repeat match goal with H : forall _, _ |- _ => clear H end.

(** A claim about integers. *)
Ltac linear := solve [ assumption | reflexivity | integers_only; lia ].
Ltac arith := solve [ linear | integers_only; first [ timeout 5 rows | timeout 5 nia ] ].

(** Takes an obligation apart; what is left is arithmetic under the hypotheses of the loops and guards around. *)
Ltac obligations_with tac :=
  computed; no_bool;
  repeat match goal with
         | |- _ /\ _ => split
         | |- True => exact Logic.I
         | |- ?a = ?a => reflexivity
         | |- forall _, _ => intro
         | |- _ <> _ => discriminate
         | |- (_ && _)%bool = true => apply andb_true_intro; split
         | H : false = true |- _ => discriminate H
         | H : _ /\ _ |- _ => destruct H
         end;
  tac.
Ltac obligations := obligations_with arith.

(** ** Loop nests *)

Ltac decided := computed; no_bool; arith.

Ltac refine_loop :=
  first [ eapply refines_for; [assumption | reflexivity | decided | decided | decided | let z := fresh "z" in let Hz := fresh "Hz" in
            intros z Hz; computed_in Hz | ]
        | apply refines_for_none; [assumption | decided | ] ]
with computed_in H := revert H; computed; intro H.

(** Only a loop whose bounds are numbers is unrolled. *)
Ltac is_number n := lazymatch n with Z0 => idtac | Zpos _ => idtac | Zneg _ => idtac end.
Ltac unroll :=
  lazymatch goal with
  | |- refines _ _ ((?v, SFor ?m ?i ?lo ?hi ?b) :: ?src) ?tgt =>
      let a := eval vm_compute in (ze v lo) in
      let c := eval vm_compute in (ze v hi) in
      is_number a; is_number c;
      let l := eval vm_compute in (zrange a c) in
      apply (refines_unroll _ _ v m i lo hi b src tgt a c eq_refl eq_refl eq_refl);
      change (zrange a c) with l; cbn [map app]
  end.

(** What is cheap to decide is tried first. *)
Ltac decided_quickly := computed; no_bool; linear.
Ltac refine_if :=
  first [ apply refines_if; [decided_quickly | decided_quickly | let H := fresh "Hp" in intro H; computed_in H | ]
        | apply refines_if_true; [decided_quickly | ]
        | apply refines_if_false; [decided_quickly | ]
        | apply refines_if; [decided | decided | let H := fresh "Hp" in intro H; computed_in H | ]
        | apply refines_if_true; [decided | ]
        | apply refines_if_false; [decided | ] ].

Ltac scalars :=
  computed; no_bool;
  repeat match goal with
         | |- _ /\ _ => split
         | |- True => exact Logic.I
         | |- ?a = ?a => reflexivity
         | |- forall _, _ => intro
         end;
  try arith.

Ltac refine_step :=
  lazymatch goal with
  | |- refines _ _ ((_, SSeq _ _) :: _) _ => apply refines_seq
  | |- refines _ _ ((_, SSkip) :: _) _ => apply refines_skip
  | |- refines _ _ _ ((_, SSeq _ _) :: _) => apply refines_seq'
  | |- refines _ _ _ ((_, SSkip) :: _) => apply refines_skip'
  | |- refines _ _ [] [] => apply refines_nil
  | |- refines _ _ ((_, SAlloc _ _ _) :: _) ((_, SAlloc _ _ _) :: _) =>
      apply refines_alloc; [decided | scalars | | ]
  | |- refines _ _ ((_, SStore _ _ _ _) :: _) ((_, SStore _ _ _ _) :: _) =>
      apply refines_store; [decided | scalars | scalars | ]
  | |- refines _ _ ((_, SIf _ _) :: _) ((_, SIf _ _) :: _) =>
      first [ refine_if
            | apply refines_if_true'; [decided | decided | ]
            | apply refines_if_false'; [decided | decided | ] ]
  | |- refines _ _ ((_, SIf _ _) :: _) _ =>
      first [apply refines_if_true; [decided | ] | apply refines_if_false; [decided | ] ]
  | |- refines _ _ ((_, SFor ?m ?i _ _ _) :: _) ((_, SFor _ ?j _ _ _) :: _) =>
      let it := eval vm_compute in (String.eqb i j || String.prefix "#" i)%bool in
      lazymatch it with
      | true => refine_loop
      | false =>
          lazymatch m with
          | Unrolled => first [apply refines_for_none; [assumption | decided_quickly | ] | unroll]
          | _ => first [refine_loop | unroll]
          end
      end
  | |- refines _ _ ((_, SFor _ _ _ _ _) :: _) ((_, SIf _ _) :: _) =>
      first [ apply refines_if_true'; [decided_quickly | decided_quickly | ]
            | apply refines_if_false'; [decided_quickly | decided_quickly | ]
            | apply refines_for_none; [assumption | decided | ] | unroll ]
  | |- refines _ _ ((_, SFor _ _ _ _ _) :: _) _ =>
      first [apply refines_for_none; [assumption | decided | ] | unroll]
  | |- refines _ _ _ ((_, SIf _ _) :: _) =>
      first [apply refines_if_true'; [decided | decided | ] | apply refines_if_false'; [decided | decided | ] ]
  end.
Ltac refine_all := repeat refine_step.

(** ** Equality of denotations *)

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

(** Unfolds what can be unfolded without going through a let. *)
Ltac unfold_step :=
  match goal with
  | |- context [result (Outputs ?l) ?v ?G ?o ?xs] =>
      let t := eval cbv [result lookup String.eqb Ascii.eqb Bool.eqb] in (result (Outputs l) v G o xs) in
      change (result (Outputs l) v G o xs) with t
  | |- context [den ?e ?v ?G ?xs] =>
      lazymatch e with Let _ _ _ _ => fail | _ => idtac end; rewrite (den_go e v G xs)
  end.
Ltac unfolded := repeat unfold_step; computed; cbv beta iota; no_bool.

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

(** Two values, or two lists of contributions, that are the same expression up to index arithmetic. *)
Ltac equal_step :=
  match goal with
  | |- ?a = ?a => reflexivity
  | |- ?a = ?b :> Z => equal_index
  | |- ?a = ?b :> bool => arith
  | |- context [value ?i [Put ?x]] => rewrite (value_put i x)
  | |- context [if _ then _ else _] => decide_if
  | |- context [den (Let _ _ _ _) _ _ _] =>
      let X := fresh "X" in let HX := fresh "HX" in first [bind_left X HX | bind_right X HX]
  | |- context [den _ _ _ _] => progress unfolded
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
  end.
Ltac denotes_same := unfolded; repeat equal_step.

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
