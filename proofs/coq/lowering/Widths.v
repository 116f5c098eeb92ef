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

    The address of a cell is computed row by row, as [(x * M + y) * K + z]. An index that is a sum
    is added to its row term by term, from the left: [x * M + y + 1] for the index [y + 1]. Those
    in [in_parentheses] are computed first: [x * M + (y + 1)]. *)

Record addressing := Addressing {
  cell_bytes : list (string * Z); (** of a cell of each buffer; 1 where nothing is said *)
  in_parentheses : list idx
}.

Fixpoint same_index (e f : idx) : bool :=
  match e, f with
  | Var x, Var y => String.eqb x y
  | Lit y, Lit z => y =? z
  | Add a b, Add c d | Sub a b, Sub c d | Mul a b, Mul c d | Div a b, Div c d
  | Cdiv a b, Cdiv c d | Mod a b, Mod c d | Min a b, Min c d | Max a b, Max c d =>
      same_index a c && same_index b d
  | _, _ => false
  end.

Definition is_apart (t : addressing) (e : idx) : bool := existsb (same_index e) (in_parentheses t).

(** [row], to which the index [e] is added term by term. *)
Fixpoint sums_fit (v : env) (row : Z) (e : idx) : bool :=
  match e with
  | Add a _ | Sub a _ => sums_fit v row a
  | _ => true
  end && fits (row + ze v e).

Definition added_fits (t : addressing) (v : env) (row : Z) (e : idx) : bool :=
  if is_apart t e then fits (row + ze v e) else sums_fit v row e.

Fixpoint address_fits (t : addressing) (v : env) (row : Z) (ds : list Z) (l : list idx) : bool :=
  match ds, l with
  | d :: ds, e :: l =>
      fits (row * d) && added_fits t v (row * d) e && address_fits t v (row * d + ze v e) ds l
  | _, _ => true
  end.

(** Buffers with their dimensions. A buffer can be addressed if the number of its bytes fits. *)
Definition dims := list (string * option (list Z)).

Definition bytes_of (t : addressing) (x : string) : Z := lookup 1 (cell_bytes t) x.

Definition addressable (t : addressing) (b : string * list Z) : bool :=
  fits (size (snd b) * bytes_of t (fst b)).

Definition cell_fits (t : addressing) (D : dims) (v : env) (x : string) (l : list idx) : bool :=
  zsfit v l &&
  match lookup None D x with
  | Some ds => address_fits t v 0 ds l
  | None => true
  end.

(** ** Scalars

    Only what is evaluated, as in [bfits]. *)

Fixpoint sfits (t : addressing) (D : dims) (v : env) (s : sexpr) : bool :=
  match s with
  | Get x l => cell_fits t D v x l
  | Op _ args => forallb (sfits t D v) args
  | OfZ _ z => zfits v z
  | OfB p => bfits v p
  | If p a b => bfits v p && (negb (be v p) || sfits t D v a) && (be v p || sfits t D v b)
  | Cell _ _ => true
  end.
