(** * The sum of two tensors of rank four, in one loop

    Three splits give the flat loop's result its dimensions back.  All sizes are symbolic, so that the index arithmetic is not linear. *)

From ATL Require Import Exported.

(** ** Data *)

Definition alg : program :=
  Outputs [("out", (None,
    Gen Sequential "i" (Lit 0) (Var "A") (Gen Sequential "j" (Lit 0) (Var "B") (Gen Sequential "k" (Lit 0) (Var "C") (Gen Sequential "l" (Lit 0) (Var "D")
      (Scalar (Op "add.f32" [Get "x" [Var "i"; Var "j"; Var "k"; Var "l"]; Get "y" [Var "i"; Var "j"; Var "k"; Var "l"]])))))))].

Definition cell : list idx :=
  [Div (Div (Div (Var "n") (Var "D")) (Var "C")) (Var "B"); Mod (Div (Div (Var "n") (Var "D")) (Var "C")) (Var "B");
   Mod (Div (Var "n") (Var "D")) (Var "C"); Mod (Var "n") (Var "D")].

Definition sched : program :=
  Outputs [("out", (None,
    Reshape split [Var "B"] (Reshape split [Var "C"] (Reshape split [Var "D"]
      (Gen Sequential "n" (Lit 0) (Mul (Mul (Mul (Var "A") (Var "B")) (Var "C")) (Var "D"))
        (Scalar (Op "add.f32" [Get "x" cell; Get "y" cell])))))))].

Definition nest : stmt :=
  SFor Sequential "n" (Lit 0) (Mul (Mul (Mul (Var "A") (Var "B")) (Var "C")) (Var "D"))
    (SStore "out" cell None (Op "add.f32" [Get "x" cell; Get "y" cell])).

(** ** Theorems *)

Section Sizes.
  Variables A B C D : Z.
  Hypotheses (HA : 0 <= A) (HB : 1 <= B) (HC : 1 <= C) (HD : 1 <= D).
  Hypotheses (A_fits : A <= 32767) (B_fits : B <= 32767) (C_fits : C <= 32767) (D_fits : D <= 32767).

  Definition sizes : env := [("A", A); ("B", B); ("C", C); ("D", D)].
  Definition inputs : dims := [("x", Some [A; B; C; D]); ("y", Some [A; B; C; D])].
  Definition outputs : dims := [("out", Some [A; B; C; D])].
  Definition addresses : addressing := Addressing [("x", 4); ("y", 4); ("out", 4)] [].
  Definition ranges : intervals := [("A", Some (0, 32767)); ("B", Some (1, 32767)); ("C", Some (1, 32767)); ("D", Some (1, 32767))].

  Lemma in_bounds : ok_program inputs outputs sizes sched.
  Proof. cbv [sched cell inputs outputs sizes]. obligations. Qed.

  Lemma loops {S : Scalars} : forall junk order, reorders order -> refines junk order [(sizes, lower_program [] sched)] [(sizes, nest)].
  Proof.
    intros junk order Hord. let s := eval vm_compute in (lower_program [] sched) in change (lower_program [] sched) with s.
    cbv [nest cell sizes]. refine_all.
  Qed.

  Lemma out_equal {S : Scalars} : forall x y i j k l, 0 <= i < A -> 0 <= j < B -> 0 <= k < C -> 0 <= l < D ->
    result sched sizes [("x", x); ("y", y)] "out" [i; j; k; l] = result alg sizes [("x", x); ("y", y)] "out" [i; j; k; l].
  Proof. intros. cbv [sched cell alg sizes]. denotes_same. Qed.

  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.
  Proof. in_64_bits sizes ranges. Qed.

  Theorem add_correct {S : Scalars} : compiled addresses sizes inputs outputs alg nest.
  Proof.
    apply (compile_correct []) with sched.
    - reflexivity.
    - exact in_bounds.
    - exact loops.
    - exact widths.
    - intros memory. unfold outputs. outputs_equal. now apply out_equal.
  Qed.
End Sizes.
