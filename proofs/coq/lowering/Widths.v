(** Read this to believe a theorem. *)
(** * Numbers of 64 bits

    Indices are mathematical integers; C computes them in 64 bits with a sign. Here is said which
    numbers a statement computes, from indices, conditions and addresses, and that each of them
    fits. What the statements inside of it compute is their own. *)

From ATL Require Import syntax.Index syntax.Box ops.Reshape syntax.Syntax.

Definition least : Z := -9223372036854775808.
Definition greatest : Z := 9223372036854775807.

Definition fits (z : Z) : bool := (least <=? z) && (z <=? greatest).

(** ** Indices and predicates

    Each part of an index fits. Of a predicate, as much as is evaluated. *)

Fixpoint zfits (v : env) (e : idx) : bool :=
  match e with
  | Var _ | Lit _ => true
  | Add a b | Sub a b | Mul a b | Div a b | Cdiv a b | Mod a b | Min a b | Max a b =>
      zfits v a && zfits v b
  end && fits (ze v e).

Definition zsfit (v : env) : list idx -> bool := forallb (zfits v).

Fixpoint bfits (v : env) (p : prd) : bool :=
  match p with
  | Truth _ => true
  | Lt a b | Le a b | Gt a b | Ge a b | Eq a b | Ne a b => zfits v a && zfits v b
  | And p q => bfits v p && (bfits v q || negb (be v p))
  | Or p q => bfits v p && (bfits v q || be v p)
  | Not p => bfits v p
  end.

(** ** Addresses

    The address of a cell is computed row by row, as [(x * M + y) * K + z]. *)

Fixpoint address_fits (row : Z) (ds xs : list Z) : bool :=
  match ds, xs with
  | d :: ds, x :: xs => fits (row * d) && fits (row * d + x) && address_fits (row * d + x) ds xs
  | _, _ => true
  end.

(** Buffers with their dimensions. A buffer can be addressed if the number of its cells fits. *)
Definition dims := list (string * option (list Z)).

Definition addressable (ds : list Z) : bool := fits (size ds).

Definition cell_fits (D : dims) (v : env) (x : string) (l : list idx) : bool :=
  zsfit v l &&
  match lookup None D x with
  | Some ds => address_fits 0 ds (evs v l)
  | None => true
  end.

(** ** Scalars

    Only what is evaluated, as in [bfits]. *)

Fixpoint sfits (D : dims) (v : env) (s : sexpr) : bool :=
  match s with
  | Get x l => cell_fits D v x l
  | Op _ args => forallb (sfits D v) args
  | OfZ _ z => zfits v z
  | OfB p => bfits v p
  | If p s t => bfits v p && (negb (be v p) || sfits D v s) && (be v p || sfits D v t)
  | Cell _ _ => true
  end.
