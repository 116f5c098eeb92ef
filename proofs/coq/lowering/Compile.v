(** * How the theorem of a program is proved

    By a program [sched], which is what the schedule made of the algorithm [alg]. It is
    well-formed and meets its obligations, it denotes the same outputs as [alg], and its lowering
    is refined by the loop nest, of which all
    numbers fit 64 bits. *)

From ATL Require Import syntax.IndexFacts syntax.BoxFacts syntax.Contrib ops.Reshape
  syntax.Syntax syntax.Denote lowering.Loops lowering.Compiled lowering.Lower lowering.Ok
  lowering.Scope lowering.Tensors lowering.Correct lowering.Sim lowering.Wide.

(** ** What has to be shown

    The program [sched] is well-formed, and denotes the same outputs as [alg]. *)

Fixpoint distinct (l : list string) : bool :=
  match l with
  | [] => true
  | x :: l => negb (mem x l) && distinct l
  end.

(** Names are distinct, each output is defined once, and no variable is one that filling loops
    use. *)
Definition scoped (v : env) (ins outs : dims) (p : program) : bool :=
  forallb (fun x => negb (String.begins_with hash x)) (map fst v) &&
  distinct (map fst (ins ++ outs)) &&
  forallb (fun o => mem (fst o) (output_names p)) outs &&
  wf_program (map fst v) (map fst (ins ++ outs)) p.

(** The programs [p] and [q] denote the same in all cells of the outputs. *)
Fixpoint same_outputs {S : Scalars} (outs : dims) (p q : program) (v : env) (G : tensors) : Prop :=
  match outs with
  | [] => True
  | (o, Some ds) :: outs =>
      forbox ds (fun xs => result p v G o xs = result q v G o xs) /\
      same_outputs outs p q v G
  | (_, None) :: outs => same_outputs outs p q v G
  end.

(** ** The theorem

    The file of a program applies it to the lemmas that it proves. *)

Section Compile.
  Context {S : Scalars}.

  Lemma no_fill_prefix l :
    forallb (fun x => negb (String.begins_with hash x)) l = true -> no_fill 0 l.
  Proof.
    intros Hl m _.
    induction l as [|x l IH]; cbn [forallb mem] in *; [easy|].
    apply andb_true_iff in Hl as [Hx Hl].
    rewrite IH, orb_false_r by trivial.
    apply String.eqb_neq.
    intros <-.
    now rewrite fill_var_begins in Hx.
  Qed.

  Lemma lookup_app_left (ins outs : dims) x ds :
    lookup None ins x = Some ds -> lookup None (ins ++ outs) x = Some ds.
  Proof. induction ins as [|[y b] ins IH]; cbn; [easy|]. destruct (String.eqb x y); auto. Qed.

  Lemma lookup_app_right (ins outs : dims) x ds :
    distinct (map fst (ins ++ outs)) = true ->
    lookup None outs x = Some ds ->
    lookup None ins x = None /\ lookup None (ins ++ outs) x = Some ds.
  Proof.
    intros Hd Hx.
    induction ins as [|[y b] ins IH]; cbn in *; [easy|].
    apply andb_true_iff in Hd as [Hy Hd].
    destruct (String.eqb_spec x y) as [->|_]; [|now apply IH].
    destruct (IH Hd) as [_ E%lookup_mem].
    now rewrite E in Hy.
  Qed.

  Lemma same_outputs_in outs p q v G o ds :
    same_outputs outs p q v G ->
    lookup None outs o = Some ds ->
    forall xs, inbox ds xs ->
    result p v G o xs = result q v G o xs.
  Proof.
    induction outs as [|[y [d|]] outs IH]; cbn; [easy| |];
      destruct (String.eqb_spec o y) as [->|_]; auto.
    - intros [Hy _] [= <-].
      now apply forbox_iff.
    - intros [].
      auto.
    - easy.
  Qed.

  Theorem compile_correct :
    forall (registers : list string) (t : addressing) (v : env) (ins outs : dims)
      (sched alg : program) (nest : stmt),
    scoped v ins outs sched = true ->
    ok_program ins outs v sched ->
    (forall junk order,
       reorders order -> refines junk order [(v, lower_program registers sched)] [(v, nest)]) ->
    fits_64_bits t v nest ->
    (forall M, same_outputs outs sched alg v (view ins M)) ->
    compiled t v ins outs alg nest.
  Proof.
    intros registers t v ins outs sched alg nest Hsc Hok Href Hfit Hsame junk order M Hord Hroom.
    unfold scoped in Hsc.
    rewrite !andb_true_iff in Hsc.
    destruct Hsc as [[[Hfill Hdist] Houts] Hwf].
    destruct
      (program_correct junk order Hord registers sched ins (view ins M) (ins ++ outs) outs v M)
      as (M' & E & OU & C); trivial.
    - now apply no_fill_prefix.
    - intros o ds.
      now apply lookup_app_right.
    - intros x ds Hx.
      exists ds.
      split; [now apply lookup_app_left|].
      intros xs Hxs.
      now rewrite (view_lookup ins M x ds Hx).
    - exists M'.
      split; [|split; [exact OU|]].
      + apply Hfit; trivial.
        exact (proj1 (refines_one junk order v v _ nest (Href junk order Hord) _ _ _ E)).
      + intros o ds Ho xs Hxs.
        rewrite (C o ds); trivial; [now apply (same_outputs_in outs _ _ _ _ o ds)|].
        rewrite forallb_forall in Houts.
        clear -Ho Houts.
        induction outs as [|[y b] outs IH]; cbn in *; [easy|].
        destruct (String.eqb_spec o y) as [->|_]; [apply (Houts (y, b)) | apply IH]; auto.
  Qed.
End Compile.
