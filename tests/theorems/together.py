"""Many theorems in one file, each in a module of its own: coqc starts but once."""


def together(texts):
    """One text for coqc; what is imported is imported in each module again."""
    head, modules = [], []
    for i, text in enumerate(texts):
        lines = text.splitlines()
        head += [line for line in lines if line.startswith("From ")]
        body = [line for line in lines if not line.startswith("From ")]
        requires = [line for line in lines if line.startswith("From PPDM")]
        imports = [f"Import {line.split('Import ')[1]}" for line in requires]
        modules += [f"Module M{i}.", *imports, *body, f"End M{i}."]
    plain = [line.replace("Require Import", "Require") if "PPDM" in line else line for line in head]
    return "\n".join([*dict.fromkeys(plain), *modules, ""])
