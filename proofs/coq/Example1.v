(* EGS03, Example 1: R3 on 0..1000 allows no breach 1/7 -> 1/2, whatever the prior and the property.

   R2 adds a number of -100..100, modulo 1001; R3 sends R2's number or a uniform one, half each. The theorem
   at the end mentions no view and no certificate: views describe R3 by computation, and the ratio rule does
   the rest. *)
From Coq Require Import QArith Lqa NArith ZArith List Bool Lia.
From PPDM Require Import OverRationals Sums Views AllPriors.
Import ListNotations.
Open Scope Q_scope.

Definition views : list view := [
  [ Cls (601#201201) 201 1 0 [];
    Cls (1#2002) 800 1 0 [] ] ].

Definition numbers : list Z := map Z.of_nat (seq 0 1001).
Definition shifts : list Z := map (fun i => Z.of_nat i - 100)%Z (seq 0 201).
Definition Number := { y : Z | In y numbers }.

(* R2: how many of the 201 shifts lead from x to y;  R3: R2 or a uniform number, half each *)
Definition hits (x y : Z) : nat := length (filter (fun s => Z.eqb ((x + s) mod 1001) y) shifts).
Definition R2 (x y : Z) : Q := inject_Z (Z.of_nat (hits x y)) / 201.
Definition R3 (x : Z) (y : Number) : Q := (1#2) * R2 x (proj1_sig y) + (1#2) * (1#1001).

Definition dist (x y : Z) : Z := ((y - x) mod 1001)%Z.
Definition near (d : Z) : bool := (Z.leb d 100 || Z.leb 901 d).
Definition cl (y : Z) (x : Z) : nat := if near (dist x y) then 0%nat else 1%nat.

Lemma number_range y : In y numbers -> (0 <= y < 1001)%Z.
Proof. intro H. apply in_map_iff in H. destruct H as (i & <- & H). apply in_seq in H. lia. Qed.

Lemma hits_dist x y : In y numbers -> hits x y = hits 0 (dist x y).
Proof.
  intro H. apply number_range in H. unfold hits, dist. f_equal. apply filter_ext. intro s.
  simpl. apply eq_true_iff_eq. rewrite !Z.eqb_eq.
  replace (x + s)%Z with (s + x)%Z by lia. split; intro E.
  - rewrite <- E. rewrite Zminus_mod_idemp_l. f_equal. lia.
  - rewrite <- Zplus_mod_idemp_l, E, Zplus_mod_idemp_l. replace (y - x + x)%Z with y by lia. apply Z.mod_small. lia.
Qed.

Lemma table : forallb (fun d => Nat.eqb (hits 0 d) (if near d then 1 else 0)) numbers = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma hits_near x y : In y numbers -> hits x y = if near (dist x y) then 1%nat else 0%nat.
Proof.
  intro H. rewrite hits_dist by auto. pose proof table as T. rewrite forallb_forall in T.
  apply Nat.eqb_eq, T. unfold dist. pose proof (Z.mod_pos_bound (y - x) 1001 ltac:(lia)).
  apply in_map_iff. exists (Z.to_nat ((y - x) mod 1001)). rewrite Z2Nat.id by lia. split; auto. apply in_seq. lia.
Qed.

Lemma counted : forallb (fun y => Nat.eqb (length (filter (fun x => Nat.eqb (cl y x) 0) numbers)) 201
  && Nat.eqb (length (filter (fun x => Nat.eqb (cl y x) 1) numbers)) 800) numbers = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

Lemma R3_described : described views numbers R3 (fun _ _ => 1) anything.
Proof.
  intros (y & Hy). exists (hd [] views), (cl y), 1. split; [left; auto|]. split; [|intros; exact I].
  pose proof counted as C. rewrite forallb_forall in C. specialize (C _ Hy).
  apply andb_true_iff in C. rewrite !Nat.eqb_eq in C. destruct C as (C0 & C1).
  split.
  - lra.
  - intros x _. unfold cl. simpl. destruct (near _); lia.
  - intros x _. unfold R3, R2, class_of, cl. simpl proj1_sig. rewrite hits_near by auto.
    destruct (near (dist x y)); reflexivity.
  - intros x _. unfold class_of, cl. destruct (near _); reflexivity.
  - intros [|[|c]] H; simpl in H; unfold size; [rewrite C0; reflexivity|rewrite C1; reflexivity|lia].
Qed.

Theorem R3_safe : forall prior, is_prior numbers prior -> forall (S : Z -> bool) (y : Number),
  ~ breach Both numbers prior (fun x => R3 x y) (1#7) (1#2) S.
Proof. intros prior. apply (all_priors views); [reflexivity|apply R3_described]. Qed.
