(* Several reports of one input, each drawn anew: all priors and every property, and amplification.

   If no likelihood of an output is more than R times another one, none of n outputs together is more than R^n times. *)
From Coq Require Import QArith Qfield Lqa List Bool NArith Lia.
From PPDM Require Import OverRationals Sums Views AllPriors.
Import ListNotations.
Open Scope Q_scope.

(* the probability of a sequence of outputs, and a power *)
Fixpoint together {Y} (l : Y -> Q) (ys : list Y) : Q := match ys with [] => 1 | y :: ys => l y * together l ys end.
Fixpoint power (r : Q) (n : nat) : Q := match n with O => 1 | S n => r * power r n end.

Definition within (R : Q) (v : view) : bool :=
  sane v && let u := possible v in match least u with None => true | Some m => Qle_bool (most u) (R * m) end.
Definition check_reports (vs : list view) (R : Q) (n : nat) (r1 r2 : Q) : bool :=
  thresholds_ok r1 r2 && Qle_bool 0 R && forallb (within R) vs
  && Qlt_bool (r1 * (1 - r2) * power R n) (r2 * (1 - r1)).
Definition check_reports_ratio (vs : list view) (R : Q) (n : nat) (b : Q) (strict : bool) : bool :=
  Qle_bool 0 R && forallb (within R) vs && forallb (fun v => forallb (fun c => Qlt_bool 0 (know c)) v) vs
  && (if strict then Qlt_bool else Qle_bool) (power R n) b.

Lemma power_nonneg R n : 0 <= R -> 0 <= power R n.
Proof. intro H. induction n; simpl; [lra|]. apply Qmult_le_0_compat; auto. Qed.

Section Sequences.
  Variables X Y Z : Type.
  Variable inputs : list X.
  Variables (p : X -> Y -> Q) (k : X -> Z -> Q) (vs : list view) (R : Q).
  Hypothesis D : described vs inputs (fun x yz => p x (fst yz)) (fun x yz => k x (snd yz)) anything.
  Hypothesis RN : 0 <= R.
  Hypothesis C : forallb (within R) vs = true.

  Lemma view_of y z : exists v cl f, In v vs /\ describes v inputs (fun x => p x y) (fun x => k x z) cl f /\ within R v = true.
  Proof.
    destruct (D (y, z)) as (v & cl & f & H & Dv & _). exists v, cl, f.
    rewrite forallb_forall in C. split; [|split]; auto.
  Qed.

  Lemma p_nonneg x y (z : Z) : In x inputs -> 0 <= p x y.
  Proof.
    intro H. destruct (view_of y z) as (v & cl & f & _ & Dv & W). unfold within in W. apply andb_true_iff in W.
    apply (l_nonneg _ _ _ _ _ _ _ Dv (proj1 W) x H).
  Qed.

  Lemma one_report x1 x2 y z : In x1 inputs -> In x2 inputs -> 0 < k x1 z -> 0 < k x2 z -> p x1 y <= R * p x2 y.
  Proof.
    intros H1 H2 K1 K2. destruct (view_of y z) as (v & cl & f & _ & Dv & W). unfold within in W.
    apply andb_true_iff in W. destruct W as (N & W). pose proof (d_factor _ _ _ _ _ _ Dv) as fp.
    assert (P : forall x, In x inputs -> 0 < k x z -> In (class_of v cl x) (possible v)).
    { intros x H K. unfold possible. apply filter_In. split; [eapply in_view; eauto|]. apply Qlt_bool_iff.
      rewrite <- (d_know _ _ _ _ _ _ Dv x H). exact K. }
    pose proof (most_bound _ _ (P x1 H1 K1)) as B1. cbv zeta in W. destruct (least (possible v)) as [m|] eqn:E.
    - pose proof (least_bound _ _ _ E (P x2 H2 K2)) as B2. apply Qle_bool_iff in W.
      pose proof (d_lik _ _ _ _ _ _ Dv x1 H1) as L1. pose proof (d_lik _ _ _ _ _ _ Dv x2 H2) as L2. simpl in L1, L2.
      rewrite L1, L2. set (a := lik (class_of v cl x1)) in *. set (b := lik (class_of v cl x2)) in *.
      assert (R * m <= R * b) by (rewrite !(Qmult_comm R); apply Qmult_le_compat_r; auto).
      assert (a <= R * b) by lra. assert (f * a <= f * (R * b)) by (apply Qmult_le_l; auto). lra.
    - pose proof (P x1 H1 K1) as I. destruct (possible v) as [|c u]; [contradiction|]. simpl in E. destruct (least u); discriminate.
  Qed.

  Lemma together_nonneg x ys (z : Z) : In x inputs -> 0 <= together (p x) ys.
  Proof. intro H. induction ys; simpl; [lra|]. apply Qmult_le_0_compat; auto. eapply p_nonneg; eauto. Qed.

  Lemma all_reports x1 x2 ys z : In x1 inputs -> In x2 inputs -> 0 < k x1 z -> 0 < k x2 z ->
    together (p x1) ys <= power R (length ys) * together (p x2) ys.
  Proof.
    intros H1 H2 K1 K2. induction ys as [|y ys IH]; simpl; [lra|].
    pose proof (one_report x1 x2 y z H1 H2 K1 K2) as O. pose proof (p_nonneg x1 y z H1) as P1.
    pose proof (together_nonneg x2 ys z H2) as T2. pose proof (p_nonneg x2 y z H2) as P2.
    pose proof (power_nonneg R (length ys) RN) as PR.
    apply Qle_trans with (p x1 y * (power R (length ys) * together (p x2) ys)).
    - rewrite !(Qmult_comm (p x1 y)). apply Qmult_le_compat_r; auto.
    - apply Qle_trans with (R * p x2 y * (power R (length ys) * together (p x2) ys)); [|lra].
      apply Qmult_le_compat_r; auto. apply Qmult_le_0_compat; auto.
  Qed.
