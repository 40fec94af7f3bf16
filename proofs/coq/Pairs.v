(* Evidence "pairs": (epsilon, delta)-local differential privacy, for every set of outputs.

   Of two inputs a certificate tells, for each kind of output, how many there are and both likelihoods. The sum over
   the kinds of outputs * max(0, one - c two), with c = e^epsilon, is the smallest delta of the pair in this order. *)
From Coq Require Import QArith Lqa List Bool NArith Lia.
From PPDM Require Import OverRationals Sums.
Import ListNotations.
Open Scope Q_scope.

(* outputs of one kind: how many, and the probability of each on either input *)
Record kind := Kind { many : N; one : Q; two : Q }.
Definition pair := list kind.
Definition nokind := Kind 0 0 0.

(* cl says of which kind each output is *)
Record describes_pair {Y} (v : pair) (outputs : list Y) (l1 l2 : Y -> Q) (cl : Y -> nat) : Prop := {
  k_kind : forall y, In y outputs -> (cl y < length v)%nat;
  k_one : forall y, In y outputs -> l1 y == one (nth (cl y) v nokind);
  k_two : forall y, In y outputs -> l2 y == two (nth (cl y) v nokind);
  k_count : forall c, (c < length v)%nat -> size cl outputs c = many (nth c v nokind) }.
(* every two inputs, in one order or the other, are such a pair *)
Definition described_pairs {X Y} (vs : list pair) (inputs : list X) (outputs : list Y) (p : X -> Y -> Q) : Prop :=
  forall x1 x2, In x1 inputs -> In x2 inputs -> x1 <> x2 -> exists v cl, In v vs
    /\ (describes_pair v outputs (p x1) (p x2) cl \/ describes_pair v outputs (p x2) (p x1) cl).

Definition positive_part (q : Q) : Q := if Qle_bool q 0 then 0 else q.
Definition excess (c : Q) (v : pair) : Q := sum (fun k => of_N (many k) * positive_part (one k - c * two k)) v.
Definition turned (v : pair) : pair := map (fun k => Kind (many k) (two k) (one k)) v.
Definition keeps (strict : bool) (a b : Q) : bool := if strict then Qlt_bool a b else Qle_bool a b.

Definition check_pairs (vs : list pair) (c d : Q) (strict : bool) : bool :=
  forallb (fun v => keeps strict (excess c v) d && keeps strict (excess c (turned v)) d) vs.
(* one pair, whose first input is the likely one *)
Definition check_pair_broken (v : pair) (c d : Q) (strict : bool) : bool := negb (keeps strict (excess c v) d).

Lemma positive_part_bound q : q <= positive_part q /\ 0 <= positive_part q.
Proof.
  unfold positive_part. destruct (Qle_bool q 0) eqn:E; [apply Qle_bool_iff in E; lra|].
  destruct (Qlt_le_dec 0 q); [lra|]. apply Qle_bool_iff in q0. congruence.
Qed.

Lemma positive_part_is q : positive_part q == (if Qlt_bool 0 q then q else 0).
Proof. unfold positive_part, Qlt_bool. destruct (Qle_bool q 0); reflexivity. Qed.

Lemma positive_part_ext a b : a == b -> positive_part a == positive_part b.
Proof. intro E. unfold positive_part. rewrite <- E. destruct (Qle_bool a 0); [reflexivity|exact E]. Qed.

Lemma keeps_iff strict a b : keeps strict a b = true <-> (if strict then a < b else a <= b).
Proof. destruct strict; simpl; [apply Qlt_bool_iff|apply Qle_bool_iff]. Qed.

