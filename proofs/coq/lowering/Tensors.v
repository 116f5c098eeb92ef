(** * Loop nests that compute the tensor of a let, or an output

    First what the obligations say about the contributions to a cell, then the loops that fill a
    buffer, then both together: after a buffer is filled and its tensor computed, it holds the
    values of the tensor. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.ContribFacts ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Lower lowering.Ok lowering.Scope
  lowering.Reached lowering.Touches lowering.Touched lowering.Cells.

Section Tensors.
  Context {S : Scalars}.
  Variable junk : memory -> string -> Z -> V.
  Variable order : memory -> list Z -> list Z.
  Hypothesis reordering : reorders order.
  Variable registers : list string.

  (** ** Filling a buffer

      The filling loops put the constant into each cell. *)

  Lemma fill_performs x c D ds sh n v th act :
    lookup None D x = Some ds ->
    closed (map fst v) sh = true ->
    no_fill n (map fst v) ->
    zdefs v sh = true ->
    realizes v (inbox (evs v sh)) th act ->
    (forall xs, inbox (evs v sh) xs -> inbox ds (act xs)) ->
    (forall xs ys, act xs = act ys -> xs = ys) ->
    performs junk order (fun _ => True) (fill_loops registers x c n sh th) v D x ds
      (reached None (fun _ => [Put (op c [])]) (evs v sh) act).
  Proof.
    intros HD.
    revert n v th act.
    induction sh as [|d sh IH]; intros n v th act Cs Hn Ds Hth Hin Hinj; cbn [fill_loops].
    - apply performs_store with (asked := inbox []) (x := op c []); trivial;
        [easy | now apply Hin | easy].
    - pose proof (fill_race_free registers x c [] v n d sh th act Cs Hn Hth Hinj eq_refl) as Hrace.
      cbn in Cs, Ds.
      apply andb_true_iff in Cs as [Cd Cs], Ds as [Dd Ds].
      assert (Hi : mem (fill_var n) (map fst v) = false) by (apply Hn; lia).
      change (evs v (d :: sh)) with (ze v d :: evs v sh) in *.
      change 0 with (ze v (Lit 0)) in Hrace.
      replace (ze v d :: evs v sh) with (ze v d - ze v (Lit 0) :: evs v sh) in *
        by (cbn; f_equal; lia).
      apply (performs_rows junk order reordering); [easy | exact Dd | exact Hrace | |].
      + split; [intros xs a (Hxs & _ & <-); auto | now right].
      + intros z Hz.
        destruct (closed_agree _ _ _ (agree_bind v _ z Hi) Cs) as [Es Ds'].
        rewrite <- Es.
        assert (Hrow : forall xs, inbox (evs ((fill_var n, z) :: v) sh) xs ->
          inbox (ze v d - ze v (Lit 0) :: evs v sh) (z - ze v (Lit 0) :: xs)).
        { intros xs Hxs.
          rewrite Es in Hxs.
          split; trivial.
          cbn in *.
          lia. }
        apply IH; trivial; [..|intros xs ys E; now injection (Hinj _ _ E)].
        * now apply closed_more.
        * intros m Hm.
          cbn [map fst mem].
          rewrite Hn, orb_false_r by lia.
          apply String.eqb_neq.
          intros E%(f_equal String.length).
          rewrite !fill_var_length in E.
          lia.
        * now rewrite Ds'.
        * eapply realizes_fewer; [|exact Hrow].
          apply realizes_cons; trivial.
          intros v' Ha.
          cbn.
          rewrite (agree_bound _ _ _ _ Ha).
          split; trivial.
          lia.
        * auto.
  Qed.

  (** ** The tensor of a let, or of an output

      Filling a buffer and computing its tensor, and a let around a body. *)

  (** What is around the place of a tensor expression: what may be read is there, no filling loop
      is. *)
  Lemma not_read R G D M x :
    buffers_hold R G D M -> mem x (map fst D) = false -> lookup None R x = None.
  Proof.
    intros Hh Hx.
    destruct (lookup None R x) as [ds|] eqn:E; [|easy].
    destruct (Hh x ds E) as (ds' & HD & _).
    apply lookup_mem in HD.
    congruence.
  Qed.

  Lemma buffers_hold_stable R G D o : lookup None R o = None -> stable o (buffers_hold R G D).
  Proof.
    intros Ho M M' HO Hh x ds Hx.
    destruct (Hh x ds Hx) as (ds' & HD & Hc).
    exists ds'.
    split; trivial.
    intros xs Hxs.
    rewrite HO by congruence.
    auto.
  Qed.

  Lemma placed_id r F sh ds :
    (forall xs, inbox sh xs -> inbox ds xs) -> placed r F sh (fun xs => xs) ds.
  Proof.
    intros Hin.
    split; [intros xs a (Hxs & _ & <-); auto|].
    intros xs ys a (_ & _ & <-) (_ & _ & <-).
    auto.
  Qed.

  Notation computing x init a :=
    (SSeq (fill registers x init (shape a)) (lower registers x None (fun l => l) a)).

  (** The loops that fill a buffer and those of its tensor give the tensor, whatever the buffer
      held. *)
  Lemma tensor_computed R G D v x init a ds M :
    lookup None D x = Some ds ->
    lookup None R x = None ->
    closed (map fst v) (shape a) = true ->
    no_fill 0 (map fst v) ->
    zdefs v (shape a) = true ->
    (forall xs, inbox (evs v (shape a)) xs -> inbox ds xs) ->
    maybe (filled_or_written v init a) ->
    performs junk order (buffers_hold R G D) (lower registers x None (fun l => l) a) v D x ds
      (reached None (den a v G) (evs v (shape a)) (fun xs => xs)) ->
    buffers_hold R G D M ->
    exists M',
      exec Unbounded junk order (computing x init a) v D M = Some M' /\
      others_unchanged x M M' /\
      forall xs, inbox (evs v (shape a)) xs ->
    M' x (flat ds xs) = value init (den a v G xs).
  Proof.
    intros HD HR Ca Hn Da Hin Hfw Hperf Hh.
    assert (Hfill : exists M1,
      exec Unbounded junk order (fill registers x init (shape a)) v D M = Some M1 /\
      others_unchanged x M M1 /\
      forall xs, inbox (evs v (shape a)) xs -> forall c, init = Some c ->
        M1 x (flat ds xs) = op c []).
    { destruct init as [c|]; cbn [fill]; [|now exists M].
      destruct (fill_performs x c D ds (shape a) 0 v (fun l => l) (fun xs => xs)) with (M := M)
        as (M1 & E & O & C); trivial; [apply realizes_id|].
      exists M1.
      repeat split; trivial.
      intros xs Hxs _ [= <-].
      destruct (C xs (Hin xs Hxs)) as [|Hmiss]; [easy | now elim (Hmiss xs)]. }
    destruct Hfill as (M1 & E1 & O1 & C1).
    destruct (Hperf M1) as (M2 & E2 & O2 & C2); [now apply (buffers_hold_stable R G D x HR M)|].
    exists M2.
    cbn [exec in_range].
    rewrite E1.
    split; [exact E2|].
    split; [now apply others_trans with M1|].
    intros xs Hxs.
    replace (M2 x (flat ds xs)) with (runs (M1 x (flat ds xs)) (den a v G xs)).
    - unfold value.
      destruct init as [c|]; [now rewrite (C1 xs Hxs c)|].
      cbn in Hfw.
      rewrite forbox_iff in Hfw.
      now destruct (written_den a v G xs (Hfw xs Hxs)) as (y & l & ->).
    - destruct (C2 xs (Hin xs Hxs)) as [ys (_ & _ & <-)|Hmiss]; [now rewrite within_none|].
      destruct (list_nil_dec _ (den a v G xs)) as [->|HF]; [easy | now elim (Hmiss xs)].
  Qed.

  Lemma alloc_defined v sh :
    zdefs v sh = true -> zdefs v (map cut_at_0 sh) && nonneg (evs v (map cut_at_0 sh)) = true.
  Proof.
    unfold zdefs, nonneg, evs.
    induction sh as [|d sh IH]; cbn; [easy|].
    rewrite !andb_true_iff in *.
    intuition.
    lia.
  Qed.

  (** A let around a body, for expressions and for programs: what the body needs, and what it
      then does. *)
  Lemma let_performs R G D v x init a body M :
    mem x (map fst D) = false ->
    closed (map fst v) (shape a) = true ->
    no_fill 0 (map fst v) ->
    zdefs v (shape a) = true ->
    maybe (filled_or_written v init a) ->
    let ds := map (fun d => Z.max d 0) (evs v (shape a)) in
    performs junk order (buffers_hold R G ((x, Some ds) :: D))
      (lower registers x None (fun l => l) a) v ((x, Some ds) :: D) x ds
      (reached None (den a v G) (evs v (shape a)) (fun xs => xs)) ->
    buffers_hold R G D M ->
    exists M2,
      others_unchanged x M M2 /\
      buffers_hold ((x, Some (evs v (shape a))) :: R)
        ((x, fun ys => value init (den a v G ys)) :: G) ((x, Some ds) :: D) M2 /\
      exec Unbounded junk order
        (SAlloc x (map cut_at_0 (shape a)) (SSeq (computing x init a) body)) v D M =
      match exec Unbounded junk order body v ((x, Some ds) :: D) M2 with
      | Some M' => Some (set_buffer M' x (M x))
      | None => None
      end.
  Proof.
    intros Hx Ca Hn Da Hfw ds Ha Hh.
    pose proof (not_read _ _ _ _ _ Hh Hx) as HR.
    assert (Hh' : buffers_hold R G ((x, Some ds) :: D) (set_buffer M x (junk M x))).
    { intros y dy Hy.
      assert (Hne : y <> x) by congruence.
      destruct (Hh y dy Hy) as (ds' & HD & Hc).
      exists ds'.
      rewrite lookup_other by trivial.
      unfold set_buffer.
      now apply String.eqb_neq in Hne as ->. }
    destruct (tensor_computed R G ((x, Some ds) :: D) v x init a ds (set_buffer M x (junk M x)))
      as (M2 & E & O & C); trivial; [apply lookup_same | intros xs; apply inbox_max |].
    exists M2.
    split; [|split].
    - intros y Hy b.
      rewrite (O y Hy b).
      unfold set_buffer.
      now apply String.eqb_neq in Hy as ->.
    - intros y dy Hy.
      destruct (String.eqb_spec y x) as [->|Hne].
      + rewrite lookup_same in Hy.
        injection Hy as <-.
        exists ds.
        rewrite lookup_same.
        split; trivial.
        intros xs Hxs.
        rewrite lookup_same.
        split; [now apply inbox_max | now apply C].
      + rewrite lookup_other in Hy by trivial.
        destruct (Hh' y dy Hy) as (ds' & HD & Hc).
        exists ds'.
        split; trivial.
        intros xs Hxs.
        rewrite lookup_other, (O y Hne) by trivial.
        auto.
    - cbn [exec in_range] in *.
      rewrite (alloc_defined v (shape a) Da).
      assert (Eds : evs v (map cut_at_0 (shape a)) = ds).
      { unfold ds, evs.
        now rewrite !map_map. }
      now rewrite Eds, E.
  Qed.
End Tensors.
