(** * Arithmetic of indices

    [arith] proves a claim about integers: by linear arithmetic with divisions by constants
    ([linear]), then by lemmas for products of sizes and by products of what is known
    ([products]). No tactic searches without a limit. *)

From Coq Require Export ZifyBool.
From ATL Require Export syntax.IndexFacts syntax.ContribFacts equality.Prophecy.
From ATL Require Import tactics.Products.

(** ** Numerals

    Divisions, products and comparisons of numbers are computed. *)

(** What is said of numbers alone is computed, for the tactics that look for numbers. *)
Ltac numerals :=
  repeat match goal with
         | |- context [(Zpos ?a + Zpos ?b - 1) / Zpos ?b] =>
             let c := eval cbv in ((Zpos a + Zpos b - 1) / Zpos b) in
             change ((Zpos a + Zpos b - 1) / Zpos b) with c
         | |- context [Zpos ?a * Zpos ?b] =>
             let c := eval cbv in (Zpos a * Zpos b) in
             change (Zpos a * Zpos b) with c
         | |- context [0 <? Zpos ?a] => change (0 <? Zpos a) with true
         end;
  cbn [andb orb negb implb].

Ltac is_numeral n :=
  lazymatch n with
  | Z0 => idtac
  | Zpos _ => idtac
  | Zneg _ => idtac
  end.

(** ** Products of sizes

    They come from loops that were split or fused: quotients and remainders of rows. *)

Ltac row_simpl :=
  repeat match goal with
         | H : context [?x - 0] |- _ => rewrite (Z.sub_0_r x) in H
         | H : context [(?n * ?d + ?d - 1) / ?d] |- _ => rewrite (cdiv_mul n d) in H by lia
         | H : context [(?d * ?n + ?d - 1) / ?d] |- _ => rewrite (cdiv_mul_left n d) in H by lia
         end;
  repeat first
    [ rewrite Z.sub_0_r
    | rewrite Z.add_0_l
    | rewrite cdiv_mul by lia
    | rewrite cdiv_mul_left by lia
    | rewrite row_div by lia
    | rewrite row_mod by lia
    | rewrite Z.div_mul by lia ].

Ltac row_side :=
  first [ assumption
        | lia
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

(** ** Hypotheses

    Conjunctions are taken apart, and what is not about integers is removed. *)

Ltac parted_hypotheses := repeat match goal with H : _ /\ _ |- _ => destruct H end.

(** What is said of tensors is of no use to integers. Not by [repeat], which compares all
    hypotheses around each. *)
Ltac integers_only :=
  try (match goal with
       | H : forall _, _ |- _ => clear H
       | k : knowledge |- _ => clear k
       end;
       integers_only).

(** ** Quotients for [lia]

    [lia] is told what each quotient or remainder is. That is faster than
    [Z.to_euclidean_division_equations]. *)

Lemma remainder a d : a mod d = a - d * (a / d) /\ (0 < d -> 0 <= a mod d < d).
Proof. split; [destruct d; [now destruct a | |]; now rewrite Z.mod_eq | apply Z.mod_pos_bound]. Qed.

#[export] Instance quotient_spec : ZifyClasses.BinOpSpec Z.div := {|
  ZifyClasses.BPred := fun a d q => 0 < d -> d * q <= a < d * q + d;
  ZifyClasses.BSpec := quotient_bounds
|}.

#[export] Instance remainder_spec : ZifyClasses.BinOpSpec Z.modulo := {|
  ZifyClasses.BPred := fun a d r => r = a - d * (a / d) /\ (0 < d -> 0 <= r < d);
  ZifyClasses.BSpec := remainder
|}.

#[export] Instance cdiv_op : ZifyClasses.BinOp cdiv :=
  ZifyClasses.mkbop Z Z Z Z Z Z cdiv _ _ _ (fun a d => (a + d - 1) / d) (fun _ _ => eq_refl).

Add Zify BinOpSpec quotient_spec.
Add Zify BinOpSpec remainder_spec.
Add Zify BinOp cdiv_op.

(** ** Only what the claim is about

    [lia] distinguishes the cases of all that hypotheses say: of a [min], an alternative or a
    quotient. So at first it gets only the hypotheses about the variables of the claim, then
    those about variables that a hypothesis about one of these mentions. *)

Ltac about_the_claim :=
  repeat match goal with x : Z |- ?g =>
           lazymatch g with
           | context [x] => fail
           | _ => progress (repeat match goal with H : context [x] |- _ => clear H end)
           end
         end.

Ltac has_variables h := match goal with x : Z |- _ => lazymatch h with context [x] => idtac end end.

Ltac mentions_one_of g h :=
  match goal with x : Z |- _ =>
    lazymatch h with context [x] => lazymatch g with context [x] => idtac end end
  end.

(** The claim [False] has no variables: the last hypothesis stands for it. *)
Ltac around_the_claim :=
  lazymatch goal with
  | |- ?g =>
      tryif has_variables g
      then repeat match goal with H : ?h |- _ => mentions_one_of g h; revert H end
      else match goal with H : ?h |- _ => has_variables h; revert H end
  end;
  about_the_claim; intros.

(** ** Claims

    [linear] claims first, and then [products]. *)

Ltac as_it_is :=
  lazymatch goal with
  | |- (_ <=? _) = true => apply Zle_imp_le_bool; assumption
  | |- (_ <? _) = true => apply Z.ltb_lt; assumption
  | |- _ => assumption
  end.

Ltac linear :=
  solve [ as_it_is
        | reflexivity
        | integers_only;
          first [progress about_the_claim; lia | progress around_the_claim; lia | lia] ].

(** A variable or maximum with two values is given each, so that products with it are linear. *)
Ltac given_both n :=
  let E := fresh in
  assert (E : n = 0 \/ n = 1) by lia;
  destruct E as [E | E]; rewrite E in *.

Ltac two_values :=
  match goal with
  | _ : 0 <= ?z, _ : ?z < 2 |- _ => is_var z; given_both z
  | |- context [Z.max ?a ?b * _] => given_both (Z.max a b)
  end.

(** There are products of sizes, or divisions by them: for these there is more than [lia]. *)
Ltac nonlinear_in t :=
  match t with
  | context [?a * ?b] => tryif first [is_numeral a | is_numeral b] then fail else idtac
  | context [_ / ?b] => tryif is_numeral b then fail else idtac
  | context [_ mod ?b] => tryif is_numeral b then fail else idtac
  end.

Ltac has_products :=
  match goal with
  | |- ?g => nonlinear_in g
  | H : ?h |- _ => nonlinear_in h
  end.

Ltac products :=
  solve [ integers_only; has_products;
          first [ ring
                | progress (repeat two_values); lia
                | timeout 5 rows
                | by_products ] ].

Ltac arith := first [ linear | products ].
