(* What a certificate says of an operator: views, and what it means that they describe it.

   A view is an output as the server sees it: classes of inputs that are alike. Nothing here is checked
   by computation: that the views describe the operator is the hypothesis of every theorem about a
   certificate, and is proved outright where the operator is at hand (Example1.v, Warner.v). *)
From Coq Require Import QArith Lqa List Bool NArith Lia.
From PPDM Require Import OverRationals Sums.
Import ListNotations.
Open Scope Q_scope.

(* lik: likelihood of the output (up to a factor of the view); cnt: how many inputs; know: likelihood
   of what the server knows besides (1 without); pri: prior of each input (0 where none is claimed);
   members: of which of the claim's properties its inputs are *)
Record cls := Cls { lik : Q; cnt : N; know : Q; pri : Q; members : list bool }.
Definition view := list cls.
Definition nocls := Cls 0 0 0 0 [].
Definition class_of {X} (v : view) (cl : X -> nat) (x : X) : cls := nth (cl x) v nocls.
Definition member (i : nat) (c : cls) : bool := nth i (members c) false.

(* v describes a column: cl says of which class each input is; each class has its likelihood (up to a
   positive factor f: likelihoods may be relative), its knowledge, and as many inputs as it says. *)
Record describes {X} (v : view) (inputs : list X) (l k : X -> Q) (cl : X -> nat) (f : Q) : Prop := {
  d_factor : 0 < f;
  d_class : forall x, In x inputs -> (cl x < length v)%nat;
  d_lik : forall x, In x inputs -> l x == f * lik (class_of v cl x);
  d_know : forall x, In x inputs -> k x == know (class_of v cl x);
  d_count : forall c, (c < length v)%nat -> size cl inputs c = cnt (nth c v nocls) }.

(* The views describe the operator p with knowledge k: every y (an output, or an output and what is known
   besides) looks like one of them. What else inputs and classes agree on is told by [agree]. *)
Definition described {X Y} (vs : list view) (inputs : list X) (p k : X -> Y -> Q)
  (agree : X -> cls -> Prop) : Prop :=
  forall y, exists v cl f, In v vs /\ describes v inputs (fun x => p x y) (fun x => k x y) cl f
    /\ forall x, In x inputs -> agree x (class_of v cl x).

Definition anything {X} (x : X) (c : cls) : Prop := True.
Definition same_properties {X} (props : nat -> X -> bool) (x : X) (c : cls) : Prop :=
  forall i, props i x = member i c.
Definition same_prior {X} (prior : X -> Q) (x : X) (c : cls) : Prop := prior x == pri c.
Definition same_prior_and_properties {X} prior props (x : X) (c : cls) : Prop :=
  same_prior prior x c /\ same_properties props x c.

(* Checked of every view *)
Definition sane (v : view) : bool := forallb (fun c => Qle_bool 0 (lik c) && Qle_bool 0 (know c)) v.
Definition thresholds_ok (r1 r2 : Q) : bool := Qlt_bool 0 r1 && Qlt_bool r1 r2 && Qlt_bool r2 1.
(* Checked of views with a prior: it sums to 1, so that no theorem holds for want of a prior. *)
Definition whole_prior (v : view) : bool := Qeq_bool (sum (fun c => of_N (cnt c) * pri c) v) 1.

Lemma thresholds_spec r1 r2 : thresholds_ok r1 r2 = true -> 0 < r1 /\ r1 < r2 /\ r2 < 1.
Proof. unfold thresholds_ok. rewrite !andb_true_iff, !Qlt_bool_iff. tauto. Qed.

Section Described.
  Variable X : Type.
  Variable inputs : list X.
  Variables (w l k : X -> Q) (v : view) (cl : X -> nat) (f : Q).
  Hypothesis D : describes v inputs l k cl f.

  Lemma in_view x : In x inputs -> In (class_of v cl x) v.
  Proof. intro H. apply nth_In. apply (d_class _ _ _ _ _ _ D); auto. Qed.

  (* A sum over the inputs of what classes tell is a sum over the classes, by their counts. *)
  Lemma sum_classes (g : cls -> Q) :
    sum (fun x => g (class_of v cl x)) inputs == sum (fun c => of_N (cnt c) * g c) v.
  Proof.
    unfold class_of. rewrite (sum_by_class _ cl (fun i => g (nth i v nocls)) (length v)) by apply (d_class _ _ _ _ _ _ D).
    rewrite <- (sum_nth _ nocls (fun c => of_N (cnt c) * g c)). apply sum_ext. intros i H.
    apply in_seq in H. rewrite (d_count _ _ _ _ _ _ D) by lia. reflexivity.
  Qed.

  Hypothesis w_nonneg : forall x, In x inputs -> 0 <= w x.
  Hypothesis H_sane : sane v = true.

  Lemma sane_class x : In x inputs -> 0 <= lik (class_of v cl x) /\ 0 <= know (class_of v cl x).
  Proof.
    intro H. unfold sane in H_sane. rewrite forallb_forall in H_sane.
    specialize (H_sane _ (in_view _ H)). apply andb_true_iff in H_sane. destruct H_sane as (A & B).
    split; apply Qle_bool_iff; auto.
  Qed.

  Lemma l_nonneg x : In x inputs -> 0 <= l x.
  Proof.
    intro H. rewrite (d_lik _ _ _ _ _ _ D) by auto. pose proof (d_factor _ _ _ _ _ _ D).
    destruct (sane_class _ H). nra.
  Qed.

  Lemma wk_nonneg x : In x inputs -> 0 <= w x * k x.
  Proof.
    intro H. rewrite (d_know _ _ _ _ _ _ D) by auto. destruct (sane_class _ H).
    apply Qmult_le_0_compat; auto.
  Qed.
End Described.
