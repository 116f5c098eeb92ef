(** A loop nest with a data race has no execution: iterations of a parallel loop use one scalar as
    scratch. With the scalar inside the loop it has one. *)

From ATL Require Import Exported.

Definition alg : program :=
  Outputs [("out", (None, Gen Parallel "i" (Lit 0) (Lit 2) (Scalar (Get "x" [Var "i"]))))].

Definition by_way_of_t : stmt :=
  block [SStore "t" [] None (Get "x" [Var "i"]); SStore "out" [Var "i"] None (Get "t" [])].

Definition racy (m : mode) : stmt :=
  SAlloc "t" [] (SFor m "i" (Lit 0) (Lit 2) by_way_of_t).

Definition ins : dims := [("x", Some [2])].
Definition outs : dims := [("out", Some [2])].
Definition bytes : addressing := Addressing [("x", 4); ("out", 4); ("t", 4)] [].

Lemma no_execution {S : Scalars} junk order m M :
  unordered m = true -> exec (Bits64 bytes) junk order (racy m) [] (ins ++ outs) M = None.
Proof. now destruct m. Qed.

Theorem racy_is_not_compiled {S : Scalars} m :
  unordered m = true -> ~ compiled bytes [] ins outs alg (racy m).
Proof.
  intros Hm H.
  destruct (H (fun M x _ => M x 0) (fun _ l => l) (fun _ _ => op "anything" []))
    as (M' & E & _); [now intros ? ? | reflexivity |].
  now rewrite no_execution in E.
Qed.

(** The iterations of a reduction into one cell. *)
Example sums_disturb_each_other : race_free Parallel "i" 0 2
  (SStore "s" [] (Some "+.f32") (Get "x" [Var "i"])) [] = false.
Proof. reflexivity. Qed.

(** A cell that the next iteration reads. *)
Example neighbours_disturb_each_other : race_free Vectorized "i" 0 4
  (SStore "y" [Var "i"] None (Get "y" [Add (Var "i") (Lit 1)])) [] = false.
Proof. reflexivity. Qed.

(** The same in order, and with a scalar for each iteration. *)
Example in_order : race_free Sequential "i" 0 2 by_way_of_t [] = true.
Proof. reflexivity. Qed.

Example scratch_of_its_own : race_free Parallel "i" 0 2 (SAlloc "t" [] by_way_of_t) [] = true.
Proof. reflexivity. Qed.

(** An allocation with the same name further inside is another buffer. *)
Example other_buffer : race_free Parallel "i" 0 2
  (SSeq (SAlloc "t" [] by_way_of_t) (SStore "t" [] None (Get "x" [Var "i"]))) [] = false.
Proof. reflexivity. Qed.
