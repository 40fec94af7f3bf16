(* Evidence "knapsack": claims under a known prior, for every property.

   A property is told by how many inputs n_c of each class it has. Among those whose weight (share in
   before) is at most rho1, the value (share in after) must stay below rho2: a knapsack. A branch tree with
   Lagrange multipliers bounds it; shares are whole numbers, so bounds are rounded down. *)
From Coq Require Import QArith Qround Lqa List Bool NArith ZArith Lia.
From PPDM Require Import OverRationals Sums Views.
Import ListNotations.
Open Scope Z_scope.

(* a class: between lo and hi inputs in the property, each of weight wt and value va *)
Record row := Row { lo : Z; hi : Z; wt : Z; va : Z }.
Inductive tree := Over | Leaf (s t : Z) | Branch (c : nat) (at_ : Z) (below above : tree).

(* n i: how many inputs of class i are in the property *)
Fixpoint tot (g : row -> Z) (rs : list row) (i : nat) (n : nat -> Z) : Z :=
  match rs with [] => 0 | r :: t => g r * n i + tot g t (S i) n end.
Fixpoint fits (rs : list row) (i : nat) (n : nat -> Z) : Prop :=
  match rs with [] => True | r :: t => lo r <= n i <= hi r /\ fits t (S i) n end.

Fixpoint least_weight (rs : list row) : Z :=
  match rs with [] => 0 | r :: t => lo r * wt r + least_weight t end.
Fixpoint ends (s t : Z) (rs : list row) : Z :=
  match rs with [] => 0 | r :: rest =>
    (let g := t * va r - s * wt r in g * (if 0 <? g then hi r else lo r)) + ends s t rest end.

Fixpoint upd (c : nat) (f : row -> row) (rs : list row) : list row :=
  match rs, c with
  | [], _ => []
  | r :: t, O => f r :: t
  | r :: t, S c => r :: upd c f t
  end.
Definition upto (a : Z) (r : row) := Row (lo r) a (wt r) (va r).
Definition from (a : Z) (r : row) := Row a (hi r) (wt r) (va r).

Fixpoint shows (t : tree) (rs : list row) (room lim : Z) : bool :=
  match t with
  | Over => room <? least_weight rs
  | Leaf s t => (0 <=? s) && (0 <? t) && ((s * room + ends s t rs) / t <=? lim)
  | Branch c a below above =>
      shows below (upd c (upto a) rs) room lim && shows above (upd c (from (a + 1)) rs) room lim
  end.

Lemma least_weight_le rs i n : (forall r, In r rs -> 0 <= wt r) -> fits rs i n -> least_weight rs <= tot wt rs i n.
Proof.
  revert i. induction rs as [|r rs IH]; simpl; intros i W F; [lia|].
  destruct F as (A & F). apply IH in F; [|auto]. assert (0 <= wt r) by auto. nia.
Qed.

(* the fractional (Lagrange) bound *)
Lemma ends_le s t rs i n : fits rs i n -> t * tot va rs i n - s * tot wt rs i n <= ends s t rs.
Proof.
  revert i. induction rs as [|r rs IH]; simpl; intros i F; [lia|].
  destruct F as (A & F). apply IH in F. 
  assert ((t * va r - s * wt r) * n i <= (t * va r - s * wt r) * (if 0 <? t * va r - s * wt r then hi r else lo r)).
  { destruct (Z.ltb_spec 0 (t * va r - s * wt r)); nia. }
  nia.
Qed.

Lemma upd_wt g rs c f i n : (forall r, g (f r) = g r) -> tot g (upd c f rs) i n = tot g rs i n.
Proof.
  intro E. revert c i. induction rs as [|r rs IH]; intros [|c] i; simpl; auto.
  - rewrite E. lia.
  - rewrite IH. lia.
Qed.

Lemma upd_nonneg rs c f : (forall r, wt (f r) = wt r) -> (forall r, In r rs -> 0 <= wt r) ->
  forall r, In r (upd c f rs) -> 0 <= wt r.
Proof.
  intro E. revert c. induction rs as [|r rs IH]; intros [|c] W q; simpl; try tauto.
  - intros [<-|H]; [rewrite E|]; apply W; simpl; auto.
  - intros [<-|H]; [apply W; simpl; auto|]. eapply IH; eauto. intros; apply W; simpl; auto.
Qed.

Lemma fits_split rs c a i n : fits rs i n ->
  fits (upd c (upto a) rs) i n \/ fits (upd c (from (a + 1)) rs) i n.
