(** * What exported files need

    Files of programs import this one alone. *)

From ATL Require Export syntax.Index syntax.Box syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote.

From ATL Require Export lowering.Loops lowering.Compiled lowering.Lower lowering.Ok
  lowering.Correct lowering.Sim lowering.Wide lowering.Compile.

From ATL Require Export equality.ScalarLaws equality.Prophecy.
From ATL Require Export tactics.Obligations tactics.LoopNests tactics.Equality.

(** Last, because [split] is also a function of Coq's lists. *)
From ATL Require Export ops.All.
