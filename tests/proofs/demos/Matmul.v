(** * Matrix multiplication in 4x4 tiles

    The schedule splits the rows and the columns of the result with guards; truncations cut the padding.  For all sizes the
    printed loop nest is in bounds and computes what the plain program denotes, in the order of the plain program. *)

From ATL Require Import Exported.

(** ** Data *)

Definition alg : program :=
  Outputs [("out", (Some "f32:0",
    Gen Sequential "i" (Lit 0) (Var "M") (Gen Sequential "j" (Lit 0) (Var "N") (Sum "add.f32" "k" (Lit 0) (Var "K")
      (Scalar (Op "mul.f32" [Get "A" [Var "i"; Var "k"]; Get "B" [Var "k"; Var "j"]]))))))].

Definition sched : program :=
  Outputs [("out", (Some "f32:0",
    Reshape truncr [Sub (Mul (Cdiv (Var "M") (Lit 4)) (Lit 4)) (Var "M")] (Reshape flatten []
      (Gen Sequential "i.o" (Lit 0) (Cdiv (Var "M") (Lit 4)) (Gen Sequential "i.i" (Lit 0) (Lit 4)
        (Guard (Lt (Add (Mul (Var "i.o") (Lit 4)) (Var "i.i")) (Var "M"))
          (Reshape truncr [Sub (Mul (Cdiv (Var "N") (Lit 4)) (Lit 4)) (Var "N")] (Reshape flatten []
            (Gen Sequential "j.o" (Lit 0) (Cdiv (Var "N") (Lit 4)) (Gen Sequential "j.i" (Lit 0) (Lit 4)
              (Guard (Lt (Add (Mul (Var "j.o") (Lit 4)) (Var "j.i")) (Var "N"))
                (Sum "add.f32" "k" (Lit 0) (Var "K")
                  (Scalar (Op "mul.f32" [Get "A" [Add (Mul (Var "i.o") (Lit 4)) (Var "i.i"); Var "k"];
                                         Get "B" [Var "k"; Add (Mul (Var "j.o") (Lit 4)) (Var "j.i")]]))))))))))))))].

Definition nest : stmt :=
  SSeq (SFor Sequential "z0" (Lit 0) (Var "M") (SFor Sequential "z1" (Lit 0) (Var "N")
         (SStore "out" [Var "z0"; Var "z1"] None (Op "f32:0" []))))
  (SFor Sequential "i.o" (Lit 0) (Div (Add (Var "M") (Lit 3)) (Lit 4)) (SFor Sequential "i.i" (Lit 0) (Lit 4)
    (SIf (Lt (Add (Mul (Lit 4) (Var "i.o")) (Var "i.i")) (Var "M"))
      (SFor Sequential "j.o" (Lit 0) (Div (Add (Var "N") (Lit 3)) (Lit 4)) (SFor Sequential "j.i" (Lit 0) (Lit 4)
        (SIf (Lt (Add (Mul (Lit 4) (Var "j.o")) (Var "j.i")) (Var "N"))
          (SFor Sequential "k" (Lit 0) (Var "K")
            (SStore "out" [Add (Mul (Lit 4) (Var "i.o")) (Var "i.i"); Add (Mul (Lit 4) (Var "j.o")) (Var "j.i")] (Some "add.f32")
              (Op "mul.f32" [Get "A" [Add (Mul (Lit 4) (Var "i.o")) (Var "i.i"); Var "k"];
                             Get "B" [Var "k"; Add (Mul (Lit 4) (Var "j.o")) (Var "j.i")]]))))))))).

(** ** Theorems *)

Section Sizes.
  Variables M N K : Z.
  Hypotheses (HM : 0 <= M) (HN : 0 <= N) (HK : 0 <= K).
  Hypotheses (M_fits : M <= 2147483647) (N_fits : N <= 2147483647) (K_fits : K <= 2147483647).

  Definition sizes : env := [("M", M); ("N", N); ("K", K)].
  Definition inputs : dims := [("A", Some [M; K]); ("B", Some [K; N])].
  Definition outputs : dims := [("out", Some [M; N])].
  Definition addresses : addressing := Addressing [("A", 4); ("B", 4); ("out", 4)] [].
  Definition ranges : intervals := [("M", Some (0, 2147483647)); ("N", Some (0, 2147483647)); ("K", Some (0, 2147483647))].

  Lemma in_bounds : ok_program inputs outputs sizes sched.
  Proof. cbv [sched inputs outputs sizes]. obligations. Qed.

  Lemma loops {S : Scalars} : forall junk order, reorders order -> refines junk order [(sizes, lower_program [] sched)] [(sizes, nest)].
  Proof.
    intros junk order Hord. let s := eval vm_compute in (lower_program [] sched) in change (lower_program [] sched) with s.
    cbv [nest sizes]. refine_all.
  Qed.

  Lemma out_equal {S : Scalars} : forall A B i j, 0 <= i < M -> 0 <= j < N ->
    result sched sizes [("A", A); ("B", B)] "out" [i; j] = result alg sizes [("A", A); ("B", B)] "out" [i; j].
  Proof. intros. cbv [sched alg sizes]. denotes_same. Qed.

  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.
  Proof. in_64_bits sizes ranges. Qed.

  Theorem matmul_correct {S : Scalars} : compiled addresses sizes inputs outputs alg nest.
  Proof.
    apply (compile_correct []) with sched.
    - reflexivity.
    - exact in_bounds.
    - exact loops.
    - exact widths.
    - intros memory. unfold outputs. outputs_equal. now apply out_equal.
  Qed.
End Sizes.
