(** * [padr k]: adds [k] slices of padding at the end *)

From ATL Require Import Index Box ops.Reshape.

(** What was cut off before is there again: then the shape does not speak of how much that is. *)
Definition grown (n k : idx) : idx :=
  match n with
  | Sub m k' => if same_idx k k' then m else Add n k
  | _ => Add n k
  end.
Lemma grown_correct v n k : ze v (grown n k) = ze v n + ze v k.
Proof. destruct n; trivial. cbn. destruct (same_idx k n2) eqn:E; trivial. apply (same_idx_correct v) in E. lia. Qed.

Definition padr_shape : list idx -> list idx -> list idx := first k n r => grown n k :: r.
Definition padr_nshape : list Z -> list Z -> list Z := first k n r => n + k :: r.
Definition padr_pull (args ds xs : list Z) : bool * list Z :=
  match args, ds, xs with
  | [k], n :: _, x :: r => (x <? n, x :: r)
  | _, _, _ => (false, [])
  end.
Definition padr_push (args sh : list idx) : list idx -> list idx := (first k i r => i :: r) args.
Definition padr_npush (args ds : list Z) : list Z -> list Z := (first k i r => i :: r) args.
Definition padr_req (args ds : list Z) : Prop :=
  match args, ds with [k], _ :: _ => 0 <= k | _, _ => False end.

Definition padr : reshape.
Proof.
  refine {| rname := "padr"; rshape := padr_shape; nshape := padr_nshape; npull := padr_pull;
            rpush := padr_push; npush := padr_npush; rreq := padr_req; rover := false; rcut := None |};
    unfold padr_shape, padr_nshape, padr_pull, padr_push, padr_npush, padr_req;
    abstract (first [solve [law; now rewrite grown_correct] | linear_laws]).
Defined.
