(* EGS03, Definitions 1 and 2, Statement 1 and its converse, at one output of an operator.

   This text is compiled twice: OverRationals.v and OverReals.v load it, and say what a number (num) is.

   Inputs are a finite list; w is the weight of each (its prior probability, or prior times what
   background knowledge says of it: the sum need not be 1); l is the likelihood of the output that was
   seen, p[x -> y]. Probabilities before and after are quotients; all inequalities are non-strict. *)

(* Finite sums over a list *)

Fixpoint sum {X} (f : X -> num) (l : list X) : num :=
  match l with [] => 0 | x :: t => f x + sum f t end.

Definition on {X} (S : X -> bool) (f : X -> num) : X -> num := fun x => if S x then f x else 0.
Definition compl {X} (S : X -> bool) : X -> bool := fun x => negb (S x).

Lemma sum_ext X (f g : X -> num) l : (forall x, In x l -> f x == g x) -> sum f l == sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [reflexivity|].
  rewrite (H a) by auto. rewrite IH by auto. reflexivity.
Qed.

Lemma sum_le X (f g : X -> num) l : (forall x, In x l -> f x <= g x) -> sum f l <= sum g l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lra|].
  assert (f a <= g a) by auto. assert (sum f l <= sum g l) by auto. lra.
Qed.

Lemma sum_nonneg X (f : X -> num) l : (forall x, In x l -> 0 <= f x) -> 0 <= sum f l.
Proof.
  induction l as [|a l IH]; simpl; intros H; [lra|].
  assert (0 <= f a) by auto. assert (0 <= sum f l) by auto. lra.
Qed.

Lemma sum_scale X c (f : X -> num) l : sum (fun x => c * f x) l == c * sum f l.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma sum_split X (S : X -> bool) f l : sum f l == sum (on S f) l + sum (on (compl S) f) l.
Proof.
  induction l as [|a l IH]; simpl; [lra|].
  rewrite IH. unfold on, compl. destruct (S a); simpl; lra.
Qed.

Lemma sum_plus X (f g : X -> num) l : sum (fun x => f x + g x) l == sum f l + sum g l.
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

(* Definitions 1 and 2 *)

