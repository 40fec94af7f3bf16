(* Evidence "ratio": claims for all priors, for every property or for one, and amplification.

   The checker compares the greatest likelihood L that may lie inside the property with the least l that
   may lie outside: rho1 (1 - rho2) L < rho2 (1 - rho1) l. It is sound, and for every property complete. *)
From Coq Require Import QArith Qfield Lqa List Bool NArith Lia.
From PPDM Require Import OverRationals Sums Views.
Import ListNotations.
Open Scope Q_scope.

Definition most (v : list cls) : Q := fold_right (fun c m => if Qle_bool m (lik c) then lik c else m) 0 v.
Definition least (v : list cls) : option Q :=
  fold_right (fun c m => match m with
    | None => Some (lik c)
    | Some m => Some (if Qle_bool (lik c) m then lik c else m) end) None v.

Lemma most_bound v c : In c v -> lik c <= most v.
Proof.
  induction v as [|d v IH]; simpl; [tauto|]. intros [->|H].
  - destruct (Qle_bool (most v) (lik c)) eqn:E; [lra|].
    destruct (Qlt_le_dec (lik c) (most v)); [lra|]. apply Qle_bool_iff in q. congruence.
  - specialize (IH H). destruct (Qle_bool (most v) (lik d)) eqn:E; [|assumption].
    apply Qle_bool_iff in E. lra.
Qed.

Lemma most_attained v : most v == 0 \/ exists c, In c v /\ lik c = most v.
Proof.
  induction v as [|d v IH]; simpl; [left; lra|].
  destruct (Qle_bool (most v) (lik d)); [right; exists d; auto|].
  destruct IH as [H|(c & H & E)]; [left; auto|right; exists c; auto].
Qed.

Lemma least_bound v c m : least v = Some m -> In c v -> m <= lik c.
Proof.
  revert m. induction v as [|d v IH]; simpl; [tauto|]. intros m E [->|H].
  - destruct (least v) as [n|]; inversion E; [|lra].
    destruct (Qle_bool (lik c) n) eqn:B; [lra|].
    destruct (Qlt_le_dec (lik c) n); [|lra]. apply Qlt_le_weak, Qle_bool_iff in q. congruence.
  - destruct (least v) as [n|] eqn:En.
    + specialize (IH n eq_refl H). inversion E. destruct (Qle_bool (lik d) n) eqn:B; [|lra].
      apply Qle_bool_iff in B. lra.
    + destruct v as [|e v]; [contradiction|]. simpl in En. destruct (least v); discriminate.
Qed.

Lemma least_attained v m : least v = Some m -> exists c, In c v /\ lik c = m.
Proof.
  revert m. induction v as [|d v IH]; simpl; [discriminate|]. intros m E.
  destruct (least v) as [n|]; inversion E.
  - destruct (Qle_bool (lik d) n); [exists d; auto|]. destruct (IH n eq_refl) as (c & H & F). exists c; auto.
  - exists d; auto.
Qed.

Definition side_ok (r1 r2 : Q) (inside outside : list cls) : bool :=
  match least outside with
  | None => true
  | Some m => let M := most inside in
      Qle_bool M 0 || Qlt_bool (r1 * (1 - r2) * M) (r2 * (1 - r1) * m)
  end.

Definition possible (v : view) : view := filter (fun c => Qlt_bool 0 (know c)) v.

(* every property; upward and downward breaches stand and fall together *)
Definition check_all_priors (vs : list view) (r1 r2 : Q) : bool :=
  thresholds_ok r1 r2 && forallb (fun v => sane v && let u := possible v in side_ok r1 r2 u u) vs.

(* one property, the i-th *)
Definition check_all_priors_for (d : direction) (i : nat) (vs : list view) (r1 r2 : Q) : bool :=
  thresholds_ok r1 r2 &&
  forallb (fun v => sane v && let u := possible v in
    let inside := filter (member i) u in let outside := filter (fun c => negb (member i c)) u in
    (negb (goes_up d) || side_ok r1 r2 inside outside)
    && (negb (goes_down d) || side_ok r1 r2 outside inside)) vs.

