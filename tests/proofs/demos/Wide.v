(** What does not fit 64 bits has no execution: the counter of a loop, a step of a bound, of an
    index, of a guard, of an address, and an allocation of more bytes than there are addresses.
    In unbounded integers each has one. *)

From ATL Require Import Exported.

Definition alg : program :=
  Outputs [("out", (None, Gen Sequential "i" (Lit 0) (Lit 2) (Scalar (Get "x" [Var "i"]))))].

Definition ins : dims := [("x", Some [2])].
Definition outs : dims := [("out", Some [2])].
Definition bytes : addressing := Addressing [("x", 4); ("out", 4); ("t", 4)] [].

Definition far : idx := Add (Lit greatest) (Lit 1).
Definition back (e : idx) : idx := Sub (Add e (Lit greatest)) (Lit greatest).

Definition put (e : idx) : stmt := SStore "out" [e] None (Get "x" [Lit 1]).

Definition wide : list stmt := [
  SFor Sequential "i" far far SSkip;
  SFor Sequential "i" (Lit 0) (back (Lit 1)) SSkip;
  SFor Sequential "i" (Lit 0) (Lit 1) (put (back (Add (Var "i") (Lit 1))));
  SIf (Lt (Lit 0) far) SSkip;
  SIf (Or (Lt (Lit 1) (Lit 0)) (Lt (Lit 0) far)) SSkip;
  SStore "out" [Lit 1] None (Get "x" [back (Lit 1)]);
  SStore "out" [Lit 1] None (OfZ "i64" far) ].

Lemma no_execution {S : Scalars} junk order M :
  forall s, In s wide -> exec (Bits64 bytes) junk order s [] (ins ++ outs) M = None.
Proof. now intros s [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]. Qed.

Theorem wide_is_not_compiled {S : Scalars} :
  forall s, In s wide -> ~ compiled bytes [] ins outs alg s.
Proof.
  intros s Hs H.
  assert (Ha : allocated s [] = []) by (now destruct Hs as [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]).
  destruct (H (fun M x _ => M x 0) (fun _ l => l) (fun _ _ => op "anything" []))
    as (M' & E & _); [now intros ? ? | now rewrite Ha |].
  now rewrite no_execution in E.
Qed.

Lemma execution_in_unbounded_integers {S : Scalars} junk order M :
  forall s, In s wide -> exec Unbounded junk order s [] (ins ++ outs) M <> None.
Proof. now intros s [<-|[<-|[<-|[<-|[<-|[<-|[<-|[]]]]]]]]. Qed.

(** An allocation, for which the hypothesis of [compiled] does not hold, and a cell of a buffer
    with so many. *)
Definition huge : list Z := [4294967296; 4294967296].

Example not_allocated {S : Scalars} junk order M :
  exec (Bits64 bytes) junk order (SAlloc "t" (map Lit huge) SSkip) [] [] M = None.
Proof. reflexivity. Qed.

(** Cells of one byte may be more than those of four. *)
Definition floats : addressing := Addressing [("t", 4)] [].
Definition row_of : Z := 4611686018427387903.

Example not_so_many_bytes {S : Scalars} junk order M :
  exec (Bits64 floats) junk order (SAlloc "t" [Lit row_of] SSkip) [] [] M = None.
Proof. reflexivity. Qed.

Example so_many_bytes {S : Scalars} junk order M :
  exec (Bits64 (Addressing [] [])) junk order (SAlloc "t" [Lit row_of] SSkip) [] [] M <> None.
Proof. easy. Qed.

(** The index of a cell is 1, and is added to the number of its row: as one number, or term by
    term, on the way to which the sum is too great. *)
Definition one : idx := Sub (Lit (row_of + 4)) (Lit (row_of + 3)).

Definition put_one : stmt := SStore "t" [Lit 1; one] None (Op "u8:0" []).

Definition rows : dims := [("t", Some [2; row_of])].

Example not_term_by_term {S : Scalars} junk order M :
  exec (Bits64 (Addressing [] [])) junk order put_one [] rows M = None.
Proof. reflexivity. Qed.

Example as_one_number {S : Scalars} junk order M :
  exec (Bits64 (Addressing [] [one])) junk order put_one [] rows M <> None.
Proof. easy. Qed.

Example not_addressed {S : Scalars} junk order M :
  exec (Bits64 bytes) junk order (SStore "t" [Lit 4294967295; Lit 0] None (Op "f32:0" [])) []
    [("t", Some huge)] M = None.
Proof. reflexivity. Qed.

(** Where the left side of a condition decides, the right one is not computed. *)
Example not_evaluated {S : Scalars} junk order M :
  exec (Bits64 bytes) junk order (SIf (And (Lt (Lit 1) (Lit 0)) (Lt (Lit 0) far)) SSkip) [] [] M = Some M.
Proof. reflexivity. Qed.
