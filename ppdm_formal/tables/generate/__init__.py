"""Generation: databases that resemble others, what they cost in privacy, and what they keep."""