Section Sound.
  Variable X : Type.
  Variable inputs : list X.
  Variables (w l k : X -> Q) (v : view) (cl : X -> nat) (f : Q).
  Hypothesis w_nonneg : forall x, In x inputs -> 0 <= w x.
  Hypothesis D : describes v inputs l k cl f.
  Hypothesis H_sane : sane v = true.
  Let wk : X -> Q := fun x => w x * k x.
  Let wk_nonneg : forall x, In x inputs -> 0 <= wk x := wk_nonneg _ _ _ _ _ _ _ _ D w_nonneg H_sane.
  Let l_nonneg : forall x, In x inputs -> 0 <= l x := l_nonneg _ _ _ _ _ _ _ D H_sane.

  Lemma in_possible x : In x inputs -> 0 < wk x -> In (class_of v cl x) (possible v).
  Proof.
    intros H P. unfold possible. apply filter_In. split; [eapply in_view; eauto|].
    apply Qlt_bool_iff. unfold wk in P. rewrite (d_know _ _ _ _ _ _ D) in P by auto.
    destruct (sane_class _ _ _ _ _ _ _ D H_sane _ H). pose proof (w_nonneg _ H).
    destruct (Qlt_le_dec 0 (know (class_of v cl x))); auto.
    setoid_replace (know (class_of v cl x)) with 0 in P by lra. lra.
  Qed.

  Lemma side_sound r1 r2 S inside outside :
    thresholds_ok r1 r2 = true ->
    (forall x, In x inputs -> 0 < wk x -> S x = true -> In (class_of v cl x) inside) ->
    (forall x, In x inputs -> 0 < wk x -> S x = false -> In (class_of v cl x) outside) ->
    side_ok r1 r2 inside outside = true -> ~ upward inputs wk l r1 r2 S.
  Proof.
    intros T I O C. unfold thresholds_ok in T. rewrite !andb_true_iff, !Qlt_bool_iff in T.
    destruct T as ((r1p & r12) & r21). pose proof (d_factor _ _ _ _ _ _ D) as fp.
    assert (B : forall x, In x inputs -> 0 < wk x -> S x = true -> l x <= f * most inside).
    { intros x Hx P E. rewrite (d_lik _ _ _ _ _ _ D) by auto.
      pose proof (most_bound _ _ (I x Hx P E)). nra. }
    unfold side_ok in C. destruct (least outside) as [m|] eqn:Em.
    - apply orb_true_iff in C. rewrite Qle_bool_iff, Qlt_bool_iff in C. destruct C as [Z|C].
      + apply no_upward_zero; [apply wk_nonneg|apply l_nonneg|lra|].
        intros x Hx P E. specialize (B x Hx P E). nra.
      + apply (no_upward _ _ _ _ wk_nonneg l_nonneg _ _ _ (f * most inside) (f * m)); auto.
        * intros x Hx P E. rewrite (d_lik _ _ _ _ _ _ D) by auto.
          pose proof (least_bound _ _ _ Em (O x Hx P E)). nra.
        * apply (Qmult_lt_l _ _ f) in C; auto. lra.
    - (* nothing can lie outside *)
      assert (Z : outside = []).
      { destruct outside as [|c o]; auto. simpl in Em. destruct (least o); discriminate. }
      apply (no_upward _ _ _ _ wk_nonneg l_nonneg _ _ _ (f * most inside)
              ((r1 * (1 - r2) * (f * most inside) + 1) / (r2 * (1 - r1)))); auto.
      + intros x Hx P E. specialize (O x Hx P E). rewrite Z in O. contradiction.
      + assert (0 < r2 * (1 - r1)) by (apply Qmult_lt_0_compat; lra).
        setoid_replace (r2 * (1 - r1) * ((r1 * (1 - r2) * (f * most inside) + 1) / (r2 * (1 - r1))))
          with (r1 * (1 - r2) * (f * most inside) + 1) by (field; split; lra). lra.
  Qed.

  Lemma side_sound_down r1 r2 S inside outside :
    thresholds_ok r1 r2 = true ->
    (forall x, In x inputs -> 0 < wk x -> S x = true -> In (class_of v cl x) inside) ->
    (forall x, In x inputs -> 0 < wk x -> S x = false -> In (class_of v cl x) outside) ->
    side_ok r1 r2 outside inside = true -> ~ downward inputs wk l r1 r2 S.
  Proof.
    intros T I O C U. apply downward_compl in U; [|apply wk_nonneg|apply l_nonneg].
    revert U. apply (side_sound _ _ _ outside inside).
    - unfold thresholds_ok in *. rewrite !andb_true_iff, !Qlt_bool_iff in *. lra.
    - intros x Hx P E. apply O; auto. unfold compl in E. destruct (S x); auto; discriminate.
    - intros x Hx P E. apply I; auto. unfold compl in E. destruct (S x); auto; discriminate.
    - unfold side_ok in *. destruct (least inside); auto. rewrite orb_true_iff, Qlt_bool_iff in *.
      destruct C as [C|C]; [left; auto|right]. lra.
  Qed.
