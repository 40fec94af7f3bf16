(* One real parameter: where a claim for all priors, or on amplification, holds and where it fails.

   The likelihoods of a view are polynomials in t with whole coefficients, up to a positive factor of the view. An
   interval is cut into pieces; on each piece one class of a view is the most likely and one the least likely, which
   Bernstein coefficients show, and so is the condition of Statement 1 for these two. Over the reals: neither
   the parameter nor a prior need be rational; e^q is one of them (Exponential.v). *)
From Coq Require Import Reals ZArith NArith Lra Psatz List Bool Lia.
From PPDM Require Sums.
From PPDM Require Import OverReals Bernstein.
Import ListNotations.
Open Scope R_scope.

(* a class of a view: its likelihood at t, and how many inputs it has *)
Record form := Form { top : poly; many : N }.
Definition forms := list form.
Definition noform := Form [] 0.

(* at t a view describes a column *)
Record describes_at {X} (t : R) (v : forms) (inputs : list X) (l : X -> R) (cl : X -> nat) (f : R) : Prop := {
  at_factor : 0 < f;
  at_class : forall x, In x inputs -> (cl x < length v)%nat;
  at_lik : forall x, In x inputs -> l x = f * ev (top (nth (cl x) v noform)) t;
  at_count : forall c, (c < length v)%nat -> Sums.size cl inputs c = many (nth c v noform) }.
Definition described_at {X Y} (t : R) (vs : list forms) (inputs : list X) (p : X -> Y -> R) : Prop :=
  forall y, exists v cl f, In v vs /\ describes_at t v inputs (fun x => p x y) cl f.

(* thresholds rho1 = a/b, rho2 = c/d *)
Record rhos := Rhos { ra : Z; rb : Z; rc : Z; rd : Z }.
Definition rho1 (r : rhos) : R := IZR (ra r) / IZR (rb r).
Definition rho2 (r : rhos) : R := IZR (rc r) / IZR (rd r).
Definition rhos_ok (r : rhos) : bool :=
  Z.ltb 0 (ra r) && Z.ltb 0 (rb r) && Z.ltb 0 (rd r) && Z.ltb (ra r * rd r) (rc r * rb r) && Z.ltb (rc r) (rd r).
(* rho1 (1 - rho2) and rho2 (1 - rho1), times b d *)
Definition more (r : rhos) : Z := (ra r * (rd r - rc r))%Z.
Definition less (r : rhos) : Z := (rc r * (rb r - ra r))%Z.

Definition safe_at (t : R) (vs : list forms) (r1 r2 : R) : Prop :=
  forall (X Y : Type) (inputs : list X) (p : X -> Y -> R), described_at t vs inputs p ->
  forall prior, is_prior inputs prior -> forall (S : X -> bool) (y : Y), ~ breach Both inputs prior (fun x => p x y) r1 r2 S.
(* some output shows a breach, upward and (of another property) downward *)
Definition broken_at (t : R) (vs : list forms) (r1 r2 : R) : Prop :=
  exists v, In v vs /\ forall (X : Type) (eqb : X -> X -> bool) (inputs : list X) (l : X -> R) cl f,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs -> describes_at t v inputs l cl f ->
  (exists prior S, is_prior inputs prior /\ upward inputs prior l r1 r2 S)
  /\ (exists prior S, is_prior inputs prior /\ downward inputs prior l r1 r2 S).
(* the ratio of likelihoods is at most g (below g, if strict) *)
Definition bounded_at (t : R) (vs : list forms) (strict : bool) (g : R) : Prop :=
  forall (X Y : Type) (inputs : list X) (p : X -> Y -> R), described_at t vs inputs p ->
  forall y x1 x2, In x1 inputs -> In x2 inputs -> 0 < p x1 y ->
  0 < p x2 y /\ if strict then p x1 y / p x2 y < g else p x1 y / p x2 y <= g.

