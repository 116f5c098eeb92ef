(** Read this to believe a theorem. *)
(** * What is claimed of a compiled program

    [ins] and [outs] are the buffers of the inputs and the outputs with their dimensions, [v] binds
    the sizes, and [t] says how C computes addresses. [compiled] says of a loop nest that its
    checked execution succeeds, changes the outputs only, and leaves in every cell of an output the
    value that the program [alg] denotes there for the tensors in the input buffers. That it
    succeeds also says that there is no data race, and that indices, bounds of loops and addresses
    fit 64 bits, with all their parts. The number of bytes of each buffer fits, too: a C function
    checks so for its parameters and for what it allocates, and does nothing else where it does not
    hold. This holds whatever the memory holds, whatever is in the buffers that the loop nest
    allocates, and in whatever order the iterations of parallel and vectorized loops run. *)

From ATL Require Import syntax.Index syntax.Box syntax.Contrib syntax.Syntax syntax.Denote
  lowering.Loops.

Definition compiled {S : Scalars} (t : addressing) (v : env) (ins outs : dims) (alg : program)
    (nest : stmt) : Prop :=
  forall (junk : memory -> string -> Z -> V) (order : memory -> list Z -> list Z) (M : memory),
  reorders order ->
  forallb (addressable t) (extents (ins ++ outs) ++ allocated nest v) = true ->
  exists M',
    exec (Bits64 t) junk order nest v (ins ++ outs) M = Some M' /\
    (forall y, lookup None outs y = None -> forall a, M' y a = M y a) /\
    (forall o ds, lookup None outs o = Some ds ->
       forall xs, inbox ds xs -> M' o (flat ds xs) = result alg v (view ins M) o xs).