Section Column.
  Variable X : Type.
  Variable inputs : list X.
  Variables w l : X -> num.
  Hypothesis w_nonneg : forall x, In x inputs -> 0 <= w x.
  Hypothesis l_nonneg : forall x, In x inputs -> 0 <= l x.

  Definition joint : X -> num := fun x => w x * l x.
  Definition reached : Prop := 0 < sum joint inputs.
  Definition before (S : X -> bool) : num := sum (on S w) inputs / sum w inputs.
  Definition after (S : X -> bool) : num := sum (on S joint) inputs / sum joint inputs.
  Definition upward (r1 r2 : num) (S : X -> bool) : Prop := reached /\ before S <= r1 /\ r2 <= after S.
  Definition downward (r1 r2 : num) (S : X -> bool) : Prop := reached /\ r2 <= before S /\ after S <= r1.

  Lemma on_nonneg S f : (forall x, In x inputs -> 0 <= f x) -> 0 <= sum (on S f) inputs.
  Proof. intro H. apply sum_nonneg. intros x Hx. unfold on. destruct (S x); [auto|lra]. Qed.

  Lemma joint_nonneg x : In x inputs -> 0 <= joint x.
  Proof. intro H. unfold joint. apply Qmult_le_0_compat; auto. Qed.

  (* what is reached has weight *)
  Lemma reached_weight : reached -> 0 < sum w inputs.
  Proof.
    unfold reached. clear -w_nonneg l_nonneg. intros H.
    assert (N : 0 <= sum w inputs) by (apply sum_nonneg; auto).
    destruct (Qlt_le_dec 0 (sum w inputs)) as [|Z]; [assumption|].
    exfalso. revert w_nonneg l_nonneg Z N H. generalize inputs as i.
    induction i as [|a i IH]; simpl; intros W L Z N H; [lra|].
    assert (0 <= w a) by auto. assert (0 <= sum w i) by (apply sum_nonneg; auto).
    assert (E : w a == 0) by lra.
    apply IH; auto; try lra. unfold joint in *. rewrite E in H. lra.
  Qed.

  (* The same without a division: cross-multiplied. *)
  Lemma upward_cross r1 r2 S :
    upward r1 r2 S <->
    reached /\ sum (on S w) inputs <= r1 * sum w inputs
            /\ r2 * sum joint inputs <= sum (on S joint) inputs.
  Proof.
    unfold upward, before, after. split; intros (R & B & A); repeat split; auto.
    - pose proof (reached_weight R) as P. 
      apply (Qmult_le_r _ _ _ P) in B. field_simplify in B; [|lra]. lra.
    - unfold reached in R. apply (Qmult_le_r _ _ _ R) in A. field_simplify in A; [|lra]. lra.
    - apply Qle_shift_div_r; [apply reached_weight|]; auto.
    - apply Qle_shift_div_l; auto.
  Qed.

  (* A downward breach of S is an upward one of its complement (Definition 2). *)
  Lemma downward_compl r1 r2 S : downward r1 r2 S <-> upward (1 - r2) (1 - r1) (compl S).
  Proof.
    unfold downward, upward, before, after.
    assert (forall R : reached, 
      sum (on (compl S) w) inputs / sum w inputs == 1 - sum (on S w) inputs / sum w inputs).
    { intro R. pose proof (reached_weight R). pose proof (sum_split _ S w inputs) as E.
      setoid_replace (sum (on (compl S) w) inputs) with (sum w inputs - sum (on S w) inputs) by lra.
      field. lra. }
    assert (forall R : reached, 
      sum (on (compl S) joint) inputs / sum joint inputs == 1 - sum (on S joint) inputs / sum joint inputs).
    { intro R. unfold reached in R. pose proof (sum_split _ S joint inputs) as E.
      setoid_replace (sum (on (compl S) joint) inputs) with (sum joint inputs - sum (on S joint) inputs) by lra.
      field. lra. }
    split; intros (R & B & A); specialize (H R); specialize (H0 R); repeat split; auto; lra.
  Qed.

  Lemma downward_cross r1 r2 S :
    downward r1 r2 S <->
    reached /\ r2 * sum w inputs <= sum (on S w) inputs
            /\ sum (on S joint) inputs <= r1 * sum joint inputs.
  Proof.
    rewrite downward_compl, upward_cross.
    pose proof (sum_split _ S w inputs). pose proof (sum_split _ S joint inputs).
    split; intros (R & B & A); repeat split; auto; lra.
  Qed.
End Column.

Arguments joint {X}. Arguments reached {X}. Arguments before {X}. Arguments after {X}.
Arguments upward {X}. Arguments downward {X}.

(* What a claim forbids: breaches upward, downward, or both. *)
Inductive direction := Upward | Downward | Both.
Definition breach {X} (d : direction) inputs (w l : X -> num) (rho1 rho2 : num) (S : X -> bool) : Prop :=
  match d with
  | Upward => upward inputs w l rho1 rho2 S
  | Downward => downward inputs w l rho1 rho2 S
  | Both => upward inputs w l rho1 rho2 S \/ downward inputs w l rho1 rho2 S
  end.

Definition goes_up d := match d with Downward => false | _ => true end.
Definition goes_down d := match d with Upward => false | _ => true end.

Lemma breach_cases X d inputs (w l : X -> num) r1 r2 S : breach d inputs w l r1 r2 S ->
  goes_up d = true /\ upward inputs w l r1 r2 S \/ goes_down d = true /\ downward inputs w l r1 r2 S.
Proof. destruct d; simpl; tauto. Qed.

Definition is_prior {X} (inputs : list X) (w : X -> num) : Prop :=
  (forall x, In x inputs -> 0 <= w x) /\ sum w inputs == 1.

(* Thresholds: where there is no breach rho1 -> rho2, there is none with a smaller rho1 or a greater rho2. *)
Theorem thresholds X d inputs (w l : X -> num) r1 r2 s1 s2 S : s1 <= r1 -> r2 <= s2 ->
  ~ breach d inputs w l r1 r2 S -> ~ breach d inputs w l s1 s2 S.
