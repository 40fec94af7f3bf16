(* Two more ways to break a claim: a ratio of likelihoods beyond its bound, and a breach under a prior of a family. *)
From Coq Require Import QArith Qfield Lqa List Bool NArith ZArith Lia.
From PPDM Require Import OverRationals Sums Views Witness.
From PPDM Require Family.
Import ListNotations.
Open Scope Q_scope.

(* Amplification: the i-th class is likely, the j-th unlikely. *)

Definition check_ratio_broken (v : view) (i j : nat) (b : Q) (strict : bool) : bool :=
  let c := nth i v nocls in let d := nth j v nocls in
  Nat.ltb i (length v) && Nat.ltb j (length v) && N.ltb 0 (cnt c) && N.ltb 0 (cnt d) && Qlt_bool 0 (lik c)
  && Qle_bool 0 (lik d) && (if strict then Qle_bool (b * lik d) (lik c) else Qlt_bool (b * lik d) (lik c)).

Lemma of_class X (inputs : list X) cl c : (0 < size cl inputs c)%N -> exists x, In x inputs /\ cl x = c.
Proof.
  unfold size. intro H. destruct (filter (fun x => Nat.eqb (cl x) c) inputs) as [|x xs] eqn:F; [simpl in H; lia|].
  assert (I : In x (filter (fun x => Nat.eqb (cl x) c) inputs)) by (rewrite F; left; auto).
  apply filter_In in I. destruct I as (I & E). apply Nat.eqb_eq in E. exists x. auto.
Qed.

Theorem ratio_broken_sound v i j b strict : check_ratio_broken v i j b strict = true ->
  forall X (inputs : list X) (l k : X -> Q) cl f, describes v inputs l k cl f ->
  exists x1 x2, In x1 inputs /\ In x2 inputs /\ 0 < l x1
    /\ ~ (0 < l x2 /\ if strict then l x1 / l x2 < b else l x1 / l x2 <= b).
Proof.
  unfold check_ratio_broken. cbv zeta. rewrite !andb_true_iff, !Nat.ltb_lt, !N.ltb_lt, Qlt_bool_iff, Qle_bool_iff.
  intros ((((((I & J) & NI) & NJ) & P) & Q) & B) X inputs l k cl f D.
  rewrite <- (d_count _ _ _ _ _ _ D) in NI, NJ by auto.
  destruct (of_class _ _ _ _ NI) as (x1 & H1 & C1), (of_class _ _ _ _ NJ) as (x2 & H2 & C2).
  pose proof (d_factor _ _ _ _ _ _ D) as fp.
  assert (L1 : l x1 == f * lik (nth i v nocls)) by (rewrite (d_lik _ _ _ _ _ _ D x1 H1); unfold class_of; rewrite C1; reflexivity).
  assert (L2 : l x2 == f * lik (nth j v nocls)) by (rewrite (d_lik _ _ _ _ _ _ D x2 H2); unfold class_of; rewrite C2; reflexivity).
  exists x1, x2. repeat split; auto.
  - rewrite L1. apply Qmult_lt_0_compat; auto.
  - set (M := lik (nth i v nocls)) in *. set (m := lik (nth j v nocls)) in *. intros (P2 & G).
    assert (T : l x1 / l x2 * l x2 == l x1) by (field; lra).
    destruct strict.
    + apply Qle_bool_iff in B. apply (Qmult_lt_r _ _ _ P2) in G. rewrite T, L1, L2 in G.
      apply (Qmult_le_l _ _ f fp) in B. lra.
    + apply Qlt_bool_iff in B. apply (Qmult_le_r _ _ _ P2) in G. rewrite T, L1, L2 in G.
      apply (Qmult_lt_l _ _ f fp) in B. lra.
Qed.

