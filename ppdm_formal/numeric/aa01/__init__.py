"""The experiments of AA01 again: information loss and privacy loss, by repetitions."""
