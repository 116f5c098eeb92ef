(** Read this to believe a theorem. *)
(** * What a program means

    [den e v G xs] are the contributions to the cell [xs] of the tensor expression [e]. [v] binds
    the sizes and the loop variables around [e], [G] binds the tensors. It is meant for cells
    inside the shape of [e]. [se s v G] is the value of the scalar [s]. *)

From ATL Require Import syntax.Index syntax.Contrib ops.Reshape syntax.Syntax.

Section Denotation.
  Context {S : Scalars}.

  Fixpoint den (e : expr) (v : env) (G : tensors) (xs : list Z) {struct e} : list contrib :=
    match e with
    | Gen _ i lo hi e =>
        match xs with
        | x :: xs => den e ((i, ze v lo + x) :: v) G xs
        | [] => []
        end
    | Sum f i lo hi e => total f (ze v lo) (ze v hi) (fun z => den e ((i, z) :: v) G xs)
    | Guard p e => if be v p then den e v G xs else []
    | Let x init a e => den e v ((x, fun ys => value init (den a v G ys)) :: G) xs
    | Concat a b =>
        match xs with
        | x :: xs =>
            let n := hd 0 (evs v (shape a)) in
            if x <? n then den a v G (x :: xs) else den b v G (x - n :: xs)
        | [] => []
        end
    | Reshape r args e =>
        if fst (npull r (evs v args) (evs v (shape e)) xs)
        then den e v G (snd (npull r (evs v args) (evs v (shape e)) xs)) else []
    | Scalar s =>
        match xs with
        | [] => [Put (se s v G)]
        | _ => []
        end
    end
  with se (s : sexpr) (v : env) (G : tensors) {struct s} : V :=
    match s with
    | Get x l => lookup no_tensor G x (evs v l)
    | Op f args => op f (map (fun s => se s v G) args)
    | OfZ ty z => ofZ ty (ze v z)
    | OfB p => ofb (be v p)
    | If p s t => if be v p then se s v G else se t v G
    | Cell init e => value (Some init) (den e v G [])
    end.

  (** The value of the output [o] of a program at the cell [xs]. *)
  Fixpoint result (p : program) (v : env) (G : tensors) (o : string) (xs : list Z) : V :=
    match p with
    | PLet x init a p => result p v ((x, fun ys => value init (den a v G ys)) :: G) o xs
    | Outputs l =>
        match lookup (None, Scalar (Op "absent" [])) l o with
        | (init, e) => value init (den e v G xs)
        end
    end.
End Denotation.
