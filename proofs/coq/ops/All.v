(** * All operators

    The list of the operators, and what proofs about programs unfold. A new operator is a file
    [ops/X.v], a line among the imports, and a line with its definitions in [calculated]. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Ok lowering.Correct
  lowering.Sim lowering.Compile equality.Unfold.

(** These come last: [split] is also a function of Coq's lists. *)
From ATL Require Export ops.Flatten.
From ATL Require Export ops.Split.
From ATL Require Export ops.Transpose.
From ATL Require Export ops.Truncr.
From ATL Require Export ops.Truncl.
From ATL Require Export ops.Padr.
From ATL Require Export ops.Padl.
From ATL Require Export ops.Raise.
From ATL Require Export ops.Overlap.

(** The definitions of the library, and not those of integers. One list, because [cbv] has no
    other way to be told. *)
Declare Reduction calculated := cbv [
  (* the operators *)
  flatten flatten_shape flatten_nshape flatten_pull flatten_push flatten_npush flatten_req
  split split_shape split_nshape split_pull split_push split_npush split_req
  transpose transpose_shape exchanged transpose_pull transpose_req
  truncr truncr_shape truncr_nshape truncr_pull truncr_push truncr_npush truncr_req truncr_cut
  truncl truncl_shape truncl_nshape truncl_pull truncl_push truncl_npush truncl_req truncl_cut
  padr same_idx grown padr_shape padr_nshape padr_pull padr_push padr_npush padr_req
  padl padl_shape padl_nshape padl_pull padl_push padl_npush padl_req
  raise raise_shape raise_pull raised sink sink_shape sink_pull sunk
  overlap overlap_shape overlap_nshape overlap_pull overlap_push overlap_npush overlap_req
  (* what all of them have *)
  rshape nshape npull rpush npush rreq rcut rover
  (* obligations *)
  ok_program ok_outputs ok provided also filled_or_written written unwritten rows_alike
  (* what has to be equal *)
  same same_outputs equal_all past go sev
  (* indices, predicates, cells *)
  evs zdefs extent from shape ze zdef be bdef sdef cdiv inboxb inbox forbox view output_names
  (* names, lists and numbers *)
  lookup String.eqb String.letter_eqb N.eqb Byte.to_N Pos.eqb
  option_map map forallb hd tl app fst snd length skipn firstn
].
