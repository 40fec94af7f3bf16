"""The commands of ppdm, one file each; a file here is a command by its name."""
