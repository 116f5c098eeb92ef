(** * Products and quotients of sizes

    [by_products] proves claims that need products of what is known: [0 <= i / S * S], or
    [i * M + j < N * M]. Quotients and remainders get names first, with what follows of each from
    its divisor, its dividend and the products around it. Then facts are multiplied
    ([multiplied_facts]), and [lia] does the rest. It takes no limit of time: what is tried is
    finite. *)

From ATL Require Import syntax.IndexFacts tactics.Multiples.

(** ** Signs

    Of sums and products, from the signs of their parts. *)

Ltac is_positive :=
  first [ lia | lazymatch goal with |- 0 < _ * _ => apply Z.mul_pos_pos; is_positive end ].

Ltac nonnegative :=
  first [ lia
        | lazymatch goal with
          | |- 0 <= _ * _ => apply Z.mul_nonneg_nonneg; nonnegative
          | |- 0 <= _ + _ => apply Z.add_nonneg_nonneg; nonnegative
          | |- 0 <= _ / _ => apply Z.div_pos; [nonnegative | is_positive]
          | |- 0 <= _ mod _ => apply Z.mod_pos_bound; is_positive
          | |- 0 <= Z.min _ _ => apply Z.min_glb; nonnegative
          end ].

(** ** Quotients

    A quotient gets a name, [q], with [d * q <= a < d * q + d], its sign, and how it compares with
    what [d] is multiplied by elsewhere. So [i / S < N] follows from [i < N * S]. *)

Lemma quotient_bounds a d : 0 < d -> d * (a / d) <= a < d * (a / d) + d.
Proof.
  intros Hd.
  pose proof (Z.div_mod a d).
  pose proof (Z.mod_pos_bound a d Hd).
  lia.
Qed.

Lemma quotient_below a d n : 0 < d -> a < d * n -> a / d < n.
Proof. apply Z.div_lt_upper_bound. Qed.

Lemma quotient_at_most a d n : 0 < d -> a < d * (n + 1) -> a / d <= n.
Proof. intros Hd H. apply Z.lt_succ_r, Z.div_lt_upper_bound; [exact Hd | lia]. Qed.

Lemma quotient_at_least a d n : 0 < d -> d * n <= a -> n <= a / d.
Proof. apply Z.div_le_lower_bound. Qed.

Lemma quotient_of_positive a d : 0 < d -> 0 <= a -> 0 <= a / d /\ a / d <= a.
Proof.
  intros Hd Ha.
  split; [now apply Z.div_pos | apply quotient_at_most; [exact Hd | nia]].
Qed.

Ltac occurs_in e n := idtac; lazymatch n with context [e] => idtac end.

(** What is at most [a] is less than what [a] is less than. *)
Ltac below_as_well a H :=
  try match goal with
      | L : a < ?n |- _ =>
          lazymatch n with
          | context [_ * _] => fail
          | _ => let H' := fresh in pose proof (Z.le_lt_trans _ _ _ H L) as H'
          end
      end.

(** [a / d] and [n] were compared. *)
Definition compared (a d n : Z) := True.

Ltac compare_quotient a d Hd n :=
  assert_fails (occurs_in (a / d) n);
  lazymatch goal with
  | _ : compared a d n |- _ => fail
  | |- _ =>
      assert (compared a d n) by exact Logic.I;
      try (let H := fresh in assert (H : a < d * n) by lia; apply (quotient_below a d n Hd) in H);
      try (let H := fresh in
           assert (H : a < d * (n + 1)) by lia; apply (quotient_at_most a d n Hd) in H);
      try (let H := fresh in
           assert (H : d * n <= a) by lia; apply (quotient_at_least a d n Hd) in H)
  end.

(** [m / d], if [d] is a factor of the product [m], or its factors are. *)
Ltac without_factor m d :=
  lazymatch m with
  | d * ?b => b
  | ?a * d => a
  | ?a * ?b =>
      match constr:(tt) with
      | _ => let n := without_factor a d in constr:(n * b)
      | _ => let n := without_factor b d in constr:(a * n)
      | _ =>
          lazymatch d with
          | ?c * ?e => let n := without_factor m c in without_factor n e
          end
      end
  end.

(** With [n] for each product [n * d] around. *)
Ltac compare_with_product a d Hd e :=
  match e with
  | context [?x * ?y] => let n := without_factor (x * y) d in compare_quotient a d Hd n
  end.

