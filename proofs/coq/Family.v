(* Evidence "farkas": claims under a family of priors, told by linear constraints on the mass of properties.

   Multipliers show that no prior of the family has a breach (Farkas' lemma, in Motzkin's form for strict
   rows); a class of one input may be split: it is in the property or not. *)
From Coq Require Import QArith Lqa List Bool NArith Lia.
From PPDM Require Import OverRationals Sums Views.
Import ListNotations.
Open Scope Q_scope.

(* a row: 0 <= e, 0 < e or e == 0, for e = cst + sum over the inputs of prior * coef (its class, is it inside) *)
Inductive rel := Ge | Gt | Eq.
Definition holds (r : rel) (e : Q) : Prop := match r with Ge => 0 <= e | Gt => 0 < e | Eq => e == 0 end.

Record row := Row { rl : rel; cst : Q; coef : cls -> bool -> Q }.

(* constraint: sum of number * mass(property i), relation, bound; normalised by its turn *)
Record constraint := Con { terms : list (Q * nat); turn : Q; crel : rel; bound : Q }.
Definition term_coef (ts : list (Q * nat)) (c : cls) : Q :=
  fold_right (fun t s => (if member (snd t) c then fst t else 0) + s) 0 ts.
Definition con_row (k : constraint) : row :=
  Row (crel k) (- (turn k * bound k)) (fun c _ => turn k * term_coef (terms k) c).

Definition b2q (b : bool) : Q := if b then 1 else 0.
Definition rows_of (a b : Q) (ks : list constraint) : list row :=
  Row Eq (-1) (fun _ _ => 1) ::
  Row Ge 0 (fun c s => know c * (a - b2q s)) ::
  Row Ge 0 (fun c s => know c * lik c * (b2q s - b)) ::
  Row Gt 0 (fun c _ => know c * lik c) :: map con_row ks.

Inductive tree := Leaf (ys : list Q) | Split (c : nat) (inside outside : tree).

Fixpoint dots (ys : list Q) (rs : list row) (g : row -> Q) : Q :=
  match ys, rs with y :: ys, r :: rs => y * g r + dots ys rs g | _, _ => 0 end.
Fixpoint signs (ys : list Q) (rs : list row) : bool :=
  match ys, rs with
  | [], [] => true
  | y :: ys, r :: rs => (match rl r with Eq => true | _ => Qle_bool 0 y end) && signs ys rs
  | _, _ => false end.
Fixpoint strict (ys : list Q) (rs : list row) : bool :=
  match ys, rs with
  | y :: ys, r :: rs => (match rl r with Gt => Qlt_bool 0 y | _ => false end) || strict ys rs
  | _, _ => false end.

(* may: for each class, may it lie inside, may it lie outside *)
Definition mays := list (bool * bool).
Fixpoint set_may (c : nat) (m : bool * bool) (l : mays) : mays :=
  match l, c with [], _ => [] | _ :: t, O => m :: t | h :: t, S c => h :: set_may c m t end.
Definition allowed (m : mays) (c : nat) (s : bool) : bool :=
  let p := nth c m (false, false) in if s then fst p else snd p.

Fixpoint refutes (t : tree) (v : view) (m : mays) (rs : list row) : bool :=
  match t with
  | Leaf ys =>
      signs ys rs
      && forallb (fun cm => (negb (fst (snd cm)) || Qle_bool (dots ys rs (fun r => coef r (fst cm) true)) 0)
                         && (negb (snd (snd cm)) || Qle_bool (dots ys rs (fun r => coef r (fst cm) false)) 0))
           (combine v m)
      && let k := dots ys rs cst in Qlt_bool k 0 || (Qeq_bool k 0 && strict ys rs)
  | Split c i o =>
      N.eqb (cnt (nth c v nocls)) 1 && Nat.ltb c (length v)
      && refutes i v (set_may c (true, false) m) rs && refutes o v (set_may c (false, true) m) rs
  end.

