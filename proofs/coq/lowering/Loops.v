(** Read this to believe a theorem. *)
(** * Loop nests and their checked execution

    The loop nests of [lowering/nest], which are printed as C. [exec] gives the memory
    afterwards, or nothing where C would have no meaning: an access outside a dimension of its
    buffer, a divisor that is not positive, an allocation of a negative extent or of more bytes
    than can be addressed, a buffer that is not there, a data race, an index, a bound of a loop or
    an address that does not fit 64 bits. Memory is flat, as in C. A buffer that is allocated
    holds anything ([junk]). The iterations of a parallel or vectorized loop run in any [order].
    Both may depend on all of the memory. *)

From Coq Require Export Permutation.
From ATL Require Import syntax.Index syntax.Box syntax.Contrib ops.Reshape syntax.Syntax
  syntax.Denote.
From ATL Require Export lowering.Widths.

Inductive stmt :=
| SSkip
| SSeq (a b : stmt)
| SFor (m : mode) (i : string) (lo hi : idx) (b : stmt)
| SIf (p : prd) (b : stmt)
| SAlloc (x : string) (dims : list idx) (b : stmt)
| SStore (x : string) (l : list idx) (r : option string) (s : sexpr). (** [=], or [r] *)

Definition block (l : list stmt) : stmt := fold_right SSeq SSkip l.

Definition nonneg (ds : list Z) : bool := forallb (fun d => 0 <=? d) ds.

(** Whether the scalar [s] can be evaluated: accesses in range and divisors positive, in the
    branches taken. What contains a reduction is not a scalar of a loop nest. *)
Fixpoint sdef (D : dims) (v : env) (s : sexpr) : bool :=
  match s with
  | Get x l =>
      zdefs v l &&
      match lookup None D x with
      | Some ds => inboxb ds (evs v l)
      | None => false
      end
  | Op _ args => forallb (sdef D v) args
  | OfZ _ z => zdef v z
  | OfB p => bdef v p
  | If p s t => bdef v p && (negb (be v p) || sdef D v s) && (be v p || sdef D v t)
  | Cell _ _ => false
  end.

(** ** Data races

    Iterations of a parallel or vectorized loop may run at the same time. So none of them may
    store to a cell that another one reads or stores. What an iteration allocates is its own.
    Which cells a statement touches depends on [v] alone, as indices and guards do. *)

Inductive access := Reads (x : string) (xs : list Z) | Stores (x : string) (xs : list Z).

Definition stores (a : access) : bool := match a with Reads _ _ => false | Stores _ _ => true end.
Definition buffer (a : access) : string := match a with Reads x _ | Stores x _ => x end.
Definition cell (a : access) : list Z := match a with Reads _ xs | Stores _ xs => xs end.

Fixpoint reads (v : env) (s : sexpr) : list access :=
  match s with
  | Get x l => [Reads x (evs v l)]
  | Op _ args => flat_map (reads v) args
  | If p s t => if be v p then reads v s else reads v t
  | OfZ _ _ | OfB _ | Cell _ _ => []
  end.

(** What the statement [s] reads and stores, but for the buffers that it allocates. *)
Fixpoint footprint (s : stmt) (v : env) : list access :=
  match s with
  | SSkip => []
  | SSeq a b => footprint a v ++ footprint b v
  | SFor _ i lo hi b => flat_map (fun z => footprint b ((i, z) :: v)) (zrange (ze v lo) (ze v hi))
  | SIf p b => if be v p then footprint b v else []
  | SAlloc x _ b => filter (fun a => negb (String.eqb (buffer a) x)) (footprint b v)
  | SStore x l _ s => reads v s ++ [Stores x (evs v l)]
  end.

Definition conflict (a b : access) : bool :=
  (stores a || stores b) && String.eqb (buffer a) (buffer b) &&
  if list_eq_dec Z.eq_dec (cell a) (cell b) then true else false.

(** No two of these footprints have accesses that are in conflict. *)
Fixpoint apart (l : list (list access)) : bool :=
  match l with
  | [] => true
  | f :: l => forallb (fun g => negb (existsb (fun a => existsb (conflict a) g) f)) l && apart l
  end.

Definition unordered (m : mode) : bool :=
  match m with Parallel | Vectorized => true | Sequential | Unrolled => false end.

(** The iterations of the loop over [i] from [lo] to [hi] may run as its mode says. *)
Definition race_free (m : mode) (i : string) (lo hi : Z) (b : stmt) (v : env) : bool :=
  negb (unordered m) || apart (map (fun z => footprint b ((i, z) :: v)) (zrange lo hi)).