(* A family of priors: the witness's prior is of it. *)

Definition holds_bool (r : Family.rel) (e : Q) : bool :=
  match r with Family.Ge => Qle_bool 0 e | Family.Gt => Qlt_bool 0 e | Family.Eq => Qeq_bool e 0 end.
Definition check_admitted (ks : list Family.constraint) (v : view) (ss : list share) : bool :=
  forallb (fun k => holds_bool (Family.crel k)
    (Family.turn k * (total v ss (fun c s => Family.term_coef (Family.terms k) c * mass s) - Family.bound k))) ks.

Section OfFamily.
  Variable X : Type.
  Variable eqb : X -> X -> bool.
  Hypothesis eqb_eq : forall x y, eqb x y = true <-> x = y.
  Variable inputs : list X.
  Hypothesis distinct : NoDup inputs.
  Variables (l k : X -> Q) (v : view) (cl : X -> nat) (f : Q) (ss : list share).
  Hypothesis D : describes v inputs l k cl f.
  Hypothesis OK : shares_ok v ss = true.
  Variable props : nat -> X -> bool.
  Hypothesis P : forall x, In x inputs -> same_properties props x (class_of v cl x).
  Let prior := spread X eqb inputs v cl ss.

  Lemma family_sum_spread ts : Family.family_sum inputs prior props ts == total v ss (fun c s => Family.term_coef ts c * mass s).
  Proof.
    rewrite <- (sum_all X eqb eqb_eq inputs distinct l k v cl f ss D OK (Family.term_coef ts)). fold prior.
    unfold Family.family_sum, Family.term_coef. induction ts as [|t ts IH]; simpl.
    - symmetry. rewrite (sum_ext _ _ (fun x => 0 * prior x)) by (intros; lra). rewrite sum_scale. lra.
    - rewrite IH. unfold Family.mass. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros x H.
      unfold on. rewrite (P x H (snd t)). destruct (member (snd t) (class_of v cl x)); lra.
  Qed.

  Lemma admitted_in_family ks : check_admitted ks v ss = true -> Family.in_family inputs prior props ks.
  Proof.
    unfold check_admitted, Family.in_family. rewrite forallb_forall. intros H c Hc. specialize (H c Hc). simpl in H.
    unfold Family.holds, holds_bool in *. pose proof (family_sum_spread (Family.terms c)) as E.
    destruct (Family.crel c); [apply Qle_bool_iff in H|apply Qlt_bool_iff in H|apply Qeq_bool_iff in H]; rewrite E; auto.
  Qed.
End OfFamily.

Theorem witness_family_sound d r1 r2 ks v ss : check_witness d r1 r2 v ss && check_admitted ks v ss = true ->
  forall X (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q) cl f props,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs -> describes v inputs l k cl f ->
  (forall x, In x inputs -> same_properties props x (class_of v cl x)) ->
  exists prior S, is_prior inputs prior /\ Family.in_family inputs prior props ks
    /\ breach d inputs (fun x => prior x * k x) l r1 r2 S.
Proof.
  intros C X eqb inputs l k cl f props E ND D P. apply andb_true_iff in C. destruct C as (C & CA). witnessed C.
  destruct (witness_column X eqb E inputs ND l k v cl f ss D OK N d r1 r2 C) as (W & B).
  exists (spread X eqb inputs v cl ss), (chosen X eqb inputs cl ss). repeat split; auto; try apply W.
  apply (admitted_in_family X eqb E inputs ND l k v cl f ss D OK props P ks CA).
Qed.

Theorem witness_family_for_sound d i r1 r2 ks v ss :
  check_witness d r1 r2 v ss && check_admitted ks v ss && check_is i v ss = true ->
  forall X (eqb : X -> X -> bool) (inputs : list X) (l k : X -> Q) cl f props,
  (forall x y, eqb x y = true <-> x = y) -> NoDup inputs -> describes v inputs l k cl f ->
  (forall x, In x inputs -> same_properties props x (class_of v cl x)) ->
  exists prior, is_prior inputs prior /\ Family.in_family inputs prior props ks
    /\ breach d inputs (fun x => prior x * k x) l r1 r2 (props i).
Proof.
  intros C X eqb inputs l k cl f props E ND D P. rewrite !andb_true_iff in C. destruct C as ((C & CA) & CI). witnessed C.
  destruct (witness_column X eqb E inputs ND l k v cl f ss D OK N d r1 r2 C) as (W & B).
  exists (spread X eqb inputs v cl ss). repeat split; try apply W.
  - apply (admitted_in_family X eqb E inputs ND l k v cl f ss D OK props P ks CA).
  - revert B. apply breach_same. intros x H. rewrite (P x H i). apply (chosen_is X eqb E inputs ND l k v cl f ss D OK); auto.
Qed.
