(** * Names

    To be read by a sceptic.  Strings, in which a letter is one constructor; in Coq's own it is nine.  What is proved of
    a program is full of the names of its variables and operations: for some, coqc takes half the time. *)

From Coq Require Import Strings.Byte NArith Bool.

Inductive string := Done | Letter (c : byte) (rest : string).

Fixpoint of_bytes (l : list byte) : string := match l with nil => Done | cons c l => Letter c (of_bytes l) end.
Fixpoint to_bytes (s : string) : list byte := match s with Done => nil | Letter c s => cons c (to_bytes s) end.
Declare Scope string_scope.
String Notation string of_bytes to_bytes : string_scope.

(** The variables of filling loops begin so. *)
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
    | Letter c s, Letter d t => if letter_eqb c d then ltb s t else N.ltb (Byte.to_N c) (Byte.to_N d)
    | Done, Letter _ _ => true
    | _, Done => false
    end.
  Definition begins_with (c : byte) (s : string) : bool :=
    match s with Letter d _ => letter_eqb c d | Done => false end.
  Fixpoint length (s : string) : nat := match s with Done => O | Letter _ s => S (length s) end.

  Lemma letter_eqb_spec c d : reflect (c = d) (letter_eqb c d).
  Proof.
    unfold letter_eqb. destruct (N.eqb_spec (Byte.to_N c) (Byte.to_N d)) as [H|H]; constructor; [|congruence].
    apply (f_equal Byte.of_N) in H. rewrite !Byte.of_to_N in H. congruence.
  Qed.
  Lemma eqb_spec s t : reflect (s = t) (eqb s t).
  Proof.
    revert t. induction s as [|c s IH]; intros [|d t]; cbn [eqb]; try (now constructor).
    destruct (letter_eqb_spec c d) as [->|H]; [destruct (IH t) as [->|H]|]; constructor; congruence.
  Qed.
  Lemma eqb_eq s t : eqb s t = true <-> s = t. Proof. destruct (eqb_spec s t); now split. Qed.
  Lemma eqb_neq s t : eqb s t = false <-> s <> t. Proof. destruct (eqb_spec s t); now split. Qed.
  Lemma eqb_refl s : eqb s s = true. Proof. now apply eqb_eq. Qed.
End String.