End Sound.

(* Soundness: what the checkers accept has no breach. *)

Theorem all_priors_sound vs r1 r2 : check_all_priors vs r1 r2 = true ->
  forall d X Y (inputs : list X) (p k : X -> Y -> Q), described vs inputs p k anything ->
  forall prior, is_prior inputs prior ->
  forall (S : X -> bool) (y : Y), ~ breach d inputs (fun x => prior x * k x y) (fun x => p x y) r1 r2 S.
Proof.
  intros C d X Y inputs p k D prior (W & _) S y B. destruct (D y) as (v & cl & f & Hv & Dv & _).
  unfold check_all_priors in C. apply andb_true_iff in C. destruct C as (T & C).
  rewrite forallb_forall in C. specialize (C _ Hv). simpl in C. apply andb_true_iff in C. destruct C as (N & C).
  apply breach_cases in B. destruct B as [(_ & U)|(_ & U)]; revert U.
  - apply (side_sound _ _ _ _ _ _ _ _ W Dv N r1 r2 S (possible v) (possible v)); auto; intros;
      eapply in_possible; eauto.
  - apply (side_sound_down _ _ _ _ _ _ _ _ W Dv N r1 r2 S (possible v) (possible v)); auto; intros;
      eapply in_possible; eauto.
Qed.

(* without background knowledge *)
Corollary all_priors vs r1 r2 : check_all_priors vs r1 r2 = true ->
  forall d X Y (inputs : list X) (p : X -> Y -> Q), described vs inputs p (fun _ _ => 1) anything ->
  forall prior, is_prior inputs prior ->
  forall (S : X -> bool) (y : Y), ~ breach d inputs prior (fun x => p x y) r1 r2 S.
Proof.
  intros C d X Y inputs p D prior W S y B.
  apply (all_priors_sound _ _ _ C d _ _ _ _ _ D prior W S y).
  revert B. apply breach_ext; intros; lra.
Qed.

Theorem all_priors_for_sound d i vs r1 r2 : check_all_priors_for d i vs r1 r2 = true ->
  forall X Y (inputs : list X) (p k : X -> Y -> Q) props, described vs inputs p k (same_properties props) ->
  forall prior, is_prior inputs prior ->
  forall y : Y, ~ breach d inputs (fun x => prior x * k x y) (fun x => p x y) r1 r2 (props i).
Proof.
  intros C X Y inputs p k props D prior (W & _) y B. destruct (D y) as (v & cl & f & Hv & Dv & M).
  unfold check_all_priors_for in C. apply andb_true_iff in C. destruct C as (T & C).
  rewrite forallb_forall in C. specialize (C _ Hv). simpl in C. rewrite !andb_true_iff in C.
  destruct C as (N & C1 & C2).
  assert (I : forall x, In x inputs -> 0 < prior x * k x y -> props i x = true ->
    In (class_of v cl x) (filter (member i) (possible v))).
  { intros x Hx P E. apply filter_In. split; [eapply in_possible; eauto|]. rewrite <- (M x Hx i); auto. }
  assert (O : forall x, In x inputs -> 0 < prior x * k x y -> props i x = false ->
    In (class_of v cl x) (filter (fun c => negb (member i c)) (possible v))).
  { intros x Hx P E. apply filter_In. split; [eapply in_possible; eauto|]. rewrite <- (M x Hx i), E; auto. }
  apply breach_cases in B. destruct B as [(G & U)|(G & U)]; rewrite G in *; simpl in *; revert U.
  - eapply (side_sound _ _ _ _ _ _ _ _ W Dv N); eauto.
  - eapply (side_sound_down _ _ _ _ _ _ _ _ W Dv N); eauto.
Qed.

(* The threshold: above t no rho2 is reached from rho1. At t itself it is, see all_priors_complete. *)
Definition check_all_priors_above (vs : list view) (r1 t : Q) : bool :=
  Qlt_bool 0 r1 && Qle_bool r1 t && forallb (fun v => sane v && let u := possible v in
    match least u with
    | None => true
    | Some m => Qle_bool (most u) 0 || Qle_bool (r1 * (1 - t) * most u) (t * (1 - r1) * m)
    end) vs.

Theorem all_priors_above vs r1 t : check_all_priors_above vs r1 t = true ->
  forall r2, t < r2 -> r2 < 1 -> check_all_priors vs r1 r2 = true.
