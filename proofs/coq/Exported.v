(** * What exported files need *)

From ATL Require Export Tactics.