Ltac compare_with_products a d Hd :=
  try compare_quotient a d Hd 0;
  try compare_quotient a d Hd 1;
  try compare_quotient a d Hd (-1);
  repeat match goal with
         | H : ?h |- _ => compare_with_product a d Hd h
         | |- ?g => compare_with_product a d Hd g
         end.

Ltac compare_with_sum a d Hd p n :=
  first [compare_quotient a d Hd (p + n) | compare_quotient a d Hd (p - n)].

(** With other quotients by [d], plus or minus 1, or what is multiplied by [d] in a dividend. *)
Ltac compare_with_sums a d Hd :=
  repeat match goal with
         | H : d * ?p <= ?b |- _ =>
             first
               [ compare_with_sum a d Hd p 1
               | match constr:((a, b)) with
                 | context [?x * ?y] =>
                     let n := without_factor (x * y) d in compare_with_sum a d Hd p n
                 end ]
         end.

Ltac has_quotient e :=
  idtac;
  match e with
  | context [_ / _] => idtac
  | context [_ mod _] => idtac
  end.

Lemma remainder_is a d : 0 < d -> a mod d = a - d * (a / d) /\ 0 <= a mod d < d.
Proof.
  intros Hd.
  split; [apply Z.mod_eq; lia | now apply Z.mod_pos_bound].
Qed.

Lemma remainder_of_positive a d : 0 < d -> 0 <= a -> a mod d <= a.
Proof. intros Hd Ha. now apply Z.mod_le. Qed.

Ltac occurs e :=
  match goal with
  | |- context [e] => idtac
  | _ : context [e] |- _ => idtac
  end.

Ltac name_remainder a d Hd :=
  occurs (a mod d);
  pose proof (remainder_is a d Hd);
  try (let H := fresh in
       assert (H : 0 <= a) by nonnegative; apply (remainder_of_positive a d Hd) in H;
       below_as_well a H);
  let r := fresh "r" in
  set (r := a mod d) in *; clearbody r.

(** ** Parts of a dividend that are multiples of the divisor

    [(d * n + r) / d] is [n + r / d]. *)

Lemma quotient_of_sum a d n r :
  0 < d -> a = d * n + r -> a / d = n + r / d /\ a mod d = r mod d.
Proof.
  intros Hd ->.
  rewrite (Z.mul_comm d n), Z.add_comm.
  split; [rewrite Z.div_add by lia; lia | now rewrite Z.mod_add by lia].
Qed.

Ltac sum_of a b :=
  lazymatch constr:((a, b)) with
  | (0, _) => b
  | (_, 0) => a
  | _ => constr:(a + b)
  end.

Ltac difference_of a b :=
  lazymatch b with
  | 0 => a
  | _ => constr:(a - b)
  end.

(** [(n, r)] with [a = d * n + r]. *)
Ltac parts_of a d :=
  lazymatch a with
  | d => constr:((1, 0))
  | ?x + ?y =>
      let p := parts_of x d in
      let q := parts_of y d in
      lazymatch constr:((p, q)) with
      | ((?n, ?r), (?m, ?s)) => let n := sum_of n m in let r := sum_of r s in constr:((n, r))
      end
  | ?x - ?y =>
      let p := parts_of x d in
      let q := parts_of y d in
      lazymatch constr:((p, q)) with
      | ((?n, ?r), (?m, ?s)) =>
          let n := difference_of n m in let r := difference_of r s in constr:((n, r))
      end
  | _ =>
      match constr:(tt) with
      | _ => let n := without_factor a d in constr:((n, 0))
      | _ => constr:((0, a))
      end
  end.

Ltac without_multiples a d Hd :=
  let p := parts_of a d in
  lazymatch p with
  | (0, _) => fail
  | (?n, ?r) =>
      let E := fresh in
      let Eq := fresh in
      let Er := fresh in
      assert (E : a = d * n + r) by ring;
      destruct (quotient_of_sum a d n r Hd E) as [Eq Er];
      clear E;
      first [rewrite Eq in *; try rewrite Er in * | rewrite Er in *];
      clear Eq Er
  end.

