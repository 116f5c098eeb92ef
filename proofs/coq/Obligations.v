(** * The proofs of a program: obligations and loop nests

    [computed] unfolds the library's definitions, not those of integers; [arith] is linear arithmetic with divisions by
    constants, then lemmas for products of sizes, then [nia] for a limited time.  No tactic searches without a limit. *)

From Coq Require Export ZifyBool.
From ATL Require Export Index Box Contrib ops.Reshape Syntax Denote Loops Lower Scope Correct Sim Quick Compile Unfold.
From ATL Require Export Sums SumsInOrder ops.Flatten ops.Split ops.Transpose ops.Truncr ops.Truncl ops.Padr ops.Padl.
From ATL Require Export ops.Raise ops.Overlap.

(** ** Unfolding *)

Declare Reduction calculated := cbv [ok_program ok_outputs ok provided also option_map filled_or_written forbox
       written unwritten same same_outputs equal_all past go sev evs zdefs extent from shape ze zdef be bdef sdef
       inboxb inbox lookup view output_names
       map forallb hd tl app fst snd String.eqb String.letter_eqb N.eqb Byte.to_N cdiv
       rshape nshape npull rpush npush rreq rcut rover length skipn firstn
       flatten flatten_shape flatten_nshape flatten_pull flatten_push flatten_npush flatten_req
       split split_shape split_nshape split_pull split_push split_npush split_req
       transpose exchanged transpose_pull transpose_req
       truncr truncr_shape truncr_nshape truncr_pull truncr_push truncr_npush truncr_req truncr_cut
       truncl truncl_shape truncl_nshape truncl_pull truncl_push truncl_npush truncl_req truncl_cut
       same_idx Pos.eqb grown padr padr_shape padr_nshape padr_pull padr_push padr_npush padr_req
       padl padl_shape padl_nshape padl_pull padl_push padl_npush padl_req rows_alike raise sink raised sunk
       overlap overlap_shape overlap_nshape overlap_pull overlap_push overlap_npush overlap_req].
Ltac computed := lazymatch goal with |- ?g => let g := eval calculated in g in change_no_check g end.

(** Around what is done to hypotheses alone: in the claim [computed] would leave functions that it cannot finish. *)
Ltac hidden := lazymatch goal with |- ?G => let claim := fresh "claim" in pose (claim := G); change claim end.
Ltac shown := lazymatch goal with |- ?claim => subst claim end.
(** What is known of the choice of a version goes into the claim. *)
Ltac choice_known := repeat match goal with H : be _ _ = _ |- _ => revert H end.
(** That earlier versions are not chosen is many cases, and seldom needed: first without it. *)
Ltac rejected_last solves :=
  first [ solve [repeat match goal with H : be _ _ = false |- _ => clear H end; solves] | solves ].

(** ** Arithmetic *)

Lemma cdiv_mul n d : 0 < d -> (n * d + d - 1) / d = n.
Proof. intros. rewrite <- Z.add_sub_assoc. apply row_div. lia. Qed.
Lemma cdiv_mul_left n d : 0 < d -> (d * n + d - 1) / d = n. Proof. intros. now rewrite Z.mul_comm, cdiv_mul. Qed.
Lemma row_bound : forall i j n m, 0 <= i < n -> 0 <= j < m -> 0 <= i * m + j < n * m. Proof. intros. nia. Qed.
Lemma div_bound x n m : 0 <= x < n * m -> 0 < m -> 0 <= x / m < n.
Proof. intros. split; [apply Z.div_pos | apply Z.div_lt_upper_bound]; lia. Qed.
Lemma row_lt : forall i j n m, i < n -> 0 <= j < m -> i * m + j < n * m. Proof. intros. nia. Qed.
Lemma row_lt_left : forall i j n m, i < n -> 0 <= j < m -> i * m + j < m * n. Proof. intros. nia. Qed.
Lemma row_nonneg : forall i j m, 0 <= i -> 0 <= j -> 0 < m -> 0 <= i * m + j. Proof. intros. nia. Qed.

(** What is said of numbers alone is computed, for what looks for these. *)
Ltac numerals :=
  repeat match goal with
         | |- context [(Zpos ?a + Zpos ?b - 1) / Zpos ?b] =>
             let c := eval cbv in ((Zpos a + Zpos b - 1) / Zpos b) in change ((Zpos a + Zpos b - 1) / Zpos b) with c
         | |- context [Zpos ?a * Zpos ?b] => let c := eval cbv in (Zpos a * Zpos b) in change (Zpos a * Zpos b) with c
         | |- context [0 <? Zpos ?a] => change (0 <? Zpos a) with true
         end;
  cbn [andb orb negb implb].

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
        | apply row_lt; [row_side | split; row_side] | apply row_lt_left; [row_side | split; row_side]
        | split; row_side
        | repeat apply Z.mul_nonneg_nonneg; lia ].
