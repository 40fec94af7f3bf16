"""What is said of decided claims, a file for each kind of operator that they are about."""
