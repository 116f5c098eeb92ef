(** * Lowering

    [lower o r th e] is the loop nest that computes [e] into the buffer [o]: the twin of
    [lowering/lower]. [r] is the reduction around [e], if there is one, and [th] maps the
    cells of [e] to those of [o]. Reshape operators emit no statement: they compose their index
    maps. *)

From ATL Require Import syntax.Index ops.Reshape syntax.Syntax lowering.Loops.

Fixpoint mem (x : string) (l : list string) : bool :=
  match l with | [] => false | y :: l => String.eqb x y || mem x l end.

(** ** Filling a buffer

    The loops that fill a buffer have variables of their own, which no program uses. *)

Fixpoint fill_var (n : nat) : string :=
  match n with
  | O => "#"
  | S n => Letter hash (fill_var n)
  end.

Definition cut_at_0 (d : idx) : idx := Max d (Lit 0).

Section Lowering.
  (** Buffers that are filled in vectors: each vector is named. *)
  Variable registers : list string.

  Definition filling_mode (x : string) (rest : list idx) : mode :=
    if mem x registers then match rest with [] => Vectorized | _ => Unrolled end else Sequential.

  (** Sets every cell of [x] to the constant [c]; [th] as below. *)
  Fixpoint fill_loops (x c : string) (n : nat) (sh : list idx) (th : list idx -> list idx) : stmt :=
    match sh with
    | [] => SStore x (th []) None (Op c [])
    | d :: sh =>
        let i := fill_var n in
        SFor (filling_mode x sh) i (Lit 0) d (fill_loops x c (S n) sh (fun l => th (Var i :: l)))
    end.

  (** Fills the buffer [x] if it starts with a constant. *)
  Definition fill (x : string) (init : option string) (sh : list idx) : stmt :=
    match init with
    | Some c => fill_loops x c 0 sh (fun l => l)
    | None => SSkip
    end.

  (** ** Expressions and programs

      One statement for each tensor form; an operator changes the index map. *)

  Fixpoint lower (o : string) (r : option string) (th : list idx -> list idx) (e : expr) : stmt :=
    match e with
    | Gen m i lo hi e => SFor m i lo hi (lower o r (fun l => th (Sub (Var i) lo :: l)) e)
    | Sum f i lo hi e => SFor Sequential i lo hi (lower o (Some f) th e)
    | Guard p e => SIf p (lower o r th e)
    | Let x init a e =>
        SAlloc x (map cut_at_0 (shape a))
          (SSeq (SSeq (fill x init (shape a)) (lower x None (fun l => l) a)) (lower o r th e))
    | Concat a b =>
        SSeq (lower o r th a)
             (lower o r (fun l => th (match l with
                                      | i :: l => Add i (hd (Lit 0) (shape a)) :: l
                                      | [] => []
                                      end)) b)
    | Reshape rr args e => lower o r (fun l => th (rpush rr args (shape e) l)) e
    | Scalar s => SStore o (th []) r s
    end.

  (** A program: its tensors, nested, then its outputs, one after the other. *)
  Fixpoint lower_outputs (l : list (string * (option string * expr))) : stmt :=
    match l with
    | [] => SSkip
    | (o, (init, e)) :: l =>
        SSeq (SSeq (fill o init (shape e)) (lower o None (fun l => l) e)) (lower_outputs l)
    end.

  Fixpoint lower_program (p : program) : stmt :=
    match p with
    | PLet x init a p =>
        SAlloc x (map cut_at_0 (shape a))
          (SSeq (SSeq (fill x init (shape a)) (lower x None (fun l => l) a)) (lower_program p))
    | Outputs l => lower_outputs l
    end.
End Lowering.