Ltac rows :=
  repeat match goal with
         | |- (_ && _)%bool = true => apply andb_true_intro; split
         | |- (_ <=? _) = true => apply Z.leb_le | |- (_ <? _) = true => apply Z.ltb_lt
         end;
  row_simpl; first [ reflexivity | row_side ].
Ltac parted_hypotheses := repeat match goal with H : _ /\ _ |- _ => destruct H end.
(** What is said of tensors is of no use to integers.  Not by [repeat], which compares all hypotheses around each. *)
Ltac integers_only :=
  try (match goal with H : forall _, _ |- _ => clear H | k : knowledge |- _ => clear k end; integers_only).

(** [lia] is told what each quotient or remainder is: faster than [Z.to_euclidean_division_equations], which is for
    divisors that are no numbers. *)
Lemma quotient a d : 0 < d -> d * (a / d) <= a < d * (a / d) + d.
Proof. pose proof (Z.div_mod a d). pose proof (Z.mod_pos_bound a d). lia. Qed.
Lemma remainder a d : a mod d = a - d * (a / d) /\ (0 < d -> 0 <= a mod d < d).
Proof. split; [destruct d; [now destruct a | |]; now rewrite Z.mod_eq | apply Z.mod_pos_bound]. Qed.
#[export] Instance quotient_spec : ZifyClasses.BinOpSpec Z.div := {|
  ZifyClasses.BPred := fun a d q => 0 < d -> d * q <= a < d * q + d; ZifyClasses.BSpec := quotient |}.
#[export] Instance remainder_spec : ZifyClasses.BinOpSpec Z.modulo := {|
  ZifyClasses.BPred := fun a d r => r = a - d * (a / d) /\ (0 < d -> 0 <= r < d); ZifyClasses.BSpec := remainder |}.
#[export] Instance cdiv_op : ZifyClasses.BinOp cdiv :=
  ZifyClasses.mkbop Z Z Z Z Z Z cdiv _ _ _ (fun a d => (a + d - 1) / d) (fun _ _ => eq_refl).
Add Zify BinOpSpec quotient_spec. Add Zify BinOpSpec remainder_spec. Add Zify BinOp cdiv_op.
(** Products of sizes, or divisions by them: for these there is more than [lia]. *)
Ltac is_numeral n := lazymatch n with Z0 => idtac | Zpos _ => idtac | Zneg _ => idtac end.
Ltac nonlinear_in t := match t with
  | context [?a * ?b] => tryif first [is_numeral a | is_numeral b] then fail else idtac
  | context [_ / ?b] => tryif is_numeral b then fail else idtac
  | context [_ mod ?b] => tryif is_numeral b then fail else idtac
  end.
Ltac has_products := match goal with |- ?g => nonlinear_in g | H : ?h |- _ => nonlinear_in h end.

(** [lia] distinguishes the cases of all that hypotheses say, of a [min], an alternative or a quotient. So at first
    there are only those about the variables of the claim; then those about variables that a hypothesis about one of
    these mentions. The claim that there is nothing has no variables: the last hypothesis stands for it. *)
Ltac about_the_claim :=
  repeat match goal with x : Z |- ?g =>
           lazymatch g with
           | context [x] => fail
           | _ => progress (repeat match goal with H : context [x] |- _ => clear H end)
           end
         end.
Ltac has_variables h := match goal with x : Z |- _ => lazymatch h with context [x] => idtac end end.
Ltac mentions_one_of g h :=
  match goal with x : Z |- _ => lazymatch h with context [x] => lazymatch g with context [x] => idtac end end end.
Ltac around_the_claim :=
  lazymatch goal with
  | |- ?g => tryif has_variables g then repeat match goal with H : ?h |- _ => mentions_one_of g h; revert H end
             else match goal with H : ?h |- _ => has_variables h; revert H end
  end; about_the_claim; intros.

(** A claim about integers. A variable or maximum with two values is given each, so that products with it are linear. *)
Ltac given_both n := let E := fresh in assert (E : n = 0 \/ n = 1) by lia; destruct E as [E | E]; rewrite E in *.
Ltac two_values :=
  match goal with
  | _ : 0 <= ?z, _ : ?z < 2 |- _ => is_var z; given_both z
  | |- context [Z.max ?a ?b * _] => given_both (Z.max a b)
  end.
