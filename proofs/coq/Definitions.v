(* EGS03, Definitions 1 and 2: privacy breaches at one output of an operator, over the rationals.

   Inputs are a finite list; w is the weight of each (its prior probability, or prior times what
   background knowledge says of it: the sum need not be 1); l is the likelihood of the output that was
   seen, p[x -> y]. Probabilities before and after are quotients; all inequalities are non-strict. *)
From Coq Require Import QArith Qfield Lqa List Bool.
From PPDM Require Import Sums.
Import ListNotations.
Open Scope Q_scope.

Section Column.
  Variable X : Type.
  Variable inputs : list X.
  Variables w l : X -> Q.
  Hypothesis w_nonneg : forall x, In x inputs -> 0 <= w x.
  Hypothesis l_nonneg : forall x, In x inputs -> 0 <= l x.

  Definition joint : X -> Q := fun x => w x * l x.
  Definition reached : Prop := 0 < sum joint inputs.
  Definition before (S : X -> bool) : Q := sum (on S w) inputs / sum w inputs.
  Definition after (S : X -> bool) : Q := sum (on S joint) inputs / sum joint inputs.
  Definition upward (r1 r2 : Q) (S : X -> bool) : Prop := reached /\ before S <= r1 /\ r2 <= after S.
  Definition downward (r1 r2 : Q) (S : X -> bool) : Prop := reached /\ r2 <= before S /\ after S <= r1.

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
Definition breach {X} (d : direction) inputs (w l : X -> Q) (rho1 rho2 : Q) (S : X -> bool) : Prop :=
  match d with
  | Upward => upward inputs w l rho1 rho2 S
  | Downward => downward inputs w l rho1 rho2 S
  | Both => upward inputs w l rho1 rho2 S \/ downward inputs w l rho1 rho2 S
  end.

Definition goes_up d := match d with Downward => false | _ => true end.
Definition goes_down d := match d with Upward => false | _ => true end.

Lemma breach_cases X d inputs (w l : X -> Q) r1 r2 S : breach d inputs w l r1 r2 S ->
  goes_up d = true /\ upward inputs w l r1 r2 S \/ goes_down d = true /\ downward inputs w l r1 r2 S.
Proof. destruct d; simpl; tauto. Qed.

Definition is_prior {X} (inputs : list X) (w : X -> Q) : Prop :=
  (forall x, In x inputs -> 0 <= w x) /\ sum w inputs == 1.

(* Thresholds: where there is no breach rho1 -> rho2, there is none with a smaller rho1 or a greater rho2. *)
Theorem thresholds X d inputs (w l : X -> Q) r1 r2 s1 s2 S : s1 <= r1 -> r2 <= s2 ->
  ~ breach d inputs w l r1 r2 S -> ~ breach d inputs w l s1 s2 S.
Proof.
  intros A B N C. apply N. clear N.
  assert (U : upward inputs w l s1 s2 S -> upward inputs w l r1 r2 S) by (unfold upward; intuition lra).
  assert (D : downward inputs w l s1 s2 S -> downward inputs w l r1 r2 S) by (unfold downward; intuition lra).
  destruct d; simpl in *; tauto.
Qed.

(* Only the values on the inputs count. *)
Lemma breach_ext X d inputs (w w' l l' : X -> Q) r1 r2 S :
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

Lemma breach_same X d inputs (w l : X -> Q) r1 r2 (S T : X -> bool) :
  (forall x, In x inputs -> S x = T x) -> breach d inputs w l r1 r2 S -> breach d inputs w l r1 r2 T.
Proof.
  intros E. assert (A : forall f : X -> Q, sum (on S f) inputs == sum (on T f) inputs).
  { intro f. apply sum_ext. intros x H. unfold on. rewrite (E x H). reflexivity. }
  unfold breach, upward, downward, before, after. destruct d; rewrite !A; auto.
Qed.
