(** Read this to believe a theorem. *)
(** * Names

    The strings that programs use for variables, tensors and operations. A letter is one
    constructor here; in Coq's own strings it is nine. Proofs about a program repeat its names
    all the time, and with these strings coqc takes half the time for some programs. *)

From Coq Require Import Strings.Byte NArith.

Inductive string := Done | Letter (c : byte) (rest : string).

Fixpoint of_bytes (l : list byte) : string :=
  match l with nil => Done | cons c l => Letter c (of_bytes l) end.

Fixpoint to_bytes (s : string) : list byte :=
  match s with Done => nil | Letter c s => cons c (to_bytes s) end.

Declare Scope string_scope.

String Notation string of_bytes to_bytes : string_scope.

(** The variables of the loops that fill a buffer begin with this letter. *)
Definition hash : byte := "#".

Module String.
  Definition letter_eqb (c d : byte) : bool := N.eqb (Byte.to_N c) (Byte.to_N d).

  Fixpoint eqb (s t : string) : bool :=
    match s, t with
    | Done, Done => true
    | Letter c s, Letter d t => if letter_eqb c d then eqb s t else false
    | _, _ => false
    end.

  Fixpoint ltb (s t : string) : bool :=
    match s, t with
    | Letter c s, Letter d t =>
        if letter_eqb c d then ltb s t else N.ltb (Byte.to_N c) (Byte.to_N d)
    | Done, Letter _ _ => true
    | _, Done => false
    end.

  Definition begins_with (c : byte) (s : string) : bool :=
    match s with Letter d _ => letter_eqb c d | Done => false end.

  Fixpoint length (s : string) : nat := match s with Done => O | Letter _ s => S (length s) end.
End String.