Ltac as_it_is := lazymatch goal with
  | |- (_ <=? _) = true => apply Zle_imp_le_bool; assumption
  | |- (_ <? _) = true => apply Z.ltb_lt; assumption
  | |- _ => assumption
  end.
Ltac linear :=
  solve [ as_it_is | reflexivity
        | integers_only; first [ progress about_the_claim; lia | progress around_the_claim; lia | lia ] ].
Ltac products :=
  solve [ integers_only; has_products;
          first [ ring | progress (repeat two_values); lia | timeout 5 rows
                | Z.to_euclidean_division_equations; first [ lia | timeout 5 nia ] ] ].
Ltac arith := first [ linear | products ].

(** An obligation of the compiler, as a lemma about integers.  Many claims with [min] and [max] go one by one, and first
    whatever these are, if it takes too long to distinguish the cases of all of them. *)
Lemma divided : forall a p, a / Zpos p * Zpos p + a mod Zpos p = a. Proof. lia. Qed.
Ltac any_extrema :=
  repeat match goal with
         | |- context [Z.min ?a ?b] => generalize (Z.min a b); intro
         | |- context [Z.max ?a ?b] => generalize (Z.max a b); intro
         end.
Ltac has_extrema := lazymatch goal with |- context [Z.min _ _] => idtac | |- context [Z.max _ _] => idtac end.
Ltac many_claims := lazymatch goal with |- _ /\ _ /\ _ /\ _ /\ _ /\ _ /\ _ /\ _ /\ _ => idtac end.
Ltac extremal := rewrite ?divided; repeat split; first [ assumption | reflexivity | solve [any_extrema; lia] | arith ].
(** The limits of indices have names: written out, in binary, they would be most of what is proved about them. *)
Definition int64_min := -9223372036854775808.
Definition int64_max := 9223372036854775807.
Lemma limits : int64_min = -9223372036854775808 /\ int64_max = 9223372036854775807. Proof. easy. Qed.
Ltac limits_known := try lazymatch goal with |- context [int64_max] => pose proof limits end.
Ltac obligation :=
  intros; unfold cdiv in *; limits_known; parted_hypotheses;
  first [ tryif has_extrema; many_claims then timeout 1 lia else lia | has_extrema; solve [extremal]
        | repeat split; arith ].

(** Obligations about products of sizes: each claim from the hypotheses and the claims before it, by the facts that the
    file names ([fact]) and what quotients are; to [lia], products and quotients are then like variables. *)
Lemma divides a d : 0 < d -> a = d * (a / d) + a mod d /\ 0 <= a mod d < d.
Proof. split; [apply Z.div_mod | apply Z.mod_pos_bound]; lia. Qed.
Lemma product : forall f g, 0 <= f -> 0 <= g -> 0 <= f * g. Proof. exact Z.mul_nonneg_nonneg. Qed.
Lemma scaled_equation : forall f g, f = 0 -> f * g = 0. Proof. now intros; subst. Qed.
Lemma positive_factors : forall f g, 0 <= f -> 0 <= g -> 0 < f * g -> 0 < f /\ 0 < g. Proof. nia. Qed.
Lemma claim_by_claim : forall A B : Prop, A -> (A -> B) -> A /\ B. Proof. tauto. Qed.
Ltac claims := lazymatch goal with |- _ /\ _ => apply claim_by_claim; [ | intro; claims ] | |- _ => idtac end.
Ltac contradicted := lazymatch goal with
  | |- _ <= _ => apply Z.le_ngt; intro
  | |- _ < _ => apply Z.lt_nge; intro
  | |- _ >= _ => apply Z.le_ge, Z.le_ngt; intro
  | |- _ > _ => apply Z.lt_gt, Z.lt_nge; intro
  | |- _ = _ => apply Z.le_antisymm; contradicted
  | |- _ => idtac
  end.
Ltac divisor_known a d :=
  tryif is_numeral d then fail else
  lazymatch goal with
  | _ : a = d * _ + _ /\ _ |- _ => fail
  | |- _ => let H := fresh in assert (H : 0 < d) by lia; apply (divides a) in H
  end.
Ltac divisors_in t :=
  match t with context [?a / ?d] => divisor_known a d | context [?a mod ?d] => divisor_known a d end.
Ltac divisors_known := repeat match goal with |- ?g => divisors_in g | _ : ?h |- _ => divisors_in h end.
Ltac about_products :=
  intros; unfold cdiv in *; limits_known; claims; contradicted; parted_hypotheses; divisors_known.
Ltac fact it :=
  let H := fresh in pose proof it as H;
  repeat lazymatch type of H with ?p -> _ => let h := fresh in assert (h : p) by lia; specialize (H h); clear h end.
