(* Evidence "witness": a breach that is shown, not only claimed.

   For each class of a view a witness tells how many of its inputs are in the property (inside), and for
   claims that name no prior the prior mass of those (mass_in) and of the others (mass_out), spread evenly.
   What the checker accepts gives a prior and a property that breach, on every operator with such a view. *)
From Coq Require Import QArith Qfield Lqa List Bool NArith ZArith Lia.
From PPDM Require Import OverRationals Sums Views.
Import ListNotations.
Open Scope Q_scope.

Record share := Share { inside : N; mass_in : Q; mass_out : Q }.
Definition noshare := Share 0 0 0.

(* counts that fit, and no mass where there are no inputs *)
Definition share_ok (c : cls) (s : share) : bool :=
  N.leb (inside s) (cnt c) && Qle_bool 0 (mass_in s) && Qle_bool 0 (mass_out s)
  && (negb (N.eqb (inside s) 0) || Qeq_bool (mass_in s) 0)
  && (negb (N.eqb (inside s) (cnt c)) || Qeq_bool (mass_out s) 0).
Fixpoint shares_ok (v : view) (ss : list share) : bool :=
  match v, ss with
  | [], [] => true
  | c :: v, s :: ss => share_ok c s && shares_ok v ss
  | _, _ => false
  end.

Definition both (g : cls -> share -> Q) (cs : cls * share) : Q := g (fst cs) (snd cs).
Definition total (v : view) (ss : list share) (g : cls -> share -> Q) : Q := sum (both g) (combine v ss).
Definition mass (s : share) : Q := mass_in s + mass_out s.

Definition check_witness (d : direction) (r1 r2 : Q) (v : view) (ss : list share) : bool :=
  let all := total v ss (fun c s => know c * mass s) in
  let ins := total v ss (fun c s => know c * mass_in s) in
  let all' := total v ss (fun c s => know c * lik c * mass s) in
  let ins' := total v ss (fun c s => know c * lik c * mass_in s) in
  sane v && shares_ok v ss && Qeq_bool (total v ss (fun _ s => mass s)) 1 && Qlt_bool 0 all'
  && (goes_up d && Qle_bool ins (r1 * all) && Qle_bool (r2 * all') ins'
      || goes_down d && Qle_bool (r2 * all) ins && Qle_bool ins' (r1 * all')).

(* the masses are those of the view's own prior; the property is the claim's own *)
Definition check_spread (v : view) (ss : list share) : bool :=
  forallb (fun cs => (fun c s => Qeq_bool (mass_in s) (of_N (inside s) * pri c)
    && Qeq_bool (mass_out s) (of_N (cnt c - inside s) * pri c)) (fst cs) (snd cs)) (combine v ss).
Definition check_is (i : nat) (v : view) (ss : list share) : bool :=
  forallb (fun cs => (fun c s => N.eqb (inside s) (if member i c then cnt c else 0)) (fst cs) (snd cs)) (combine v ss).

