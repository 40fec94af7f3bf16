(* Evidence "arithmetic": claims under a known prior, for one property: before and after are computed. *)
From Coq Require Import QArith Lqa List Bool NArith Lia.
From PPDM Require Import OverRationals Sums Views.
Import ListNotations.
Open Scope Q_scope.

(* the sum over the inputs of a view, class by class *)
Definition total (v : view) (g : cls -> Q) : Q := sum (fun c => of_N (cnt c) * g c) v.
Definition weight (c : cls) : Q := pri c * know c.
Definition value (c : cls) : Q := pri c * know c * lik c.
Definition within (i : nat) (g : cls -> Q) (c : cls) : Q := if member i c then g c else 0.

Definition check_one_view (d : direction) (i : nat) (r1 r2 : Q) (v : view) : bool :=
  let all := total v weight in let inside := total v (within i weight) in
  let all' := total v value in let inside' := total v (within i value) in
  sane v && (Qle_bool all' 0 ||
    (negb (goes_up d) || negb (Qle_bool inside (r1 * all) && Qle_bool (r2 * all') inside'))
    && (negb (goes_down d) || negb (Qle_bool (r2 * all) inside && Qle_bool inside' (r1 * all')))).
Definition check_one_property d i (vs : list view) (r1 r2 : Q) : bool :=
  forallb whole_prior vs && forallb (check_one_view d i r1 r2) vs.

Lemma cancel f a r b : 0 < f -> (f * a <= r * (f * b) <-> a <= r * b).
Proof. intro P. rewrite <- (Qmult_le_l a (r * b) f P). split; intro; lra. Qed.
Lemma cancel' f a r b : 0 < f -> (r * (f * b) <= f * a <-> r * b <= a).
Proof. intro P. rewrite <- (Qmult_le_l (r * b) a f P). split; intro; lra. Qed.

Theorem one_property_sound d i vs r1 r2 : check_one_property d i vs r1 r2 = true ->
  forall X Y (inputs : list X) (p k : X -> Y -> Q) prior props,
  described vs inputs p k (same_prior_and_properties prior props) -> is_prior inputs prior ->
  forall y : Y, ~ breach d inputs (fun x => prior x * k x y) (fun x => p x y) r1 r2 (props i).
Proof.
  intros C X Y inputs p k prior props D (W & _) y B. destruct (D y) as (v & cl & f & Hv & Dv & A).
  unfold check_one_property in C. apply andb_true_iff in C. destruct C as (_ & C).
  rewrite forallb_forall in C. specialize (C v Hv).
  unfold check_one_view in C. apply andb_true_iff in C. destruct C as (N & C).
  pose proof (d_factor _ _ _ _ _ _ Dv) as fp.
  pose proof (l_nonneg _ _ _ _ _ _ _ Dv N) as LN. pose proof (wk_nonneg _ _ _ _ _ _ _ _ Dv W N) as WN. simpl in LN, WN.
  assert (E : forall x, In x inputs -> prior x * k x y == weight (class_of v cl x)).
  { intros x H. destruct (A x H) as (P & _). unfold same_prior in P. unfold weight.
    rewrite P, (d_know _ _ _ _ _ _ Dv x H). reflexivity. }
  assert (E' : forall x, In x inputs -> joint (fun x => prior x * k x y) (fun x => p x y) x == f * value (class_of v cl x)).
  { intros x H. unfold joint. rewrite (E x H), (d_lik _ _ _ _ _ _ Dv x H). unfold weight, value. ring. }
  assert (M : forall x, In x inputs -> props i x = member i (class_of v cl x)).
  { intros x H. destruct (A x H) as (_ & M). apply M. }
  assert (S1 : sum (fun x => prior x * k x y) inputs == total v weight).
  { unfold total. rewrite <- (sum_classes _ _ _ _ _ _ _ Dv). apply sum_ext. auto. }
  assert (S2 : sum (on (props i) (fun x => prior x * k x y)) inputs == total v (within i weight)).
  { unfold total. rewrite <- (sum_classes _ _ _ _ _ _ _ Dv). apply sum_ext. intros x H.
    unfold on, within. rewrite (M x H). destruct (member i _); [apply E; auto|reflexivity]. }
  assert (S3 : sum (joint (fun x => prior x * k x y) (fun x => p x y)) inputs == f * total v value).
  { unfold total. rewrite <- (sum_classes _ _ _ _ _ _ _ Dv), <- sum_scale. apply sum_ext. auto. }
  assert (S4 : sum (on (props i) (joint (fun x => prior x * k x y) (fun x => p x y))) inputs == f * total v (within i value)).
  { unfold total. rewrite <- (sum_classes _ _ _ _ _ _ _ Dv), <- sum_scale. apply sum_ext. intros x H.
    unfold on, within. rewrite (M x H). destruct (member i _); [apply E'; auto|lra]. }
  apply breach_cases in B. destruct B as [(G & B)|(G & B)]; rewrite G in C; simpl in C.
  - apply upward_cross in B; auto. unfold reached in B. rewrite S1, S2, S3, S4 in B. destruct B as (R & B1 & B2).
    apply cancel' in B2; auto. apply Qle_bool_iff in B1, B2. rewrite B1, B2 in C. simpl in C.
    rewrite orb_false_r in C. apply Qle_bool_iff in C. nra.
  - apply downward_cross in B; auto. unfold reached in B. rewrite S1, S2, S3, S4 in B. destruct B as (R & B1 & B2).
    apply cancel in B2; auto. apply Qle_bool_iff in B1, B2. rewrite B1, B2 in C. simpl in C.
    rewrite andb_false_r, orb_false_r in C. apply Qle_bool_iff in C. nra.
Qed.
