(** * A convolution whose reduction is split and reordered

    The theorem has the law that the schedule used as its hypothesis: that additions may be done in another order. *)

From ATL Require Import Exported.

(** ** Data *)

Definition alg : program :=
  Outputs [("out", (Some "f32:0",
    Gen Sequential "i" (Lit 0) (Var "N") (Sum "add.f32" "c" (Lit 0) (Var "C") (Sum "add.f32" "k" (Lit 0) (Lit 3)
      (Scalar (Op "mul.f32" [Get "x" [Var "c"; Add (Var "i") (Var "k")]; Get "w" [Var "c"; Var "k"]]))))))].

Definition sched : program :=
  Outputs [("out", (None,
    Gen Sequential "i" (Lit 0) (Var "N") (Let "acc" (Some "f32:0")
      (Sum "add.f32" "k" (Lit 0) (Lit 3) (Sum "add.f32" "c.o" (Lit 0) (Cdiv (Var "C") (Lit 8)) (Sum "add.f32" "c.i" (Lit 0) (Lit 8)
        (Guard (Lt (Add (Mul (Var "c.o") (Lit 8)) (Var "c.i")) (Var "C"))
          (Scalar (Op "mul.f32" [Get "x" [Add (Mul (Var "c.o") (Lit 8)) (Var "c.i"); Add (Var "i") (Var "k")];
                                 Get "w" [Add (Mul (Var "c.o") (Lit 8)) (Var "c.i"); Var "k"]]))))))
      (Scalar (Get "acc" [])))))].

Definition nest : stmt :=
  SFor Sequential "i" (Lit 0) (Var "N") (block [
    SAlloc "acc" [] (block [
      SStore "acc" [] None (Op "f32:0" []);
      SFor Sequential "k" (Lit 0) (Lit 3) (SFor Sequential "c.o" (Lit 0) (Cdiv (Var "C") (Lit 8)) (SFor Sequential "c.i" (Lit 0) (Lit 8)
        (SIf (Lt (Add (Mul (Var "c.o") (Lit 8)) (Var "c.i")) (Var "C"))
          (SStore "acc" [] (Some "add.f32")
            (Op "mul.f32" [Get "x" [Add (Mul (Var "c.o") (Lit 8)) (Var "c.i"); Add (Var "i") (Var "k")];
                           Get "w" [Add (Mul (Var "c.o") (Lit 8)) (Var "c.i"); Var "k"]])))));
      SStore "out" [Var "i"] None (Get "acc" [])])]).

(** How the terms correspond: those of [sched] in terms of those of [alg], and back; not in the same order. *)
Definition renumberings : list (string * list renumbering) :=
  [("out", [Renumbered ["i"] None false
      ["k"; "c.o"; "c.i"] [Add (Mul (Var "c.o") (Lit 8)) (Var "c.i"); Var "k"]
      ["c"; "k"] [Var "k"; Div (Var "c") (Lit 8); Mod (Var "c") (Lit 8)]])].

(** ** Theorems *)

Section Sizes.
  Variables N C : Z.
  Hypotheses (HN : 1 <= N) (HC : 1 <= C).
  Hypotheses (N_fits : N <= 2147483647) (C_fits : C <= 2147483647).

  Definition sizes : env := [("N", N); ("C", C)].
  Definition inputs : dims := [("x", Some [C; N + 2]); ("w", Some [C; 3])].
  Definition outputs : dims := [("out", Some [N])].
  Definition addresses : addressing := Addressing [("x", 4); ("w", 4); ("out", 4); ("acc", 4)] [].
  Definition ranges : intervals := [("N", Some (1, 2147483647)); ("C", Some (1, 2147483647))].

  Lemma in_bounds : ok_program inputs outputs sizes sched.
  Proof. cbv [sched inputs outputs sizes]. obligations. Qed.

  Lemma loops {S : Scalars} : forall junk order, reorders order -> refines junk order [(sizes, lower_program [] sched)] [(sizes, nest)].
  Proof.
    intros junk order Hord. let s := eval vm_compute in (lower_program [] sched) in change (lower_program [] sched) with s.
    cbv [nest block fold_right sizes]. refine_all.
  Qed.

  Lemma out_equal {S : Scalars} (order : commutes "add.f32") : forall x w i, 0 <= i < N ->
    result sched sizes [("x", x); ("w", w)] "out" [i] = result alg sizes [("x", x); ("w", w)] "out" [i].
  Proof. intros. cbv [sched alg sizes]. renumbered_with renumberings. denotes_same. Qed.

  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.
  Proof. in_64_bits sizes ranges. Qed.

  Theorem reduce_correct {S : Scalars} (order : commutes "add.f32") : compiled addresses sizes inputs outputs alg nest.
  Proof.
    apply (compile_correct []) with sched.
    - reflexivity.
    - exact in_bounds.
    - exact loops.
    - exact widths.
    - intros memory. unfold outputs. outputs_equal. now apply out_equal.
  Qed.
End Sizes.
