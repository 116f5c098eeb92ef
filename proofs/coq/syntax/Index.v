(** Read this to believe a theorem. *)
(** * Index expressions and predicates

    Mathematical integers over sizes and loop variables, as in [atl/index]. [/] is floor
    division and [%] is the remainder of a positive divisor. Evaluation is total. [zdef] and
    [bdef] say whether every divisor that is evaluated is positive; the execution of a loop nest
    ([Loops.v]) fails where one is not. Predicates are evaluated from the left, and only as far
    as needed. *)

From Coq Require Export ZArith List Bool Lia.
From ATL Require Export syntax.Name.
Export ListNotations.
Open Scope string_scope.
Open Scope Z_scope.
Open Scope list_scope.

(** A setting: proofs by [lia] and [nia] leave no files behind. *)
#[export] Unset Lia Cache.
#[export] Unset Nia Cache.

(** ** Names and what they are bound to

    Environments, tensors and dimensions are association lists: looking up a literal name
    computes. *)

Fixpoint lookup {A} (absent : A) (l : list (string * A)) (x : string) : A :=
  match l with
  | [] => absent
  | (y, a) :: l => if String.eqb x y then a else lookup absent l x
  end.

Definition env := list (string * Z).

(** ** Expressions

    [ze v e] is the value of the expression [e] where [v] binds the variables. *)

Inductive idx :=
| Var (x : string)
| Lit (z : Z)
| Add (a b : idx)
| Sub (a b : idx)
| Mul (a b : idx)
| Div (a b : idx)
| Cdiv (a b : idx)
| Mod (a b : idx)
| Min (a b : idx)
| Max (a b : idx).

Definition cdiv (a b : Z) : Z := (a + b - 1) / b.

Fixpoint ze (v : env) (e : idx) : Z :=
  match e with
  | Var x => lookup 0 v x
  | Lit z => z
  | Add a b => ze v a + ze v b
  | Sub a b => ze v a - ze v b
  | Mul a b => ze v a * ze v b
  | Div a b => ze v a / ze v b
  | Cdiv a b => cdiv (ze v a) (ze v b)
  | Mod a b => ze v a mod ze v b
  | Min a b => Z.min (ze v a) (ze v b)
  | Max a b => Z.max (ze v a) (ze v b)
  end.

Fixpoint zdef (v : env) (e : idx) : bool :=
  match e with
  | Var _ | Lit _ => true
  | Add a b | Sub a b | Mul a b | Min a b | Max a b => zdef v a && zdef v b
  | Div a b | Cdiv a b | Mod a b => zdef v a && zdef v b && (0 <? ze v b)
  end.

(** Lists of expressions. *)
Definition evs (v : env) : list idx -> list Z := map (ze v).

Definition zdefs (v : env) : list idx -> bool := forallb (zdef v).

(** How many integers there are from [lo] up to, not including, [hi]. Most ranges start at 0; the
    subtraction is then left out, so that proofs do not repeat [hi - 0]. *)
Definition extent (lo hi : idx) : idx :=
  match lo with
  | Lit 0 => hi
  | _ => Sub hi lo
  end.

(** ** Predicates

    [be v p] is the truth of the predicate [p] where [v] binds the variables. *)

Inductive prd :=
| Truth (b : bool)
| Lt (a b : idx)
| Le (a b : idx)
| Gt (a b : idx)
| Ge (a b : idx)
| Eq (a b : idx)
| Ne (a b : idx)
| And (p q : prd)
| Or (p q : prd)
| Not (p : prd).

Fixpoint be (v : env) (p : prd) : bool :=
  match p with
  | Truth b => b
  | Lt a b => ze v a <? ze v b
  | Le a b => ze v a <=? ze v b
  | Gt a b => ze v b <? ze v a
  | Ge a b => ze v b <=? ze v a
  | Eq a b => ze v a =? ze v b
  | Ne a b => negb (ze v a =? ze v b)
  | And p q => be v p && be v q
  | Or p q => be v p || be v q
  | Not p => negb (be v p)
  end.

Fixpoint bdef (v : env) (p : prd) : bool :=
  match p with
  | Truth _ => true
  | Lt a b | Le a b | Gt a b | Ge a b | Eq a b | Ne a b => zdef v a && zdef v b
  | And p q => bdef v p && (bdef v q || negb (be v p))
  | Or p q => bdef v p && (bdef v q || be v p)
  | Not p => bdef v p
  end.

(** ** Ranges

    The iterations of a loop from [lo] up to, not including, [hi]: none if [hi <= lo]. *)

Definition zrange (lo hi : Z) : list Z :=
  map (fun k => lo + Z.of_nat k) (seq 0 (Z.to_nat (hi - lo))).
