"""Ready-made operators, one file each, audited through their views without a matrix."""
