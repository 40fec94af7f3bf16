"""The model language: from the text of a model file to operators, priors, properties and audits."""
