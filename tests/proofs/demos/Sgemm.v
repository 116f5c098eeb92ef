(** * Matrix multiplication with accumulators

    Columns in blocks of 8, which are accumulated in a local array, and the columns that are left, one by one.  The loop
    that copies the array is unrolled.  Nothing is filled: the output is stored once, with [=]. *)

From ATL Require Import Exported.

(** ** Data *)

Definition alg : program :=
  Outputs [("out", (Some "f32:0",
    Gen Sequential "i" (Lit 0) (Var "M") (Gen Sequential "j" (Lit 0) (Var "N") (Sum "add.f32" "k" (Lit 0) (Var "K")
      (Scalar (Op "mul.f32" [Get "A" [Var "i"; Var "k"]; Get "B" [Var "k"; Var "j"]]))))))].

Definition sched : program :=
  Outputs [("out", (None,
    Gen Parallel "i" (Lit 0) (Var "M") (Concat
      (Reshape flatten [] (Gen Sequential "j.o" (Lit 0) (Div (Var "N") (Lit 8))
        (Let "acc" (Some "f32:0")
          (Sum "add.f32" "k" (Lit 0) (Var "K") (Gen Vectorized "j.i" (Lit 0) (Lit 8)
            (Scalar (Op "mul.f32" [Get "A" [Var "i"; Var "k"]; Get "B" [Var "k"; Add (Mul (Var "j.o") (Lit 8)) (Var "j.i")]]))))
          (Gen Sequential "c0" (Lit 0) (Lit 8) (Scalar (Get "acc" [Var "c0"]))))))
      (Gen Sequential "j" (Mul (Div (Var "N") (Lit 8)) (Lit 8)) (Var "N")
        (Let "acc_2" (Some "f32:0")
          (Sum "add.f32" "k" (Lit 0) (Var "K")
            (Scalar (Op "mul.f32" [Get "A" [Var "i"; Var "k"]; Get "B" [Var "k"; Var "j"]])))
          (Scalar (Get "acc_2" [])))))))].

Definition nest : stmt :=
  SFor Parallel "i" (Lit 0) (Var "M") (block [
    SFor Sequential "j.o" (Lit 0) (Div (Var "N") (Lit 8)) (block [
      SAlloc "acc" [Lit 8] (block [
        SFor Sequential "z0" (Lit 0) (Lit 8) (SStore "acc" [Var "z0"] None (Op "f32:0" []));
        SFor Sequential "k" (Lit 0) (Var "K") (SFor Vectorized "j.i" (Lit 0) (Lit 8)
          (SStore "acc" [Var "j.i"] (Some "add.f32")
            (Op "mul.f32" [Get "A" [Var "i"; Var "k"]; Get "B" [Var "k"; Add (Mul (Lit 8) (Var "j.o")) (Var "j.i")]])));
        SStore "out" [Var "i"; Mul (Lit 8) (Var "j.o")] None (Get "acc" [Lit 0]);
        SStore "out" [Var "i"; Add (Mul (Lit 8) (Var "j.o")) (Lit 1)] None (Get "acc" [Lit 1]);
        SStore "out" [Var "i"; Add (Mul (Lit 8) (Var "j.o")) (Lit 2)] None (Get "acc" [Lit 2]);
        SStore "out" [Var "i"; Add (Mul (Lit 8) (Var "j.o")) (Lit 3)] None (Get "acc" [Lit 3]);
        SStore "out" [Var "i"; Add (Mul (Lit 8) (Var "j.o")) (Lit 4)] None (Get "acc" [Lit 4]);
        SStore "out" [Var "i"; Add (Mul (Lit 8) (Var "j.o")) (Lit 5)] None (Get "acc" [Lit 5]);
        SStore "out" [Var "i"; Add (Mul (Lit 8) (Var "j.o")) (Lit 6)] None (Get "acc" [Lit 6]);
        SStore "out" [Var "i"; Add (Mul (Lit 8) (Var "j.o")) (Lit 7)] None (Get "acc" [Lit 7])])]);
    SFor Sequential "j" (Mul (Lit 8) (Div (Var "N") (Lit 8))) (Var "N") (block [
      SAlloc "acc_2" [] (block [
        SStore "acc_2" [] None (Op "f32:0" []);
        SFor Sequential "k" (Lit 0) (Var "K") (SStore "acc_2" [] (Some "add.f32")
          (Op "mul.f32" [Get "A" [Var "i"; Var "k"]; Get "B" [Var "k"; Var "j"]]));
        SStore "out" [Var "i"; Var "j"] None (Get "acc_2" [])])])]).

(** ** Theorems *)

Section Sizes.
  Variables M N K : Z.
  Hypotheses (HM : 1 <= M) (HN : 1 <= N) (HK : 0 <= K).
  Hypotheses (M_fits : M <= 2147483647) (N_fits : N <= 2147483647) (K_fits : K <= 2147483647).

  Definition sizes : env := [("M", M); ("N", N); ("K", K)].
  Definition inputs : dims := [("A", Some [M; K]); ("B", Some [K; N])].
  Definition outputs : dims := [("out", Some [M; N])].
  Definition addresses : addressing := Addressing [("A", 4); ("B", 4); ("out", 4); ("acc", 4); ("acc_2", 4)] [].
  Definition ranges : intervals := [("M", Some (1, 2147483647)); ("N", Some (1, 2147483647)); ("K", Some (0, 2147483647))].

  Lemma in_bounds : ok_program inputs outputs sizes sched.
  Proof. cbv [sched inputs outputs sizes]. obligations. Qed.

  Lemma loops {S : Scalars} : forall junk order, reorders order -> refines junk order [(sizes, lower_program [] sched)] [(sizes, nest)].
  Proof.
    intros junk order Hord. let s := eval vm_compute in (lower_program [] sched) in change (lower_program [] sched) with s.
    cbv [nest block fold_right sizes]. refine_all.
  Qed.

  Lemma out_equal {S : Scalars} : forall A B i j, 0 <= i < M -> 0 <= j < N ->
    result sched sizes [("A", A); ("B", B)] "out" [i; j] = result alg sizes [("A", A); ("B", B)] "out" [i; j].
  Proof. intros. cbv [sched alg sizes]. denotes_same. Qed.

  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.
  Proof. in_64_bits sizes ranges. Qed.

  Theorem sgemm_correct {S : Scalars} : compiled addresses sizes inputs outputs alg nest.
  Proof.
    apply (compile_correct []) with sched.
    - reflexivity.
    - exact in_bounds.
    - exact loops.
    - exact widths.
    - intros memory. unfold outputs. outputs_equal. now apply out_equal.
  Qed.
End Sizes.
