(** * What is said of a program for its proof

    What its temporaries hold, and how the terms of its reductions correspond to those of the
    algorithm. The file of a program has both as data; nothing is trusted of it: a wrong prophecy
    is not proved. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib.

Section Prophecies.
  Context {S : Scalars}.

  (** ** What temporaries hold

      A temporary's cell [cell], where [known], is the cell [l] of the algorithm's tensor or
      input [x], or, where not [valid], the constant that cells start with. [v] binds the
      variables of the loops around it, [G] are the algorithm's tensors. *)

  Inductive prophecy :=
    Holds (cell : list string) (known valid : prd) (x : string) (l : list idx) (otherwise : string).

  Definition holds (p : prophecy) (X : tensor) (v : env) (G : tensors) (ds : list Z) : Prop :=
    match p with
    | Holds cell known valid x l c =>
        forbox ds (fun cs =>
          let v := combine cell cs ++ v in
          be v known = true ->
          X cs = if be v valid then lookup no_tensor G x (evs v l) else op c [])
    end.

  (** ** How the terms of reductions correspond

      A reduction of the schedule over [now] and one of the algorithm over [before]: the value of
      each variable of one in terms of those of the other, of the cell [cell] of the tensor that
      is proved, and of the variables around. [partial]: the schedule's terms are partial
      results, which start with this constant. *)

  Inductive renumbering :=
    Renumbered (cell : list string) (partial : option string) (in_order : bool)
      (now : list string) (to_before : list idx) (before : list string) (to_now : list idx).

  (** ** What tactics know

      As hypotheses: prophecies and the tensors that they speak of; renumberings by tensor; and
      those of the tensor that is being proved, at its cell [cs]. *)

  Inductive knowledge :=
  | Foretold (ps : list (string * option prophecy)) (G : tensors)
  | Numbered (l : list (string * list renumbering))
  | Here (l : list renumbering) (cs : list Z) (v : env).
End Prophecies.
