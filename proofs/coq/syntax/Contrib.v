(** Read this to believe a theorem. *)
(** * Scalars and contributions

    Scalars are abstract: a type, and the meaning of its operations. The name of an operation
    carries the element type (["add.f32"]); a constant is an operation without operands. Nothing is
    assumed about scalars, so that what is proved holds for IEEE floats, bit by bit. Where a
    schedule reorders a reduction, the laws that it uses are hypotheses of the theorem
    ([equality/ScalarLaws.v]).

    What a program does to a cell is a list of contributions, in the order in which they arrive.
    A contribution puts a value there, or combines a value with what is there. The empty list is
    padding: nothing was written. *)

From ATL Require Import syntax.Index.

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
    match w with
    | Put x => x
    | Comb f x => red f c x
    end.

  (** What a cell holds after its contributions, if it held [c] before. *)
  Definition runs (c : V) (l : list contrib) : V := fold_left run l c.

  (** ** Values

      A buffer is first filled with a constant ([Some c]), or holds anything ([None]). *)

  Definition start (init : option string) : V :=
    match init with
    | Some c => op c []
    | None => op "anything" []
    end.

  Definition value (init : option string) (l : list contrib) : V := runs (start init) l.

  (** ** Reductions

      Inside a reduction by [f] values are combined by [f]; contributions of an inner reduction
      stay what they are. *)

  Definition comb (f : string) (w : contrib) : contrib :=
    match w with
    | Put x => Comb f x
    | Comb g x => Comb g x
    end.

  (** The contributions of a reduction: those of its terms, in order. *)
  Definition total (f : string) (lo hi : Z) (terms : Z -> list contrib) : list contrib :=
    flat_map (fun z => map (comb f) (terms z)) (zrange lo hi).
End Contributions.

(** ** Tensors

    A tensor gives a value for each cell. *)

Definition tensor {S : Scalars} := list Z -> V.
Definition tensors {S : Scalars} := list (string * tensor).
Definition no_tensor {S : Scalars} : tensor := fun _ => op "anything" [].