Ltac by_facts := divisors_known; lia.

(** Of a [min] of a [max], and so on, [lia] distinguishes too many cases at once. *)
Ltac inside_extrema a b := match constr:((a, b)) with context [Z.min _ _] => idtac | context [Z.max _ _] => idtac end.
Ltac has_clamps :=
  match goal with
  | |- context [Z.min ?a ?b] => inside_extrema a b
  | |- context [Z.max ?a ?b] => inside_extrema a b
  end.

(** Takes an obligation apart; what is left is arithmetic under the hypotheses of the loops and guards around. *)
Ltac parted tac :=
  lazymatch goal with
  | |- _ /\ _ => refine (conj _ _); parted tac
  | |- if ?b then ?P else False => refine (proj2 (provided_iff b P) (conj _ _)); parted tac
  | |- True => exact Logic.I
  | |- ?a = ?a => reflexivity
  | |- ?a <> ?a => tac
  | |- _ <> _ => first [discriminate | tac]
  | |- (_ && _)%bool = true =>
      first [assert_fails has_clamps; solve [integers_only; lia] | apply andb_true_intro; split; parted tac]
  | |- _ -> _ =>
      let H := fresh in intro H;
      lazymatch type of H with false = true => discriminate H | _ /\ _ => parted_hypotheses | _ => idtac end; parted tac
  | |- forall _, _ => intro; parted tac
  | |- _ => tac
  end.
Ltac obligations_with tac := computed; numerals; parted_hypotheses; parted tac.

(** ** Loop nests *)

Ltac decided := computed; numerals; arith.
Ltac refine_loop :=
  first [ eapply refines_for; [assumption | reflexivity | decided | decided | decided |
            let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; computed_in Hz | ]
        | apply refines_for_none; [assumption | decided | ] ]
with computed_in H := revert H; computed; intro H.

(** Only a loop whose bounds are numbers is unrolled. *)
Ltac unroll :=
  lazymatch goal with
  | |- refines _ _ ((?v, SFor ?m ?i ?lo ?hi ?b) :: ?src) ?tgt =>
      let a := eval vm_compute in (ze v lo) in
      let c := eval vm_compute in (ze v hi) in
      is_numeral a; is_numeral c;
      let l := eval vm_compute in (zrange a c) in
      apply (refines_unroll _ _ v m i lo hi b src tgt a c eq_refl eq_refl eq_refl);
      change (zrange a c) with l; cbn [map app]
  end.

(** What is cheap to decide is tried first. *)
Ltac decided_quickly := computed; numerals; linear.
Ltac refine_if_by decides :=
  first [ apply refines_if; [decides | decides | let H := fresh "Hp" in intro H; computed_in H | ]
        | apply refines_if_true; [decides | ]
        | apply refines_if_false; [decides | ] ].
Ltac refine_if := first [refine_if_by decided_quickly | refine_if_by decided].
Ltac scalars := obligations_with ltac:(try arith).
Ltac refine_idle :=
  lazymatch goal with
  | |- refines _ _ ((_, ?s) :: _) _ =>
      let idle := eval vm_compute in (idle s) in lazymatch idle with true => apply refines_idle; [reflexivity | ] end
  end.
(** By computation: names for the values of the variables of a loop nest that are no numbers; the variables in these. *)
Ltac name_for x atoms :=
  lazymatch atoms with context [(x, _)] => let y := constr:(Letter "'" x) in name_for y atoms | _ => x end.
Ltac atoms_of v atoms :=
  lazymatch v with
  | [] => atoms
  | (?x, ?z) :: ?v =>
      let atoms := atoms_of v atoms in
      lazymatch z with
      | Z0 => atoms | Zpos _ => atoms | Zneg _ => atoms
      | _ =>
          lazymatch atoms with
          | context [(_, z)] => atoms
          | _ => let y := name_for x atoms in constr:((y, z) :: atoms)
          end
      end
  end.
Ltac all_atoms l atoms :=
  lazymatch l with [] => atoms | (?v, _) :: ?l => let atoms := atoms_of v atoms in all_atoms l atoms end.
Ltac binding_of v atoms :=
  lazymatch v with
  | [] => constr:(@nil (string * idx))
  | (?x, ?z) :: ?v =>
      let b := binding_of v atoms in
      lazymatch atoms with
      | context [(?y, z)] => constr:((x, Var y) :: b)
      | _ => constr:((x, Lit z) :: b)
      end
  end.
