(** * The theorem of a compiled program

    To be read by a sceptic: the statement.  [ins] and [outs] are the buffers of the inputs and the outputs with their
    dimensions, [v] the sizes.  [compiled] says of a loop nest that, whatever the memory holds, whatever is in the buffers
    that it allocates, and in whatever order the iterations of parallel and vectorized loops run, its checked execution
    succeeds, changes the outputs only, and leaves in every cell of an output the value that the program [alg] denotes
    there for the tensors in the input buffers. *)

From ATL Require Import Index Box Contrib ops.Reshape Syntax Denote Loops Lower Scope Correct Sim.

Definition compiled {S : Scalars} (v : env) (ins outs : dims) (alg : program) (nest : stmt) : Prop :=
  forall (junk : memory -> string -> Z -> V) (order : memory -> list Z -> list Z) (M : memory),
  reorders order ->
  exists M', exec junk order nest v (ins ++ outs) M = Some M' /\
    (forall y, lookup None outs y = None -> forall a, M' y a = M y a) /\
    (forall o ds, lookup None outs o = Some ds -> forall xs, inbox ds xs ->
       M' o (flat ds xs) = result alg v (view ins M) o xs).

(** ** How it is proved

    By a program [sched], what the schedule made of [alg]: it is well-formed and meets its obligations, it denotes
    the same outputs, and its lowering is refined by the loop nest. *)

(** Names are distinct, each output is defined once, and no variable is one that filling loops use. *)
Fixpoint distinct (l : list string) : bool :=
  match l with
  | [] => true
  | x :: l => negb (mem x l) && distinct l
  end.

Definition scoped (v : env) (ins outs : dims) (p : program) : bool :=
  forallb (fun x => negb (String.prefix "#" x)) (map fst v) && distinct (map fst (ins ++ outs)) &&
  forallb (fun o => mem (fst o) (output_names p)) outs && wf_program (map fst v) (map fst (ins ++ outs)) p.

Fixpoint same_outputs {S : Scalars} (outs : dims) (p q : program) (v : env) (G : tensors) : Prop :=
  match outs with
  | [] => True
  | (o, Some ds) :: outs => forbox ds (fun xs => result p v G o xs = result q v G o xs) /\
    same_outputs outs p q v G
  | (_, None) :: outs => same_outputs outs p q v G
  end.

Section Compile.
  Context {S : Scalars}.

  Lemma no_fill_prefix l : forallb (fun x => negb (String.prefix "#" x)) l = true -> no_fill 0 l.
  Proof.
    intros Hl m _. destruct (mem (fill_var m) l) eqn:E; [|easy].
    induction l as [|x l IH]; cbn [mem forallb] in *; [easy|]. apply andb_true_iff in Hl as [Hx Hl].
    apply orb_true_iff in E as [E|E]; [|now apply IH]. apply String.eqb_eq in E as <-.
    now rewrite fill_var_prefix in Hx.
  Qed.

  Lemma mem_lookup : forall (D : dims) x ds, lookup None D x = Some ds -> mem x (map fst D) = true.
  Proof. induction D as [|[y b] D IH]; cbn; intros x ds; [easy|]. destruct (String.eqb x y); [easy|].
  apply IH. Qed.
  Lemma lookup_app_left : forall (ins outs : dims) x ds, lookup None ins x = Some ds ->
      lookup None (ins ++ outs) x = Some ds.
  Proof. induction ins as [|[y b] ins IH]; cbn; intros outs x ds; [easy|]. destruct (String.eqb x y); auto.
  Qed.

  Lemma lookup_app_right : forall (ins outs : dims) x ds, distinct (map fst (ins ++ outs)) = true ->
      lookup None outs x = Some ds ->
    lookup None ins x = None /\ lookup None (ins ++ outs) x = Some ds.
  Proof.
    induction ins as [|[y b] ins IH]; cbn; intros outs x ds Hd Hx; [easy|].
    apply andb_true_iff in Hd as [Hy Hd]. destruct (String.eqb_spec x y) as [->|_]; [|now apply IH].
    apply negb_true_iff in Hy. destruct (IH outs y ds Hd Hx) as [_ E]. apply mem_lookup in E. congruence.
  Qed.

  Lemma same_outputs_in : forall outs p q v G o ds, same_outputs outs p q v G ->
      lookup None outs o = Some ds ->
    forall xs, inbox ds xs -> result p v G o xs = result q v G o xs.
  Proof.
    induction outs as [|[y [d|]] outs IH]; cbn; intros p q v G o ds Hs Ho xs Hxs; [easy| |].
    - destruct Hs as [Hy Hs]. rewrite forbox_iff in Hy. destruct (String.eqb_spec o y) as [->|_].
      + apply Hy. now injection Ho as ->.
      + now apply (IH p q v G o ds).
    - destruct (String.eqb o y); [easy|]. now apply (IH p q v G o ds).
  Qed.

  Lemma mem_outputs : forall (outs : dims) o ds l, lookup None outs o = Some ds ->
    forallb (fun b => mem (fst b) l) outs = true -> mem o l = true.
  Proof.
    induction outs as [|[y b] outs IH]; cbn; intros o ds l Ho Hl; [easy|].
    apply andb_true_iff in Hl as [Hy Hl].
    destruct (String.eqb_spec o y) as [->|_]; [easy | now apply IH with ds].
  Qed.

  Theorem compile_correct (registers : list string) (v : env) (ins outs : dims) (sched alg : program)
      (nest : stmt) : scoped v ins outs sched = true ->
    ok_program ins outs v sched ->
    (forall junk order, reorders order -> refines junk order [(v, lower_program registers sched)] [(v, nest)])
      ->
    (forall M, same_outputs outs sched alg v (view ins M)) ->
    compiled v ins outs alg nest.
  Proof.
    intros Hsc Hok Href Hsame junk order M Hord. unfold scoped in Hsc. rewrite !andb_true_iff in Hsc.
    destruct Hsc as [[[Hfill Hdist] Houts] Hwf].
    destruct (program_correct junk order Hord registers sched (map fst v) (map fst (ins ++ outs)) ins
      (view ins M) (ins ++ outs) outs v M)
      as (M' & E & OU & C); trivial.
    - now apply no_fill_prefix.
    - intros x ds Hx. apply (mem_lookup _ _ ds). now apply lookup_app_left.
    - intros o ds Ho. destruct (lookup_app_right ins outs o ds Hdist Ho) as [HI HD].
      split; [|easy]. now apply (mem_lookup _ _ ds).
    - intros x ds Hx. exists ds. split; [now apply lookup_app_left|]. intros xs Hxs. split; trivial.
      now rewrite (view_lookup ins M x ds Hx).
    - exists M'. split; [|split; [exact OU|]].
      + apply (refines_one junk order v v (lower_program registers sched) nest (Href junk order Hord)).
        exact E.
      + intros o ds Ho xs Hxs. rewrite (C o ds); trivial; [|now apply mem_outputs with outs ds].
        now apply (same_outputs_in outs sched alg v (view ins M) o ds).
  Qed.
End Compile.
