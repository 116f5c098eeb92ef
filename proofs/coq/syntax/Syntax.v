(** Read this to believe a theorem. *)
(** * Programs

    Tensor expressions, scalar expressions and programs, as in [atl/syntax]. A tensor, and an
    output, says how its buffer starts: [Some c] is filled with the constant [c], [None] holds
    anything. A reduction in scalar arithmetic is the [Cell] of a tensor without dimensions. The
    algorithm has it where the user wrote it; a program that is lowered has a [Let] for each
    accumulator instead. *)

From ATL Require Import syntax.Index ops.Reshape.

(** How the iterations of a loop run: in order or, if [Parallel] or [Vectorized], in any order.
    This does not change what is computed. *)
Inductive mode := Sequential | Parallel | Unrolled | Vectorized.

Inductive expr :=
| Gen (m : mode) (i : string) (lo hi : idx) (e : expr)
| Sum (f : string) (i : string) (lo hi : idx) (e : expr) (** the reduction by the operation [f] *)
| Guard (p : prd) (e : expr)
| Let (x : string) (init : option string) (a e : expr)
| Concat (a b : expr)
| Reshape (r : reshape) (args : list idx) (e : expr)
| Scalar (s : sexpr)
with sexpr :=
| Get (x : string) (l : list idx)
| Op (f : string) (args : list sexpr)
| OfZ (ty : string) (z : idx)
| OfB (p : prd)
| If (p : prd) (s t : sexpr) (** only the branch taken is evaluated *)
| Cell (init : string) (e : expr).

(** The outputs of a kernel, below the tensors that they share. *)
Inductive program :=
| PLet (x : string) (init : option string) (a : expr) (p : program)
| Outputs (l : list (string * (option string * expr))).

(** The dimensions of a tensor expression; whatever for an ill-formed one. *)
Fixpoint shape (e : expr) : list idx :=
  match e with
  | Gen _ _ lo hi e => extent lo hi :: shape e
  | Sum _ _ _ _ e | Guard _ e | Let _ _ _ e => shape e
  | Concat a b =>
      match shape a, shape b with
      | n :: r, m :: _ => Add n m :: r
      | _, _ => []
      end
  | Reshape r args e => rshape r args (shape e)
  | Scalar _ => []
  end.
