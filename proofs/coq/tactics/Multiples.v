(** * Facts that are multiplied by variables

    Facts are multiplied by variables that are not negative, so that they meet the products that
    occur ([multiples]). To [lia], these are like variables. It takes no limit of time: what is
    tried is finite. *)

From ATL Require Import syntax.IndexFacts.

(** ** Facts, as data

    Terms about numbered variables, and what they are as polynomials: monomials with
    coefficients. *)

Inductive term :=
| Atom (n : nat)
| Number (z : Z)
| Plus (a b : term)
| Minus (a b : term)
| Times (a b : term).

Fixpoint meaning (atoms : list Z) (t : term) : Z :=
  match t with
  | Atom n => nth n atoms 0
  | Number z => z
  | Plus a b => meaning atoms a + meaning atoms b
  | Minus a b => meaning atoms a - meaning atoms b
  | Times a b => meaning atoms a * meaning atoms b
  end.

Definition monomial := list nat. (* sorted *)
Definition polynomial := list (monomial * Z).

Fixpoint same_monomial (m n : monomial) : bool :=
  match m, n with
  | [], [] => true
  | x :: m, y :: n => (x =? y)%nat && same_monomial m n
  | _, _ => false
  end.

Fixpoint insert (x : nat) (m : monomial) : monomial :=
  match m with
  | [] => [x]
  | y :: m' => if (x <=? y)%nat then x :: m else y :: insert x m'
  end.

Definition times_monomial (m n : monomial) : monomial := fold_right insert n m.

Fixpoint plus_term (m : monomial) (c : Z) (p : polynomial) : polynomial :=
  match p with
  | [] => [(m, c)]
  | (n, d) :: p =>
      if same_monomial m n
      then if c + d =? 0 then p else (n, c + d) :: p
      else (n, d) :: plus_term m c p
  end.

Definition plus_scaled (m : monomial) (c : Z) (p q : polynomial) : polynomial :=
  fold_right (fun t => plus_term (times_monomial m (fst t)) (c * snd t)) q p.

Fixpoint expanded (t : term) : polynomial :=
  match t with
  | Atom n => [([n], 1)]
  | Number z => if z =? 0 then [] else [([], z)]
  | Plus a b => plus_scaled [] 1 (expanded a) (expanded b)
  | Minus a b => plus_scaled [] (-1) (expanded b) (expanded a)
  | Times a b =>
      let q := expanded b in
      fold_right (fun t => plus_scaled (fst t) (snd t) q) [] (expanded a)
  end.

(** ** Which facts are multiplied by what

    The choice need not be right: that what it chooses is not negative is proved. A fact with a
    monomial [v] is multiplied by [u / v] where a monomial [u] occurs, if no other products come of
    it than those that occur, or have at most [degree] factors. *)

Fixpoint remove_one (x : nat) (m : monomial) : option monomial :=
  match m with
  | [] => None
  | y :: m =>
      if (x =? y)%nat then Some m else option_map (cons y) (remove_one x m)
  end.

(** [u / v]. *)
Fixpoint cofactor (u v : monomial) : option monomial :=
  match v with
  | [] => Some u
  | x :: v => match remove_one x u with Some u => cofactor u v | None => None end
  end.

Definition among (m : monomial) (l : list monomial) : bool := existsb (same_monomial m) l.

Definition add_new (m : monomial) (l : list monomial) : list monomial :=
  if among m l then l else m :: l.

Definition is_product (m : monomial) : bool := (1 <? length m)%nat.

Definition products_in (l : list polynomial) : list monomial :=
  fold_right (fun p l =>
      fold_right (fun t l => if is_product (fst t) then add_new (fst t) l else l) l p) [] l.

Definition fits (degree : nat) (occur : list monomial) (c : monomial) (p : polynomial) : bool :=
  forallb (fun t =>
      let m := times_monomial c (fst t) in
      negb (is_product m) || same_monomial m c || (length m <=? degree)%nat || among m occur) p.

(** The number of the fact that a variable is not negative. *)
Fixpoint sign_of (x : nat) (n : nat) (l : list polynomial) : option nat :=
  match l with
  | [] => None
  | p :: l =>
      match p with
      | [([y], 1)] | [([y], 1); ([], Zneg _)] | [([], Zneg _); ([y], 1)] =>
          if (x =? y)%nat then Some n else sign_of x (S n) l
      | _ => sign_of x (S n) l
      end
  end.

