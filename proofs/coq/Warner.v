(* Warner's response, with its parameter: tell the truth with probability p, the opposite otherwise.

   For every p at least 1/2 and below 1 and all rho1 < rho2 it is decided exactly when there is a prior and a
   property with a breach. The theorems mention no view and no certificate. *)
From Coq Require Import QArith Lqa List Bool.
From PPDM Require Import OverRationals Sums.
Import ListNotations.
Open Scope Q_scope.

Definition answers : list bool := [false; true].
Definition warner (p : Q) (x y : bool) : Q := if Bool.eqb x y then p else 1 - p.

Theorem warner_safe p r1 r2 : 1#2 <= p -> p < 1 -> 0 < r1 -> r1 < r2 -> r2 < 1 ->
  r1 * (1 - r2) * p < r2 * (1 - r1) * (1 - p) ->
  forall prior, is_prior answers prior -> forall S y, ~ breach Both answers prior (fun x => warner p x y) r1 r2 S.
Proof.
  intros P P1 A B C H prior W S y. apply statement1; auto.
  - intros x _. unfold warner. destruct (Bool.eqb x y); lra.
  - assert (0 <= (2 * p - 1) * (r1 * (1 - r2))) by (repeat apply Qmult_le_0_compat; lra).
    assert (0 <= (2 * p - 1) * (r2 * (1 - r1))) by (repeat apply Qmult_le_0_compat; lra).
    intros x1 x2 _ _. unfold warner. destruct (Bool.eqb x1 y), (Bool.eqb x2 y); lra.
Qed.

Theorem warner_breached p r1 r2 : 1#2 <= p -> p <= 1 -> 0 < r1 -> r1 < r2 -> r2 < 1 ->
  r2 * (1 - r1) * (1 - p) <= r1 * (1 - r2) * p ->
  forall y, exists prior S, is_prior answers prior /\ upward answers prior (fun x => warner p x y) r1 r2 S.
Proof.
  intros P P1 A B C H y.
  apply (converse bool Bool.eqb eqb_true_iff answers) with (x1 := y) (x2 := negb y); auto.
  - repeat constructor; simpl; intuition discriminate.
  - intros x _. unfold warner. destruct (Bool.eqb x y); lra.
  - destruct y; simpl; auto.
  - destruct y; simpl; auto.
  - destruct y; discriminate.
  - unfold warner. rewrite eqb_reflx. lra.
  - unfold warner. rewrite eqb_reflx. destruct y; simpl; exact H.
Qed.

(* From 1/10 to 1/2: p below 9/10 is exactly what is safe. *)
Corollary warner_region p : 1#2 <= p -> p < 1 ->
  (p < 9#10 <-> forall prior, is_prior answers prior -> forall S y,
     ~ breach Both answers prior (fun x => warner p x y) (1#10) (1#2) S).
Proof.
  intros A B. split.
  - intros H. apply warner_safe; lra.
  - intros H. destruct (Qlt_le_dec p (9#10)) as [|G]; auto. exfalso.
    destruct (warner_breached p (1#10) (1#2)) with (y := true) as (prior & S & W & U); try lra.
    apply (H prior W S true). left. exact U.
Qed.
