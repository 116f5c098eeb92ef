(** * The obligations of a program

    [computed] unfolds the library's definitions. [obligations_with] takes an obligation apart.
    [obligation] proves what is left where it is linear; where there are products of sizes, the
    file of a program names the facts that prove it ([about_products], [fact], [by_facts]). *)

From ATL Require Export syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Ok.

From ATL Require Export ops.All tactics.Arith.
From ATL Require Import tactics.Products.

(** ** Unfolding

    The claim is replaced by what the library's definitions make of it. *)

Ltac computed :=
  lazymatch goal with
  | |- ?g => let g := eval calculated in g in change_no_check g
  end.

(** Around what is done to hypotheses alone: in the claim, [computed] would leave functions that
    it cannot finish. *)
Ltac hidden :=
  lazymatch goal with
  | |- ?G => let claim := fresh "claim" in pose (claim := G); change claim
  end.

Ltac shown := lazymatch goal with |- ?claim => subst claim end.

(** ** Versions

    A loop nest may choose among versions; a version is proved under the conditions of its
    choice. *)

(** What is known of the choice of a version goes into the claim. *)
Ltac choice_known := repeat match goal with H : be _ _ = _ |- _ => revert H end.

(** That earlier versions are not chosen is many cases, and seldom needed: first without it. *)
Ltac rejected_last solves :=
  first [ solve [repeat match goal with H : be _ _ = false |- _ => clear H end; solves] | solves ].

(** ** Linear obligations

    An obligation of the compiler, as a lemma about integers. Many claims with [min] and [max] go
    one by one, and first whatever these are, if it takes too long to distinguish the cases of
    all of them. *)

(** Coq compares what [lia] proved, without [cdiv], with the claim. If it did not unfold [cdiv]
    first, there would be two ways to go on at each [cdiv] inside another one. *)
#[global] Strategy expand [cdiv].

Lemma divided : forall a p, a / Zpos p * Zpos p + a mod Zpos p = a.
Proof. lia. Qed.

Ltac any_extrema :=
  repeat match goal with
         | |- context [Z.min ?a ?b] => generalize (Z.min a b); intro
         | |- context [Z.max ?a ?b] => generalize (Z.max a b); intro
         end.

Ltac has_extrema :=
  lazymatch goal with
  | |- context [Z.min _ _] => idtac
  | |- context [Z.max _ _] => idtac
  end.

(** Of numbers: comparisons, and what [and], [or] and [not] make of them. *)
Ltac by_computation := repeat split; vm_compute; solve [intuition congruence].

Ltac many_claims :=
  lazymatch goal with |- _ /\ _ /\ _ /\ _ /\ _ /\ _ /\ _ /\ _ /\ _ /\ _ => idtac end.

Ltac extremal :=
  rewrite ?divided; repeat split;
  first [ assumption | reflexivity | solve [any_extrema; lia] | arith ].

(** The limits of indices have names: written out, in binary, they would be most of what is
    proved about them. *)
Definition int64_min := -9223372036854775808.
Definition int64_max := 9223372036854775807.

Lemma limits : int64_min = -9223372036854775808 /\ int64_max = 9223372036854775807.
Proof. easy. Qed.

Ltac limits_known := try lazymatch goal with |- context [int64_max] => pose proof limits end.

Ltac obligation :=
  intros; unfold cdiv in *; limits_known; parted_hypotheses;
  first [ tryif has_extrema; many_claims then timeout 1 lia else lia
        | has_extrema; solve [extremal]
        | repeat split; arith ].

(** ** Quotients get names

    In an obligation about products, [a / d] and [a mod d] become variables, with what is known of
    them. What they stand for is remembered where [lia] does not see it ([bare]): it would look
    into it, and say again of each quotient what it is. *)

Lemma divides a d : 0 < d -> a = d * (a / d) + a mod d /\ 0 <= a mod d < d.
Proof. split; [apply Z.div_mod | apply Z.mod_pos_bound]; lia. Qed.

Inductive stands_for (x e : Z) : Prop := Stands (same : x = e).

Lemma stands x e : stands_for x e -> x = e.
Proof. now intros []. Qed.

(** A fact whose premise is not known yet. *)
Definition pending (P : Prop) : Prop := P.

Ltac bare :=
  repeat match goal with
         | H : stands_for _ _ |- _ => clear H
         | H : pending _ |- _ => clear H
         end;
  lia.

Ltac name_as x e :=
  let X := fresh "Named" in
  set (x := e) in *;
  assert (X : stands_for x e) by exact (Stands e e eq_refl);
  clearbody x.

(** Mostly what is said of variables alone says that a divisor is positive. *)
Ltac without_quotients := repeat match goal with H : ?h |- _ => has_quotient h; clear H end.

Ltac name_divided a d :=
  tryif is_numeral d then fail else
  let H := fresh in
  assert (H : 0 < d) by (first [without_quotients; bare | bare]);
  apply (divides a) in H;
  let q := fresh "q" in
  let r := fresh "r" in
  name_as q (a / d);
  name_as r (a mod d).

Ltac divided_in t :=
  lazymatch t with
  | stands_for _ _ => fail
  | _ =>
      match t with
      | context [?a / ?d] => name_divided a d
      | context [?a mod ?d] => name_divided a d
      end
  end.

Ltac quotients_named :=
  repeat match goal with
         | |- ?g => divided_in g
         | _ : ?h |- _ => divided_in h
         end.

(** The names in what is said of quotients, and the other way round. *)
Ltac names_in H :=
  repeat match goal with
         | X : stands_for ?x ?e |- _ =>
             lazymatch type of H with context [e] => rewrite <- (stands x e X) in H end
         end.

Ltac names_removed :=
  unfold pending in *;
  repeat match goal with X : stands_for ?x _ |- _ => apply stands in X; subst x end.

(** ** Obligations about products of sizes

    Each claim from the hypotheses and the claims before it, by the facts that the file names and
    what quotients are. To [lia], products and quotients are then like variables. *)

Lemma product : forall f g, 0 <= f -> 0 <= g -> 0 <= f * g.
Proof. exact Z.mul_nonneg_nonneg. Qed.

Lemma scaled_equation : forall f g, f = 0 -> f * g = 0.
Proof. now intros; subst. Qed.

Lemma positive_factors : forall f g, 0 <= f -> 0 <= g -> 0 < f * g -> 0 < f /\ 0 < g.
Proof. nia. Qed.

Lemma claim_by_claim : forall A B : Prop, A -> (A -> B) -> A /\ B.
Proof. tauto. Qed.

Ltac claims :=
  lazymatch goal with
  | |- _ /\ _ => apply claim_by_claim; [ | intro; claims ]
  | |- _ => idtac
  end.

(** Of alternatives, the opposites of all but one become hypotheses, as [lia] knows less of cases
    in the claim. *)
Ltac opposites :=
  lazymatch goal with
  | |- (_ \/ _) \/ _ => apply or_assoc; opposites
  | |- ?a <> ?b \/ _ =>
      let E := fresh in
      destruct (Z.eq_dec a b) as [E | E]; [right; opposites | left; exact E]
  | |- ?a = ?b \/ _ =>
      let E := fresh in
      destruct (Z.eq_dec a b) as [E | E]; [left; exact E | right; opposites]
  | |- _ <> _ => intro
  | |- _ => idtac
  end.

Ltac about_products :=
  intros; unfold cdiv in *; limits_known; claims; contradicted; opposites; parted_hypotheses;
  quotients_named.

(** A fact with its premises, if they are known. *)
Ltac with_premises H :=
  repeat lazymatch type of H with
         | ?p -> _ => let h := fresh in assert (h : p) by bare; specialize (H h); clear h
         end.

(** [lia] would distinguish the cases of all premises at once. So a premise is proved, or refuted
    by what would follow; [left_over] is for others. *)
Ltac premise_decided H left_over :=
  lazymatch type of H with
  | ?p -> _ =>
      let h := fresh in
      first
        [ assert (h : p) by bare; specialize (H h); clear h; premise_decided H left_over
        | assert (h : ~ p)
            by (let q := fresh in intro q; specialize (H q); with_premises H; bare);
          clear H
        | left_over H ]
  | _ => idtac
  end.

Ltac is_pending H := match type of H with ?P => change (pending P) in H end.

Ltac fact it :=
  let H := fresh in
  pose proof it as H;
  names_in H;
  premise_decided H is_pending.

(** What is pending may be decided by what came later. Otherwise each premise is two cases. *)
Ltac pending_decided :=
  repeat match goal with
         | H : pending _ |- _ => unfold pending in H; premise_decided H ltac:(fun _ => fail)
         end.

Lemma two_cases_le e : 0 <= e \/ ~ 0 <= e.
Proof. lia. Qed.

Lemma two_cases_eq (a b : Z) : a = b \/ a <> b.
Proof. lia. Qed.

Ltac by_cases :=
  pending_decided;
  first
    [ solve [bare]
    | match goal with
      | H : pending (?p -> _) |- _ =>
          unfold pending in H;
          let cases := lazymatch p with
                       | 0 <= ?e => constr:(two_cases_le e)
                       | ?a = ?b => constr:(two_cases_eq a b)
                       end in
          let h := fresh in
          destruct cases as [h | h];
          [specialize (H h); premise_decided H is_pending | clear H];
          by_cases
      end ].

Ltac by_facts := quotients_named; first [by_cases | names_removed; by_products].

(** ** Taking an obligation apart

    Each conjunct is proved under the hypotheses of the loops and guards around it. *)

(** Of a [min] of a [max], and so on, [lia] distinguishes too many cases at once. *)
Ltac inside_extrema a b :=
  match constr:((a, b)) with
  | context [Z.min _ _] => idtac
  | context [Z.max _ _] => idtac
  end.

Ltac has_clamps :=
  match goal with
  | |- context [Z.min ?a ?b] => inside_extrema a b
  | |- context [Z.max ?a ?b] => inside_extrema a b
  end.

(** What is left is arithmetic under the hypotheses of the loops and guards around: [tac]. *)
Ltac parted tac :=
  lazymatch goal with
  | |- _ /\ _ => refine (conj _ _); parted tac
  | |- if ?b then ?P else False => refine (proj2 (provided_iff b P) (conj _ _)); parted tac
  | |- True => exact Logic.I
  | |- ?a = ?a => reflexivity
  | |- ?a <> ?a => tac
  | |- _ <> _ => first [discriminate | tac]
  | |- (_ && _)%bool = true =>
      first [ assert_fails has_clamps; solve [integers_only; lia]
            | apply andb_true_intro; split; parted tac ]
  | |- _ -> _ =>
      let H := fresh in
      intro H;
      lazymatch type of H with
      | false = true => discriminate H
      | _ /\ _ => parted_hypotheses
      | _ => idtac
      end;
      parted tac
  | |- forall _, _ => intro; parted tac
  | |- _ => tac
  end.

(** Says which claim of a lemma has no proof, to who reads what coqc prints
    (proofs/theorem/coq_failure.cpp). *)
Ltac not_found says :=
  try integers_only;
  try around_the_claim;
  repeat match goal with H : ?p |- _ => has_variables p; revert H end;
  lazymatch goal with |- ?claim => says claim end;
  fail.

Ltac obligations_with tac := computed; numerals; parted_hypotheses; parted tac.
