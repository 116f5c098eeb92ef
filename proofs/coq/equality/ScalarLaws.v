(** Read this to believe a theorem. *)
(** * Laws of the operations on scalars

    A theorem assumes nothing about scalars, unless its schedule used a law. Then the law is a
    hypothesis of the theorem, for the operations that the schedule used it for. *)

From ATL Require Import syntax.Index syntax.Contrib.

Section Laws.
  Context {S : Scalars}.

  (** [f] may take values in any order. A commutative and associative operation does. *)
  Definition commutes (f : string) : Prop :=
  forall c a b, red f (red f c a) b = red f (red f c b) a.

  Definition associates (f : string) : Prop :=
  forall a b c, red f a (red f b c) = red f (red f a b) c.

  (** The constant [u] is a unit of [f], on the right or on the left. *)
  Definition has_unit (f u : string) : Prop := forall a, red f a (op u []) = a.

  Definition has_left_unit (f u : string) : Prop := forall a, red f (op u []) a = a.

  (** The constant [u] absorbs by [g], as 0 does by multiplication. *)
  Definition absorbs (g u : string) : Prop := forall a,
  op g [op u []; a] = op u [] /\ op g [a; op u []] = op u [].

  (** A factor of each term, or of the sum. *)
  Definition distributes (g f : string) : Prop := forall a b c,
    op g [a; red f b c] = red f (op g [a; b]) (op g [a; c]) /\
    op g [red f b c; a] = red f (op g [b; a]) (op g [c; a]).
End Laws.