Ltac all_bound l atoms :=
  lazymatch l with
  | [] => constr:(@nil (binding * stmt))
  | (?v, ?s) :: ?l => let b := binding_of v atoms in let l := all_bound l atoms in constr:((b, s) :: l)
  end.
Ltac with_bindings tac :=
  lazymatch goal with
  | |- refines _ _ ?src ?tgt =>
      let atoms := all_atoms src (@nil (string * Z)) in
      let atoms := all_atoms tgt atoms in
      let s := all_bound src atoms in
      let t := all_bound tgt atoms in
      tac atoms s t
  end.
(** They are the same if what computation claims is so, which arithmetic proves. *)
Ltac same_by_computation atoms s t :=
  let n := constr:(Z.to_nat 10000) in
  let c := eval vm_compute in (claims_of n s t) in
  lazymatch c with Impossible => fail | _ => idtac end;
  lazymatch goal with |- refines ?junk ?order _ _ =>
    change (refines junk order (concrete atoms s) (concrete atoms t));
    apply (claims_correct junk order ltac:(assumption) n atoms s t c);
    [ vm_cast_no_check (eq_refl c) | cbv [claimed]; obligations_with arith ]
  end.
Ltac refine_step :=
  first [ with_bindings same_by_computation | refine_idle | refine_active ]
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
      let it := eval vm_compute in (String.eqb i j || String.begins_with hash i)%bool in
      lazymatch constr:((it, m)) with
      | (false, Unrolled) => first [apply refines_for_none; [assumption | decided_quickly | ] | unroll]
      | _ => first [refine_loop | unroll]
      end
  | |- refines _ _ ((_, SFor _ _ _ _ _) :: _) ((_, SIf _ _) :: _) =>
      first [ apply refines_if_true'; [decided_quickly | decided_quickly | ]
            | apply refines_if_false'; [decided_quickly | decided_quickly | ]
            | apply refines_for_none; [assumption | decided | ] | unroll ]
  | |- refines _ _ ((_, SFor _ _ _ _ _) :: _) _ =>
      first [ apply refines_for_none; [assumption | decided_quickly | ] | unroll
            | apply refines_for_none; [assumption | decided | ] ]
  | |- refines _ _ _ ((_, SIf _ _) :: _) =>
      first [apply refines_if_true'; [decided | decided | ] | apply refines_if_false'; [decided | decided | ] ]
  end.
Ltac refine_all := repeat refine_step.

(** The loop nest of the version that is chosen; the others' conditions do not hold. What is decided of a version
    follows from its condition alone. *)
Ltac by_one_condition :=
  first [ assumption
        | match goal with H : _ = true |- _ => solve [clear -H; lia] end
        | match goal with H : _ = false |- _ => solve [clear -H; lia] end ].
Ltac is_chosen :=
  lazymatch goal with |- (_ && _)%bool = true => apply andb_true_intro; split; is_chosen | |- _ => by_one_condition end.
(** [whole] is for a conjunction none of whose parts is known. *)
Ltac is_not_chosen whole :=
  lazymatch goal with
  | |- (_ && _)%bool = false =>
      first [ assumption | apply andb_false_intro2; assumption
            | apply andb_false_intro1; is_not_chosen whole | apply andb_false_intro2; is_not_chosen whole | whole () ]
  | |- _ => first [ assumption | match goal with H : _ = true |- _ => solve [clear -H; lia] end ]
  end.
Ltac refine_chosen :=
  lazymatch goal with
  | |- refines _ _ _ ((_, SSeq _ _) :: _) => apply refines_seq'; refine_chosen
  | |- refines _ _ _ ((_, SSkip) :: _) => apply refines_skip'; refine_chosen
  | |- refines _ _ [] [] => apply refines_nil
  | |- refines ?junk ?order ?src ((?v, SIf _ ?b) :: ?rest) =>
      first [ apply refines_if_false'; [decided_quickly | computed; is_not_chosen ltac:(fun _ => fail) | refine_chosen]
            | apply refines_if_true'; [decided_quickly | computed; is_chosen |];
              refine (refines_app junk order src [(v, b)] [] rest _ _); [ | refine_chosen]
            | apply refines_if_false';
              [decided_quickly | computed; is_not_chosen ltac:(fun _ => by_one_condition) | refine_chosen] ]
  end.

(** A program's lowering is refined by its loop nest. *)
Ltac refine_program :=
  first [ with_bindings same_by_computation
        | lazymatch goal with |- refines ?junk ?order [(?v, ?s)] [(?v', ?t)] =>
            let s' := eval vm_compute in s in let t' := eval vm_compute in t in
            change (refines junk order [(v, s')] [(v', t')])
          end; refine_all ].