Proof.
  revert c i. induction rs as [|r rs IH]; intros [|c] i; simpl; auto.
  - intros (A & F). destruct (Z_le_gt_dec (n i) a); [left|right]; split; auto; lia.
  - intros (A & F). destruct (IH c (S i) F); auto.
Qed.

Lemma shows_sound t : forall rs room lim n, (forall r, In r rs -> 0 <= wt r) ->
  shows t rs room lim = true -> fits rs 0 n -> tot wt rs 0 n <= room -> tot va rs 0 n <= lim.
Proof.
  induction t as [|s t|c a b IHb a' IHa]; simpl; intros rs room lim n W H F R.
  - apply Z.ltb_lt in H. pose proof (least_weight_le _ _ _ W F). lia.
  - rewrite !andb_true_iff, Z.leb_le, Z.ltb_lt, Z.leb_le in H. destruct H as ((H1 & H2) & H3).
    pose proof (ends_le s t _ _ _ F). etransitivity; [|exact H3].
    apply Z.div_le_lower_bound; nia.
  - apply andb_true_iff in H. destruct H as (Hb & Ha). destruct (fits_split rs c a 0 n F) as [G|G].
    + apply IHb with (n := n) in Hb; auto; [| |]; rewrite ?upd_wt in *; auto. apply upd_nonneg; auto.
    + apply IHa with (n := n) in Ha; auto; [| |]; rewrite ?upd_wt in *; auto. apply upd_nonneg; auto.
Qed.

(* From properties to counts *)

Definition count_in {X} (S : X -> bool) (cl : X -> nat) (inputs : list X) (c : nat) : Z :=
  Z.of_nat (length (filter (fun x => S x && Nat.eqb (cl x) c) inputs)).

Lemma tot_add g rs i n m k : (forall c, n c = m c + k c) -> tot g rs i n = tot g rs i m + tot g rs i k.
Proof. intro E. revert i. induction rs as [|r rs IH]; simpl; intro i; [lia|]. rewrite IH, E. lia. Qed.

Lemma tot_zero g rs i n : (forall c, n c = 0) -> tot g rs i n = 0.
Proof. intro E. revert i. induction rs as [|r rs IH]; simpl; intro i; [lia|]. rewrite IH, E. lia. Qed.

Lemma tot_before g rs i c : (c < i)%nat -> tot g rs i (fun d => if Nat.eqb c d then 1 else 0) = 0.
Proof.
  revert i. induction rs as [|r rs IH]; simpl; intros i H; [lia|].
  rewrite IH by lia. destruct (Nat.eqb_spec c i); lia.
Qed.

Lemma tot_point g rs i c : (c < length rs)%nat ->
  tot g rs i (fun d => if Nat.eqb (i + c) d then 1 else 0) = nth c (map g rs) 0.
Proof.
  revert i c. induction rs as [|r rs IH]; simpl; intros i c H; [lia|]. destruct c as [|c].
  - rewrite Nat.add_0_r, Nat.eqb_refl. rewrite tot_before by lia. lia.
  - specialize (IH (S i) c ltac:(lia)). replace (i + S c)%nat with (S i + c)%nat by lia. rewrite IH.
    destruct (Nat.eqb_spec (S i + c) i); lia.
Qed.

Open Scope Q_scope.
Lemma sum_counts X (S : X -> bool) cl g rs (inputs : list X) :
  (forall x, In x inputs -> (cl x < length rs)%nat) ->
  sum (on S (fun x => inject_Z (nth (cl x) (map g rs) 0%Z))) inputs
    == inject_Z (tot g rs 0 (count_in S cl inputs)).
Proof.
  induction inputs as [|x i IH]; intros C.
  - simpl. rewrite tot_zero; [reflexivity|]. intro c. reflexivity.
  - simpl sum. rewrite IH by (intros; apply C; simpl; auto). unfold on at 1.
    destruct (S x) eqn:E.
    + rewrite (tot_add g rs 0 (count_in S cl (x :: i)) (fun d => if Nat.eqb (cl x) d then 1 else 0)%Z (count_in S cl i)).
      * rewrite inject_Z_plus. pose proof (tot_point g rs 0 (cl x) ltac:(apply C; simpl; auto)) as P.
        simpl in P. rewrite P. reflexivity.
      * intro c. unfold count_in. simpl. rewrite E. simpl. destruct (Nat.eqb (cl x) c); simpl length; lia.
    + rewrite Qplus_0_l. unfold count_in. simpl. rewrite E. simpl. reflexivity.
Qed.

(* The checker *)

(* For a view: the share of one input of each class in before (sq) and after (sr), whole numbers times a
   factor, and a tree for each direction. *)
Record evidence := Evidence { fq : Q; sq : list Z; fr : Q; sr : list Z; up : tree; down : tree }.

Fixpoint rows_of (v : view) (w u : list Z) : list row :=
  match v, w, u with
  | c :: v, a :: w, b :: u => Row 0 (Z.of_N (cnt c)) a b :: rows_of v w u
  | _, _, _ => []
  end.
Fixpoint total (v : view) (w : list Z) : Z :=
  match v, w with c :: v, a :: w => (Z.of_N (cnt c) * a + total v w)%Z | _, _ => 0%Z end.

Fixpoint shares_ok (v : view) (fq : Q) (sq : list Z) (fr : Q) (sr : list Z) : bool :=
  match v, sq, sr with
  | [], [], [] => true
  | c :: v, a :: sq, b :: sr =>
      Z.leb 0 a && Z.leb 0 b && Qle_bool 0 (lik c) && Qle_bool 0 (know c)
      && Qeq_bool (know c * pri c) (fq * inject_Z a)
      && Qeq_bool (know c * pri c * lik c) (fr * inject_Z b) && shares_ok v fq sq fr sr
  | _, _, _ => false
  end.

(* the greatest sum of u with sum of w at most r1 of all is below r2 of all *)
Definition bounded (v : view) (t : tree) (w u : list Z) (r1 r2 : Q) : bool :=
  shows t (rows_of v w u) (Qfloor (r1 * inject_Z (total v w)))
    (Qceiling (r2 * inject_Z (total v u)) - 1)%Z.

Definition check_view (d : direction) (r1 r2 : Q) (v : view) (e : evidence) : bool :=
  Qlt_bool 0 (fq e) && Qlt_bool 0 (fr e) && shares_ok v (fq e) (sq e) (fr e) (sr e)
  && (Z.eqb (total v (sr e)) 0
      || (negb (goes_up d) || bounded v (up e) (sq e) (sr e) r1 r2)
         && (negb (goes_down d) || bounded v (down e) (sr e) (sq e) r1 r2)).

Fixpoint check_views (d : direction) (r1 r2 : Q) (vs : list view) (es : list evidence) : bool :=
  match vs, es with
  | [], [] => true
  | v :: vs, e :: es => check_view d r1 r2 v e && check_views d r1 r2 vs es
  | _, _ => false
  end.
Definition check_known_prior (d : direction) (vs : list view) (es : list evidence) (r1 r2 : Q) : bool :=
  forallb whole_prior vs && check_views d r1 r2 vs es.

Lemma rows_len v fq sq fr sr : shares_ok v fq sq fr sr = true ->
  length (rows_of v sq sr) = length v /\ length (rows_of v sr sq) = length v.
Proof.
  revert sq sr. induction v as [|c v IH]; intros [|a sq] [|b sr]; simpl; try discriminate; auto.
  rewrite !andb_true_iff. intros (_ & H). destruct (IH _ _ H). auto.
Qed.

Lemma rows_nth v fq sq fr sr : shares_ok v fq sq fr sr = true -> forall c, (c < length v)%nat ->
  know (nth c v nocls) * pri (nth c v nocls) == fq * inject_Z (nth c (map wt (rows_of v sq sr)) 0%Z) /\
  know (nth c v nocls) * pri (nth c v nocls) * lik (nth c v nocls) == fr * inject_Z (nth c (map va (rows_of v sq sr)) 0%Z) /\
  0 <= lik (nth c v nocls).
Proof.
  revert sq sr. induction v as [|d v IH]; intros [|a sq] [|b sr]; simpl; try discriminate; [lia|].
  rewrite !andb_true_iff, !Qeq_bool_iff. intros ((((((A & B) & L) & K) & E) & F) & H) [|c] C; simpl.
  - apply Qle_bool_iff in L. auto.
  - apply (IH _ _ H). lia.
Qed.

Lemma rows_swap v w u : map wt (rows_of v u w) = map va (rows_of v w u).
Proof. revert w u. induction v as [|c v IH]; intros [|a w] [|b u]; simpl; auto. rewrite IH. auto. Qed.

Lemma rows_nonneg v fq sq fr sr : shares_ok v fq sq fr sr = true ->
  (forall r, In r (rows_of v sq sr) -> 0 <= wt r)%Z /\ (forall r, In r (rows_of v sr sq) -> 0 <= wt r)%Z.
Proof.
  revert sq sr. induction v as [|d v IH]; intros [|a sq] [|b sr]; simpl; try discriminate; [tauto|].
  rewrite !andb_true_iff, !Z.leb_le. intros ((((((A & B) & _) & _) & _) & _) & H). destruct (IH _ _ H) as (P & R).
  split; intros r [<-|I]; simpl; auto.
Qed.

(* tot depends on g only by its values, and on n only by its values *)
Lemma tot_map g h rs rs' i n : map g rs = map h rs' -> tot g rs i n = tot h rs' i n.
Proof.
  revert rs' i. induction rs as [|r rs IH]; intros [|r' rs'] i; simpl; try discriminate; auto.
  intro E. injection E as E1 E2. rewrite E1, (IH _ _ E2). reflexivity.
Qed.

Lemma rows_fit v w u i n : (forall c, (c < length v)%nat -> 0 <= n (i + c)%nat <= Z.of_N (cnt (nth c v nocls)))%Z ->
  fits (rows_of v w u) i n.
Proof.
  revert w u i. induction v as [|d v IH]; intros [|a w] [|b u] i H; simpl; auto. split.
  - specialize (H 0%nat). simpl in H. rewrite Nat.add_0_r in H. apply H. lia.
  - apply IH. intros c C. specialize (H (S c)). simpl in H. replace (S i + c)%nat with (i + S c)%nat by lia. apply H. lia.
Qed.

Lemma rows_total v w u i n : length (rows_of v w u) = length v ->
  (forall c, (c < length v)%nat -> n (i + c)%nat = Z.of_N (cnt (nth c v nocls)))%Z ->
  tot wt (rows_of v w u) i n = total v w.
Proof.
  revert w u i. induction v as [|d v IH]; intros [|a w] [|b u] i L H; simpl in *; try discriminate; auto.
  rewrite (IH w u (S i)).
  - pose proof (H 0%nat ltac:(lia)) as H0. simpl in H0. rewrite Nat.add_0_r in H0. rewrite H0. lia.
  - lia.
  - intros c C. specialize (H (S c)). simpl in H. replace (S i + c)%nat with (i + S c)%nat by lia. apply H. lia.
Qed.

Lemma cancel_le f a r b : 0 < f -> f * a <= r * (f * b) -> a <= r * b.
Proof. intros P H. apply (Qmult_le_l _ _ f P). lra. Qed.
Lemma cancel_ge f a r b : 0 < f -> r * (f * b) <= f * a -> r * b <= a.
Proof. intros P H. apply (Qmult_le_l _ _ f P). lra. Qed.

Section Sound.
  Variable X : Type.
  Variable inputs : list X.
  Variables (prior l k : X -> Q) (v : view) (cl : X -> nat) (f : Q) (e : evidence).
  Hypothesis prior_nonneg : forall x, In x inputs -> 0 <= prior x.
  Hypothesis D : describes v inputs l k cl f.
  Hypothesis DP : forall x, In x inputs -> prior x == pri (class_of v cl x).
  Hypothesis SH : shares_ok v (fq e) (sq e) (fr e) (sr e) = true.
  Hypothesis fq_pos : 0 < fq e.
  Hypothesis fr_pos : 0 < fr e.
  Let w : X -> Q := fun x => prior x * k x.
  Let rs := rows_of v (sq e) (sr e).
  Definition n_of (S : X -> bool) := count_in S cl inputs.

  Lemma in_rows x : In x inputs -> (cl x < length rs)%nat.
  Proof. intro H. unfold rs. destruct (rows_len _ _ _ _ _ SH) as (-> & _). apply (d_class _ _ _ _ _ _ D); auto. Qed.

  Lemma w_sum S : sum (on S w) inputs == fq e * inject_Z (tot wt rs 0 (n_of S)).
  Proof.
    unfold n_of. rewrite <- sum_counts by apply in_rows. rewrite <- sum_scale. apply sum_ext.
    intros x Hx. unfold on. destruct (S x); [|lra]. unfold w.
    rewrite DP, (d_know _ _ _ _ _ _ D) by auto.
    destruct (rows_nth _ _ _ _ _ SH (cl x)) as (A & _); [apply (d_class _ _ _ _ _ _ D); auto|].
    fold rs in A. unfold class_of. rewrite <- A. lra.
  Qed.

  Lemma j_sum S : sum (on S (joint w l)) inputs == f * fr e * inject_Z (tot va rs 0 (n_of S)).
  Proof.
    unfold n_of. rewrite <- sum_counts by apply in_rows. rewrite <- sum_scale. apply sum_ext.
    intros x Hx. unfold on. destruct (S x); [|lra]. unfold joint, w.
    rewrite DP, (d_know _ _ _ _ _ _ D), (d_lik _ _ _ _ _ _ D) by auto.
    destruct (rows_nth _ _ _ _ _ SH (cl x)) as (_ & A & _); [apply (d_class _ _ _ _ _ _ D); auto|].
    fold rs in A. unfold class_of.
    setoid_replace (f * fr e * inject_Z (nth (cl x) (map va rs) 0%Z)) with (f * (fr e * inject_Z (nth (cl x) (map va rs) 0%Z))) by ring.
    rewrite <- A. ring.
  Qed.

  Lemma n_all c : (c < length v)%nat -> n_of (fun _ => true) c = Z.of_N (cnt (nth c v nocls)).
  Proof. intro H. rewrite <- (d_count _ _ _ _ _ _ D c H). unfold n_of, count_in, size. simpl. lia. Qed.

  Lemma filter_sub S c i : (length (filter (fun x : X => S x && Nat.eqb (cl x) c) i) <= length (filter (fun x => Nat.eqb (cl x) c) i))%nat.
  Proof. induction i as [|x i IH]; simpl; auto. destruct (S x), (Nat.eqb (cl x) c); simpl; lia. Qed.

  Lemma n_range S c : (c < length v)%nat -> (0 <= n_of S c <= Z.of_N (cnt (nth c v nocls)))%Z.
  Proof.
    intro H. rewrite <- (d_count _ _ _ _ _ _ D c H). unfold n_of, count_in, size.
    pose proof (filter_sub S c inputs). lia.
  Qed.

  Lemma sum_all (g : X -> Q) : sum g inputs == sum (on (fun _ => true) g) inputs.
  Proof. apply sum_ext. intros. reflexivity. Qed.

  Lemma bounded_sound t a b ra rb n :
    (forall r, In r (rows_of v a b) -> 0 <= wt r)%Z ->
    fits (rows_of v a b) 0 n ->
    bounded v t a b ra rb = true ->
    inject_Z (tot wt (rows_of v a b) 0 n) <= ra * inject_Z (total v a) ->
    inject_Z (tot va (rows_of v a b) 0 n) < rb * inject_Z (total v b).
  Proof.
    intros W F B H. unfold bounded in B. apply shows_sound with (n := n) in B; auto.
    - assert (inject_Z (tot va (rows_of v a b) 0 n) <= inject_Z (Qceiling (rb * inject_Z (total v b)) - 1)%Z) by (rewrite <- Zle_Qle; auto).
      pose proof (Qceiling_lt (rb * inject_Z (total v b))). lra.
    - apply Qfloor_resp_le in H. rewrite Qfloor_Z in H. exact H.
  Qed.

  Theorem known_prior_view d S r1 r2 : check_view d r1 r2 v e = true -> ~ breach d inputs w l r1 r2 S.
  Proof.
    unfold check_view. rewrite !andb_true_iff, orb_true_iff, andb_true_iff, Z.eqb_eq. intros (_ & C).
    pose proof (d_factor _ _ _ _ _ _ D) as fp. destruct (rows_nonneg _ _ _ _ _ SH) as (W1 & W2).
    destruct (rows_len _ _ _ _ _ SH) as (L1 & L2).
    assert (Tw : sum w inputs == fq e * inject_Z (total v (sq e))).
    { rewrite sum_all, w_sum. unfold rs. rewrite rows_total; [reflexivity|auto|intros; apply n_all; auto]. }
    assert (Tj : sum (joint w l) inputs == f * fr e * inject_Z (total v (sr e))).
    { rewrite sum_all, j_sum. unfold rs. rewrite (tot_map va wt _ (rows_of v (sr e) (sq e))) by (symmetry; apply rows_swap).
      rewrite rows_total; [reflexivity|auto|intros; apply n_all; auto]. }
    assert (lnn : forall x, In x inputs -> 0 <= l x).
    { intros x Hx. rewrite (d_lik _ _ _ _ _ _ D) by auto.
      destruct (rows_nth _ _ _ _ _ SH (cl x)) as (_ & _ & A); [apply (d_class _ _ _ _ _ _ D); auto|]. unfold class_of. nra. }
    assert (wnn : forall x, In x inputs -> 0 <= w x).
    { intros x Hx. unfold w. rewrite DP, (d_know _ _ _ _ _ _ D) by auto.
      destruct (rows_nth _ _ _ _ _ SH (cl x)) as (A & _); [apply (d_class _ _ _ _ _ _ D); auto|].
      unfold class_of. rewrite Qmult_comm, A. apply Qmult_le_0_compat; [lra|].
      assert (In (cl x) (seq 0 (length v))). { apply in_seq. pose proof (d_class _ _ _ _ _ _ D x Hx). lia. }
      replace 0 with (inject_Z 0) by reflexivity. rewrite <- Zle_Qle.
      destruct (le_lt_dec (length (map wt (rows_of v (sq e) (sr e)))) (cl x)).
      { rewrite nth_overflow; auto. lia. }
      assert (G : In (nth (cl x) (map wt (rows_of v (sq e) (sr e))) 0%Z) (map wt (rows_of v (sq e) (sr e)))) by (apply nth_In; auto).
      apply in_map_iff in G. destruct G as (r & <- & G). auto. }
    assert (ffr : 0 < f * fr e) by (apply Qmult_lt_0_compat; auto).
    destruct C as [Z|(Cu & Cd)].
    { assert (~ reached inputs w l). { unfold reached. rewrite Tj, Z. change (inject_Z 0) with 0. rewrite Qmult_0_r. apply Qlt_irrefl. }
      destruct d; unfold breach, upward, downward; tauto. }
    intros U. apply breach_cases in U. destruct U as [(G & U)|(G & U)]; rewrite G in *; simpl in Cu, Cd.
    - apply upward_cross in U; auto. destruct U as (_ & B & A).
      rewrite w_sum, Tw in B. rewrite j_sum, Tj in A.
      apply cancel_le in B; auto. apply cancel_ge in A; auto.
      assert (Q := bounded_sound _ _ _ _ _ (n_of S) W1 ltac:(apply rows_fit; intros; apply n_range; auto) Cu B).
      unfold rs in *. lra.
    - assert (U' := U). destruct U as (R & _ & _). apply downward_compl in U'; auto.
      apply upward_cross in U'; auto. destruct U' as (_ & B & A).
      pose proof (sum_split _ S w inputs) as Ew. pose proof (sum_split _ S (joint w l) inputs) as Ej.
      assert (B' : r2 * sum w inputs <= sum (on S w) inputs) by lra.
      assert (A' : sum (on S (joint w l)) inputs <= r1 * sum (joint w l) inputs) by lra.
      rewrite w_sum, Tw in B'. rewrite j_sum, Tj in A'.
      assert (E1 : tot va rs 0 (n_of S) = tot wt (rows_of v (sr e) (sq e)) 0 (n_of S)) by (apply tot_map; symmetry; apply rows_swap).
      assert (E2 : tot wt rs 0 (n_of S) = tot va (rows_of v (sr e) (sq e)) 0 (n_of S)) by (apply tot_map; apply rows_swap).
      apply cancel_ge in B'; auto. apply cancel_le in A'; auto.
      rewrite E1 in A'. rewrite E2 in B'.
      assert (Q := bounded_sound _ _ _ _ _ (n_of S) W2 ltac:(apply rows_fit; intros; apply n_range; auto) Cd A').
      lra.
  Qed.
End Sound.

Lemma check_views_in d r1 r2 vs : forall es v, check_views d r1 r2 vs es = true -> In v vs ->
  exists e, check_view d r1 r2 v e = true.
Proof.
  induction vs as [|u vs IH]; intros [|e es] v; simpl; try discriminate; [tauto|].
  rewrite andb_true_iff. intros (A & B) [->|H]; eauto.
Qed.

Theorem known_prior_sound d vs es r1 r2 : check_known_prior d vs es r1 r2 = true ->
  forall X Y (inputs : list X) (p k : X -> Y -> Q) prior,
  described vs inputs p k (same_prior prior) -> is_prior inputs prior ->
  forall (S : X -> bool) (y : Y), ~ breach d inputs (fun x => prior x * k x y) (fun x => p x y) r1 r2 S.
Proof.
  intros C X Y inputs p k prior D (W & _) S y. destruct (D y) as (v & cl & f & Hv & Dv & Dp).
  apply andb_true_iff in C. destruct C as (_ & C).
  destruct (check_views_in _ _ _ _ _ _ C Hv) as (e & He). assert (He' := He).
  unfold check_view in He. rewrite !andb_true_iff, !Qlt_bool_iff in He. destruct He as (((F1 & F2) & SH) & _).
  eapply known_prior_view; eauto.
Qed.
