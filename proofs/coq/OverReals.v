(* Column.v over the real numbers, for a prior need not be rational. The axioms are those of Coq's own reals (Assumptions.v). *)
From Coq Require Import Reals Lra Psatz List Bool Setoid.
Import ListNotations.
Open Scope R_scope.
Local Notation num := R.
Local Notation "x == y" := (x = y) (at level 70, no associativity) : R_scope.

(* lemmas of QArith by their names there *)
Local Lemma Qmult_le_r x y z : 0 < z -> (x * z <= y * z <-> x <= y). Proof. intro; split; intro; nra. Qed.
Local Lemma Qmult_lt_r x y z : 0 < z -> (x * z < y * z <-> x < y). Proof. intro; split; intro; nra. Qed.
Local Lemma Qmult_lt_l x y z : 0 < z -> (z * x < z * y <-> x < y). Proof. intro; split; intro; nra. Qed.
Local Lemma Qmult_le_compat_r x y z : x <= y -> 0 <= z -> x * z <= y * z. Proof. intros; nra. Qed.
Local Lemma Qle_shift_div_r a b c : 0 < b -> a <= c * b -> a / b <= c.
Proof. intros P H. apply (Qmult_le_r _ _ b P). unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.
Local Lemma Qle_shift_div_l a b c : 0 < c -> a * c <= b -> a <= b / c.
Proof. intros P H. apply (Qmult_le_r _ _ c P). unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.
Local Definition Qmult_le_0_compat := Rmult_le_pos.
Local Definition Qmult_lt_0_compat := Rmult_lt_0_compat.
Local Definition Qlt_le_dec := Rlt_le_dec.
Local Definition Qlt_le_weak := Rlt_le.

Load Column.
