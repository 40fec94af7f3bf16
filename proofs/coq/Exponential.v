(* e^(n/d) between two rational numbers, by 1 + x <= e^x and repeated squares, rounded down. *)
From Coq Require Import Reals ZArith Lra Psatz List Bool Lia.
From PPDM Require Import Bernstein.
Import ListNotations.
Open Scope R_scope.

(* numbers times 2^96; the exponent is divided by 2^40 *)
Definition one : Z := 79228162514264337593543950336.
Definition halvings : nat := 40.
Definition parts : Z := 1099511627776.

Fixpoint squared (k : nat) (a : Z) : Z := match k with O => a | S k => squared k (a * a / one)%Z end.
Definition lower (n d : Z) : Z := squared halvings (one * (d * parts + n) / (d * parts))%Z.

Lemma one_pos : 0 < IZR one. Proof. apply IZR_lt. reflexivity. Qed.
Lemma floor_le a b : (0 < b)%Z -> IZR (a / b) * IZR b <= IZR a.
Proof. intro P. rewrite <- mult_IZR. apply IZR_le. pose proof (Z.mul_div_le a b P). lia. Qed.

(* y, squared so often *)
Fixpoint square (k : nat) (y : R) : R := match k with O => y | S k => square k (y * y) end.
Lemma square_exp k : forall x, square k (exp x) = exp (2 ^ k * x).
Proof.
  induction k as [|k IH]; intro x; cbn [square]; [f_equal; simpl; lra|].
  rewrite <- exp_plus, IH. f_equal. simpl. lra.
Qed.

Lemma squared_le k : forall a y, (0 <= a)%Z -> 0 <= y -> IZR a <= IZR one * y ->
  IZR (squared k a) <= IZR one * square k y /\ (0 <= squared k a)%Z.
Proof.
  pose proof one_pos as P. induction k as [|k IH]; intros a y A Y H; cbn [squared square]; [split; auto|].
  assert (A' : 0 <= IZR a) by (apply IZR_le; auto). apply IH.
  - apply Z.div_pos; [nia|reflexivity].
  - apply Rmult_le_pos; auto.
  - pose proof (floor_le (a * a) one eq_refl) as F. rewrite mult_IZR in F.
    apply (Rmult_le_reg_r (IZR one)); auto. apply Rle_trans with (IZR a * IZR a); auto.
    replace (IZR one * (y * y) * IZR one) with ((IZR one * y) * (IZR one * y)) by ring.
    apply Rmult_le_compat; auto.
Qed.

Lemma lower_le n d : (0 < d)%Z -> (0 <= d * parts + n)%Z ->
  IZR (lower n d) <= IZR one * exp (IZR n / IZR d) /\ (0 <= lower n d)%Z.
Proof.
  intros D N. pose proof one_pos as P. assert (DP : 0 < IZR d) by (apply IZR_lt; auto).
  assert (K : (0 < parts)%Z) by reflexivity. assert (KP : 0 < IZR parts) by (apply IZR_lt; auto).
  assert (DK : (0 < d * parts)%Z) by (apply Z.mul_pos_pos; auto).
  set (x := IZR n / IZR d / IZR parts).
  assert (E : exp (IZR n / IZR d) = square halvings (exp x)).
  { rewrite square_exp. f_equal. replace (2 ^ halvings) with (IZR parts); [unfold x; field; lra|].
    change 2 with (IZR 2). rewrite pow_IZR. f_equal. }
  rewrite E. unfold lower. apply squared_le.
  - apply Z.div_pos; [|auto]. apply Z.mul_nonneg_nonneg; [discriminate|auto].
  - left. apply exp_pos.
  - pose proof (floor_le (one * (d * parts + n)) (d * parts) DK) as F.
    rewrite (mult_IZR one), plus_IZR, (mult_IZR d) in F. pose proof (exp_ineq1_le x) as I.
    assert (X : IZR d * IZR parts + IZR n = IZR d * IZR parts * (1 + x)) by (unfold x; field; lra).
    rewrite X in F. assert (H : 0 < IZR d * IZR parts) by (apply Rmult_lt_0_compat; auto).
    apply (Rmult_le_reg_r (IZR d * IZR parts)); auto.
    apply Rle_trans with (IZR one * (IZR d * IZR parts * (1 + x))); auto.
    assert (H0 : IZR one * (1 + x) <= IZR one * exp x) by (apply Rmult_le_compat_l; lra).
    apply (Rmult_le_compat_r (IZR d * IZR parts)) in H0; lra.
Qed.

(* A/D <= e^(n/d) <= B/D *)
Definition check_exp (n d A B D : Z) : bool :=
  Z.ltb 0 d && Z.leb 0 (d * parts + n) && Z.leb 0 (d * parts - n) && Z.ltb 0 D && Z.leb 0 B
  && Z.leb (A * one) (D * lower n d) && Z.leb (D * one) (B * lower (- n) d).

Theorem exp_sound n d A B D : check_exp n d A B D = true -> between true true A B D (exp (IZR n / IZR d)).
Proof.
  unfold check_exp. rewrite !andb_true_iff, !Z.ltb_lt, !Z.leb_le. intros ((((((D0 & N) & M) & DP) & BP) & L) & H).
  pose proof one_pos as P. destruct (lower_le n d D0 N) as (L1 & _). destruct (lower_le (- n) d D0) as (L2 & L3); [lia|].
  apply IZR_le in L, H, BP, L3. apply IZR_lt in DP, D0. rewrite !mult_IZR in L, H. rewrite opp_IZR in L2.
  replace (- IZR n / IZR d) with (- (IZR n / IZR d)) in L2 by (field; lra). rewrite exp_Ropp in L2.
  pose proof (exp_pos (IZR n / IZR d)) as E. set (e := exp (IZR n / IZR d)) in *. split.
  - apply (Rmult_le_reg_r (IZR one)); auto. nra.
  - apply (Rmult_le_reg_r (IZR one)); auto. apply Rle_trans with (IZR B * IZR (lower (- n) d) * e); [nra|].
    apply Rle_trans with (IZR B * (IZR one * / e) * e); [|right; field; lra].
    apply Rmult_le_compat_r; [lra|]. apply Rmult_le_compat_l; auto.
Qed.