Proof.
  intros A B N C. apply N. clear N.
  assert (U : upward inputs w l s1 s2 S -> upward inputs w l r1 r2 S) by (unfold upward; intuition lra).
  assert (D : downward inputs w l s1 s2 S -> downward inputs w l r1 r2 S) by (unfold downward; intuition lra).
  destruct d; simpl in *; tauto.
Qed.

(* Only the values on the inputs count. *)
Lemma breach_ext X d inputs (w w' l l' : X -> num) r1 r2 S :
  (forall x, In x inputs -> w x == w' x) -> (forall x, In x inputs -> l x == l' x) ->
  breach d inputs w l r1 r2 S -> breach d inputs w' l' r1 r2 S.
Proof.
  intros E F. unfold breach, upward, downward, reached, before, after, joint.
  assert (A : sum w inputs == sum w' inputs) by (apply sum_ext; auto).
  assert (B : sum (on S w) inputs == sum (on S w') inputs)
    by (apply sum_ext; intros x H; unfold on; destruct (S x); rewrite ?(E x H); reflexivity).
  assert (C : sum (fun x => w x * l x) inputs == sum (fun x => w' x * l' x) inputs)
    by (apply sum_ext; intros x H; rewrite (E x H), (F x H); reflexivity).
  assert (G : sum (on S (fun x => w x * l x)) inputs == sum (on S (fun x => w' x * l' x)) inputs)
    by (apply sum_ext; intros x H; unfold on; destruct (S x); rewrite ?(E x H), ?(F x H); reflexivity).
  destruct d; rewrite A, B, C, G; auto.
Qed.

Lemma breach_same X d inputs (w l : X -> num) r1 r2 (S T : X -> bool) :
  (forall x, In x inputs -> S x = T x) -> breach d inputs w l r1 r2 S -> breach d inputs w l r1 r2 T.
Proof.
  intros E. assert (A : forall f : X -> num, sum (on S f) inputs == sum (on T f) inputs).
  { intro f. apply sum_ext. intros x H. unfold on. rewrite (E x H). reflexivity. }
  unfold breach, upward, downward, before, after. destruct d; rewrite !A; auto.
Qed.

(* Statement 1 and its converse *)

Section Statement.
  Variable X : Type.
  Variable inputs : list X.
  Variables w l : X -> num.
  Hypothesis w_nonneg : forall x, In x inputs -> 0 <= w x.
  Hypothesis l_nonneg : forall x, In x inputs -> 0 <= l x.

  (* The heart of Statement 1: M bounds the likelihoods inside, m those outside. *)
  Lemma no_upward r1 r2 S M m :
    0 < r1 -> r1 < r2 -> r2 < 1 ->
    (forall x, In x inputs -> 0 < w x -> S x = true -> l x <= M) ->
    (forall x, In x inputs -> 0 < w x -> S x = false -> m <= l x) ->
    r1 * (1 - r2) * M < r2 * (1 - r1) * m ->
    ~ upward inputs w l r1 r2 S.
  Proof.
    intros r1p r12 r21 HM Hm Hr U. apply upward_cross in U; auto. destruct U as (R & B & A).
    assert (B0 : sum (on S (joint w l)) inputs <= M * sum (on S w) inputs).
    { rewrite <- sum_scale. apply sum_le. intros x Hx. unfold on, joint.
      destruct (S x) eqn:E; [|lra]. specialize (w_nonneg x Hx).
      destruct (Qlt_le_dec 0 (w x)) as [P|P]; [specialize (HM x Hx P E); nra|].
      setoid_replace (w x) with 0 by lra. lra. }
    assert (C0 : m * sum (on (compl S) w) inputs <= sum (on (compl S) (joint w l)) inputs).
    { rewrite <- sum_scale. apply sum_le. intros x Hx. unfold on, compl, joint.
      destruct (S x) eqn:E; simpl; [lra|]. specialize (w_nonneg x Hx).
      destruct (Qlt_le_dec 0 (w x)) as [P|P]; [specialize (Hm x Hx P E); nra|].
      setoid_replace (w x) with 0 by lra. lra. }
    pose proof (sum_split _ S w inputs) as Ew. pose proof (sum_split _ S (joint w l) inputs) as Ej.
    pose proof (on_nonneg _ inputs S w w_nonneg) as Pw.
    pose proof (on_nonneg _ inputs (compl S) w w_nonneg) as Pw'.
    pose proof (on_nonneg _ inputs S (joint w l) (joint_nonneg _ _ _ _ w_nonneg l_nonneg)) as Pj.
    pose proof (on_nonneg _ inputs (compl S) (joint w l) (joint_nonneg _ _ _ _ w_nonneg l_nonneg)) as Pj'.
    unfold reached in R. rewrite Ew in B. rewrite Ej in A, R.
    set (u := sum (on S w) inputs) in *. set (v := sum (on (compl S) w) inputs) in *.
    set (b := sum (on S (joint w l)) inputs) in *. set (c := sum (on (compl S) (joint w l)) inputs) in *.
    clearbody u v b c. clear Ew Ej HM Hm w_nonneg l_nonneg.
    assert (bp : 0 < b) by nra.
    assert (up : 0 < u).
    { destruct (Qlt_le_dec 0 u); [assumption|]. assert (u == 0) by lra. rewrite H in B0. lra. }
    assert (vp : 0 < v) by nra.
    assert (H1 : r1 * (1 - r2) * b * v <= r1 * (1 - r2) * M * u * v).
    { assert (0 <= r1 * (1 - r2) * v). { apply Qmult_le_0_compat; [apply Qmult_le_0_compat|]; lra. } nra. }
    assert (uv : 0 < u * v) by (apply Qmult_lt_0_compat; auto).
    assert (H2 : r1 * (1 - r2) * M * u * v < r2 * (1 - r1) * m * u * v).
    { apply (Qmult_lt_r _ _ (u * v)) in Hr; auto. lra. }
    assert (H3 : r2 * (1 - r1) * m * u * v <= r2 * (1 - r1) * c * u).
    { assert (0 <= r2 * (1 - r1) * u). { apply Qmult_le_0_compat; [apply Qmult_le_0_compat|]; lra. } nra. }
    assert (H4 : r2 * c * ((1 - r1) * u) <= (1 - r2) * b * ((1 - r1) * u)).
    { apply Qmult_le_compat_r; [lra|]. apply Qmult_le_0_compat; lra. }
    assert (H5 : (1 - r2) * b * (r1 * v) < (1 - r2) * b * ((1 - r1) * u)) by lra.
    assert (H6 : 0 < (1 - r2) * b) by (apply Qmult_lt_0_compat; lra).
    assert (r1 * v < (1 - r1) * u) by (apply (Qmult_lt_l _ _ ((1 - r2) * b)); auto).
    lra.
  Qed.

  Lemma no_upward_zero r1 r2 S :
    0 < r2 -> (forall x, In x inputs -> 0 < w x -> S x = true -> l x <= 0) -> ~ upward inputs w l r1 r2 S.
  Proof.
    intros r2p H U. apply upward_cross in U; auto. destruct U as (R & _ & A).
    assert (sum (on S (joint w l)) inputs <= sum (fun x => 0 * w x) inputs).
    { apply sum_le. intros x Hx. unfold on, joint. destruct (S x) eqn:E; [|lra].
      destruct (Qlt_le_dec 0 (w x)) as [P|P]; [specialize (H x Hx P E); nra|].
      specialize (w_nonneg x Hx). setoid_replace (w x) with 0 by lra. lra. }
    rewrite sum_scale in H0. unfold reached in R. nra.
  Qed.

  Lemma no_downward_zero r1 r2 S :
    r1 < 1 -> (forall x, In x inputs -> 0 < w x -> S x = false -> l x <= 0) -> ~ downward inputs w l r1 r2 S.
  Proof.
    intros r1p H D. apply downward_compl in D; auto. revert D. apply no_upward_zero; [lra|].
    intros x Hx P E. apply H; auto. unfold compl in E. destruct (S x); auto; discriminate.
  Qed.

  Lemma no_downward r1 r2 S M m :
    0 < r1 -> r1 < r2 -> r2 < 1 ->
    (forall x, In x inputs -> 0 < w x -> S x = false -> l x <= M) ->
    (forall x, In x inputs -> 0 < w x -> S x = true -> m <= l x) ->
    r1 * (1 - r2) * M < r2 * (1 - r1) * m ->
    ~ downward inputs w l r1 r2 S.
  Proof.
    intros r1p r12 r21 HM Hm Hr D. apply downward_compl in D; auto. 
    revert D. apply (no_upward _ _ _ M m); try lra; unfold compl.
    - intros x Hx P E. apply HM; auto. destruct (S x); auto; discriminate.
    - intros x Hx P E. apply Hm; auto. destruct (S x); auto; discriminate.
  Qed.

End Statement.


Lemma extremes X (l : X -> num) i : i <> [] ->
  exists a b, In a i /\ In b i /\ forall x, In x i -> l b <= l x <= l a.
Proof.
  induction i as [|x i IH]; [congruence|]. intros _. destruct i as [|y i].
  { exists x, x. simpl. repeat split; auto; destruct H as [->|[]]; lra. }
  destruct IH as (a & b & Ha & Hb & H); [discriminate|].
  assert (exists a', In a' (x :: y :: i) /\ l x <= l a' /\ l a <= l a') as (a' & A1 & A2 & A3).
  { destruct (Qlt_le_dec (l x) (l a)); [exists a|exists x]; repeat split; try lra; [right|left]; auto. }
  assert (exists b', In b' (x :: y :: i) /\ l b' <= l x /\ l b' <= l b) as (b' & B1 & B2 & B3).
  { destruct (Qlt_le_dec (l x) (l b)); [exists x|exists b]; repeat split; try lra; [left|right]; auto. }
  exists a', b'. repeat split; auto.
  - destruct H0 as [<-|H0]; [lra|]. specialize (H _ H0). lra.
  - destruct H0 as [<-|H0]; [lra|]. specialize (H _ H0). lra.
Qed.

(* Statement 1, for every finite column: the condition on pairs of likelihoods. *)
Theorem statement1 X (inputs : list X) (l : X -> num) (r1 r2 : num) :
  0 < r1 -> r1 < r2 -> r2 < 1 ->
  (forall x, In x inputs -> 0 <= l x) ->
  (forall x1 x2, In x1 inputs -> In x2 inputs -> r1 * (1 - r2) * l x1 < r2 * (1 - r1) * l x2) ->
  forall w, is_prior inputs w -> forall S, ~ breach Both inputs w l r1 r2 S.
Proof.
  intros r1p r12 r21 L H w (W & E) S.
  assert (N : inputs <> []). { intros ->. simpl in E. lra. }
  destruct (extremes _ l inputs N) as (a & b & Ha & Hb & R).
  intros [U|D].
  - revert U. apply (no_upward _ _ _ _ W L r1 r2 S (l a) (l b)); auto; intros; apply R; auto.
  - revert D. apply (no_downward _ _ _ _ W L r1 r2 S (l a) (l b)); auto; intros; apply R; auto.
Qed.

(* Statement 1 in the paper's words: at most g-amplifying. *)
Corollary statement1_gamma X (inputs : list X) (l : X -> num) (r1 r2 g : num) :
  0 < r1 -> r1 < r2 -> r2 < 1 ->
  (forall x, In x inputs -> 0 < l x) ->
  (forall x1 x2, In x1 inputs -> In x2 inputs -> l x1 / l x2 <= g) ->
  g < r2 / r1 * ((1 - r1) / (1 - r2)) ->
  forall w, is_prior inputs w -> forall S, ~ breach Both inputs w l r1 r2 S.
Proof.
  intros r1p r12 r21 L A G w P S.
  apply statement1; auto. { intros. apply Qlt_le_weak; auto. }
  intros x1 x2 H1 H2. specialize (A _ _ H1 H2). pose proof (L _ H2) as L2.
  assert (D : l x1 / l x2 < r2 / r1 * ((1 - r1) / (1 - r2))) by lra.
  assert (0 < r1 * (1 - r2)) by (apply Qmult_lt_0_compat; lra).
  setoid_replace (r2 / r1 * ((1 - r1) / (1 - r2))) with (r2 * (1 - r1) / (r1 * (1 - r2))) in D
    by (field; split; lra).
  assert (D' : l x1 < r2 * (1 - r1) / (r1 * (1 - r2)) * l x2).
  { apply (Qmult_lt_r _ _ _ L2) in D.
    setoid_replace (l x1 / l x2 * l x2) with (l x1) in D by (field; lra). exact D. }
  apply (Qmult_lt_r _ _ _ H) in D'.
  setoid_replace (r2 * (1 - r1) / (r1 * (1 - r2)) * l x2 * (r1 * (1 - r2))) with (r2 * (1 - r1) * l x2) in D'
    by (field; split; lra).
  lra.
Qed.

(* The converse: a pair that fails the condition gives a prior of two_points points that breaches. *)
Section Converse.
  Variable X : Type.
  Variable eqb : X -> X -> bool.
  Hypothesis eqb_eq : forall x y, eqb x y = true <-> x = y.
  Variable inputs : list X.
  Hypothesis distinct : NoDup inputs.
  Variable l : X -> num.

  Definition two_points (r : num) (a b : X) : X -> num := fun x => if eqb x a then r else if eqb x b then 1 - r else 0.

  Lemma eqb_refl' x : eqb x x = true. Proof. apply eqb_eq; reflexivity. Qed.
  Lemma eqb_neq' x y : x <> y -> eqb x y = false.
  Proof. intro H. destruct (eqb x y) eqn:E; auto. apply eqb_eq in E. contradiction. Qed.

  Lemma sum_none (f : X -> num) a i : ~ In a i -> sum (on (fun x => eqb x a) f) i == 0.
  Proof.
    induction i as [|x i IH]; simpl; intros H; [lra|]. unfold on at 1.
    rewrite eqb_neq' by (intros ->; tauto). rewrite IH by tauto. lra.
  Qed.

  Lemma sum_point (f : X -> num) a i : NoDup i -> In a i -> sum (on (fun x => eqb x a) f) i == f a.
  Proof.
    induction i as [|x i IH]; simpl; intros N H; [tauto|]. inversion N; subst.
    unfold on at 1. destruct H as [->|H].
    - rewrite eqb_refl'. rewrite sum_none by auto. lra.
    - rewrite eqb_neq' by (intros ->; contradiction). rewrite IH by auto. lra.
  Qed.

  Lemma sum_two (f : X -> num) r a b : a <> b -> In a inputs -> In b inputs ->
    sum (fun x => two_points r a b x * f x) inputs == r * f a + (1 - r) * f b.
  Proof.
    intros N A B. rewrite (sum_split _ (fun x => eqb x a)).
    rewrite sum_point by auto. unfold two_points at 1. rewrite eqb_refl'.
    rewrite (sum_ext _ _ (on (fun x => eqb x b) (fun x => (1 - r) * f x))).
    - rewrite sum_point by auto. lra.
    - intros x _. unfold on, compl, two_points. destruct (eqb x a) eqn:Ea; simpl.
      + apply eqb_eq in Ea. subst. rewrite eqb_neq' by auto. lra.
      + destruct (eqb x b); lra.
  Qed.

  Theorem converse r1 r2 x1 x2 :
    0 < r1 -> r1 < r2 -> r2 < 1 -> 
    (forall x, In x inputs -> 0 <= l x) ->
    In x1 inputs -> In x2 inputs -> x1 <> x2 -> 0 < l x1 ->
    r2 * (1 - r1) * l x2 <= r1 * (1 - r2) * l x1 ->
    exists w S, is_prior inputs w /\ upward inputs w l r1 r2 S.
  Proof.
    intros r1p r12 r21 L H1 H2 N P C.
    exists (two_points r1 x1 x2), (fun x => eqb x x1).
    assert (W : is_prior inputs (two_points r1 x1 x2)).
    { split.
      - intros x _. unfold two_points. destruct (eqb x x1); [lra|]. destruct (eqb x x2); lra.
      - rewrite (sum_ext _ _ (fun x => two_points r1 x1 x2 x * 1)) by (intros; lra).
        rewrite sum_two by auto. lra. }
    split; [assumption|]. destruct W as (Wn & Ws).
    assert (J : sum (joint (two_points r1 x1 x2) l) inputs == r1 * l x1 + (1 - r1) * l x2) by (apply sum_two; auto).
    assert (0 <= l x2) by auto.
    apply upward_cross; auto. unfold reached. rewrite J, Ws. 
    rewrite sum_point, sum_point by auto. unfold joint, two_points. rewrite eqb_refl'.
    repeat split; nra.
  Qed.
End Converse.
