(** * Two versions of a kernel, chosen by the sizes

    Where 8 divides the size, rows of 8; otherwise a plain loop.  The loop nest tests the condition once; each version is proved where it is chosen. *)

From ATL Require Import Exported.

(** ** Data *)

Definition alg : program :=
  Outputs [("out", (None, Gen Sequential "i" (Lit 0) (Var "N")
    (Scalar (Op "add.f32" [Get "x" [Var "i"]; Get "y" [Var "i"]]))))].

Definition when : prd := Eq (Mod (Var "N") (Lit 8)) (Lit 0).

Definition sched_1 : program :=
  Outputs [("out", (None, Reshape flatten [] (Gen Parallel "i.o" (Lit 0) (Div (Var "N") (Lit 8)) (Gen Vectorized "i.i" (Lit 0) (Lit 8)
    (Scalar (Op "add.f32" [Get "x" [Add (Mul (Var "i.o") (Lit 8)) (Var "i.i")]; Get "y" [Add (Mul (Var "i.o") (Lit 8)) (Var "i.i")]]))))))].

Definition sched_2 : program := alg.

Definition nest : stmt := block [
  SIf when (SFor Parallel "i.o" (Lit 0) (Div (Var "N") (Lit 8)) (SFor Vectorized "i.i" (Lit 0) (Lit 8)
    (SStore "out" [Add (Mul (Var "i.o") (Lit 8)) (Var "i.i")] None
      (Op "add.f32" [Get "x" [Add (Mul (Var "i.o") (Lit 8)) (Var "i.i")]; Get "y" [Add (Mul (Var "i.o") (Lit 8)) (Var "i.i")]]))));
  SIf (Not when) (SFor Sequential "i" (Lit 0) (Var "N")
    (SStore "out" [Var "i"] None (Op "add.f32" [Get "x" [Var "i"]; Get "y" [Var "i"]])))].

(** ** Theorems *)

Section Sizes.
  Variable N : Z.
  Hypothesis HN : 0 <= N.
  Hypothesis N_fits : N <= 2147483647.

  Definition sizes : env := [("N", N)].
  Definition inputs : dims := [("x", Some [N]); ("y", Some [N])].
  Definition outputs : dims := [("out", Some [N])].
  Definition addresses : addressing := Addressing [("x", 4); ("y", 4); ("out", 4)] [].
  Definition ranges : intervals := [("N", Some (0, 2147483647))].

  Section First.
    Hypothesis chosen : be sizes when = true.

    Lemma in_bounds_1 : ok_program inputs outputs sizes sched_1.
    Proof. revert chosen. cbv [sched_1 when inputs outputs sizes]. computed. intro. obligations. Qed.

    Lemma loops_1 {S : Scalars} : forall junk order, reorders order ->
      refines junk order [(sizes, lower_program [] sched_1)] [(sizes, nest)].
    Proof.
      intros junk order Hord. let s := eval vm_compute in (lower_program [] sched_1) in change (lower_program [] sched_1) with s.
      revert chosen. cbv [nest when block fold_right sizes]. computed. intro. refine_all.
    Qed.

    Lemma out_equal_1 {S : Scalars} : forall x y i, 0 <= i < N ->
      result sched_1 sizes [("x", x); ("y", y)] "out" [i] = result alg sizes [("x", x); ("y", y)] "out" [i].
    Proof. intros. cbv [sched_1 alg sizes]. denotes_same. Qed.
  End First.

  Section Second.
    Hypothesis chosen : be sizes when = false.

    Lemma in_bounds_2 : ok_program inputs outputs sizes sched_2.
    Proof. cbv [sched_2 alg inputs outputs sizes]. obligations. Qed.

    Lemma loops_2 {S : Scalars} : forall junk order, reorders order ->
      refines junk order [(sizes, lower_program [] sched_2)] [(sizes, nest)].
    Proof.
      intros junk order Hord. let s := eval vm_compute in (lower_program [] sched_2) in change (lower_program [] sched_2) with s.
      revert chosen. cbv [nest when block fold_right sizes]. computed. intro. refine_all.
    Qed.
  End Second.

  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.
  Proof. in_64_bits sizes ranges. Qed.

  Theorem versions_correct {S : Scalars} : compiled addresses sizes inputs outputs alg nest.
  Proof.
    destruct (be sizes when) eqn:chosen.
    - apply (compile_correct []) with sched_1; [reflexivity | now apply in_bounds_1 | now apply loops_1 | exact widths |].
      intros memory. unfold outputs. outputs_equal. now apply out_equal_1.
    - apply (compile_correct []) with sched_2; [reflexivity | now apply in_bounds_2 | now apply loops_2 | exact widths |].
      intros memory. unfold outputs. outputs_equal. reflexivity.
  Qed.
End Sizes.
