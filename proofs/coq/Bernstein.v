(* Polynomials with whole coefficients that keep their sign on an interval, by Bernstein coefficients.

   Between A/D and B/D write t = (A u + B v) / (D (u + v)) with u = B - D t and v = D t - A, both at least 0 there:
   a polynomial of degree n, times (D (u + v))^n, is a sum of coefficients times u^(n-k) v^k. Those coefficients
   are Bernstein's, times positive numbers: if none is negative, neither is the polynomial. *)
From Coq Require Import Reals ZArith Lra Psatz List Bool Lia.
Import ListNotations.
Open Scope R_scope.

Definition poly := list Z.
Fixpoint ev (p : poly) (t : R) : R := match p with [] => 0 | c :: p => IZR c + t * ev p t end.

Fixpoint add (p q : poly) : poly :=
  match p, q with [], q => q | p, [] => p | a :: p, b :: q => (a + b)%Z :: add p q end.
Definition scale (c : Z) (p : poly) : poly := map (Z.mul c) p.
Definition minus (p q : poly) : poly := add p (scale (-1) q).
Definition times_power (n : nat) (p : poly) : poly := repeat 0%Z n ++ p.

Lemma ev_add p : forall q t, ev (add p q) t = ev p t + ev q t.
Proof.
  induction p as [|a p IH]; intros [|b q] t; simpl; try lra. rewrite plus_IZR, IH. lra.
Qed.
Lemma ev_scale c p t : ev (scale c p) t = IZR c * ev p t.
Proof. induction p as [|a p IH]; simpl; [lra|]. rewrite mult_IZR, IH. lra. Qed.
Lemma ev_minus p q t : ev (minus p q) t = ev p t - ev q t.
Proof. unfold minus. rewrite ev_add, ev_scale. lra. Qed.
Lemma ev_times_power n p t : ev (times_power n p) t = t ^ n * ev p t.
Proof. unfold times_power. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

(* homogeneous in u and v: the k-th coefficient belongs to u^(n-k) v^k *)
Fixpoint hev (c : list Z) (u v : R) : R :=
  match c with [] => 0 | a :: c => IZR a * u ^ length c + v * hev c u v end.
(* (a u + b v) times it *)
Definition by_line (a b : Z) (c : list Z) : list Z := add (scale a c ++ [0%Z]) (0%Z :: scale b c).
Fixpoint line_power (a b : Z) (n : nat) : list Z :=
  match n with O => [1%Z] | S n => by_line a b (line_power a b n) end.
Fixpoint bernstein (A B D : Z) (p : poly) : list Z :=
  match p with
  | [] => []
  | c :: p => add (scale c (line_power D D (length p))) (by_line A B (bernstein A B D p))
  end.

(* the same, without computing a power of D (u + v) anew at every step: that power is carried along *)
Fixpoint carried (A B D : Z) (p : poly) : list Z * list Z :=
  match p with
  | [] => ([], [1%Z])
  | c :: p => let (b, w) := carried A B D p in (add (scale c w) (by_line A B b), by_line D D w)
  end.
Lemma carried_is A B D p : carried A B D p = (bernstein A B D p, line_power D D (length p)).
Proof. induction p as [|c p IH]; simpl; auto. rewrite IH. reflexivity. Qed.
Lemma carried_fst A B D p : fst (carried A B D p) = bernstein A B D p.
Proof. rewrite carried_is. reflexivity. Qed.

Lemma add_length p : forall q, length p = length q -> length (add p q) = length p.
Proof. induction p as [|a p IH]; intros [|b q] H; simpl in *; try congruence. f_equal. apply IH. lia. Qed.
Lemma scale_length c p : length (scale c p) = length p. Proof. apply map_length. Qed.
Lemma by_line_length a b c : length (by_line a b c) = S (length c).
Proof.
  unfold by_line. rewrite add_length; rewrite app_length, scale_length; simpl; [lia|]. rewrite scale_length. lia.
Qed.
Lemma line_power_length a b n : length (line_power a b n) = S n.
Proof. induction n as [|n IH]; simpl; auto. rewrite by_line_length, IH. auto. Qed.
Lemma bernstein_length A B D p : length (bernstein A B D p) = length p.
Proof.
  induction p as [|c p IH]; auto. cbn [bernstein length].
  rewrite add_length; rewrite scale_length, line_power_length; auto. rewrite by_line_length. lia.
Qed.

Lemma hev_add p : forall q u v, length p = length q -> hev (add p q) u v = hev p u v + hev q u v.
Proof.
  induction p as [|a p IH]; intros [|b q] u v H; simpl in *; try discriminate; [lra|].
  rewrite plus_IZR, IH, add_length by lia. replace (length q) with (length p) by lia. lra.
Qed.
Lemma hev_scale c p u v : hev (scale c p) u v = IZR c * hev p u v.
Proof.
  induction p as [|a p IH]; simpl; [lra|]. rewrite scale_length, mult_IZR.
  change (map (Z.mul c) p) with (scale c p). rewrite IH. lra.
Qed.
Lemma hev_end c u v : hev (c ++ [0%Z]) u v = u * hev c u v.
Proof. induction c as [|a c IH]; simpl; [lra|]. rewrite IH, app_length. simpl. rewrite Nat.add_1_r. simpl. lra. Qed.
Lemma hev_by_line a b c u v : hev (by_line a b c) u v = (IZR a * u + IZR b * v) * hev c u v.
Proof.
  unfold by_line. rewrite hev_add by (rewrite app_length, scale_length; simpl; rewrite scale_length; lia).
  rewrite hev_end, hev_scale. simpl. rewrite hev_scale. lra.
Qed.
Lemma hev_line_power a b n u v : hev (line_power a b n) u v = (IZR a * u + IZR b * v) ^ n.
Proof. induction n as [|n IH]; cbn [line_power]; [simpl; lra|]. rewrite hev_by_line, IH. simpl. lra. Qed.

Lemma bernstein_ev A B D p u v t : t * (IZR D * (u + v)) = IZR A * u + IZR B * v ->
  hev (bernstein A B D p) u v * (IZR D * (u + v)) = (IZR D * (u + v)) ^ length p * ev p t.
Proof.
  intro T. induction p as [|c p IH]; [simpl; lra|]. cbn [bernstein length ev].
  rewrite hev_add by (rewrite scale_length, line_power_length, by_line_length, bernstein_length; lia).
  rewrite hev_scale, hev_line_power, hev_by_line, <- T.
  replace (IZR D * u + IZR D * v) with (IZR D * (u + v)) by lra.
  set (W := IZR D * (u + v)) in *. simpl pow.
  replace ((IZR c * W ^ length p + t * W * hev (bernstein A B D p) u v) * W)
    with (IZR c * (W * W ^ length p) + t * W * (hev (bernstein A B D p) u v * W)) by ring.
  rewrite IH. ring.
Qed.

Lemma hev_nonneg c u v : 0 <= u -> 0 <= v -> forallb (Z.leb 0) c = true -> 0 <= hev c u v.
Proof.
  intros U V. induction c as [|a c IH]; simpl; [lra|]. intro H. apply andb_true_iff in H. destruct H as (H & C).
  apply Z.leb_le, IZR_le in H. specialize (IH C). pose proof (pow_le u (length c) U).
  assert (0 <= IZR a * u ^ length c) by (apply Rmult_le_pos; auto).
  assert (0 <= v * hev c u v) by (apply Rmult_le_pos; auto). lra.
Qed.
Lemma hev_first c u v : 0 < u -> 0 <= v -> forallb (Z.leb 0) c = true -> Z.ltb 0 (hd 0%Z c) = true -> 0 < hev c u v.
Proof.
  intros U V. destruct c as [|a c]; simpl; [discriminate|]. intros H P. apply andb_true_iff in H. destruct H as (_ & C).
  apply Z.ltb_lt, IZR_lt in P. assert (0 <= u) by lra. pose proof (hev_nonneg c u v H V C).
  pose proof (pow_lt u (length c) U). assert (0 < IZR a * u ^ length c) by (apply Rmult_lt_0_compat; auto).
  assert (0 <= v * hev c u v) by (apply Rmult_le_pos; auto). lra.
Qed.
Lemma hev_last c u v : 0 <= u -> 0 < v -> forallb (Z.leb 0) c = true -> Z.ltb 0 (last c 0%Z) = true -> 0 < hev c u v.
Proof.
  intros U V. induction c as [|a c IH]; simpl; [discriminate|]. intros H P. apply andb_true_iff in H. destruct H as (H & C).
  apply Z.leb_le, IZR_le in H. pose proof (pow_le u (length c) U).
  destruct c as [|b c]. { apply Z.ltb_lt, IZR_lt in P. simpl. lra. }
  specialize (IH C P). assert (0 <= IZR a * u ^ length (b :: c)) by (apply Rmult_le_pos; auto).
  assert (0 < v * hev (b :: c) u v) by (apply Rmult_lt_0_compat; auto). lra.
Qed.
Lemma hev_some c u v : 0 < u -> 0 < v -> forallb (Z.leb 0) c = true -> existsb (Z.ltb 0) c = true -> 0 < hev c u v.
Proof.
  intros U V. induction c as [|a c IH]; simpl; [discriminate|]. intros H P. apply andb_true_iff in H. destruct H as (H & C).
  apply Z.leb_le, IZR_le in H. pose proof (pow_lt u (length c) U). assert (U' : 0 <= u) by lra. assert (V' : 0 <= v) by lra.
  pose proof (hev_nonneg c u v U' V' C). apply orb_true_iff in P. destruct P as [P|P].
  - apply Z.ltb_lt, IZR_lt in P. assert (0 < IZR a * u ^ length c) by (apply Rmult_lt_0_compat; auto).
    assert (0 <= v * hev c u v) by (apply Rmult_le_pos; auto). lra.
  - specialize (IH C P). assert (0 <= IZR a * u ^ length c) by (apply Rmult_le_pos; lra).
    assert (0 < v * hev c u v) by (apply Rmult_lt_0_compat; auto). lra.
Qed.

(* t lies between A/D and B/D; the flags say whether these belong *)
Definition between (lo hi : bool) (A B D : Z) (t : R) : Prop :=
  (if lo then IZR A <= IZR D * t else IZR A < IZR D * t) /\ (if hi then IZR D * t <= IZR B else IZR D * t < IZR B).

Definition nonneg (A B D : Z) (p : poly) : bool := forallb (Z.leb 0) (fst (carried A B D p)).
Definition positive (lo hi : bool) (A B D : Z) (p : poly) : bool :=
  let c := fst (carried A B D p) in
  forallb (Z.leb 0) c && existsb (Z.ltb 0) c
  && (negb lo || Z.ltb 0 (hd 0%Z c)) && (negb hi || Z.ltb 0 (last c 0%Z)).

Section Signs.
  Variables (lo hi : bool) (A B D : Z) (t : R).
  Hypothesis AB : (A < B)%Z.
  Hypothesis DP : (0 < D)%Z.
  Hypothesis T : between lo hi A B D t.
  Let u := IZR B - IZR D * t.
  Let v := IZR D * t - IZR A.
  Let W := IZR D * (u + v).

  Lemma ends : 0 <= u /\ 0 <= v /\ 0 < W /\ t * W = IZR A * u + IZR B * v.
  Proof.
    apply IZR_lt in AB, DP. destruct T as (L & H). unfold W, u, v. repeat split.
    - destruct hi; lra.
    - destruct lo; lra.
    - replace (IZR D * (IZR B - IZR D * t + (IZR D * t - IZR A))) with (IZR D * (IZR B - IZR A)) by ring.
      apply Rmult_lt_0_compat; lra.
    - ring.
  Qed.

  Lemma sign_of p : 0 < hev (bernstein A B D p) u v -> 0 < ev p t.
  Proof.
    destruct ends as (_ & _ & WP & E). intro H. pose proof (bernstein_ev A B D p u v t E) as F. fold W in F.
    pose proof (pow_lt W (length p) WP). assert (0 < hev (bernstein A B D p) u v * W) by (apply Rmult_lt_0_compat; auto).
    rewrite F in H1. destruct (Rlt_le_dec 0 (ev p t)); auto. nra.
  Qed.

  Lemma nonneg_sound p : nonneg A B D p = true -> 0 <= ev p t.
  Proof.
    unfold nonneg. rewrite carried_fst. intro H. destruct ends as (U & V & WP & E). pose proof (hev_nonneg _ _ _ U V H) as N.
    pose proof (bernstein_ev A B D p u v t E) as F. fold W in F. pose proof (pow_lt W (length p) WP).
    assert (0 <= hev (bernstein A B D p) u v * W) by (apply Rmult_le_pos; lra).
    rewrite F in H1. destruct (Rle_lt_dec 0 (ev p t)); auto. nra.
  Qed.

  Lemma positive_sound p : positive lo hi A B D p = true -> 0 < ev p t.
  Proof.
    unfold positive. cbv zeta. rewrite carried_fst, !andb_true_iff. intros (((N & S) & F) & L). apply sign_of.
    destruct ends as (U & V & _ & _). destruct T as (TL & TH).
    apply IZR_lt in AB.
    destruct (Rlt_le_dec 0 u) as [UP|UZ].
    - destruct (Rlt_le_dec 0 v) as [VP|VZ]; [apply hev_some; auto|].
      unfold v in VZ. destruct lo; [|lra]. simpl in F. apply hev_first; auto.
    - unfold u in UZ. destruct hi; [|lra]. simpl in L. apply hev_last; auto. unfold v. lra.
  Qed.
End Signs.
