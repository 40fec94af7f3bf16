(* What every main theorem rests on. Over the rationals: nothing ("Closed under the global context"). *)
From PPDM Require OverRationals AllPriors OneProperty KnownPrior Family Witness Broken Reports Pairs OverReals Regions Exponential PairsExp Tilt Example1 Warner.

Print Assumptions OverRationals.upward_cross.
Print Assumptions OverRationals.downward_cross.
Print Assumptions OverRationals.thresholds.
Print Assumptions OverRationals.statement1.
Print Assumptions OverRationals.statement1_gamma.
Print Assumptions OverRationals.converse.
Print Assumptions AllPriors.all_priors_sound.
Print Assumptions AllPriors.all_priors.
Print Assumptions AllPriors.all_priors_for_sound.
Print Assumptions AllPriors.all_priors_above.
Print Assumptions AllPriors.all_priors_complete.
Print Assumptions AllPriors.amplification_sound.
Print Assumptions OneProperty.one_property_sound.
Print Assumptions KnownPrior.known_prior_view.
Print Assumptions KnownPrior.known_prior_sound.
Print Assumptions Family.refutes_sound.
Print Assumptions Family.family_sound.
Print Assumptions Witness.witness_column.
Print Assumptions Witness.witness_sound.
Print Assumptions Witness.witness_known_sound.
Print Assumptions Witness.witness_for_sound.
Print Assumptions Witness.witness_known_for_sound.
Print Assumptions Broken.ratio_broken_sound.
Print Assumptions Broken.witness_family_sound.
Print Assumptions Broken.witness_family_for_sound.
Print Assumptions Reports.reports_sound.
Print Assumptions Reports.reports_ratio_sound.
Print Assumptions Pairs.pairs_sound.
Print Assumptions Pairs.pair_broken_sound.
Print Assumptions Example1.R3_safe.
Print Assumptions Warner.warner_safe.
Print Assumptions Warner.warner_breached.
Print Assumptions Warner.warner_region.

(* Over the reals: the axioms of Coq's own real numbers. *)
Print Assumptions OverReals.thresholds.
Print Assumptions OverReals.statement1.
Print Assumptions OverReals.statement1_gamma.
Print Assumptions OverReals.converse.
Print Assumptions Regions.safe_sound.
Print Assumptions Regions.broken_sound.
Print Assumptions Regions.bounded_sound.
Print Assumptions Exponential.exp_sound.
Print Assumptions PairsExp.pairs_exp_sound.
Print Assumptions PairsExp.pair_broken_exp_sound.
Print Assumptions Tilt.tilt.
Print Assumptions Tilt.tilt_bound.
