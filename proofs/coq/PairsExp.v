(* (epsilon, delta)-local differential privacy for a rational epsilon: e^epsilon is real, and enclosed.

   What holds with a number below e^epsilon holds with e^epsilon, and what fails with one above it fails. *)
From Coq Require Import Reals QArith Qreals Lra List Bool ZArith Lia.
From PPDM Require Import OverRationals Sums Bernstein Exponential Pairs.
Import ListNotations.
Open Scope R_scope.

(* probabilities: none below 0 *)
Definition chances (v : pair) : bool := forallb (fun k => Qle_bool 0 (one k) && Qle_bool 0 (two k)) v.
Definition check_pairs_exp (vs : list pair) (n e A B D : Z) (d : Q) (strict : bool) : bool :=
  check_exp n e A B D && forallb chances vs && check_pairs vs (A # Z.to_pos D) d strict.
Definition check_pair_broken_exp (v : pair) (n e A B D : Z) (d : Q) (strict : bool) : bool :=
  check_exp n e A B D && chances v && check_pair_broken v (B # Z.to_pos D) d strict.

Lemma chances_kind v i : chances v = true -> (0 <= one (nth i v nokind) /\ 0 <= two (nth i v nokind))%Q.
Proof.
  intro C. destruct (Nat.lt_ge_cases i (length v)) as [H|H].
  - unfold chances in C. rewrite forallb_forall in C. specialize (C _ (nth_In _ nokind H)).
    apply andb_true_iff in C. rewrite !Qle_bool_iff in C. exact C.
  - rewrite nth_overflow by auto. split; discriminate.
Qed.

Lemma on_chances Y v (outputs : list Y) l1 l2 cl T : describes_pair v outputs l1 l2 cl -> chances v = true ->
  (0 <= sum (on T l1) outputs /\ 0 <= sum (on T l2) outputs)%Q.
Proof.
  intros P C. split; apply sum_nonneg; intros y H; unfold on; destruct (T y); try discriminate;
    destruct (chances_kind v (cl y) C); [rewrite (k_one _ _ _ _ _ P y H)|rewrite (k_two _ _ _ _ _ P y H)]; auto.
Qed.

Lemma enclosed n e A B D : check_exp n e A B D = true ->
  Q2R (A # Z.to_pos D) <= exp (IZR n / IZR e) <= Q2R (B # Z.to_pos D).
Proof.
  intro C. pose proof (exp_sound _ _ _ _ _ C) as (L & H). unfold check_exp in C. rewrite !andb_true_iff, !Z.ltb_lt in C.
  assert (P : (0 < D)%Z) by tauto. clear C. unfold Q2R. simpl. rewrite Z2Pos.id by auto. apply IZR_lt in P. split.
  - apply (Rmult_le_reg_r (IZR D)); auto. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - apply (Rmult_le_reg_r (IZR D)); auto. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Theorem pairs_exp_sound vs n e A B D d strict : check_pairs_exp vs n e A B D d strict = true ->
  forall X Y (inputs : list X) (outputs : list Y) (p : X -> Y -> Q), described_pairs vs inputs outputs p ->
  forall x1 x2, In x1 inputs -> In x2 inputs -> x1 <> x2 -> forall T : Y -> bool,
  if strict then Q2R (sum (on T (p x1)) outputs) < exp (IZR n / IZR e) * Q2R (sum (on T (p x2)) outputs) + Q2R d
  else Q2R (sum (on T (p x1)) outputs) <= exp (IZR n / IZR e) * Q2R (sum (on T (p x2)) outputs) + Q2R d.
Proof.
  unfold check_pairs_exp. rewrite !andb_true_iff. intros ((E & N) & C) X Y inputs outputs p De x1 x2 H1 H2 Ne T.
  pose proof (pairs_sound _ _ _ _ C X Y inputs outputs p De x1 x2 H1 H2 Ne T) as S.
  apply enclosed in E. destruct E as (L & _).
  assert (P : (0 <= sum (on T (p x2)) outputs)%Q).
  { destruct (De x1 x2 H1 H2 Ne) as (v & cl & I & W). rewrite forallb_forall in N. specialize (N v I).
    destruct W as [W|W]; eapply (on_chances _ _ _ _ _ _ T W N). }
  apply Qle_Rle in P. replace (Q2R 0) with 0 in P by (unfold Q2R; simpl; lra).
  assert (M : Q2R (A # Z.to_pos D) * Q2R (sum (on T (p x2)) outputs) <= exp (IZR n / IZR e) * Q2R (sum (on T (p x2)) outputs))
    by (apply Rmult_le_compat_r; auto).
  destruct strict; [apply Qlt_Rlt in S|apply Qle_Rle in S]; rewrite Q2R_plus, Q2R_mult in S; lra.
Qed.

Theorem pair_broken_exp_sound v n e A B D d strict : check_pair_broken_exp v n e A B D d strict = true ->
  forall Y (outputs : list Y) (l1 l2 : Y -> Q) cl, describes_pair v outputs l1 l2 cl ->
  exists T : Y -> bool,
  ~ if strict then Q2R (sum (on T l1) outputs) < exp (IZR n / IZR e) * Q2R (sum (on T l2) outputs) + Q2R d
    else Q2R (sum (on T l1) outputs) <= exp (IZR n / IZR e) * Q2R (sum (on T l2) outputs) + Q2R d.
Proof.
  unfold check_pair_broken_exp. rewrite !andb_true_iff. intros ((E & N) & C) Y outputs l1 l2 cl P.
  destruct (pair_broken_sound _ _ _ _ C Y outputs l1 l2 cl P) as (T & S). exists T. intro H. apply S. clear S.
  apply enclosed in E. destruct E as (_ & L). destruct (on_chances _ _ _ _ _ _ T P N) as (_ & Q0).
  apply Qle_Rle in Q0. replace (Q2R 0) with 0 in Q0 by (unfold Q2R; simpl; lra).
  assert (M : exp (IZR n / IZR e) * Q2R (sum (on T l2) outputs) <= Q2R (B # Z.to_pos D) * Q2R (sum (on T l2) outputs))
    by (apply Rmult_le_compat_r; auto).
  destruct strict; [apply Rlt_Qlt|apply Rle_Qle]; rewrite Q2R_plus, Q2R_mult; lra.
Qed.
