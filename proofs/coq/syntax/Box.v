(** Read this to believe a theorem. *)
(** * Boxes of indices and row-major addresses

    A tensor of dimensions [ds] has the cells [xs] with [inbox ds xs]. In memory the cell [xs] is
    at the address [flat ds xs]. An access is checked dimension by dimension. [BoxFacts.v] proves
    that this is enough: addresses are inside the buffer, and different cells have different
    ones. *)

From ATL Require Import syntax.Index.

Fixpoint inbox (ds xs : list Z) : Prop :=
  match ds, xs with
  | [], [] => True
  | d :: ds, x :: xs => 0 <= x < d /\ inbox ds xs
  | _, _ => False
  end.

(** The same, as a computation. *)
Fixpoint inboxb (ds xs : list Z) : bool :=
  match ds, xs with
  | [], [] => true
  | d :: ds, x :: xs => (0 <=? x) && (x <? d) && inboxb ds xs
  | _, _ => false
  end.

(** The number of cells, and the address of a cell, row by row. *)
Fixpoint size (ds : list Z) : Z :=
  match ds with
  | [] => 1
  | d :: ds => d * size ds
  end.

Fixpoint flat (ds xs : list Z) : Z :=
  match ds, xs with
  | d :: ds, x :: xs => x * size ds + flat ds xs
  | _, _ => 0
  end.
