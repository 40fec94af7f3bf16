"""Many theorems in one file, each in a module of its own: coqc starts but once."""


def together(texts):
    """One text for coqc; what is imported is imported in each module again.

    What the theorems rest on is printed once, for all of them together.
    """
    head, modules, stated = [], [], []
    for i, text in enumerate(texts):
        lines = text.splitlines()
        head += [line for line in lines if line.startswith("From ")]
        body = [line for line in lines if not line.startswith(("From ", "Print Assumptions"))]
        stated += [f"M{i}.certificate"] if "Theorem certificate :" in lines else []
        requires = [line for line in lines if line.startswith("From PPDM")]
        imports = [f"Import {line.split('Import ')[1]}" for line in requires]
        modules += [f"Module M{i}.", *imports, *body, f"End M{i}."]
    plain = [line.replace("Require Import", "Require") if "PPDM" in line else line for line in head]
    asked = f"Definition all_of_them := ({', '.join(stated)}).\nPrint Assumptions all_of_them.\n"
    return "\n".join([*dict.fromkeys(plain), *modules, asked if stated else ""])