Fixpoint all_some {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some a :: l => option_map (cons a) (all_some l)
  | None :: _ => None
  end.

(** That [q] is not negative says so of [p]: they differ by a number. *)
Definition weaker (p q : polynomial) : bool :=
  match plus_scaled [] (-1) q p with
  | [] | [([], Zpos _)] => true
  | _ => false
  end.

(** What one fact is to be multiplied by. *)
Definition cofactors_of (degree : nat) (occur : list monomial) (p : polynomial) : list monomial :=
  fold_right (fun u l =>
      fold_right (fun t l =>
          match cofactor u (fst t) with
          | Some (x :: c) =>
              if fits degree occur (x :: c) p then add_new (x :: c) l else l
          | _ => l
          end) l p) [] occur.

(** Each as the number of a fact, and the numbers of those that say that the variables which it is
    multiplied by are not negative. Of facts that differ by a number, one is enough. *)
Fixpoint multiples_of (degree : nat) (sign : nat -> option nat) (occur : list monomial) (n : nat)
    (l : list polynomial) : list (list nat) :=
  match l with
  | [] => []
  | p :: l =>
      fold_right (fun c l =>
          match all_some (map sign c) with Some c => (n :: c) :: l | None => l end)
        (multiples_of degree sign occur (S n) l)
        (if existsb (weaker p) l then [] else cofactors_of degree occur p)
  end.

(** The products that occur, and those that facts are multiplied by. *)
Definition with_cofactors (degree : nat) (l : list polynomial) : list monomial :=
  let occur := products_in l in
  fold_right (fun p all =>
      fold_right (fun c all => if is_product c then add_new c all else all) all
        (cofactors_of degree occur p)) occur l.

Definition multiples (degree : nat) (facts : list term) : list (list nat) :=
  let l := map expanded facts in
  multiples_of degree (fun x => sign_of x 0 l) (with_cofactors degree l) 0 l.

(** ** Facts, as what is known of numbers

    Numbers that are not negative: of each product of some of them, that it is not negative. *)

Fixpoint all_known (l : list Z) : Prop :=
  match l with
  | [] => True
  | z :: l => 0 <= z /\ all_known l
  end.

Lemma known_nth l : all_known l -> forall n, 0 <= nth n l 0.
Proof.
  induction l as [|z l IH]; cbn; intros H [|n]; try lia.
  now apply IH.
Qed.

Fixpoint product_of (l : list Z) (ns : list nat) : Z :=
  match ns with
  | [] => 1
  | n :: ns => nth n l 0 * product_of l ns
  end.

Lemma products_known l : all_known l -> forall m, all_known (map (product_of l) m).
Proof.
  intros H.
  induction m as [|ns m IH]; cbn [map all_known]; [easy|].
  split; [|exact IH].
  clear IH.
  induction ns as [|n ns IH]; cbn [product_of]; [lia|].
  apply Z.mul_nonneg_nonneg; [now apply known_nth | exact IH].
Qed.

Lemma known_more z l : 0 <= z -> all_known l -> all_known (z :: l).
Proof. easy. Qed.

Lemma of_le a b : a <= b -> 0 <= b - a.
Proof. lia. Qed.

Lemma of_lt a b : a < b -> 0 <= b - a - 1.
Proof. lia. Qed.

Lemma of_ge a b : a >= b -> 0 <= a - b.
Proof. lia. Qed.

Lemma of_gt a b : a > b -> 0 <= a - b - 1.
Proof. lia. Qed.

Lemma of_eq a b : a = b -> 0 <= b - a /\ 0 <= a - b.
Proof. lia. Qed.

(** ** The tactics

    All comparisons become facts of one list. *)

(** The number of [x] in a list of atoms. *)
Ltac number_in atoms x :=
  lazymatch atoms with
  | x :: _ => constr:(O)
  | _ :: ?atoms => let n := number_in atoms x in constr:(S n)
  end.

(** The list, with [x]. *)
Ltac with_atom atoms x :=
  lazymatch atoms with
  | context [x :: _] => atoms
  | _ => constr:(x :: atoms)
  end.

Ltac atoms_in atoms e :=
  lazymatch e with
  | ?a + ?b => let atoms := atoms_in atoms a in atoms_in atoms b
  | ?a - ?b => let atoms := atoms_in atoms a in atoms_in atoms b
  | ?a * ?b => let atoms := atoms_in atoms a in atoms_in atoms b
  | Z0 => atoms
  | Zpos _ => atoms
  | Zneg _ => atoms
  | _ => with_atom atoms e
  end.

Ltac atoms_of_all atoms l :=
  lazymatch l with
  | ?e :: ?l => let atoms := atoms_in atoms e in atoms_of_all atoms l
  | _ => atoms
  end.

Ltac term_of atoms e :=
  lazymatch e with
  | ?a + ?b => let a := term_of atoms a in let b := term_of atoms b in constr:(Plus a b)
  | ?a - ?b => let a := term_of atoms a in let b := term_of atoms b in constr:(Minus a b)
  | ?a * ?b => let a := term_of atoms a in let b := term_of atoms b in constr:(Times a b)
  | Z0 => constr:(Number e)
  | Zpos _ => constr:(Number e)
  | Zneg _ => constr:(Number e)
  | _ => let n := number_in atoms e in constr:(Atom n)
  end.

Ltac terms_of atoms l :=
  lazymatch l with
  | ?e :: ?l => let e := term_of atoms e in let l := terms_of atoms l in constr:(e :: l)
  | _ => constr:(@nil term)
  end.

(** The list [All] of what is known has it. *)
Ltac knows All e H :=
  lazymatch type of All with
  | all_known ?l =>
      lazymatch l with
      | context [e :: _] => idtac
      | _ => apply (known_more e l H) in All
      end
  end.

Ltac collected All :=
  repeat match goal with
         | H : ?a <= ?b |- _ => knows All (b - a) (of_le a b H); clear H
         | H : ?a < ?b |- _ => knows All (b - a - 1) (of_lt a b H); clear H
         | H : ?a >= ?b |- _ => knows All (a - b) (of_ge a b H); clear H
         | H : ?a > ?b |- _ => knows All (a - b - 1) (of_gt a b H); clear H
         | H : ?a = ?b :> Z |- _ =>
             knows All (b - a) (proj1 (of_eq a b H)); knows All (a - b) (proj2 (of_eq a b H));
             clear H
         end.

(** Adds products of facts to them. *)
Ltac multiplied_facts degree :=
  let All := fresh "All" in
  assert (All : all_known []) by exact Logic.I;
  collected All;
  lazymatch type of All with
  | all_known ?l =>
      let atoms := atoms_of_all (@nil Z) l in
      let ts := terms_of atoms l in
      let m := eval vm_compute in (multiples degree ts) in
      let More := fresh "More" in
      pose proof (products_known l All m) as More;
      cbv [all_known map product_of nth] in All, More
  end.
