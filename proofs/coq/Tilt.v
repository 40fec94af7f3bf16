(* Evidence "tilt": what n independent numbers exceed 0 by, bounded by one theta.

   A law is a list of chances and values. mean l n s is the mean of max(0, s + V_1 + ... + V_n), n times
   one after the other a value drawn from l; chances are not negative, and need not sum to 1. *)
From Coq Require Import Reals Lra List.
Import ListNotations.
Open Scope R_scope.

Definition law := list (R * R).

Definition sum (l : law) (f : R -> R) : R := fold_right (fun mv r => fst mv * f (snd mv) + r) 0 l.

Fixpoint mean (l : law) (n : nat) (s : R) : R :=
  match n with
  | O => Rmax 0 s
  | S k => sum l (fun v => mean l k (s + v))
  end.

Definition phi (l : law) (theta : R) : R := sum l (fun v => exp (theta * v)).

Definition chances (l : law) : Prop := forall mv, In mv l -> 0 <= fst mv.

Lemma sum_le l f g : chances l -> (forall v, f v <= g v) -> sum l f <= sum l g.
Proof.
  induction l as [|[m v] l IH]; intros C H; unfold sum; simpl; [lra|].
  apply Rplus_le_compat.
  - apply Rmult_le_compat_l; [apply (C (m, v)); left; reflexivity | apply H].
  - apply IH; [|assumption]. intros mv I. apply C. right. assumption.
Qed.

Lemma sum_scale l f c : sum l (fun v => c * f v) = c * sum l f.
Proof. induction l as [|[m v] l IH]; unfold sum in *; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_ext l f g : (forall v, f v = g v) -> sum l f = sum l g.
Proof. intros H. induction l as [|[m v] l IH]; unfold sum in *; simpl; [reflexivity|]. now rewrite H, IH. Qed.

(* The tangent of the exponential at 1. *)
Lemma above_tangent u : exp 1 * u <= exp u.
Proof.
  assert (H : u <= exp (u - 1)).
  { destruct (Req_dec (u - 1) 0) as [E|E].
    - rewrite E, exp_0. lra.
    - pose proof (exp_ineq1 (u - 1) E). lra. }
  replace u with (1 + (u - 1)) at 2 by ring. rewrite exp_plus.
  apply Rmult_le_compat_l; [left; apply exp_pos | assumption].
Qed.

Lemma max_below theta s : 0 < theta -> Rmax 0 s <= exp (theta * s) / (exp 1 * theta).
Proof.
  intros T. assert (0 < exp 1 * theta) by (apply Rmult_lt_0_compat; [apply exp_pos | assumption]).
  apply Rmult_le_reg_r with (exp 1 * theta); [assumption|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  unfold Rmax. destruct (Rle_dec 0 s).
  - pose proof (above_tangent (theta * s)). lra.
  - rewrite Rmult_0_l. left. apply exp_pos.
Qed.

Theorem tilt l theta n s :
  chances l -> 0 < theta ->
  mean l n s <= exp (theta * s) * (phi l theta) ^ n / (exp 1 * theta).
Proof.
  intros C T. revert s. induction n as [|n IH]; intros s; simpl.
  - rewrite Rmult_1_r. apply max_below. assumption.
  - eapply Rle_trans; [apply sum_le; [assumption | intros v; apply IH]|].
    rewrite (sum_ext l _ (fun v => (exp (theta * s) * phi l theta ^ n / (exp 1 * theta)) * exp (theta * v))).
    + rewrite sum_scale. fold (phi l theta). apply Req_le. unfold Rdiv. ring.
    + intros v. rewrite Rmult_plus_distr_l, exp_plus. unfold Rdiv. ring.
Qed.

(* As the checker has it: from above a larger phi, and from below a smaller e, will do. *)
Corollary tilt_bound l theta n f e :
  chances l -> 0 < theta -> phi l theta <= f -> 0 < e <= exp 1 ->
  mean l n 0 / INR n <= f ^ n / (INR n * theta * e) \/ n = O.
Proof.
  intros C T F [E1 E2]. destruct n as [|n]; [right; reflexivity|left].
  assert (N : 0 < INR (S n)) by (apply lt_0_INR; apply PeanoNat.Nat.lt_0_succ).
  assert (P : 0 <= phi l theta).
  { unfold phi. replace 0 with (sum l (fun _ => 0)).
    - apply sum_le; [assumption|]. intros v. left. apply exp_pos.
    - clear. induction l as [|[m v] l IH]; unfold sum in *; simpl; [reflexivity|]. rewrite IH. ring. }
  pose proof (tilt l theta (S n) 0 C T) as H. rewrite Rmult_0_r, exp_0, Rmult_1_l in H.
  assert (G : phi l theta ^ S n <= f ^ S n) by (apply pow_incr; split; assumption).
  apply Rle_trans with (phi l theta ^ S n / (exp 1 * theta) / INR (S n)).
  - unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; assumption | exact H].
  - apply Rle_trans with (f ^ S n / (exp 1 * theta) / INR (S n)).
    + unfold Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; assumption|].
      apply Rmult_le_compat_r; [|assumption].
      left. apply Rinv_0_lt_compat. apply Rmult_lt_0_compat; [apply exp_pos|assumption].
    + assert (0 <= f ^ S n) by (apply pow_le; lra).
      unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [assumption|].
      rewrite <- Rinv_mult. apply Rinv_le_contravar.
      * repeat apply Rmult_lt_0_compat; assumption.
      * replace (exp 1 * theta * INR (S n)) with (INR (S n) * theta * exp 1) by ring.
        apply Rmult_le_compat_l; [|assumption]. left. apply Rmult_lt_0_compat; assumption.
Qed.
