"""Noises under the names by which documents and numeric work import them; see noises/."""

from ppdm_formal.declare.noises.bounded import Bounded
from ppdm_formal.declare.noises.by_place import noise_laws, noise_of, parse_noise
from ppdm_formal.declare.noises.laplace import Laplace
from ppdm_formal.declare.noises.noise import LARGEST, End, Floats, Noise
from ppdm_formal.declare.noises.normal import Normal
from ppdm_formal.declare.noises.triangular import Triangular
from ppdm_formal.declare.noises.uniform import Uniform

__all__ = [
    "LARGEST",
    "Bounded",
    "End",
    "Floats",
    "Laplace",
    "Noise",
    "Normal",
    "Triangular",
    "Uniform",
    "noise_laws",
    "noise_of",
    "parse_noise",
]