Section Sound.
  Variable X : Type.
  Variable inputs : list X.
  Variables (prior l k : X -> Q) (v : view) (cl : X -> nat) (f : Q) (S : X -> bool).
  Hypothesis prior_nonneg : forall x, In x inputs -> 0 <= prior x.
  Hypothesis D : describes v inputs l k cl f.
  Definition cof (x : X) : cls := nth (cl x) v nocls.
  Definition lhs (r : row) : Q := cst r + sum (fun x => prior x * coef r (cof x) (S x)) inputs.

  Lemma in_v x : In x inputs -> (cl x < length v)%nat.
  Proof. apply (d_class _ _ _ _ _ _ D). Qed.

  Lemma dots_sum ys rs : dots ys rs lhs ==
    dots ys rs cst + sum (fun x => prior x * dots ys rs (fun r => coef r (cof x) (S x))) inputs.
  Proof.
    assert (Z : sum (fun x => prior x * 0) inputs == 0).
    { rewrite (sum_ext _ _ (fun x => 0 * prior x)) by (intros; lra). rewrite sum_scale. lra. }
    revert rs. induction ys as [|y ys IH]; intros [|r rs]; simpl; try lra.
    rewrite IH. unfold lhs.
    rewrite (sum_ext _ (fun x => prior x * (y * coef r (cof x) (S x) + dots ys rs (fun r0 => coef r0 (cof x) (S x))))
      (fun x => y * (prior x * coef r (cof x) (S x)) + prior x * dots ys rs (fun r => coef r (cof x) (S x)))) by (intros; ring).
    rewrite sum_plus, sum_scale. ring.
  Qed.

  Lemma dots_nonneg ys rs : signs ys rs = true -> (forall r, In r rs -> holds (rl r) (lhs r)) ->
    0 <= dots ys rs lhs /\ (strict ys rs = true -> 0 < dots ys rs lhs).
  Proof.
    revert rs. induction ys as [|y ys IH]; intros [|r rs]; simpl; try discriminate.
    { intros _ _. split; [lra|discriminate]. }
    rewrite andb_true_iff. intros (A & B) H. destruct (IH rs B) as (P & R); [auto|].
    assert (0 <= y * lhs r /\ ((match rl r with Gt => Qlt_bool 0 y | _ => false end) = true -> 0 < y * lhs r)) as (P' & R').
    { specialize (H r (or_introl eq_refl)). unfold holds in H. destruct (rl r).
      - apply Qle_bool_iff in A. split; [apply Qmult_le_0_compat; auto|discriminate].
      - apply Qle_bool_iff in A. split; [apply Qmult_le_0_compat; lra|].
        intro G. apply Qlt_bool_iff in G. apply Qmult_lt_0_compat; auto.
      - rewrite H. split; [lra|discriminate]. }
    split; [lra|]. rewrite orb_true_iff. intros [G|G]; [specialize (R' G)|specialize (R G)]; lra.
  Qed.

  Lemma set_may_len c p m : length (set_may c p m) = length m.
  Proof. revert c. induction m as [|h m IH]; intros [|c]; simpl; auto. Qed.

  Lemma allowed_set c p m d s : (c < length m)%nat -> allowed (set_may c p m) d s =
    if Nat.eqb d c then (if s then fst p else snd p) else allowed m d s.
  Proof.
    unfold allowed. revert c d. induction m as [|h m IH]; intros [|c] [|d]; simpl; intro H; try lia; auto.
    apply IH. lia.
  Qed.

  (* all inputs of a class of one input lie on the same side *)
  Lemma one_side c : (c < length v)%nat -> cnt (nth c v nocls) = 1%N ->
    (forall x, In x inputs -> cl x = c -> S x = true) \/ (forall x, In x inputs -> cl x = c -> S x = false).
  Proof.
    intros L H. pose proof (d_count _ _ _ _ _ _ D c L) as N.
    rewrite H in N. unfold size in N.
    destruct (filter (fun x => Nat.eqb (cl x) c) inputs) as [|a [|b t]] eqn:F; simpl in N; try lia.
    assert (U : forall x, In x inputs -> cl x = c -> x = a).
    { intros x Hx E. assert (G : In x (filter (fun x => Nat.eqb (cl x) c) inputs)) by (apply filter_In; split; auto; apply Nat.eqb_eq; auto).
      rewrite F in G. destruct G as [<-|[]]; auto. }
    destruct (S a) eqn:E; [left|right]; intros x Hx C; rewrite (U x Hx C); auto.
  Qed.

  Theorem refutes_sound rs t : forall m, length m = length v ->
    (forall x, In x inputs -> allowed m (cl x) (S x) = true) ->
    refutes t v m rs = true -> ~ (forall r, In r rs -> holds (rl r) (lhs r)).
  Proof.
    induction t as [ys|c i IHi o IHo]; intros m L A C H; simpl in C.
    - rewrite !andb_true_iff in C. destruct C as ((C1 & C2) & C3).
      destruct (dots_nonneg ys rs C1 H) as (P & R). pose proof (dots_sum ys rs) as E.
      assert (N : sum (fun x => prior x * dots ys rs (fun r => coef r (cof x) (S x))) inputs <= sum (fun x => 0 * prior x) inputs).
      { apply sum_le. intros x Hx. specialize (prior_nonneg x Hx). rewrite forallb_forall in C2.
        assert (I : In (nth (cl x) (combine v m) (nocls, (false, false))) (combine v m)).
        { apply nth_In. rewrite combine_length, L, Nat.min_id. apply in_v; auto. }
        specialize (C2 _ I). rewrite combine_nth in C2 by auto. simpl in C2. fold (cof x) in C2.
        apply andb_true_iff in C2. destruct C2 as (G1 & G2). specialize (A x Hx). unfold allowed in A.
        destruct (S x).
        - rewrite A in G1. simpl in G1. apply Qle_bool_iff in G1. nra.
        - rewrite A in G2. simpl in G2. apply Qle_bool_iff in G2. nra. }
      rewrite sum_scale in N. apply orb_true_iff in C3. rewrite andb_true_iff, Qlt_bool_iff, Qeq_bool_iff in C3.
      destruct C3 as [C3|(C3 & C4)]; [lra|]. specialize (R C4). lra.
    - rewrite !andb_true_iff in C. destruct C as (((C1 & C2) & C3) & C4).
      apply N.eqb_eq in C1. apply Nat.ltb_lt in C2.
      destruct (one_side c C2 C1) as [G|G]; [revert H; apply (IHi (set_may c (true, false) m))|revert H; apply (IHo (set_may c (false, true) m))]; auto;
        try (rewrite set_may_len; auto); intros x Hx; rewrite allowed_set by (rewrite L; auto);
        destruct (Nat.eqb_spec (cl x) c) as [Ec|]; auto; rewrite (G x Hx Ec); auto.
  Qed.

  (* an upward breach satisfies the first four rows *)
  Lemma lhs_linear r g : (forall x, In x inputs -> prior x * coef r (cof x) (S x) == g x) -> lhs r == cst r + sum g inputs.
  Proof. intro H. unfold lhs. rewrite (sum_ext _ _ g) by auto. reflexivity. Qed.

  Lemma breach_rows a b ks : 0 <= a -> (forall x, In x inputs -> 0 <= l x) -> (forall x, In x inputs -> 0 <= prior x * k x) ->
    sum prior inputs == 1 ->
    (forall c, In c ks -> holds (rl (con_row c)) (lhs (con_row c))) ->
    upward inputs (fun x => prior x * k x) l a b S -> forall r, In r (rows_of a b ks) -> holds (rl r) (lhs r).
  Proof.
    intros ap LN WN P K U r Hr. pose proof (d_factor _ _ _ _ _ _ D) as fp.
    apply upward_cross in U; auto. destruct U as (R & B & A). unfold reached in R.
    set (w := fun x => prior x * k x) in *.
    assert (Lf : forall x, In x inputs -> lik (cof x) == l x / f).
    { intros x Hx. rewrite (d_lik _ _ _ _ _ _ D) by auto. unfold cof, class_of. field. lra. }
    assert (Kf : forall x, In x inputs -> know (cof x) == k x).
    { intros x Hx. rewrite (d_know _ _ _ _ _ _ D) by auto. unfold cof, class_of. reflexivity. }
    assert (fi : 0 < / f) by (apply Qinv_lt_0_compat; auto).
    unfold rows_of in Hr. destruct Hr as [<-|[<-|[<-|[<-|Hr]]]]; simpl.
    - rewrite (lhs_linear _ prior) by (intros; simpl; lra). simpl. rewrite P. lra.
    - rewrite (lhs_linear _ (fun x => a * w x + (-1) * on S w x)).
      + simpl. rewrite sum_plus, !sum_scale. lra.
      + intros x Hx. simpl. rewrite Kf by auto. unfold on, w, b2q. destruct (S x); ring.
    - rewrite (lhs_linear _ (fun x => / f * (on S (joint w l) x + (- b) * joint w l x))).
      + simpl. rewrite sum_scale, sum_plus, sum_scale.
        assert (0 <= / f * (sum (on S (joint w l)) inputs + - b * sum (joint w l) inputs)) by (apply Qmult_le_0_compat; lra). lra.
      + intros x Hx. simpl. rewrite Kf, Lf by auto. unfold on, joint, w, b2q, Qdiv. destruct (S x); ring.
    - rewrite (lhs_linear _ (fun x => / f * joint w l x)).
      + simpl. rewrite sum_scale. assert (0 < / f * sum (joint w l) inputs) by (apply Qmult_lt_0_compat; auto). lra.
      + intros x Hx. simpl. rewrite Kf, Lf by auto. unfold joint, w, Qdiv. ring.
    - apply in_map_iff in Hr. destruct Hr as (c & <- & Hc). apply K; auto.
  Qed.
End Sound.

(* The family: sum of number * mass(property i) relation bound *)

Definition mass {X} (inputs : list X) (prior : X -> Q) (P : X -> bool) : Q := sum (on P prior) inputs.
Definition family_sum {X} (inputs : list X) (prior : X -> Q) (props : nat -> X -> bool) (ts : list (Q * nat)) : Q :=
  fold_right (fun t s => fst t * mass inputs prior (props (snd t)) + s) 0 ts.
Definition in_family {X} (inputs : list X) (prior : X -> Q) (props : nat -> X -> bool) (ks : list constraint) : Prop :=
  forall c, In c ks -> holds (crel c) (turn c * (family_sum inputs prior props (terms c) - bound c)).

Lemma con_row_lhs X (inputs : list X) prior v cl S props c :
  (forall x, In x inputs -> forall i, props i x = member i (cof X v cl x)) ->
  lhs X inputs prior v cl S (con_row c) == turn c * (family_sum inputs prior props (terms c) - bound c).
Proof.
  intro H. unfold lhs. simpl. 
  assert (E : sum (fun x => prior x * (turn c * term_coef (terms c) (cof X v cl x))) inputs == turn c * family_sum inputs prior props (terms c)).
  { rewrite (sum_ext _ _ (fun x => turn c * (prior x * term_coef (terms c) (cof X v cl x)))) by (intros; ring).
    rewrite sum_scale. apply Qmult_comp; [reflexivity|]. induction (terms c) as [|t ts IH]; simpl.
    - rewrite (sum_ext _ _ (fun x => 0 * prior x)) by (intros; lra). rewrite sum_scale. lra.
    - rewrite <- IH. unfold mass. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros x Hx.
      unfold on. rewrite H by auto. destruct (member (snd t) (cof X v cl x)); ring. }
  rewrite E. ring.
Qed.

(* with a property of the claim's own, a class has only one side *)
Definition all_may (about : option nat) (up : bool) (v : view) : mays :=
  map (fun c => match about with None => (true, true)
    | Some q => let m := member q c in if up then (m, negb m) else (negb m, m) end) v.
Definition check_family_view (d : direction) (about : option nat) ks r1 r2 (v : view) (ts : tree * tree) : bool :=
  sane v && (negb (goes_up d) || refutes (fst ts) v (all_may about true v) (rows_of r1 r2 ks))
  && (negb (goes_down d) || refutes (snd ts) v (all_may about false v) (rows_of (1 - r2) (1 - r1) ks)).
Definition check_family d about ks r1 r2 (vs : list view) (ts : list (tree * tree)) : bool :=
  thresholds_ok r1 r2 && Nat.eqb (length vs) (length ts)
  && forallb (fun vt => check_family_view d about ks r1 r2 (fst vt) (snd vt)) (combine vs ts).

Theorem family_sound d about ks r1 r2 vs ts : check_family d about ks r1 r2 vs ts = true ->
  forall X Y (inputs : list X) (p k : X -> Y -> Q) props, described vs inputs p k (same_properties props) ->
  forall prior, is_prior inputs prior -> in_family inputs prior props ks ->
  forall S, match about with None => True | Some q => forall x, In x inputs -> S x = props q x end ->
  forall y, ~ breach d inputs (fun x => prior x * k x y) (fun x => p x y) r1 r2 S.
Proof.
  intros C X Y inputs p k props D prior (W & W1) Fam S HS y.
  destruct (D y) as (v & cl & f & Hv & Dv & Dm).
  unfold check_family in C. rewrite !andb_true_iff, Nat.eqb_eq in C. destruct C as ((T & L) & C).
  apply thresholds_spec in T. destruct T as (r1p & r12 & r21).
  destruct (In_nth _ _ [] Hv) as (i & Hi & Ei).
  rewrite forallb_forall in C. specialize (C (nth i (combine vs ts) ([], (Leaf [], Leaf [])))).
  rewrite combine_nth in C by auto. rewrite Ei in C. simpl in C.
  assert (C' : check_family_view d about ks r1 r2 v (nth i ts (Leaf [], Leaf [])) = true).
  { apply C. rewrite <- Ei. rewrite <- combine_nth by auto. apply nth_In. rewrite combine_length, L, Nat.min_id. rewrite <- L. auto. }
  unfold check_family_view in C'. rewrite !andb_true_iff in C'. destruct C' as ((N & Cu) & Cd).
  assert (LN : forall x, In x inputs -> 0 <= p x y) by (eapply l_nonneg with (l := fun x => p x y); eauto).
  assert (WN : forall x, In x inputs -> 0 <= prior x * k x y) by (eapply wk_nonneg with (k := fun x => k x y); eauto).
  assert (ML : forall u, length (all_may about u v) = length v) by (intro; apply map_length).
  assert (AL : forall u R, (u = true /\ (forall x, In x inputs -> R x = S x) \/ u = false /\ (forall x, In x inputs -> R x = negb (S x))) ->
    forall x, In x inputs -> allowed (all_may about u v) (cl x) (R x) = true).
  { intros u R HR x Hx. unfold allowed, all_may.
    set (g := fun c => _). 
    rewrite (nth_indep _ _ (g nocls)) by (rewrite map_length; eapply in_v; eauto).
    rewrite map_nth. unfold g. destruct about as [q|]; [|destruct (R x); auto].
    specialize (HS x Hx). rewrite (Dm x Hx) in HS.
    destruct HR as [(-> & HR)|(-> & HR)]; rewrite (HR x Hx), HS; unfold class_of; destruct (member q _); auto. }
  assert (KR : forall R c, In c ks -> holds (rl (con_row c)) (lhs X inputs prior v cl R (con_row c))).
  { intros R c Hc. specialize (Fam c Hc). simpl. pose proof (con_row_lhs X inputs prior v cl R props c Dm) as E.
    unfold holds in *. destruct (crel c); rewrite E; auto. }
  intros U. apply breach_cases in U. destruct U as [(G & U)|(G & U)]; rewrite G in *; simpl in Cu, Cd.
  - refine (refutes_sound X inputs prior _ _ v cl f S W Dv _ _ _ (ML true) _ Cu _).
    + apply AL. left; auto.
    + eapply breach_rows; eauto. lra.
  - apply downward_compl in U; auto.
    refine (refutes_sound X inputs prior _ _ v cl f (compl S) W Dv _ _ _ (ML false) _ Cd _).
    + apply AL. right; auto.
    + eapply breach_rows; eauto. lra.
Qed.