Section OnePair.
  Variable Y : Type.
  Variable outputs : list Y.
  Variables (l1 l2 : Y -> Q) (v : pair) (cl : Y -> nat) (c : Q).
  Hypothesis D : describes_pair v outputs l1 l2 cl.

  Lemma gap_on T : sum (on T (fun y => l1 y - c * l2 y)) outputs == sum (on T l1) outputs - c * sum (on T l2) outputs.
  Proof.
    rewrite <- sum_scale. setoid_replace (sum (on T l1) outputs - sum (fun y => c * on T l2 y) outputs)
      with (sum (on T l1) outputs + -1 * sum (fun y => c * on T l2 y) outputs) by lra.
    rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros y _. unfold on. destruct (T y); lra.
  Qed.

  (* all that the first input gives in excess *)
  Lemma excess_is : sum (fun y => positive_part (l1 y - c * l2 y)) outputs == excess c v.
  Proof.
    unfold excess. rewrite <- (sum_nth _ nokind (fun k => of_N (many k) * positive_part (one k - c * two k))).
    rewrite (sum_ext _ _ (fun y => positive_part (one (nth (cl y) v nokind) - c * two (nth (cl y) v nokind)))).
    - rewrite (sum_by_class _ cl (fun i => positive_part (one (nth i v nokind) - c * two (nth i v nokind))) (length v))
        by apply (k_kind _ _ _ _ _ D).
      apply sum_ext. intros i H. apply in_seq in H. rewrite (k_count _ _ _ _ _ D) by lia. reflexivity.
    - intros y H. apply positive_part_ext. rewrite (k_one _ _ _ _ _ D y H), (k_two _ _ _ _ _ D y H). reflexivity.
  Qed.

  Lemma excess_bound T : sum (on T l1) outputs <= c * sum (on T l2) outputs + excess c v.
  Proof.
    assert (H : sum (on T (fun y => l1 y - c * l2 y)) outputs <= excess c v).
    { rewrite <- excess_is. apply sum_le. intros y _. unfold on.
      destruct (positive_part_bound (l1 y - c * l2 y)). destruct (T y); lra. }
    rewrite gap_on in H. lra.
  Qed.

  (* and the outputs on which it is *)
  Lemma excess_attained : exists T, sum (on T l1) outputs == c * sum (on T l2) outputs + excess c v.
  Proof.
    exists (fun y => Qlt_bool 0 (l1 y - c * l2 y)).
    assert (E : excess c v == sum (on (fun y => Qlt_bool 0 (l1 y - c * l2 y)) (fun y => l1 y - c * l2 y)) outputs).
    { rewrite <- excess_is. apply sum_ext. intros y _. rewrite positive_part_is. reflexivity. }
    rewrite E, gap_on. lra.
  Qed.
End OnePair.

Lemma describes_turned Y v (outputs : list Y) l1 l2 cl :
  describes_pair v outputs l1 l2 cl -> describes_pair (turned v) outputs l2 l1 cl.
Proof.
  intro D. assert (N : forall i, nth i (turned v) nokind = Kind (many (nth i v nokind)) (two (nth i v nokind)) (one (nth i v nokind))).
  { intro i. unfold turned. change nokind with ((fun k => Kind (many k) (two k) (one k)) nokind) at 1. apply map_nth. }
  assert (L : length (turned v) = length v) by apply map_length.
  split; intros; rewrite ?N, ?L in *; simpl.
  - apply (k_kind _ _ _ _ _ D); auto.
  - apply (k_two _ _ _ _ _ D); auto.
  - apply (k_one _ _ _ _ _ D); auto.
  - apply (k_count _ _ _ _ _ D); auto.
Qed.

Theorem pairs_sound vs c d strict : check_pairs vs c d strict = true ->
  forall X Y (inputs : list X) (outputs : list Y) (p : X -> Y -> Q), described_pairs vs inputs outputs p ->
  forall x1 x2, In x1 inputs -> In x2 inputs -> x1 <> x2 -> forall T : Y -> bool,
  if strict then sum (on T (p x1)) outputs < c * sum (on T (p x2)) outputs + d
  else sum (on T (p x1)) outputs <= c * sum (on T (p x2)) outputs + d.
Proof.
  unfold check_pairs. rewrite forallb_forall. intros C X Y inputs outputs p D x1 x2 H1 H2 N T.
  destruct (D x1 x2 H1 H2 N) as (v & cl & I & [P|P]); specialize (C v I); simpl in C;
    apply andb_true_iff in C; rewrite !keeps_iff in C; destruct C as (A & B).
  - pose proof (excess_bound _ _ _ _ _ _ c P T). destruct strict; lra.
  - pose proof (excess_bound _ _ _ _ _ _ c (describes_turned _ _ _ _ _ _ P) T). destruct strict; lra.
Qed.

Theorem pair_broken_sound v c d strict : check_pair_broken v c d strict = true ->
  forall Y (outputs : list Y) (l1 l2 : Y -> Q) cl, describes_pair v outputs l1 l2 cl ->
  exists T : Y -> bool, ~ if strict then sum (on T l1) outputs < c * sum (on T l2) outputs + d
    else sum (on T l1) outputs <= c * sum (on T l2) outputs + d.
Proof.
  unfold check_pair_broken. rewrite negb_true_iff. intros C Y outputs l1 l2 cl D.
  destruct (excess_attained _ _ _ _ _ _ c D) as (T & E). exists T. intro H.
  assert (K : keeps strict (excess c v) d = true) by (apply keeps_iff; destruct strict; lra). congruence.
Qed.