(* pieces: between neighbouring cuts c/D something holds, each with its evidence *)
Fixpoint on_pieces {E} (holds : bool -> bool -> Z -> Z -> E -> bool) (lo hi : bool) (cuts : list Z) (es : list E) : bool :=
  match cuts, es with
  | a :: ((b :: others) as rest), e :: es =>
      Z.ltb a b && holds lo (match es with [] => hi | _ => true end) a b e
      && match es, others with [], [] => true | [], _ => false | _, _ => on_pieces holds true hi rest es end
  | _, _ => false
  end.
Definition first_cut (cuts : list Z) : Z := hd 0%Z cuts.
Definition last_cut (cuts : list Z) : Z := last cuts 0%Z.

Lemma some_piece E holds : forall (es : list E) lo hi cuts D t, on_pieces holds lo hi cuts es = true ->
  between lo hi (first_cut cuts) (last_cut cuts) D t ->
  exists l h a b e, (a < b)%Z /\ holds l h a b e = true /\ between l h a b D t.
Proof.
  induction es as [|e es IH]; intros lo hi cuts D t H T; destruct cuts as [|a [|b rest]]; try discriminate.
  simpl in H. rewrite !andb_true_iff in H. destruct H as ((AB & HE) & R). apply Z.ltb_lt in AB.
  destruct es as [|e' es].
  - destruct rest; [|discriminate R]. exists lo, hi, a, b, e. repeat split; auto; apply T.
  - destruct (Rle_lt_dec (IZR D * t) (IZR b)) as [L|L].
    + exists lo, true, a, b, e. repeat split; auto. apply T.
    + apply (IH true hi (b :: rest) D t R). split; [simpl; lra|].
      destruct T as (_ & T). unfold last_cut in *. simpl in T |- *. destruct rest; auto.
Qed.

Section Piece.
  Variables (lo hi : bool) (A B D : Z) (t : R).
  Hypothesis AB : (A < B)%Z.
  Hypothesis DP : (0 < D)%Z.
  Hypothesis T : between lo hi A B D t.

  (* the i-th class is the most likely, the j-th the least likely, and not below 0 *)
  Definition extreme (v : forms) (i j : nat) : bool :=
    let M := top (nth i v noform) in let m := top (nth j v noform) in
    nonneg A B D m && forallb (fun c => nonneg A B D (minus M (top c)) && nonneg A B D (minus (top c) m)) v.

  Lemma extreme_sound v i j c : extreme v i j = true -> In c v ->
    0 <= ev (top (nth j v noform)) t /\ ev (top (nth j v noform)) t <= ev (top c) t <= ev (top (nth i v noform)) t.
  Proof.
    unfold extreme. cbv zeta. rewrite andb_true_iff, forallb_forall. intros (N & H) C. specialize (H _ C).
    apply andb_true_iff in H. destruct H as (H1 & H2).
    apply (nonneg_sound _ _ _ _ _ _ AB DP T) in N, H1, H2. rewrite ev_minus in H1, H2. lra.
  Qed.
End Piece.

Lemma rhos_spec r : rhos_ok r = true -> 0 < rho1 r /\ rho1 r < rho2 r /\ rho2 r < 1
  /\ exists k, 0 < k /\ IZR (more r) = k * (rho1 r * (1 - rho2 r)) /\ IZR (less r) = k * (rho2 r * (1 - rho1 r)).
Proof.
  unfold rhos_ok. rewrite !andb_true_iff, !Z.ltb_lt. intros ((((A & B) & D) & C) & E).
  apply IZR_lt in A, B, C, D, E. rewrite !mult_IZR in C. unfold rho1, rho2, more, less.
  rewrite !mult_IZR, !minus_IZR.
  set (a := IZR (ra r)) in *. set (b := IZR (rb r)) in *. set (c := IZR (rc r)) in *. set (d := IZR (rd r)) in *.
  repeat split.
  - apply Rdiv_lt_0_compat; auto.
  - apply (Rmult_lt_reg_r (b * d)); [apply Rmult_lt_0_compat; auto|].
    replace (a / b * (b * d)) with (a * d) by (field; lra). replace (c / d * (b * d)) with (c * b) by (field; lra). auto.
  - apply (Rmult_lt_reg_r d); auto. replace (c / d * d) with c by (field; lra). lra.
  - exists (b * d). repeat split; [apply Rmult_lt_0_compat; auto| |]; field; lra.
Qed.

(* no breach: for each view which class is the most and which the least likely *)

Definition safe_view (r : rhos) (D : Z) (lo hi : bool) (A B : Z) (ve : forms * (nat * nat)) : bool :=
  let (v, e) := ve in
  extreme A B D v (fst e) (snd e)
  && positive lo hi A B D (minus (scale (less r) (top (nth (snd e) v noform))) (scale (more r) (top (nth (fst e) v noform)))).
Definition safe_piece vs r D lo hi A B (e : list (nat * nat)) : bool :=
  Nat.eqb (length vs) (length e) && forallb (safe_view r D lo hi A B) (combine vs e).
Definition check_safe (vs : list forms) (r : rhos) (lo hi : bool) (D : Z) (cuts : list Z) (es : list (list (nat * nat))) : bool :=
  rhos_ok r && Z.ltb 0 D && on_pieces (safe_piece vs r D) lo hi cuts es.

Lemma in_combine {A B} (vs : list A) (es : list B) v : length vs = length es -> In v vs -> exists e, In (v, e) (combine vs es).
Proof.
  revert es. induction vs as [|w vs IH]; intros [|e es] L H; simpl in *; try discriminate; [contradiction|].
  destruct H as [->|H]; [exists e; auto|]. destruct (IH es) as (e' & H'); [lia|auto|]. exists e'. auto.
Qed.

Theorem safe_sound vs r lo hi D cuts es : check_safe vs r lo hi D cuts es = true ->
  forall t, between lo hi (first_cut cuts) (last_cut cuts) D t -> safe_at t vs (rho1 r) (rho2 r).
Proof.
  unfold check_safe. rewrite !andb_true_iff. intros ((RO & DP) & C) t T X Y inputs p De prior P S y.
  apply Z.ltb_lt in DP. destruct (rhos_spec _ RO) as (r1p & r12 & r21 & k & kp & K1 & K2).
  destruct (some_piece _ _ _ _ _ _ _ _ C T) as (l & h & a & b & e & AB & H & Tp).
  destruct (De y) as (v & cl & f & Hv & Dv). unfold safe_piece in H. apply andb_true_iff in H. destruct H as (L & H).
  apply Nat.eqb_eq in L. destruct (in_combine vs e v L Hv) as (ij & I). rewrite forallb_forall in H. specialize (H _ I).
  unfold safe_view in H. apply andb_true_iff in H. destruct H as (Ex & Po).
  apply (positive_sound _ _ _ _ _ _ AB DP Tp) in Po. rewrite ev_minus, !ev_scale, K1, K2 in Po.
  pose proof (at_factor _ _ _ _ _ _ Dv) as fp.
  assert (B : forall x, In x inputs -> 0 <= ev (top (nth (snd ij) v noform)) t
    /\ ev (top (nth (snd ij) v noform)) t <= ev (top (nth (cl x) v noform)) t <= ev (top (nth (fst ij) v noform)) t).
  { intros x Hx. apply (extreme_sound l h a b D t AB DP Tp); auto. apply nth_In, (at_class _ _ _ _ _ _ Dv); auto. }
  apply statement1; auto.
  - intros x Hx. rewrite (at_lik _ _ _ _ _ _ Dv) by auto. destruct (B x Hx). apply Rmult_le_pos; lra.
  - intros x1 x2 H1 H2. rewrite (at_lik _ _ _ _ _ _ Dv x1 H1), (at_lik _ _ _ _ _ _ Dv x2 H2).
    destruct (B x1 H1) as (_ & B1), (B x2 H2) as (_ & B2).
    set (M := ev (top (nth (fst ij) v noform)) t) in *. set (m := ev (top (nth (snd ij) v noform)) t) in *.
    assert (0 < rho1 r * (1 - rho2 r)) by (apply Rmult_lt_0_compat; lra).
    assert (0 < rho2 r * (1 - rho1 r)) by (apply Rmult_lt_0_compat; lra).
    assert (Q : rho1 r * (1 - rho2 r) * M < rho2 r * (1 - rho1 r) * m).
    { apply (Rmult_lt_reg_l k); auto. lra. }
    assert (rho1 r * (1 - rho2 r) * ev (top (nth (cl x1) v noform)) t <= rho1 r * (1 - rho2 r) * M)
      by (apply Rmult_le_compat_l; lra).
    assert (rho2 r * (1 - rho1 r) * m <= rho2 r * (1 - rho1 r) * ev (top (nth (cl x2) v noform)) t)
      by (apply Rmult_le_compat_l; lra).
    apply (Rmult_lt_compat_l f) in Q; auto. nra.
Qed.

(* a breach: a view, a likely class and an unlikely one *)

Definition broken_piece (vs : list forms) (r : rhos) (D : Z) (lo hi : bool) (A B : Z) (e : nat * (nat * nat)) : bool :=
  let v := nth (fst e) vs [] in let i := fst (snd e) in let j := snd (snd e) in
  let M := top (nth i v noform) in let m := top (nth j v noform) in
  Nat.ltb (fst e) (length vs) && Nat.ltb i (length v) && Nat.ltb j (length v) && negb (Nat.eqb i j)
  && N.ltb 0 (many (nth i v noform)) && N.ltb 0 (many (nth j v noform))
  && forallb (fun c => nonneg A B D (top c)) v && positive lo hi A B D M
  && nonneg A B D (minus (scale (more r) M) (scale (less r) m)).
Definition check_broken (vs : list forms) (r : rhos) (lo hi : bool) (D : Z) (cuts : list Z) (es : list (nat * (nat * nat))) : bool :=
  rhos_ok r && Z.ltb 0 D && on_pieces (broken_piece vs r D) lo hi cuts es.

Lemma of_class X (inputs : list X) cl c : (0 < Sums.size cl inputs c)%N -> exists x, In x inputs /\ cl x = c.
Proof.
  unfold Sums.size. intro H. destruct (filter (fun x => Nat.eqb (cl x) c) inputs) as [|x xs] eqn:F; [simpl in H; lia|].
  assert (I : In x (filter (fun x => Nat.eqb (cl x) c) inputs)) by (rewrite F; left; auto).
  apply filter_In in I. destruct I as (I & E). apply Nat.eqb_eq in E. exists x. auto.
Qed.

Lemma on_compl X (S : X -> bool) (f : X -> R) l : sum (on (compl (compl S)) f) l = sum (on S f) l.
Proof. apply sum_ext. intros x _. unfold on, compl. rewrite negb_involutive. auto. Qed.

Theorem broken_sound vs r lo hi D cuts es : check_broken vs r lo hi D cuts es = true ->
  forall t, between lo hi (first_cut cuts) (last_cut cuts) D t -> broken_at t vs (rho1 r) (rho2 r).
Proof.
  unfold check_broken. rewrite !andb_true_iff. intros ((RO & DP) & C) t T.
  apply Z.ltb_lt in DP. destruct (rhos_spec _ RO) as (r1p & r12 & r21 & k & kp & K1 & K2).
  destruct (some_piece _ _ _ _ _ _ _ _ C T) as (l & h & a & b & (q & i & j) & AB & H & Tp).
  unfold broken_piece in H. cbv zeta in H. simpl fst in H. simpl snd in H.
  set (v := nth q vs []) in *. rewrite !andb_true_iff, !Nat.ltb_lt, !N.ltb_lt, negb_true_iff, Nat.eqb_neq in H.
  destruct H as ((((((((Q & I) & J) & IJ) & NI) & NJ) & N) & P) & B).
  exists v. split; [apply nth_In; auto|]. intros X eqb inputs lk cl f E ND Dv.
  apply (positive_sound _ _ _ _ _ _ AB DP Tp) in P. apply (nonneg_sound _ _ _ _ _ _ AB DP Tp) in B.
  rewrite ev_minus, !ev_scale, K1, K2 in B. pose proof (at_factor _ _ _ _ _ _ Dv) as fp.
  rewrite <- (at_count _ _ _ _ _ _ Dv) in NI, NJ by auto.
  destruct (of_class _ _ _ _ NI) as (x1 & H1 & C1), (of_class _ _ _ _ NJ) as (x2 & H2 & C2).
  assert (L1 : lk x1 = f * ev (top (nth i v noform)) t) by (rewrite (at_lik _ _ _ _ _ _ Dv x1 H1), C1; auto).
  assert (L2 : lk x2 = f * ev (top (nth j v noform)) t) by (rewrite (at_lik _ _ _ _ _ _ Dv x2 H2), C2; auto).
  set (M := ev (top (nth i v noform)) t) in *. set (m := ev (top (nth j v noform)) t) in *.
  assert (LN : forall x, In x inputs -> 0 <= lk x).
  { intros x Hx. rewrite (at_lik _ _ _ _ _ _ Dv) by auto. rewrite forallb_forall in N.
    assert (I' : In (nth (cl x) v noform) v) by (apply nth_In, (at_class _ _ _ _ _ _ Dv); auto).
    specialize (N _ I'). apply (nonneg_sound _ _ _ _ _ _ AB DP Tp) in N. apply Rmult_le_pos; lra. }
  assert (Q0 : rho2 r * (1 - rho1 r) * m <= rho1 r * (1 - rho2 r) * M).
  { apply (Rmult_le_reg_l k); auto. lra. }
  assert (Q1 : rho2 r * (1 - rho1 r) * lk x2 <= rho1 r * (1 - rho2 r) * lk x1).
  { rewrite L1, L2. apply (Rmult_le_compat_l f) in Q0; lra. }
  assert (X12 : x1 <> x2) by (intros ->; congruence).
  assert (P1 : 0 < lk x1) by (rewrite L1; apply Rmult_lt_0_compat; auto).
  split.
  - apply (converse X eqb E inputs ND lk (rho1 r) (rho2 r) x1 x2); auto.
  - destruct (converse X eqb E inputs ND lk (1 - rho2 r) (1 - rho1 r) x1 x2) as (w & S & W & U); auto; try lra.
    exists w, (compl S). split; auto. apply downward_compl; auto. { apply W. }
    revert U. unfold upward, before, after. rewrite !on_compl. auto.
Qed.

(* amplification: at most, or below, (a/b) t^n *)

Definition bounded_view (a b : Z) (n : nat) (strict : bool) (D : Z) (lo hi : bool) (A B : Z) (ve : forms * (nat * nat)) : bool :=
  let (v, e) := ve in let M := top (nth (fst e) v noform) in let m := top (nth (snd e) v noform) in
  let room := minus (times_power n (scale a m)) (scale b M) in
  extreme A B D v (fst e) (snd e) && positive lo hi A B D m
  && (if strict then positive lo hi A B D room else nonneg A B D room).
Definition bounded_piece vs a b n strict D lo hi A B (e : list (nat * nat)) : bool :=
  Nat.eqb (length vs) (length e) && forallb (bounded_view a b n strict D lo hi A B) (combine vs e).
Definition check_bounded (vs : list forms) (a b : Z) (n : nat) (strict lo hi : bool) (D : Z) (cuts : list Z) (es : list (list (nat * nat))) : bool :=
  Z.ltb 0 b && Z.ltb 0 D && on_pieces (bounded_piece vs a b n strict D) lo hi cuts es.

Theorem bounded_sound vs a b n strict lo hi D cuts es : check_bounded vs a b n strict lo hi D cuts es = true ->
  forall t, between lo hi (first_cut cuts) (last_cut cuts) D t -> bounded_at t vs strict (IZR a / IZR b * t ^ n).
Proof.
  unfold check_bounded. rewrite !andb_true_iff, !Z.ltb_lt. intros ((BP & DP) & C) t T X Y inputs p De y x1 x2 H1 H2 P1.
  destruct (some_piece _ _ _ _ _ _ _ _ C T) as (l & h & c & d & e & AB & H & Tp). apply IZR_lt in BP.
  destruct (De y) as (v & cl & f & Hv & Dv). unfold bounded_piece in H. apply andb_true_iff in H. destruct H as (L & H).
  apply Nat.eqb_eq in L. destruct (in_combine vs e v L Hv) as (ij & I). rewrite forallb_forall in H. specialize (H _ I).
  unfold bounded_view in H. cbv zeta in H. rewrite !andb_true_iff in H. destruct H as ((Ex & Po) & Ro).
  apply (positive_sound _ _ _ _ _ _ AB DP Tp) in Po. pose proof (at_factor _ _ _ _ _ _ Dv) as fp.
  assert (B : forall x, In x inputs -> 0 <= ev (top (nth (snd ij) v noform)) t
    /\ ev (top (nth (snd ij) v noform)) t <= ev (top (nth (cl x) v noform)) t <= ev (top (nth (fst ij) v noform)) t).
  { intros x Hx. apply (extreme_sound l h c d D t AB DP Tp); auto. apply nth_In, (at_class _ _ _ _ _ _ Dv); auto. }
  destruct (B x1 H1) as (_ & B1), (B x2 H2) as (_ & B2).
  pose proof (at_lik _ _ _ _ _ _ Dv x1 H1) as L1. pose proof (at_lik _ _ _ _ _ _ Dv x2 H2) as L2. simpl in L1, L2.
  set (M := top (nth (fst ij) v noform)) in *. set (m := top (nth (snd ij) v noform)) in *.
  set (e1 := ev (top (nth (cl x1) v noform)) t) in *. set (e2 := ev (top (nth (cl x2) v noform)) t) in *.
  assert (P2 : 0 < p x2 y) by (rewrite L2; apply Rmult_lt_0_compat; lra). split; auto.
  assert (E1 : 0 < e1) by (rewrite L1 in P1; nra).
  assert (Z : p x1 y / p x2 y = e1 / e2) by (rewrite L1, L2; field; lra).
  assert (R0 : (if strict then IZR b * ev M t < t ^ n * (IZR a * ev m t) else IZR b * ev M t <= t ^ n * (IZR a * ev m t))).
  { destruct strict.
    - apply (positive_sound _ _ _ _ _ _ AB DP Tp) in Ro. rewrite ev_minus, ev_times_power, !ev_scale in Ro. lra.
    - apply (nonneg_sound _ _ _ _ _ _ AB DP Tp) in Ro. rewrite ev_minus, ev_times_power, !ev_scale in Ro. lra. }
  assert (G : 0 <= t ^ n * IZR a).
  { assert (0 < IZR b * ev M t) by (apply Rmult_lt_0_compat; lra).
    destruct (Rle_lt_dec 0 (t ^ n * IZR a)); auto.
    assert (t ^ n * (IZR a * ev m t) < 0) by (replace (t ^ n * (IZR a * ev m t)) with (t ^ n * IZR a * ev m t) by ring; nra).
    destruct strict; lra. }
  assert (G2 : t ^ n * IZR a * ev m t <= t ^ n * IZR a * e2) by (apply Rmult_le_compat_l; lra).
  assert (G1 : IZR b * e1 <= IZR b * ev M t) by (apply Rmult_le_compat_l; lra).
  rewrite Z. destruct strict.
  - apply (Rmult_lt_reg_r (IZR b * e2)); [apply Rmult_lt_0_compat; lra|].
    replace (e1 / e2 * (IZR b * e2)) with (IZR b * e1) by (field; lra).
    replace (IZR a / IZR b * t ^ n * (IZR b * e2)) with (t ^ n * IZR a * e2) by (field; lra). lra.
  - apply (Rmult_le_reg_r (IZR b * e2)); [apply Rmult_lt_0_compat; lra|].
    replace (e1 / e2 * (IZR b * e2)) with (IZR b * e1) by (field; lra).
    replace (IZR a / IZR b * t ^ n * (IZR b * e2)) with (t ^ n * IZR a * e2) by (field; lra). lra.
Qed.
