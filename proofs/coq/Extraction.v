(* The checkers as a program in OCaml: numbers become those of Zarith, places in lists machine integers.

   checker.ml reads what it is asked (ppdm_formal/certify/theorem/text.py writes it) and answers with these. *)
From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatInt.
From PPDM Require AllPriors OneProperty KnownPrior Family Witness Broken Reports Pairs Regions Exponential PairsExp.

Extraction Blacklist List.
Separate Extraction
  AllPriors.check_all_priors AllPriors.check_all_priors_for AllPriors.check_amplification
  OneProperty.check_one_property KnownPrior.check_known_prior Family.check_family
  Broken.check_ratio_broken Broken.check_admitted Reports.check_reports Reports.check_reports_ratio
  Pairs.check_pairs Pairs.check_pair_broken PairsExp.check_pairs_exp PairsExp.check_pair_broken_exp
  Witness.check_witness Witness.check_spread Witness.check_is
  Regions.check_safe Regions.check_broken Regions.check_bounded Exponential.check_exp.