Section Sound.
  Variable X : Type.
  Variable eqb : X -> X -> bool.
  Hypothesis eqb_eq : forall x y, eqb x y = true <-> x = y.
  Variable inputs : list X.
  Hypothesis distinct : NoDup inputs.
  Variables (l k : X -> Q) (v : view) (cl : X -> nat) (f : Q) (ss : list share).
  Hypothesis D : describes v inputs l k cl f.
  Hypothesis OK : shares_ok v ss = true.
  Hypothesis N : sane v = true.

  Definition share_of (c : nat) : share := nth c ss noshare.
  Definition of_class (c : nat) : list X := filter (fun x => Nat.eqb (cl x) c) inputs.
  (* the property: the first inputs of each class; the prior: masses spread evenly *)
  Definition chosen (x : X) : bool := existsb (eqb x) (firstn (N.to_nat (inside (share_of (cl x)))) (of_class (cl x))).
  Definition spread (x : X) : Q :=
    let s := share_of (cl x) in let c := class_of v cl x in
    if chosen x then mass_in s / of_N (inside s) else mass_out s / of_N (cnt c - inside s).

  Lemma first_ones n (L : list X) : NoDup L ->
    filter (fun x => existsb (eqb x) (firstn n L)) L = firstn n L.
  Proof.
    intro ND. rewrite <- (firstn_skipn n L) in ND.
    transitivity (filter (fun x => existsb (eqb x) (firstn n L)) (firstn n L ++ skipn n L)).
    { rewrite firstn_skipn. reflexivity. }
    rewrite filter_app.
    assert (A : forall M x, existsb (eqb x) M = true <-> In x M).
    { intros M x. rewrite existsb_exists. split.
      - intros (z & H & E). apply eqb_eq in E. subst. auto.
      - intro H. exists x. split; auto. apply eqb_eq. auto. }
    assert (B : forall P M, (forall x : X, In x M -> In x P) -> filter (fun x => existsb (eqb x) P) M = M).
    { intros P M. induction M as [|a M IH]; simpl; intros H; auto.
      rewrite (proj2 (A P a)) by auto. rewrite IH by auto. reflexivity. }
    assert (C : forall P M, (forall x : X, In x M -> ~ In x P) -> filter (fun x => existsb (eqb x) P) M = []).
    { intros P M. induction M as [|a M IH]; simpl; intros H; auto.
      destruct (existsb (eqb a) P) eqn:E; [exfalso; apply (H a); auto; apply A; auto|]. apply IH. auto. }
    rewrite B, C; [apply app_nil_r| |auto]. intros x H G.
    clear -ND H G. revert ND G. induction (firstn n L) as [|a F IH]; simpl; [tauto|].
    intros ND [->|G]; inversion ND; subst; [apply H2, in_or_app; auto|auto].
  Qed.

  Lemma shares_spec : length ss = length v /\ forall c, (c < length v)%nat -> share_ok (nth c v nocls) (share_of c) = true.
  Proof.
    unfold share_of. clear -OK. revert ss OK. induction v as [|a u IH]; intros [|s t]; simpl; try discriminate.
    - split; auto. lia.
    - rewrite andb_true_iff. intros (A & B). destruct (IH _ B) as (E & H). split; [lia|].
      intros [|c] L; auto. apply H. lia.
  Qed.

  Lemma filter_filter (P R : X -> bool) L : filter P (filter R L) = filter (fun x => P x && R x) L.
  Proof.
    induction L as [|a L IH]; simpl; auto. destruct (R a); simpl; [|rewrite andb_false_r; auto].
    rewrite andb_true_r. destruct (P a); rewrite IH; auto.
  Qed.

  Lemma size_chosen c : (c < length v)%nat -> size cl (filter chosen inputs) c = inside (share_of c).
  Proof.
    intro L. unfold size. rewrite filter_filter.
    rewrite (filter_ext _ (fun x => existsb (eqb x) (firstn (N.to_nat (inside (share_of c))) (of_class c)) && Nat.eqb (cl x) c)).
    2: { intro x. rewrite andb_comm. destruct (Nat.eqb_spec (cl x) c) as [E|E]; [|rewrite !andb_false_r; auto].
         unfold chosen. rewrite E. auto. }
    rewrite <- filter_filter. fold (of_class c). rewrite first_ones by (apply NoDup_filter; auto).
    rewrite firstn_length_le; [lia|].
    destruct shares_spec as (_ & H). specialize (H c L). unfold share_ok in H.
    rewrite !andb_true_iff, N.leb_le in H. pose proof (d_count _ _ _ _ _ _ D c L) as E. unfold size in E.
    fold (of_class c) in E. lia.
  Qed.

  Lemma size_other c : (c < length v)%nat ->
    size cl (filter (compl chosen) inputs) c = (cnt (nth c v nocls) - inside (share_of c))%N.
  Proof.
    intro L. rewrite <- (size_chosen c L), <- (d_count _ _ _ _ _ _ D c L). unfold size.
    assert (E : forall M, (length (filter (fun x => Nat.eqb (cl x) c) M) = length (filter (fun x => Nat.eqb (cl x) c) (filter chosen M))
      + length (filter (fun x => Nat.eqb (cl x) c) (filter (compl chosen) M)))%nat).
    { induction M as [|a M IH]; simpl; auto. unfold compl at 1.
      destruct (chosen a) eqn:E; simpl; destruct (Nat.eqb (cl a) c); simpl; lia. }
    specialize (E inputs). lia.
  Qed.

  Lemma sum_on (S : X -> bool) (g : X -> Q) L : sum (on S g) L == sum g (filter S L).
  Proof. induction L as [|a L IH]; simpl; [reflexivity|]. rewrite IH. unfold on. destruct (S a); simpl; lra. Qed.

  Lemma sum_combine (g : cls -> share -> Q) :
    sum (fun c => g (nth c v nocls) (share_of c)) (seq 0 (length v)) == total v ss g.
  Proof.
    unfold total. destruct shares_spec as (E & _). rewrite <- (sum_nth _ (nocls, noshare) (both g)).
    rewrite combine_length, E, Nat.min_id. apply sum_ext. intros c _. unfold both, share_of.
    rewrite combine_nth by auto. reflexivity.
  Qed.

  (* sums over the property, and over the rest, of prior times what a class tells *)
  Lemma sum_in (g : cls -> Q) :
    sum (on chosen (fun x => spread x * g (class_of v cl x))) inputs == total v ss (fun c s => g c * mass_in s).
  Proof.
    rewrite sum_on.
    rewrite (sum_ext _ _ (fun x => (fun c => mass_in (share_of c) / of_N (inside (share_of c)) * g (nth c v nocls)) (cl x))).
    2: { intros x H. apply filter_In in H. unfold spread. destruct H as (_ & ->). reflexivity. }
    rewrite (sum_by_class _ cl (fun c => mass_in (share_of c) / of_N (inside (share_of c)) * g (nth c v nocls)) (length v)).
    2: { intros x H. apply filter_In in H. apply (d_class _ _ _ _ _ _ D). tauto. }
    rewrite <- sum_combine. apply sum_ext. intros c H. apply in_seq in H. rewrite size_chosen by lia.
    destruct shares_spec as (_ & K). specialize (K c ltac:(lia)). unfold share_ok in K. rewrite !andb_true_iff in K.
    destruct K as ((_ & K) & _). destruct (inside (share_of c)) as [|q].
    - simpl in K. apply Qeq_bool_iff in K. rewrite K. change (of_N 0) with 0. rewrite Qmult_0_l, Qmult_0_r. reflexivity.
    - field. unfold of_N. intro Z. apply (Qlt_not_eq 0 (inject_Z (Z.of_N (N.pos q)))); [reflexivity|symmetry; auto].
  Qed.

  Lemma sum_out (g : cls -> Q) :
    sum (on (compl chosen) (fun x => spread x * g (class_of v cl x))) inputs == total v ss (fun c s => g c * mass_out s).
  Proof.
    rewrite sum_on.
    rewrite (sum_ext _ _ (fun x => (fun c => mass_out (share_of c) / of_N (cnt (nth c v nocls) - inside (share_of c)) * g (nth c v nocls)) (cl x))).
    2: { intros x H. apply filter_In in H. destruct H as (_ & H). unfold compl in H. unfold spread.
         destruct (chosen x); [discriminate|reflexivity]. }
    rewrite (sum_by_class _ cl (fun c => mass_out (share_of c) / of_N (cnt (nth c v nocls) - inside (share_of c)) * g (nth c v nocls)) (length v)).
    2: { intros x H. apply filter_In in H. apply (d_class _ _ _ _ _ _ D). tauto. }
    rewrite <- sum_combine. apply sum_ext. intros c H. apply in_seq in H. rewrite size_other by lia.
    destruct shares_spec as (_ & K). specialize (K c ltac:(lia)). unfold share_ok in K. rewrite !andb_true_iff in K.
    destruct K as ((((K1 & _) & _) & _) & K). apply N.leb_le in K1.
    destruct (N.eqb_spec (inside (share_of c)) (cnt (nth c v nocls))) as [E|E].
    - simpl in K. apply Qeq_bool_iff in K. rewrite K, E, N.sub_diag. change (of_N 0) with 0. rewrite Qmult_0_l, Qmult_0_r. reflexivity.
    - field. unfold of_N. intro Z. apply (Qlt_not_eq 0 (inject_Z (Z.of_N (cnt (nth c v nocls) - inside (share_of c))))); [|symmetry; auto].
      change 0 with (inject_Z 0). rewrite <- Zlt_Qlt. lia.
  Qed.

  Lemma sum_all (g : cls -> Q) :
    sum (fun x => spread x * g (class_of v cl x)) inputs == total v ss (fun c s => g c * mass s).
  Proof.
    rewrite (sum_split _ chosen), sum_in, sum_out. unfold total. rewrite <- sum_plus. apply sum_ext.
    intros cs _. unfold both, mass. ring.
  Qed.

  Lemma spread_nonneg x : In x inputs -> 0 <= spread x.
  Proof.
    intro H. destruct shares_spec as (_ & K). specialize (K (cl x) (d_class _ _ _ _ _ _ D x H)).
    unfold share_ok in K. rewrite !andb_true_iff, !Qle_bool_iff in K. destruct K as ((((_ & A) & B) & _) & _).
    assert (I : forall n, 0 <= / of_N n).
    { intro n. apply Qinv_le_0_compat. unfold of_N. change 0 with (inject_Z 0). rewrite <- Zle_Qle. lia. }
    unfold spread, Qdiv. destruct (chosen x); apply Qmult_le_0_compat; auto.
  Qed.

  Theorem witness_column d r1 r2 : check_witness d r1 r2 v ss = true ->
    is_prior inputs spread /\ breach d inputs (fun x => spread x * k x) l r1 r2 chosen.
  Proof.
    unfold check_witness. rewrite !andb_true_iff, Qeq_bool_iff, Qlt_bool_iff. intros ((((_ & _) & One) & R) & B).
    pose proof (d_factor _ _ _ _ _ _ D) as fp. assert (PN := spread_nonneg).
    assert (P : is_prior inputs spread).
    { split; auto. rewrite <- One. transitivity (sum (fun x => spread x * (fun _ => 1) (class_of v cl x)) inputs).
      - apply sum_ext. intros; lra.
      - rewrite (sum_all (fun _ => 1)). apply sum_ext. intros cs _. unfold both. lra. }
    split; auto.
    assert (LN := l_nonneg _ _ _ _ _ _ _ D N). assert (WN := wk_nonneg _ _ _ _ _ _ _ _ D PN N).
    assert (S1 : sum (fun x => spread x * k x) inputs == total v ss (fun c s => know c * mass s)).
    { rewrite <- (sum_all know). apply sum_ext. intros x H. rewrite (d_know _ _ _ _ _ _ D) by auto. reflexivity. }
    assert (S2 : sum (on chosen (fun x => spread x * k x)) inputs == total v ss (fun c s => know c * mass_in s)).
    { rewrite <- (sum_in know). apply sum_ext. intros x H. unfold on. destruct (chosen x); [|reflexivity].
      rewrite (d_know _ _ _ _ _ _ D) by auto. reflexivity. }
    assert (J : forall x, In x inputs -> joint (fun x => spread x * k x) l x == f * (spread x * (fun c => know c * lik c) (class_of v cl x))).
    { intros x H. unfold joint. rewrite (d_know _ _ _ _ _ _ D), (d_lik _ _ _ _ _ _ D) by auto. ring. }
    assert (S3 : sum (joint (fun x => spread x * k x) l) inputs == f * total v ss (fun c s => know c * lik c * mass s)).
    { rewrite <- (sum_all (fun c => know c * lik c)), <- sum_scale. apply sum_ext. auto. }
    assert (S4 : sum (on chosen (joint (fun x => spread x * k x) l)) inputs == f * total v ss (fun c s => know c * lik c * mass_in s)).
    { rewrite <- (sum_in (fun c => know c * lik c)), <- sum_scale. apply sum_ext. intros x H. unfold on.
      destruct (chosen x); [apply J; auto|lra]. }
    assert (RJ : 0 < f * total v ss (fun c s => know c * lik c * mass s)) by (apply Qmult_lt_0_compat; auto).
    assert (scale : forall a b, a <= b -> f * a <= f * b) by (intros; nra).
    apply orb_true_iff in B. rewrite !andb_true_iff, !Qle_bool_iff in B. destruct B as [((G & A) & B)|((G & A) & B)].
    - assert (U : upward inputs (fun x => spread x * k x) l r1 r2 chosen).
      { apply upward_cross; auto. unfold reached. rewrite S1, S2, S3, S4. repeat split; auto.
        apply scale in B. lra. }
      destruct d; simpl in *; auto; discriminate.
    - assert (U : downward inputs (fun x => spread x * k x) l r1 r2 chosen).
      { apply downward_cross; auto. unfold reached. rewrite S1, S2, S3, S4. repeat split; auto.
        apply scale in B. lra. }
      destruct d; simpl in *; auto; discriminate.
  Qed.

  Lemma size_positive L x : In x L -> size cl L (cl x) <> 0%N.
  Proof.
    unfold size. intros H. assert (G : In x (filter (fun z => Nat.eqb (cl z) (cl x)) L)).
    { apply filter_In. split; auto. apply Nat.eqb_refl. }
    destruct (filter _ L); [contradiction|simpl; lia].
  Qed.
  Lemma chosen_some x : In x inputs -> chosen x = true -> inside (share_of (cl x)) <> 0%N.
  Proof.
    intros H C. rewrite <- size_chosen by (apply (d_class _ _ _ _ _ _ D); auto).
    apply size_positive, filter_In. auto.
  Qed.
  Lemma other_some x : In x inputs -> chosen x = false -> (cnt (class_of v cl x) - inside (share_of (cl x)))%N <> 0%N.
  Proof.
    intros H C. unfold class_of. rewrite <- size_other by (apply (d_class _ _ _ _ _ _ D); auto).
    apply size_positive, filter_In. split; auto. unfold compl. rewrite C. auto.
  Qed.

  Lemma paired g x : forallb (fun cs => g (fst cs) (snd cs)) (combine v ss) = true -> In x inputs ->
    g (class_of v cl x) (share_of (cl x)) = true.
  Proof.
    intros H I. rewrite forallb_forall in H. destruct shares_spec as (E & _).
    specialize (H (nth (cl x) (combine v ss) (nocls, noshare))). rewrite combine_nth in H by auto. apply H.
    rewrite <- combine_nth by auto. apply nth_In. rewrite combine_length, E, Nat.min_id.
    apply (d_class _ _ _ _ _ _ D); auto.
  Qed.

  Lemma spread_known x : check_spread v ss = true -> In x inputs -> spread x == pri (class_of v cl x).
  Proof.
    intros C H. pose proof (paired _ x C H) as G. simpl in G. rewrite andb_true_iff, !Qeq_bool_iff in G. destruct G as (A & B).
    assert (P : forall n, n <> 0%N -> ~ of_N n == 0).
    { intros n Z E. unfold of_N in E. change 0 with (inject_Z 0) in E. rewrite inject_Z_injective in E. lia. }
    unfold spread. destruct (chosen x) eqn:E; [rewrite A|rewrite B]; field; apply P; [apply chosen_some|apply other_some]; auto.
  Qed.

  Lemma chosen_is i x : check_is i v ss = true -> In x inputs -> chosen x = member i (class_of v cl x).
  Proof.
    intros C H. pose proof (paired _ x C H) as G. simpl in G. apply N.eqb_eq in G.
    destruct (chosen x) eqn:E; destruct (member i (class_of v cl x)) eqn:M; auto; exfalso.
    - apply (chosen_some x); auto.
    - apply (other_some x); auto. rewrite G. apply N.sub_diag.
  Qed.