Proof.
  unfold check_all_priors_above, check_all_priors, thresholds_ok. intros C r2 A B.
  rewrite !andb_true_iff, Qlt_bool_iff, Qle_bool_iff in C. destruct C as ((r1p & r1t) & C).
  rewrite !andb_true_iff, !Qlt_bool_iff. split; [repeat split; lra|].
  rewrite forallb_forall in *. intros v Hv. specialize (C v Hv). simpl in *.
  apply andb_true_iff in C. destruct C as (N & C). rewrite N. simpl. unfold side_ok.
  destruct (least (possible v)) as [m|] eqn:E; auto. apply orb_true_iff in C. apply orb_true_iff.
  destruct (Qle_bool (most (possible v)) 0) eqn:Z; [left; auto|right]. destruct C as [C|C]; [discriminate|].
  apply Qle_bool_iff in C. apply Qlt_bool_iff.
  assert (Mp : 0 < most (possible v)) by (apply Qlt_bool_iff; unfold Qlt_bool; rewrite Z; auto).
  assert (mp : 0 <= m).
  { destruct (least_attained _ _ E) as (c & Hc & <-). unfold possible in Hc. apply filter_In in Hc.
    unfold sane in N. rewrite forallb_forall in N. destruct Hc as (Hc & _). specialize (N _ Hc).
    apply andb_true_iff in N. apply Qle_bool_iff. tauto. }
  assert (0 < (r2 - t) * (r1 * most (possible v))) by (apply Qmult_lt_0_compat; [lra|apply Qmult_lt_0_compat; lra]).
  assert (0 <= (r2 - t) * ((1 - r1) * m)) by (apply Qmult_le_0_compat; [lra|apply Qmult_le_0_compat; lra]).
  lra.
Qed.

(* Completeness: a view that the checker rejects has a breach (every property, no knowledge, no empty class). *)

Theorem all_priors_complete v r1 r2 :
  thresholds_ok r1 r2 = true -> sane v = true ->
  forallb (fun c => Qeq_bool (know c) 1 && negb (N.eqb (cnt c) 0)) v = true ->
  check_all_priors [v] r1 r2 = false ->
  forall X (eqb : X -> X -> bool) (inputs : list X) (l : X -> Q) cl f,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs ->
  describes v inputs l (fun _ => 1) cl f ->
  exists prior S, is_prior inputs prior /\ upward inputs prior l r1 r2 S.
