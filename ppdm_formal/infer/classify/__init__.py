"""Classification over perturbed records: decision trees, and a synthetic benchmark for them."""