End Sound.

Theorem witness_sound d r1 r2 v ss : check_witness d r1 r2 v ss = true ->
  forall X (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q) cl f,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs -> describes v inputs l k cl f ->
  exists prior S, is_prior inputs prior /\ breach d inputs (fun x => prior x * k x) l r1 r2 S.
Proof.
  intros C X eqb inputs l k cl f E ND D. assert (C' := C). unfold check_witness in C'. rewrite !andb_true_iff in C'.
  destruct C' as ((((N & OK) & _) & _) & _).
  exists (spread X eqb inputs v cl ss), (chosen X eqb inputs cl ss). eapply witness_column; eauto.
Qed.

Ltac witnessed C := let C' := fresh in assert (C' := C); unfold check_witness in C'; rewrite !andb_true_iff in C';
  destruct C' as ((((N & OK) & _) & _) & _).

(* under a known prior *)
Theorem witness_known_sound d r1 r2 v ss : check_witness d r1 r2 v ss && check_spread v ss = true ->
  forall X (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q) cl f prior,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs -> describes v inputs l k cl f ->
  (forall x, In x inputs -> same_prior prior x (class_of v cl x)) ->
  exists S, breach d inputs (fun x => prior x * k x) l r1 r2 S.
Proof.
  intros C X eqb inputs l k cl f prior E ND D P. apply andb_true_iff in C. destruct C as (C & CS). witnessed C.
  exists (chosen X eqb inputs cl ss).
  destruct (witness_column X eqb E inputs ND l k v cl f ss D OK N d r1 r2 C) as (_ & B). revert B.
  apply breach_ext; [|reflexivity]. intros x H. pose proof (P x H) as Q. unfold same_prior in Q.
  rewrite (spread_known X eqb E inputs ND l k v cl f ss D OK x CS H), Q. reflexivity.
