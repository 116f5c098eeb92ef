(** Read this to believe a theorem. *)
(** * What a reshape operator is

    The twin of [atl/syntax/ops]. What an operator means is said by two fields: [rshape], the
    shape of the result, and [npull], which says where a cell of the result comes from: from the
    operand or from padding, and from which of the operand's cells. The other fields are for
    lowering, which goes the other way: [rpush] says, symbolically, where a cell of the operand
    goes, and [npush] is what it does to numbers.

    The laws are fields, too, so that an operator is correct by construction. There is one file
    for each operator, and the theorems hold for whatever operators a program uses. *)

From ATL Require Import syntax.Index syntax.Box.

Record reshape := {
  rname : string;

  (** What it means. *)
  rshape : list idx -> list idx -> list idx; (** arguments, the operand's shape *)
  npull : list Z -> list Z -> list Z -> bool * list Z; (** arguments, dimensions, a cell *)

  (** How it is lowered. *)
  nshape : list Z -> list Z -> list Z;
  rpush : list idx -> list idx -> list idx -> list idx;
  npush : list Z -> list Z -> list Z -> list Z;
  rreq : list Z -> list Z -> Prop; (** what must hold for it to be applied *)
  rcut : option (list Z -> list Z -> list Z -> Prop); (** the cells that a truncation drops *)
  rover : bool; (** whether cells of the operand may lie over each other *)

  (** The shape and the place of a cell, as expressions and as numbers. *)
  shape_evaluates : forall v args sh, evs v (rshape args sh) = nshape (evs v args) (evs v sh);
  push_evaluates : forall v args sh l,
    evs v (rpush args sh l) = npush (evs v args) (evs v sh) (evs v l);

  (** The place of a cell is defined.  That there is a cell says that its extents are positive. *)
  push_defined : forall v args sh l,
    rreq (evs v args) (evs v sh) -> inbox (evs v sh) (evs v l) ->
    zdefs v args = true -> zdefs v sh = true -> zdefs v l = true ->
    zdefs v (rpush args sh l) = true;

  (** A cell of the operand goes to a cell of the result, or is cut. *)
  push_inside : forall args ds ys,
    rreq args ds -> inbox ds ys ->
    inbox (nshape args ds) (npush args ds ys) \/
    match rcut with Some cut => cut args ds ys | None => False end;

  (** The result reads it from there, and every cell that it reads goes there. *)
  pull_push : forall args ds ys,
    rover = false -> rreq args ds -> inbox ds ys -> inbox (nshape args ds) (npush args ds ys) ->
    npull args ds (npush args ds ys) = (true, ys);
  push_pull : forall args ds xs ys,
    rreq args ds -> inbox (nshape args ds) xs -> npull args ds xs = (true, ys) ->
    inbox ds ys /\ npush args ds ys = xs;

  (** Cells that lie over each other differ in their first index. *)
  push_rows : forall args ds xs ys,
    rover = true -> rreq args ds -> inbox ds xs -> inbox ds ys ->
    npush args ds xs = npush args ds ys -> hd 0 xs = hd 0 ys -> xs = ys
}.

(** How operators with one argument are defined: [n] is the first extent or index of a list, [r]
    are the others, and [k] is the argument. *)
Notation "'first' k n r => l" :=
  (fun args sh => match args, sh with [k], n :: r => l | _, _ => [] end)
  (at level 200, k name, n name, r name, l at level 200, only parsing).
