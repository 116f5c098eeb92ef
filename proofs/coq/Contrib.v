(** * Scalars and contributions

    To be read by a sceptic.  Scalars are abstract: a type and the meaning of its operations, whose names
    carry the element type (["add.f32"]); constants are operations without operands.  Nothing is assumed about
    them, so what is proved holds for IEEE floats bit by bit.  Where a schedule reorders a reduction, the laws
    that it uses are hypotheses of that lemma alone.

    What a program does to a cell is the list of contributions in the order in which they arrive: a value is
    put there, or combined with what is there.  The empty list is padding: nothing was written. *)

From ATL Require Import Index.

Class Scalars := {
  V : Type;
  op : string -> list V -> V;
  ofZ : string -> Z -> V;      (** an index as data, in the element type named *)
  ofb : bool -> V              (** an index predicate as data *)
}.

Section Contributions.
  Context {S : Scalars}.

  Definition red (f : string) (a b : V) : V := op f [a; b].

  Inductive contrib := Put (x : V) | Comb (f : string) (x : V).

  Definition run (c : V) (w : contrib) : V :=
    match w with | Put x => x | Comb f x => red f c x end.

  (** What a cell holds after its contributions, if it held [c] before. *)
  Definition runs (c : V) (l : list contrib) : V := fold_left run l c.

  (** A buffer that is filled with a constant first, or that holds anything ([None]). *)
  Definition start (init : option string) : V :=
    match init with | Some c => op c [] | None => op "anything" [] end.
  Definition value (init : option string) (l : list contrib) : V := runs (start init) l.

  (** Inside a reduction values are combined; an inner reduction's contributions stay what they are. *)
  Definition comb (f : string) (w : contrib) : contrib :=
    match w with | Put x => Comb f x | Comb g x => Comb g x end.
  (** The contributions of a reduction: those of its terms, in order. *)
  Definition total (f : string) (lo hi : Z) (terms : Z -> list contrib) : list contrib :=
    flat_map (fun z => map (comb f) (terms z)) (zrange lo hi).

  (** What a contribution is inside the reduction [r], if there is one. *)
  Definition within (r : option string) (w : contrib) : contrib :=
    match r with
    | Some f => comb f w
    | None => w
    end.
End Contributions.

Definition tensor {S : Scalars} := list Z -> V.
Definition tensors {S : Scalars} := list (string * tensor).
Definition no_tensor {S : Scalars} : tensor := fun _ => op "anything" [].
