(** * A program's lowering is refined by its loop nest

    First by computation ([same_by_computation], [Quick.v]). Where that fails, step by step, by
    the lemmas of [Sim.v] ([refine_step]). *)

From ATL Require Import lowering.Normal lowering.Claims lowering.Quick lowering.Wide.
From ATL Require Export lowering.Sim lowering.Compile tactics.Obligations.

(** ** What is decided by arithmetic

    Bounds, guards and indices that have to be equal. *)

Ltac decided := computed; numerals; arith.

(** What is cheap to decide is tried first. *)
Ltac decided_quickly := computed; numerals; linear.

Ltac scalars := obligations_with ltac:(try arith).

(** ** Single statements

    A loop, a guard, and a statement that does nothing. *)

Ltac computed_in H := revert H; computed; intro H.

Ltac refine_loop :=
  first [ eapply refines_for;
            [ assumption | reflexivity | decided | decided | decided
            | let z := fresh "z" in let Hz := fresh "Hz" in intros z Hz; computed_in Hz
            | ]
        | apply refines_for_none; [assumption | decided | ] ].

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

Ltac refine_if_by decides :=
  first [ apply refines_if;
            [decides | decides | let H := fresh "Hp" in intro H; computed_in H | ]
        | apply refines_if_true; [decides | ]
        | apply refines_if_false; [decides | ] ].

Ltac refine_if := first [refine_if_by decided_quickly | refine_if_by decided].

Ltac refine_idle :=
  lazymatch goal with
  | |- refines _ _ ((_, ?s) :: _) _ =>
      let idle := eval vm_compute in (idle s) in
      lazymatch idle with true => apply refines_idle; [reflexivity | ] end
  end.

(** ** By computation

    The values of variables that are no numbers get names, and the loop nests are compared where
    their variables stand for numbers or names. *)

(** A name that no value has yet. *)
Ltac name_for x atoms :=
  lazymatch atoms with
  | context [(x, _)] => let y := constr:(Letter "'" x) in name_for y atoms
  | _ => x
  end.

(** Names for the values of the variables in [v]. *)
Ltac atoms_of v atoms :=
  lazymatch v with
  | [] => atoms
  | (?x, ?z) :: ?v =>
      let atoms := atoms_of v atoms in
      lazymatch z with
      | Z0 => atoms
      | Zpos _ => atoms
      | Zneg _ => atoms
      | _ =>
          lazymatch atoms with
          | context [(_, z)] => atoms
          | _ => let y := name_for x atoms in constr:((y, z) :: atoms)
          end
      end
  end.

Ltac all_atoms l atoms :=
  lazymatch l with
  | [] => atoms
  | (?v, _) :: ?l => let atoms := atoms_of v atoms in all_atoms l atoms
  end.

(** The variables in terms of these names. *)
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
  | (?v, ?s) :: ?l =>
      let b := binding_of v atoms in
      let l := all_bound l atoms in
      constr:((b, s) :: l)
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

(** Loop nests are the same if what computation claims is so, which arithmetic proves. *)
Ltac same_by_computation atoms s t :=
  let n := constr:(Z.to_nat 10000) in
  let c := eval vm_compute in (claims_of n s t) in
  lazymatch c with Impossible => fail | _ => idtac end;
  lazymatch goal with |- refines ?junk ?order _ _ =>
    change (refines junk order (concrete atoms s) (concrete atoms t));
    apply (claims_correct junk order ltac:(assumption) n atoms s t c);
    [ vm_cast_no_check (eq_refl c) | cbv [claimed]; obligations_with
        ltac:(first [arith | not_found ltac:(fun c => idtac "not found in loops:" c)]) ]
  end.

(** ** Step by step

    The first statements of both sides say which lemma applies. *)