(** It is one of the things that it was compared with. *)
Ltac quotient_known a d :=
  match goal with
  | H : a / d <= ?n, H' : ?n <= a / d |- _ =>
      let E := fresh in
      pose proof (Z.le_antisymm _ _ H H') as E;
      clear H H';
      rewrite E in *;
      clear E
  end.

(** A divisor [x * y] is at least [x] where [0 < y]: then [r / (x * y)] is 0 if [r < x]. *)
Lemma product_at_least x y : 0 <= x -> 0 < y -> x <= x * y.
Proof. nia. Qed.

Ltac product_is_at_least x y :=
  try (let H := fresh in
       assert (H : x <= x * y) by (apply product_at_least; [nonnegative | is_positive])).

Ltac at_least_first_factor d :=
  lazymatch d with
  | _ * Z.pos _ => idtac
  | ?x * ?y => product_is_at_least x y
  | _ => idtac
  end.

Ltac name_divided a d Hd :=
  at_least_first_factor d;
  try (let H := fresh in
       assert (H : 0 <= a) by nonnegative; apply (quotient_of_positive a d Hd) in H;
       let Hle := fresh in destruct H as [H Hle]; below_as_well a Hle);
  compare_with_products a d Hd;
  compare_with_sums a d Hd;
  let Hq := fresh "Hq" in
  pose proof (quotient_bounds a d Hd) as Hq;
  destruct Hq;
  try name_remainder a d Hd;
  first
    [ quotient_known a d
    | let q := fresh "q" in set (q := a / d) in *; clearbody q ].

Ltac name_quotient a d :=
  assert_fails (has_quotient a); assert_fails (has_quotient d);
  let Hd := fresh "Hd" in
  assert (Hd : 0 < d) by is_positive;
  first [without_multiples a d Hd | name_divided a d Hd].

Ltac quotients_in e :=
  match e with
  | context [?a / ?d] => name_quotient a d
  | context [?a mod ?d] => name_quotient a d
  end.

(** ** Minima and maxima

    They get names, too. *)

Ltac name_extremum e :=
  let m := fresh "m" in
  try (assert (0 <= e) by lia);
  set (m := e) in *; clearbody m.

Ltac extremum_in e :=
  match e with
  | context [Z.min ?a ?b] =>
      pose proof (Z.le_min_l a b); pose proof (Z.le_min_r a b);
      pose proof (Z.min_spec a b); name_extremum (Z.min a b)
  | context [Z.max ?a ?b] =>
      pose proof (Z.le_max_l a b); pose proof (Z.le_max_r a b);
      pose proof (Z.max_spec a b); name_extremum (Z.max a b)
  end.

(** ** Claims

    The opposite of the claim becomes a fact. *)

Ltac in_propositions :=
  repeat match goal with
         | H : _ /\ _ |- _ => destruct H
         | H : (_ <? _) = true |- _ => apply Z.ltb_lt in H
         | H : (_ <=? _) = true |- _ => apply Z.leb_le in H
         | H : (_ =? _) = true |- _ => apply Z.eqb_eq in H
         | H : (_ <? _) = false |- _ => apply Z.ltb_ge in H
         | H : (_ <=? _) = false |- _ => apply Z.leb_gt in H
         | H : (_ && _)%bool = true |- _ => apply andb_prop in H
         | H : (_ || _)%bool = false |- _ => apply Bool.orb_false_elim in H
         | H : negb _ = true |- _ => apply Bool.negb_true_iff in H
         | H : negb _ = false |- _ => apply Bool.negb_false_iff in H
         end.

Ltac contradicted :=
  lazymatch goal with
  | |- _ <= _ => apply Z.le_ngt; intro
  | |- _ < _ => apply Z.lt_nge; intro
  | |- _ >= _ => apply Z.le_ge, Z.le_ngt; intro
  | |- _ > _ => apply Z.lt_gt, Z.lt_nge; intro
  | |- _ = _ :> Z => apply Z.le_antisymm; contradicted
  | |- (_ <? _) = true => apply Z.ltb_lt; contradicted
  | |- (_ <=? _) = true => apply Z.leb_le; contradicted
  | |- (_ =? _) = true => apply Z.eqb_eq; contradicted
  | |- (_ <? _) = false => apply Z.ltb_ge; contradicted
  | |- (_ <=? _) = false => apply Z.leb_gt; contradicted
  | |- (_ <? _) = (_ <? _) => apply f_equal2; contradicted
  | |- (_ <=? _) = (_ <=? _) => apply f_equal2; contradicted
  | |- (_ =? _) = (_ =? _) => apply f_equal2; contradicted
  | |- (_ && _)%bool = (_ && _)%bool => apply f_equal2; contradicted
  | |- (_ || _)%bool = (_ || _)%bool => apply f_equal2; contradicted
  | |- negb _ = negb _ => apply f_equal; contradicted
  | |- (_ && _)%bool = true => apply andb_true_intro; split; contradicted
  | |- (negb ?a || ?b)%bool = true =>
      let H := fresh in
      destruct a eqn:H; cbn [negb orb]; [contradicted | reflexivity]
  | |- _ /\ _ => split; contradicted
  | |- _ => idtac
  end.

(** What computation leaves of sums of products. *)
Ltac tidied :=
  repeat first
    [ progress rewrite ?Z.mul_1_l, ?Z.add_0_r
    | match goal with
      | H : context [1 * _] |- _ => rewrite Z.mul_1_l in H
      | H : context [_ + 0] |- _ => rewrite Z.add_0_r in H
      end ].

Ltac named :=
  repeat match goal with
         | |- ?g => first [quotients_in g | extremum_in g]
         | _ : ?h |- _ => first [quotients_in h | extremum_in h]
         end;
  repeat match goal with H : compared _ _ _ |- _ => clear H end.

Ltac parts_of_claim :=
  lazymatch goal with
  | |- _ /\ _ => split; parts_of_claim
  | |- (_ && _)%bool = true => apply andb_true_intro; split; parts_of_claim
  | |- _ => idtac
  end.

Ltac by_signs :=
  lazymatch goal with
  | |- 0 <= _ => nonnegative
  | |- (0 <=? _) = true => apply Z.leb_le; nonnegative
  end.

(** ** What is linear, and useful in products

    [multiplied_facts] multiplies by variables of which a hypothesis says that they are not
    negative, and multiplies hypotheses only, not what follows from several of them. *)

Ltac sign_known x :=
  is_var x;
  lazymatch goal with
  | _ : 0 <= x |- _ => fail
  | |- _ => assert (0 <= x) by lia
  end.

Ltac signs_known :=
  repeat match goal with
         | _ : context [?x * ?y] |- _ => first [sign_known x | sign_known y]
         end.

Ltac compare_factors a b x :=
  assert_fails (constr_eq a b);
  lazymatch goal with
  | _ : compared a b x |- _ => fail
  | |- _ => assert (compared a b x) by exact Logic.I; try assert (b < a) by lia
  end.

(** Of products on both sides of a comparison that have a factor in common. *)
Ltac factors_compared :=
  repeat match goal with
         | _ : ?s <= ?t |- _ =>
             match s with
             | context [?a * ?x] => match t with context [?b * x] => compare_factors a b x end
             end
         end;
  repeat match goal with H : compared _ _ _ |- _ => clear H end.

(** Of two rows of [k * x] elements, the earlier one begins at least [x] elements before the
    other. *)
Lemma earlier_row a b k x :
  a < b -> 0 < k -> 0 <= x -> a * (k * x) + x <= b * (k * x).
Proof.
  intros Ha Hk Hx.
  assert ((a + 1) * (k * x) <= b * (k * x)) by (apply Z.mul_le_mono_nonneg_r; nia).
  assert (x <= k * x) by nia.
  lia.
Qed.

Ltac compare_rows s t :=
  match s with
  | context [?b * ?k * ?x] =>
      match t with
      | context [?a * k * x] =>
          let H := fresh in
          assert (H : a * (k * x) + x <= b * (k * x))
            by (apply earlier_row; [lia | is_positive | nonnegative])
      end
  end.

Ltac rows_compared := match goal with _ : ?s <= ?t |- _ => compare_rows s t end.

(** At first what is known of quotients alone, then without new products, then with all products
    of two variables; in the end with more facts. *)
Ltac with_multiplied_facts := first [multiplied_facts O; lia | multiplied_facts 2%nat; lia].

Ltac by_products :=
  tidied; parts_of_claim;
  first
    [ by_signs
    | contradicted; in_propositions; named; in_propositions;
      first
        [ lia
        | with_multiplied_facts
        | rows_compared; lia
        | progress (signs_known; factors_compared); with_multiplied_facts ] ].
