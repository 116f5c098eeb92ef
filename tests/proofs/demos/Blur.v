(** * A two-stage blur, computed in tiles of 32 rows

    The first stage is computed where a tile of the second needs it: a let inside the loop over tiles.  Its prophecy
    says which rows of the algorithm's tensor it holds. *)

From ATL Require Import Exported.

(** ** Data *)

Definition third (a b c : sexpr) : sexpr :=
  Op "div.f32" [Op "add.f32" [Op "add.f32" [a; b]; c]; Op "f32:3" []].

(** The tensors have names, so that a proof about one does not carry the others. *)
Definition alg_rows : expr :=
  Gen Sequential "y" (Lit 0) (Add (Var "N") (Lit 2)) (Gen Sequential "x" (Lit 0) (Var "M") (Scalar (third
      (Get "img" [Var "y"; Var "x"]) (Get "img" [Var "y"; Add (Var "x") (Lit 1)]) (Get "img" [Var "y"; Add (Var "x") (Lit 2)])))).

Definition alg : program :=
  PLet "rows" None alg_rows
  (Outputs [("out", (None,
    Gen Sequential "y" (Lit 0) (Var "N") (Gen Sequential "x" (Lit 0) (Var "M") (Scalar (third
      (Get "rows" [Var "y"; Var "x"]) (Get "rows" [Add (Var "y") (Lit 1); Var "x"]) (Get "rows" [Add (Var "y") (Lit 2); Var "x"]))))))]).

Definition sched_rows : expr :=
  Gen Sequential "r" (Lit 0) (Min (Lit 34) (Sub (Add (Var "N") (Lit 2)) (Mul (Var "y.o") (Lit 32)))) (Gen Sequential "x" (Lit 0) (Var "M")
            (Scalar (third
              (Get "img" [Add (Mul (Var "y.o") (Lit 32)) (Var "r"); Var "x"])
              (Get "img" [Add (Mul (Var "y.o") (Lit 32)) (Var "r"); Add (Var "x") (Lit 1)])
              (Get "img" [Add (Mul (Var "y.o") (Lit 32)) (Var "r"); Add (Var "x") (Lit 2)])))).

Definition sched : program :=
  Outputs [("out", (None,
    Reshape truncr [Sub (Mul (Cdiv (Var "N") (Lit 32)) (Lit 32)) (Var "N")] (Reshape flatten []
      (Gen Sequential "y.o" (Lit 0) (Cdiv (Var "N") (Lit 32))
        (Let "rows" None sched_rows
          (Gen Sequential "y.i" (Lit 0) (Lit 32) (Guard (Lt (Add (Mul (Var "y.o") (Lit 32)) (Var "y.i")) (Var "N"))
            (Gen Sequential "x" (Lit 0) (Var "M") (Scalar (third
              (Get "rows" [Var "y.i"; Var "x"]) (Get "rows" [Add (Var "y.i") (Lit 1); Var "x"])
              (Get "rows" [Add (Var "y.i") (Lit 2); Var "x"])))))))))))].

Definition nest : stmt :=
  SFor Sequential "y.o" (Lit 0) (Cdiv (Var "N") (Lit 32))
    (SAlloc "rows" [Min (Lit 34) (Add (Sub (Var "N") (Mul (Lit 32) (Var "y.o"))) (Lit 2)); Var "M"] (SSeq
      (SFor Sequential "r" (Lit 0) (Min (Lit 34) (Add (Sub (Var "N") (Mul (Lit 32) (Var "y.o"))) (Lit 2)))
        (SFor Sequential "x" (Lit 0) (Var "M") (SStore "rows" [Var "r"; Var "x"] None (third
          (Get "img" [Add (Mul (Lit 32) (Var "y.o")) (Var "r"); Var "x"])
          (Get "img" [Add (Mul (Lit 32) (Var "y.o")) (Var "r"); Add (Var "x") (Lit 1)])
          (Get "img" [Add (Mul (Lit 32) (Var "y.o")) (Var "r"); Add (Var "x") (Lit 2)])))))
      (SFor Sequential "y.i" (Lit 0) (Lit 32) (SIf (Lt (Add (Mul (Lit 32) (Var "y.o")) (Var "y.i")) (Var "N"))
        (SFor Sequential "x" (Lit 0) (Var "M")
          (SStore "out" [Add (Mul (Lit 32) (Var "y.o")) (Var "y.i"); Var "x"] None (third
            (Get "rows" [Var "y.i"; Var "x"]) (Get "rows" [Add (Var "y.i") (Lit 1); Var "x"])
            (Get "rows" [Add (Var "y.i") (Lit 2); Var "x"])))))))).

(** ** Theorems *)

Section Sizes.
  Variables N M : Z.
  Hypotheses (HN : 1 <= N) (HM : 1 <= M).
  Hypotheses (N_fits : N <= 2147483647) (M_fits : M <= 2147483647).

  Definition sizes : env := [("N", N); ("M", M)].
  Definition inputs : dims := [("img", Some [N + 2; M + 2])].
  Definition outputs : dims := [("out", Some [N; M])].
  Definition addresses : addressing := Addressing [("img", 4); ("out", 4); ("rows", 4)] [].
  Definition ranges : intervals := [("N", Some (1, 2147483647)); ("M", Some (1, 2147483647))].

  Lemma in_bounds : ok_program inputs outputs sizes sched.
  Proof. cbv [sched sched_rows inputs outputs sizes third]. obligations. Qed.

  Lemma loops {S : Scalars} : forall junk order, reorders order -> refines junk order [(sizes, lower_program [] sched)] [(sizes, nest)].
  Proof.
    intros junk order Hord. let s := eval vm_compute in (lower_program [] sched) in change (lower_program [] sched) with s.
    cbv [nest sizes third]. refine_all.
  Qed.

  Lemma out_equal {S : Scalars} : forall img y x, 0 <= y < N -> 0 <= x < M ->
    result sched sizes [("img", img)] "out" [y; x] = result alg sizes [("img", img)] "out" [y; x].
  Proof.
    intros. cbv [sched alg sizes third].
    bind_right rows rows_is. unfolded.
    bind_left rows_tile rows_tile_is.
    assert (rows_tile_holds : forall r c, 0 <= r < Z.min 34 (N + 2 - y / 32 * 32) -> 0 <= c < M ->
      rows_tile [r; c] = rows [y / 32 * 32 + r; c]).
    { intros. rewrite rows_tile_is, rows_is. unfold sched_rows, alg_rows. unfold third. denotes_same. }
    denotes_same.
  Qed.

  Lemma widths {S : Scalars} : fits_64_bits addresses sizes nest.
  Proof. in_64_bits sizes ranges. Qed.

  Theorem blur_correct {S : Scalars} : compiled addresses sizes inputs outputs alg nest.
  Proof.
    apply (compile_correct []) with sched.
    - reflexivity.
    - exact in_bounds.
    - exact loops.
    - exact widths.
    - intros memory. unfold outputs. outputs_equal. now apply out_equal.
  Qed.
End Sizes.