(** ** Numbers that fit

    Those that the statement [s] computes, but for the statements inside of it. The counter of a
    loop is between its bounds. *)

Definition computes_in_range (t : addressing) (s : stmt) (v : env) (D : dims) : bool :=
  match s with
  | SSkip | SSeq _ _ => true
  | SFor _ _ lo hi _ => zfits v lo && zfits v hi
  | SIf p _ => bfits v p
  | SAlloc x ds _ => zsfit v ds && addressable t (x, evs v ds)
  | SStore x l _ s => cell_fits t D v x l && sfits t D v s
  end.

(** The buffers that a statement allocates when it is executed, with their extents. *)
Fixpoint allocated (s : stmt) (v : env) : list (string * list Z) :=
  match s with
  | SSkip | SStore _ _ _ _ => []
  | SSeq a b => allocated a v ++ allocated b v
  | SFor _ i lo hi b => flat_map (fun z => allocated b ((i, z) :: v)) (zrange (ze v lo) (ze v hi))
  | SIf p b => if be v p then allocated b v else []
  | SAlloc x ds b => (x, evs v ds) :: allocated b v
  end.

Definition extents (D : dims) : list (string * list Z) :=
  flat_map (fun b => match snd b with Some ds => [(fst b, ds)] | None => [] end) D.

(** Numbers have 64 bits in C. What lowering does is proved in unbounded integers first. *)
Inductive numbers := Bits64 (t : addressing) | Unbounded.

(** ** Execution

    [exec s v D M] executes the statement [s] where [v] binds the variables, [D] are the buffers
    that are there, and [M] is the memory. *)

Section Execution.
  Context {S : Scalars}.

  Definition memory := string -> Z -> V.

  (** Memory in which one cell, or one buffer, is changed. *)
  Definition set_cell (M : memory) (x : string) (a : Z) (c : V) : memory :=
    fun y b => if String.eqb y x then if b =? a then c else M y b else M y b.

  Definition set_buffer (M : memory) (x : string) (B : Z -> V) : memory :=
    fun y => if String.eqb y x then B else M y.

  (** The tensors that the buffers hold. *)
  Definition view (D : dims) (M : memory) : tensors :=
    map (fun b =>
      (fst b, fun xs =>
         match snd b with
         | Some ds => M (fst b) (flat ds xs)
         | None => no_tensor xs
         end)) D.

  (** [f] for each of the numbers, in order. *)
  Fixpoint iterate (f : Z -> memory -> option memory) (l : list Z) (M : memory) : option memory :=
    match l with
    | [] => Some M
    | z :: l => match f z M with Some M' => iterate f l M' | None => None end
    end.

  Variable width : numbers.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.

  Definition in_range (s : stmt) (v : env) (D : dims) : bool :=
    match width with Bits64 t => computes_in_range t s v D | Unbounded => true end.

  Definition iterations (m : mode) (M : memory) (lo hi : Z) : list Z :=
    if unordered m then order M (zrange lo hi) else zrange lo hi.

  Fixpoint exec (s : stmt) (v : env) (D : dims) (M : memory) : option memory :=
    if in_range s v D then
    match s with
    | SSkip => Some M
    | SSeq a b =>
        match exec a v D M with
        | Some M' => exec b v D M'
        | None => None
        end
    | SFor m i lo hi b =>
        if zdef v lo && zdef v hi && race_free m i (ze v lo) (ze v hi) b v
        then iterate (fun z M => exec b ((i, z) :: v) D M) (iterations m M (ze v lo) (ze v hi)) M
        else None
    | SIf p b =>
        if bdef v p
        then if be v p then exec b v D M else Some M
        else None
    | SAlloc x ds b =>
        if zdefs v ds && nonneg (evs v ds)
        then match exec b v ((x, Some (evs v ds)) :: D) (set_buffer M x (junk M x)) with
             | Some M' => Some (set_buffer M' x (M x))
             | None => None
             end
        else None
    | SStore x l r s =>
        match lookup None D x with
        | Some ds =>
            if zdefs v l && inboxb ds (evs v l) && sdef D v s
            then let a := flat ds (evs v l) in
                 let y := se s v (view D M) in
                 Some (set_cell M x a (match r with Some f => red f (M x a) y | None => y end))
            else None
        | None => None
        end
    end
    else None.
End Execution.

(** An order leaves out no iteration, and repeats none. *)
Definition reorders {S : Scalars} (order : memory -> list Z -> list Z) : Prop :=
  forall M l, Permutation l (order M l).