Qed.

(* of the claim's own property, for all priors *)
Theorem witness_for_sound d i r1 r2 v ss : check_witness d r1 r2 v ss && check_is i v ss = true ->
  forall X (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q) cl f props,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs -> describes v inputs l k cl f ->
  (forall x, In x inputs -> same_properties props x (class_of v cl x)) ->
  exists prior, is_prior inputs prior /\ breach d inputs (fun x => prior x * k x) l r1 r2 (props i).
Proof.
  intros C X eqb inputs l k cl f props E ND D P. apply andb_true_iff in C. destruct C as (C & CI). witnessed C.
  exists (spread X eqb inputs v cl ss).
  destruct (witness_column X eqb E inputs ND l k v cl f ss D OK N d r1 r2 C) as (W & B). split; auto. revert B.
  apply breach_same. intros x H. rewrite (P x H i). apply (chosen_is X eqb E inputs ND l k v cl f ss D OK); auto.
Qed.

(* of the claim's own property, under a known prior *)
Theorem witness_known_for_sound d i r1 r2 v ss :
  check_witness d r1 r2 v ss && check_spread v ss && check_is i v ss = true ->
  forall X (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q) cl f prior props,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs -> describes v inputs l k cl f ->
  (forall x, In x inputs -> same_prior_and_properties prior props x (class_of v cl x)) ->
  breach d inputs (fun x => prior x * k x) l r1 r2 (props i).
Proof.
  intros C X eqb inputs l k cl f prior props E ND D P. rewrite !andb_true_iff in C. destruct C as ((C & CS) & CI). witnessed C.
  destruct (witness_column X eqb E inputs ND l k v cl f ss D OK N d r1 r2 C) as (_ & B).
  apply (breach_same _ _ _ _ _ _ _ (chosen X eqb inputs cl ss)).
  - intros x H. destruct (P x H) as (_ & M). rewrite (M i). apply (chosen_is X eqb E inputs ND l k v cl f ss D OK); auto.
  - revert B. apply breach_ext; [|reflexivity]. intros x H. destruct (P x H) as (Q & _). unfold same_prior in Q.
    rewrite (spread_known X eqb E inputs ND l k v cl f ss D OK x CS H), Q. reflexivity.
Qed.