Proof.
  intros T N K C X eqb inputs l cl f E ND D.
  unfold check_all_priors in C. rewrite T in C. simpl in C. rewrite N in C. simpl in C. rewrite andb_true_r in C.
  assert (P : possible v = v).
  { clear -K. unfold possible. induction v as [|c u IH]; auto. simpl in *. rewrite !andb_true_iff in K.
    destruct K as ((K & _) & K'). apply Qeq_bool_iff in K. 
    assert (Qlt_bool 0 (know c) = true) as -> by (apply Qlt_bool_iff; rewrite K; lra). rewrite IH; auto. }
  rewrite P in C. unfold side_ok in C. destruct (least v) as [m|] eqn:Em; [|discriminate].
  apply orb_false_iff in C. destruct C as (C1 & C2).
  assert (Mp : 0 < most v). { apply Qlt_bool_iff. unfold Qlt_bool. rewrite C1. auto. }
  assert (C : r2 * (1 - r1) * m <= r1 * (1 - r2) * most v).
  { destruct (Qlt_le_dec (r1 * (1 - r2) * most v) (r2 * (1 - r1) * m)) as [H|H]; auto. apply Qlt_bool_iff in H. congruence. }
  assert (pick : forall c, In c v -> exists x, In x inputs /\ l x == f * lik c).
  { intros c Hc. destruct (In_nth _ _ nocls Hc) as (i & Hi & Ei).
    pose proof (d_count _ _ _ _ _ _ D i Hi) as Q. unfold size in Q. rewrite Ei in Q.
    rewrite forallb_forall in K. specialize (K _ Hc). apply andb_true_iff in K. destruct K as (_ & K).
    destruct (filter (fun x => Nat.eqb (cl x) i) inputs) as [|x t] eqn:F.
    { simpl in Q. rewrite <- Q in K. discriminate. }
    assert (G : In x (filter (fun x => Nat.eqb (cl x) i) inputs)) by (rewrite F; left; auto).
    apply filter_In in G. destruct G as (G & G'). apply Nat.eqb_eq in G'.
    exists x. split; auto. rewrite (d_lik _ _ _ _ _ _ D) by auto. unfold class_of. rewrite G', Ei. reflexivity. }
  destruct (most_attained v) as [Z|(a & Ha & La)]; [lra|]. destruct (least_attained _ _ Em) as (b & Hb & Lb).
  destruct (pick a Ha) as (x1 & H1 & L1). destruct (pick b Hb) as (x2 & H2 & L2).
  pose proof (d_factor _ _ _ _ _ _ D) as fp. rewrite La in L1. rewrite Lb in L2.
  unfold thresholds_ok in T. rewrite !andb_true_iff, !Qlt_bool_iff in T. destruct T as ((r1p & r12) & r21).
  assert (L1p : 0 < l x1) by (rewrite L1; apply Qmult_lt_0_compat; auto).
  apply (converse X eqb E inputs ND l r1 r2 x1 x2); auto.
  - eapply l_nonneg; eauto.
  - intros ->. assert (Q : f * most v == f * m) by lra. assert (most v == m).
    { apply Qmult_inj_l in Q; auto. lra. } nra.
  - rewrite L1, L2. apply (Qmult_le_l _ _ f) in C; auto. lra.
Qed.

(* Amplification: every output that some input can give, all can, and p[x1 -> y] / p[x2 -> y] is at most b
   (below b, if strict). *)

Definition check_amplification (vs : list view) (b : Q) (strict : bool) : bool :=
  forallb (fun v => sane v && (Qle_bool (most v) 0 ||
    match least v with
    | None => true
    | Some m => Qlt_bool 0 m && (if strict then Qlt_bool else Qle_bool) (most v) (b * m)
    end)) vs.

Theorem amplification_sound vs b strict : check_amplification vs b strict = true ->
  forall X Y (inputs : list X) (p k : X -> Y -> Q), described vs inputs p k anything ->
  forall y x1 x2, In x1 inputs -> In x2 inputs -> 0 < p x1 y ->
  0 < p x2 y /\ if strict then p x1 y / p x2 y < b else p x1 y / p x2 y <= b.
Proof.
  intros C X Y inputs p k D y x1 x2 H1 H2 P. destruct (D y) as (v & cl & f & Hv & Dv & _).
  unfold check_amplification in C. rewrite forallb_forall in C. specialize (C _ Hv).
  apply andb_true_iff in C. destruct C as (_ & C). pose proof (d_factor _ _ _ _ _ _ Dv) as fp.
  pose proof (d_lik _ _ _ _ _ _ Dv x1 H1) as E1. pose proof (d_lik _ _ _ _ _ _ Dv x2 H2) as E2. simpl in E1, E2.
  pose proof (most_bound v _ (in_view _ _ _ _ _ _ _ Dv x1 H1)) as B1.
  apply orb_true_iff in C. destruct C as [Z|C].
  { apply Qle_bool_iff in Z. rewrite E1 in P. nra. }
  destruct (least v) as [m|] eqn:E.
  2: { pose proof (in_view _ _ _ _ _ _ _ Dv x1 H1) as I. destruct v as [|c u]; [contradiction|].
       simpl in E. destruct (least u); discriminate. }
  pose proof (least_bound v _ m E (in_view _ _ _ _ _ _ _ Dv x2 H2)) as B2.
  apply andb_true_iff in C. destruct C as (mp & C). apply Qlt_bool_iff in mp.
  assert (P2 : 0 < p x2 y) by (rewrite E2; apply Qmult_lt_0_compat; lra). split; auto.
  assert (lik (class_of v cl x1) * f <= most v * f) by (apply Qmult_le_compat_r; lra).
  assert (m * f <= lik (class_of v cl x2) * f) by (apply Qmult_le_compat_r; lra).
  assert (b0 : 0 <= b).
  { destruct (Qlt_le_dec b 0) as [Nb|]; auto. assert (0 < most v) by (rewrite E1 in P; nra).
    destruct strict; [apply Qlt_bool_iff in C|apply Qle_bool_iff in C]; nra. }
  assert (b * (m * f) <= b * (lik (class_of v cl x2) * f)) by (rewrite !(Qmult_comm b); apply Qmult_le_compat_r; auto).
  destruct strict; [apply Qlt_bool_iff in C|apply Qle_bool_iff in C].
  - apply Qlt_shift_div_r; auto. assert (most v * f < b * m * f) by (apply Qmult_lt_r; auto). rewrite E1, E2. lra.
  - apply Qle_shift_div_r; auto. assert (most v * f <= b * m * f) by (apply Qmult_le_compat_r; lra). rewrite E1, E2. lra.
Qed.
