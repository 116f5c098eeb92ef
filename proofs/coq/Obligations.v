(** * The proofs of a program: obligations and loop nests

    [computed] unfolds the library's definitions, and nothing of integers; [arith] is linear arithmetic with divisions by
    constants, then a few lemmas for products of sizes, then [nia] for a limited time.  No tactic searches without a limit. *)

From Coq Require Export ZifyBool.
From ATL Require Export Index Box Contrib ops.Reshape Syntax Denote Loops Lower Scope Correct Sim Compile Unfold Sums SumsInOrder.
From ATL Require Export ops.Flatten ops.Split ops.Transpose ops.Truncr ops.Truncl ops.Padr ops.Padl ops.Raise ops.Overlap.

Ltac Zify.zify_post_hook ::= Z.to_euclidean_division_equations.

(** ** Unfolding *)

Ltac computed :=
  cbv [ok_program ok_outputs ok filled_or_written forbox written unwritten same same_outputs equal_all
       go sev evs zdefs shape ze zdef be bdef sdef inboxb inbox lookup view output_names
       map forallb hd tl app fst snd String.eqb Ascii.eqb Bool.eqb cdiv
       rshape nshape npull rpush npush rreq rcut rover length skipn firstn
       flatten flatten_shape flatten_nshape flatten_pull flatten_push flatten_npush flatten_req
       split split_shape split_nshape split_pull split_push split_npush split_req
       transpose exchanged transpose_pull transpose_req
       truncr truncr_shape truncr_nshape truncr_pull truncr_push truncr_npush truncr_req truncr_cut
       truncl truncl_shape truncl_nshape truncl_pull truncl_push truncl_npush truncl_req truncl_cut
       padr padr_shape padr_nshape padr_pull padr_push padr_npush padr_req
       padl padl_shape padl_nshape padl_pull padl_push padl_npush padl_req
       overlap overlap_shape overlap_nshape overlap_pull overlap_push overlap_npush overlap_req rows_alike
       raise sink raised sunk].

(** ** Arithmetic *)

Lemma cdiv_mul : forall n d, 0 < d -> (n * d + d - 1) / d = n.
Proof. intros. replace (n * d + d - 1) with (n * d + (d - 1)) by lia. apply row_div. lia. Qed.
Lemma cdiv_mul_left : forall n d, 0 < d -> (d * n + d - 1) / d = n.
Proof. intros. now rewrite Z.mul_comm, cdiv_mul. Qed.
Lemma row_bound : forall i j n m, 0 <= i < n -> 0 <= j < m -> 0 <= i * m + j < n * m.
Proof. intros. nia. Qed.
Lemma div_bound : forall x n m, 0 <= x < n * m -> 0 < m -> 0 <= x / m < n.
Proof. intros x n m Hx Hm. split; [apply Z.div_pos; lia | apply Z.div_lt_upper_bound; lia]. Qed.
Lemma row_lt : forall i j n m, i < n -> 0 <= j < m -> i * m + j < n * m.
Proof. intros. nia. Qed.
Lemma row_lt_left : forall i j n m, i < n -> 0 <= j < m -> i * m + j < m * n.
Proof. intros. nia. Qed.
Lemma row_nonneg : forall i j m, 0 <= i -> 0 <= j -> 0 < m -> 0 <= i * m + j.
Proof. intros. nia. Qed.

Ltac no_bool := cbn [andb orb negb implb].

(** Products of sizes, as they come from loops that were split or fused: quotients and remainders of rows. *)
Ltac row_simpl :=
  repeat match goal with
         | H : context [?x - 0] |- _ => rewrite (Z.sub_0_r x) in H
         | H : context [(?n * ?d + ?d - 1) / ?d] |- _ => rewrite (cdiv_mul n d) in H by lia
         | H : context [(?d * ?n + ?d - 1) / ?d] |- _ => rewrite (cdiv_mul_left n d) in H by lia
         end;
  repeat first
    [ rewrite Z.sub_0_r | rewrite Z.add_0_l | rewrite cdiv_mul by lia | rewrite cdiv_mul_left by lia
    | rewrite row_div by lia | rewrite row_mod by lia | rewrite Z.div_mul by lia ].
Ltac row_side :=
  first [ assumption | lia
        | apply Z.mod_pos_bound; lia
        | apply Z.div_pos; [row_side | lia]
        | apply Z.div_lt_upper_bound; [lia | first [assumption | rewrite Z.mul_comm; row_side]]
        | apply row_nonneg; [row_side | row_side | lia]
        | apply row_lt; [row_side | split; row_side]
        | apply row_lt_left; [row_side | split; row_side]
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
Ltac linear := solve [ assumption | reflexivity | lazymatch goal with |- _ = _ :> Z => ring end | integers_only; lia ].
Ltac arith := solve [ linear | integers_only; first [ timeout 5 rows | timeout 5 nia ] ].

(** An obligation of the compiler, as a lemma about integers. *)
Ltac obligation :=
  intros; unfold cdiv in *; repeat match goal with |- _ /\ _ => split | H : _ /\ _ |- _ => destruct H end; arith.

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

Ltac scalars := obligations_with ltac:(try arith).

Ltac refine_idle :=
  lazymatch goal with
  | |- refines _ _ ((_, ?s) :: _) _ =>
      let idle := eval vm_compute in (idle s) in lazymatch idle with true => apply refines_idle; [reflexivity | ] end
  end.

(** Where both sides are blocks of as many statements: each on its own, so that goals stay small. *)
Ltac in_halves :=
  lazymatch goal with
  | |- refines ?junk ?order ?s ?t =>
      lazymatch s with
      | [_] => idtac
      | _ =>
          let n := eval vm_compute in (Nat.div2 (length s)) in
          let s1 := eval cbv [firstn] in (firstn n s) in let s2 := eval cbv [skipn] in (skipn n s) in
          let t1 := eval cbv [firstn] in (firstn n t) in let t2 := eval cbv [skipn] in (skipn n t) in
          refine (refines_app junk order s1 t1 s2 t2 _ _); in_halves
      end
  end.
Ltac refine_blocks :=
  lazymatch goal with
  | |- refines ?junk ?order ?src ?tgt =>
      lazymatch src with [(_, SFor Sequential _ _ _ _)] => fail | [(_, SStore _ _ _ _)] => fail | _ => idtac end;
      let s := eval vm_compute in (all_steps src) in
      lazymatch s with _ :: _ :: _ => idtac end;
      let t := eval vm_compute in (all_steps tgt) in
      let fits := eval vm_compute in (all_fit s t) in
      lazymatch fits with true => idtac end;
      refine (refines_steps junk order src tgt s t _ _ _);
      [vm_cast_no_check (eq_refl s) | vm_cast_no_check (eq_refl t) | in_halves]
  end.

Ltac refine_step :=
  first [ refine_blocks | refine_idle | refine_active ]
with refine_active :=
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
      | true => first [refine_loop | unroll]
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
      first [ apply refines_for_none; [assumption | decided_quickly | ] | unroll
            | apply refines_for_idle;
              [assumption | let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; computed_in Hz; solve [repeat refine_step] | ]
            | apply refines_for_none; [assumption | decided | ] ]
  | |- refines _ _ _ ((_, SIf _ _) :: _) =>
      first [apply refines_if_true'; [decided | decided | ] | apply refines_if_false'; [decided | decided | ] ]
  end.
Ltac refine_all := repeat refine_step.
