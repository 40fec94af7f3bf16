"""What all inference shares: channels, decoders, likelihoods, intervals, tests."""
