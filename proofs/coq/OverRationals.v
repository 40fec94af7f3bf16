(* Column.v over the rational numbers, which compute: no axiom (Assumptions.v). *)
From Coq Require Import QArith Qfield Lqa List Bool.
Import ListNotations.
Open Scope Q_scope.
Local Notation num := Q.

Load Column.
