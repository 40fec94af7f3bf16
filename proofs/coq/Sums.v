(* Comparisons of rational numbers that compute, and finite sums class by class. *)
From Coq Require Import QArith Lqa List Bool NArith Lia.
From PPDM Require Import OverRationals.
Import ListNotations.
Open Scope Q_scope.

(* Comparisons that compute *)

Definition Qlt_bool (a b : Q) : bool := negb (Qle_bool b a).
Lemma Qlt_bool_iff a b : Qlt_bool a b = true <-> a < b.
Proof.
  unfold Qlt_bool. rewrite negb_true_iff. split; intro H.
  - apply Qnot_le_lt. intro C. apply Qle_bool_iff in C. congruence.
  - destruct (Qle_bool b a) eqn:E; auto. apply Qle_bool_iff in E. lra.
Qed.

(* Inputs by their class: what every input of a class has alike is counted once and multiplied *)

Definition size {X} (cl : X -> nat) (inputs : list X) (c : nat) : N :=
  N.of_nat (length (filter (fun x => Nat.eqb (cl x) c) inputs)).
Definition of_N (n : N) : Q := inject_Z (Z.of_N n).

Lemma of_N_succ n : of_N (N.succ n) == of_N n + 1.
Proof. unfold of_N. rewrite N2Z.inj_succ. unfold Z.succ. rewrite inject_Z_plus. reflexivity. Qed.

Lemma sum_pick (h : nat -> Q) n c : forall i, (i <= c < i + n)%nat ->
  sum (fun j => if Nat.eqb c j then h j else 0) (seq i n) == h c.
Proof.
  assert (Z : forall n i, (c < i)%nat -> sum (fun j => if Nat.eqb c j then h j else 0) (seq i n) == 0).
  { induction n0 as [|m IH]; simpl; intros i H; [reflexivity|].
    rewrite IH by lia. destruct (Nat.eqb_spec c i); [lia|]. reflexivity. }
  induction n as [|n IH]; simpl; intros i H; [lia|]. destruct (Nat.eqb_spec c i) as [->|N].
  - rewrite Z by lia. lra.
  - rewrite IH by lia. lra.
Qed.

Lemma sum_by_class X (cl : X -> nat) (h : nat -> Q) n inputs :
  (forall x, In x inputs -> (cl x < n)%nat) ->
  sum (fun x => h (cl x)) inputs == sum (fun c => of_N (size cl inputs c) * h c) (seq 0 n).
Proof.
  induction inputs as [|x inputs IH]; intros H.
  - symmetry. transitivity (sum (fun c => 0 * h c) (seq 0 n)).
    + apply sum_ext. intros c _. change (of_N (size cl [] c)) with 0. reflexivity.
    + rewrite sum_scale. simpl. lra.
  - change (h (cl x) + sum (fun x => h (cl x)) inputs ==
      sum (fun c => of_N (size cl (x :: inputs) c) * h c) (seq 0 n)).
    rewrite IH by (intros; apply H; simpl; auto). rewrite <- (sum_pick h n (cl x) 0) at 1 by (split; [lia|apply H; simpl; auto]).
    rewrite <- sum_plus. apply sum_ext. intros c _. unfold size. simpl.
    destruct (Nat.eqb (cl x) c); simpl length; [|lra]. rewrite Nat2N.inj_succ, of_N_succ. lra.
Qed.

Lemma sum_nth X (d : X) (g : X -> Q) (v : list X) :
  sum (fun i => g (nth i v d)) (seq 0 (length v)) == sum g v.
Proof.
  induction v as [|a v IH]; simpl; [reflexivity|]. rewrite <- IH, <- seq_shift.
  apply Qplus_comp; [reflexivity|]. generalize (seq 0 (length v)) as l.
  induction l as [|i l IHl]; simpl; [reflexivity|]. rewrite IHl. reflexivity.
Qed.
