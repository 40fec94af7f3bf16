"""What a piece of work takes of the machine: time, memory, threads, files that appear whole."""