End Sequences.

Theorem reports_sound vs R n r1 r2 : check_reports vs R n r1 r2 = true ->
  forall d X Y Z (inputs : list X) (p : X -> Y -> Q) (k : X -> Z -> Q),
  described vs inputs (fun x yz => p x (fst yz)) (fun x yz => k x (snd yz)) anything ->
  (forall x z, In x inputs -> 0 <= k x z) ->
  forall prior, is_prior inputs prior ->
  forall (S : X -> bool) (ys : list Y) (z : Z), length ys = n ->
  ~ breach d inputs (fun x => prior x * k x z) (fun x => together (p x) ys) r1 r2 S.
Proof.
  unfold check_reports. rewrite !andb_true_iff, Qle_bool_iff, Qlt_bool_iff.
  intros (((T & RN) & C) & B) d X Y Z inputs p k D KN prior (W & _) S ys z L Br.
  apply thresholds_spec in T. destruct T as (r1p & r12 & r21). subst n.
  assert (WN : forall x, In x inputs -> 0 <= prior x * k x z) by (intros; apply Qmult_le_0_compat; auto).
  assert (LN : forall x, In x inputs -> 0 <= together (p x) ys).
  { intros x Hx. eapply (together_nonneg X Y Z inputs p k vs R D C x ys z); eauto. }
  assert (KP : forall x, In x inputs -> 0 < prior x * k x z -> 0 < k x z).
  { intros x Hx P. destruct (Qlt_le_dec 0 (k x z)) as [|K]; auto. specialize (KN x z Hx). specialize (W x Hx).
    setoid_replace (k x z) with 0 in P by lra. lra. }
  set (able := filter (fun x => Qlt_bool 0 (prior x * k x z)) inputs).
  assert (A : forall x, In x able <-> In x inputs /\ 0 < prior x * k x z).
  { intro x. unfold able. rewrite filter_In, Qlt_bool_iff. tauto. }
  destruct able as [|x0 rest] eqn:Ea.
  - apply breach_cases in Br. destruct Br as [(_ & U)|(_ & U)]; revert U.
    + apply no_upward_zero; auto; [lra|]. intros x Hx P _. exfalso. apply (A x). auto.
    + apply no_downward_zero; auto; [lra|]. intros x Hx P _. exfalso. apply (A x). auto.
  - destruct (extremes X (fun x => together (p x) ys) (x0 :: rest)) as (a & b & Ha & Hb & E); [discriminate|].
    apply A in Ha, Hb. destruct Ha as (Ha & Pa), Hb as (Hb & Pb).
    pose proof (all_reports X Y Z inputs p k vs R D RN C a b ys z Ha Hb (KP a Ha Pa) (KP b Hb Pb)) as G.
    assert (EX : forall x, In x inputs -> 0 < prior x * k x z -> together (p b) ys <= together (p x) ys <= together (p a) ys).
    { intros x Hx P. apply E, A. auto. }
    set (M := together (p a) ys) in *. set (m := together (p b) ys) in *.
    destruct (Qlt_le_dec 0 m) as [mp|mz].
    + assert (K : r1 * (1 - r2) * M < r2 * (1 - r1) * m).
      { assert (0 <= r1 * (1 - r2)) by (apply Qmult_le_0_compat; lra).
        apply Qle_lt_trans with (r1 * (1 - r2) * (power R (length ys) * m)).
        - rewrite !(Qmult_comm (r1 * (1 - r2))). apply Qmult_le_compat_r; auto.
        - apply (Qmult_lt_r _ _ m mp) in B. lra. }
      apply breach_cases in Br. destruct Br as [(_ & U)|(_ & U)]; revert U.
      * apply (no_upward _ _ _ _ WN LN r1 r2 S M m); auto; intros x Hx P _; apply EX; auto.
      * apply (no_downward _ _ _ _ WN LN r1 r2 S M m); auto; intros x Hx P _; apply EX; auto.
    + assert (m0 : m == 0) by (pose proof (LN b Hb); fold m in H; lra). rewrite m0 in G.
      apply breach_cases in Br. destruct Br as [(_ & U)|(_ & U)]; revert U.
      * apply no_upward_zero; auto; [lra|]. intros x Hx P _. destruct (EX x Hx P). lra.
      * apply no_downward_zero; auto; [lra|]. intros x Hx P _. destruct (EX x Hx P). lra.
