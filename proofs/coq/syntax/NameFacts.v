(** * Facts about names

    Comparing two names decides whether they are equal. *)

From Coq Require Import Strings.Byte NArith Bool.
From ATL Require Export syntax.Name.

Module String.
  Lemma letter_eqb_spec c d : reflect (c = d) (String.letter_eqb c d).
  Proof.
    unfold String.letter_eqb.
    destruct (N.eqb_spec (Byte.to_N c) (Byte.to_N d)) as [H|H]; constructor; [|congruence].
    apply (f_equal Byte.of_N) in H.
    rewrite !Byte.of_to_N in H.
    congruence.
  Qed.

  Lemma eqb_spec s t : reflect (s = t) (String.eqb s t).
  Proof.
    revert t.
    induction s as [|c s IH]; intros [|d t]; cbn [String.eqb]; try (now constructor).
    destruct (letter_eqb_spec c d) as [->|H]; [destruct (IH t) as [->|H]|]; constructor; congruence.
  Qed.

  Lemma eqb_eq s t : String.eqb s t = true <-> s = t.
  Proof. destruct (eqb_spec s t); now split. Qed.

  Lemma eqb_neq s t : String.eqb s t = false <-> s <> t.
  Proof. destruct (eqb_spec s t); now split. Qed.

  Lemma eqb_refl s : String.eqb s s = true.
  Proof. now apply eqb_eq. Qed.
End String.