Ltac refine_active :=
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
      first [ apply refines_if_true; [decided | ]
            | apply refines_if_false; [decided | ] ]
  | |- refines _ _ ((_, SFor ?m ?i _ _ _) :: _) ((_, SFor _ ?j _ _ _) :: _) =>
      let it := eval vm_compute in (String.eqb i j || String.begins_with hash i)%bool in
      lazymatch constr:((it, m)) with
      | (false, Unrolled) =>
          first [ apply refines_for_none; [assumption | decided_quickly | ]
                | unroll ]
      | _ => first [refine_loop | unroll]
      end
  | |- refines _ _ ((_, SFor _ _ _ _ _) :: _) ((_, SIf _ _) :: _) =>
      first [ apply refines_if_true'; [decided_quickly | decided_quickly | ]
            | apply refines_if_false'; [decided_quickly | decided_quickly | ]
            | apply refines_for_none; [assumption | decided | ]
            | unroll ]
  | |- refines _ _ ((_, SFor _ _ _ _ _) :: _) _ =>
      first [ apply refines_for_none; [assumption | decided_quickly | ]
            | unroll
            | apply refines_for_none; [assumption | decided | ] ]
  | |- refines _ _ _ ((_, SIf _ _) :: _) =>
      first [ apply refines_if_true'; [decided | decided | ]
            | apply refines_if_false'; [decided | decided | ] ]
  end.

Ltac refine_step := first [ with_bindings same_by_computation | refine_idle | refine_active ].
Ltac refine_all := repeat refine_step.

(** ** Versions

    The loop nest of the version that is chosen; the others' conditions do not hold. What is
    decided of a version follows from its condition alone. *)

Ltac by_one_condition :=
  first [ assumption
        | match goal with H : _ = true |- _ => solve [clear -H; lia] end
        | match goal with H : _ = false |- _ => solve [clear -H; lia] end ].

Ltac is_chosen :=
  lazymatch goal with
  | |- (_ && _)%bool = true => apply andb_true_intro; split; is_chosen
  | |- _ => by_one_condition
  end.

(** [whole] is for a conjunction none of whose parts is known. *)
Ltac is_not_chosen whole :=
  lazymatch goal with
  | |- (_ && _)%bool = false =>
      first [ assumption
            | apply andb_false_intro2; assumption
            | apply andb_false_intro1; is_not_chosen whole
            | apply andb_false_intro2; is_not_chosen whole
            | whole () ]
  | |- _ => first [ assumption | match goal with H : _ = true |- _ => solve [clear -H; lia] end ]
  end.

Ltac refine_chosen :=
  lazymatch goal with
  | |- refines _ _ _ ((_, SSeq _ _) :: _) => apply refines_seq'; refine_chosen
  | |- refines _ _ _ ((_, SSkip) :: _) => apply refines_skip'; refine_chosen
  | |- refines _ _ [] [] => apply refines_nil
  | |- refines ?junk ?order ?src ((?v, SIf _ ?b) :: ?rest) =>
      first [ apply refines_if_false';
                [ decided_quickly
                | computed; is_not_chosen ltac:(fun _ => fail)
                | refine_chosen ]
            | apply refines_if_true'; [decided_quickly | computed; is_chosen | ];
              refine (refines_app junk order src [(v, b)] [] rest _ _); [ | refine_chosen]
            | apply refines_if_false';
                [ decided_quickly
                | computed; is_not_chosen ltac:(fun _ => by_one_condition)
                | refine_chosen ] ]
  end.

(** ** Whole programs

    The lowering of a program is computed first. *)

Ltac refine_program :=
  first [ with_bindings same_by_computation
        | lazymatch goal with |- refines ?junk ?order [(?v, ?s)] [(?v', ?t)] =>
            let s' := eval vm_compute in s in
            let t' := eval vm_compute in t in
            change (refines junk order [(v, s')] [(v', t')])
          end;
          refine_all ].

(** ** Widths

    All numbers of the loop nest fit 64 bits, if the sizes have these ranges. What intervals do
    not show is claimed. *)

Ltac in_64_bits sizes ranges :=
  lazymatch goal with |- fits_64_bits ?t _ ?nest =>
    let c := eval vm_compute in (wide t ranges nest) in
    apply (wide_fits ranges t sizes nest c);
    [ cbv [all_inside inside ranges sizes]; computed; repeat split; linear
    | reflexivity
    | vm_cast_no_check (eq_refl c)
    | cbv [claimed sizes]; obligations_with
        ltac:(first [arith | not_found ltac:(fun c => idtac "not found in widths:" c)]) ]
  end.
