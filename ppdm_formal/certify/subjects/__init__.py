"""What is claimed about, a file each: finite operators, noise on real numbers, records in parts."""