Qed.

Theorem reports_ratio_sound vs R n b strict : check_reports_ratio vs R n b strict = true ->
  forall X Y Z (inputs : list X) (p : X -> Y -> Q) (k : X -> Z -> Q),
  described vs inputs (fun x yz => p x (fst yz)) (fun x yz => k x (snd yz)) anything ->
  forall (ys : list Y) (z : Z) x1 x2, length ys = n -> In x1 inputs -> In x2 inputs -> 0 < together (p x1) ys ->
  0 < together (p x2) ys /\ if strict then together (p x1) ys / together (p x2) ys < b
    else together (p x1) ys / together (p x2) ys <= b.
Proof.
  unfold check_reports_ratio. rewrite !andb_true_iff, Qle_bool_iff.
  intros (((RN & C) & K) & B) X Y Z inputs p k D ys z x1 x2 L H1 H2 P. subst n.
  assert (KP : forall (y : Y) x, In x inputs -> 0 < k x z).
  { intros y x H. destruct (D (y, z)) as (v & cl & f & Hv & Dv & _). rewrite forallb_forall in K. specialize (K v Hv).
    rewrite forallb_forall in K. specialize (K _ (in_view _ _ _ _ _ _ _ Dv x H)). apply Qlt_bool_iff in K.
    pose proof (d_know _ _ _ _ _ _ Dv x H) as E. simpl in E. rewrite E. exact K. }
  assert (G : together (p x1) ys <= power R (length ys) * together (p x2) ys).
  { destruct ys as [|y ys]; [simpl; lra|].
    apply (all_reports X Y Z inputs p k vs R D RN C x1 x2 (y :: ys) z H1 H2 (KP y x1 H1) (KP y x2 H2)). }
  assert (P2 : 0 < together (p x2) ys).
  { destruct (Qlt_le_dec 0 (together (p x2) ys)) as [|N]; auto.
    pose proof (together_nonneg X Y Z inputs p k vs R D C x2 ys z H2). 
    assert (E : together (p x2) ys == 0) by lra. rewrite E in G. lra. }
  split; auto. destruct strict; [apply Qlt_bool_iff in B|apply Qle_bool_iff in B].
  - apply Qlt_shift_div_r; auto. apply (Qmult_lt_r _ _ _ P2) in B. lra.
  - apply Qle_shift_div_r; auto. apply (Qmult_le_r _ _ _ P2) in B. lra.
Qed.
