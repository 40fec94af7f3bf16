"""Running operators on data: sampling, compression, mining, and seeded simulation."""
