"""The definitions of EGS03, in our words: what its statements rest on."""

from ppdm_formal.certify.statement import Definition

DEFINITIONS = (
    Definition(
        "egs03/definition_1",
        "EGS03",
        "Definition 1",
        "There is a rho1-to-rho2 breach with respect to a property Q if some output that can occur "
        "takes Q from a probability of at most rho1 to one of at least rho2.",
        "3",
        (r"\mathbf{P}[Q(X)] \le \rho_1, \quad \mathbf{P}[Q(X) \mid Y = y] \ge \rho_2",),
    ),
    Definition(
        "egs03/definition_2",
        "EGS03",
        "Definition 2",
        "Such a breach is called upward; it is downward (rho2-to-rho1) if an output takes a "
        "property from a probability of at least rho2 to one of at most rho1.",
        "3",
        (r"\mathbf{P}[Q(X)] \ge \rho_2, \quad \mathbf{P}[Q(X) \mid Y = y] \le \rho_1",),
        ("egs03/definition_1",),
    ),
    Definition(
        "egs03/definition_3",
        "EGS03",
        "Definition 3",
        "An operator is at most gamma-amplifying for an output y that can occur if no input makes "
        "y more than gamma times as likely as another.",
        "4.1",
        (r"\frac{p[x_1 \to y]}{p[x_2 \to y]} \le \gamma",),
    ),
    Definition(
        "egs03/definition_4",
        "EGS03",
        "Definition 4",
        "Select-a-size keeps j items of a transaction, any j of them alike, with probability p[j], "
        "and adds each other item with probability rho.",
        "4.2",
        (r"p[t \to t'] = \frac{p[j]}{\binom{m}{j}}\, \rho^{m' - j} (1 - \rho)^{n - m - m' + j}",),
    ),
    Definition(
        "egs03/definition_6",
        "EGS03",
        "Definition 6",
        "Worst-case information: the greatest Kullback-Leibler distance of the inputs' "
        "distribution given an output from the one before.",
        "6",
        (r"I_w(X; Y) = \max_y KL(p_{X \mid Y = y} \,\|\, p_X)",),
    ),
    Definition(
        "egs03/definition_7",
        "EGS03",
        "Definition 7",
        "Worst-case information with respect to f, for f such that t f(t) is convex on t > 0.",
        "6",
        (
            r"I_w^f(X; Y) = \max_y \mathbf{E}_{x \sim X \mid Y = y}\, "
            r"f\!\left(\frac{p_{X \mid Y = y}(x)}{p_X(x)}\right)",
        ),
        ("egs03/definition_6",),
    ),
    Definition(
        "egs03/definition_8",
        "EGS03",
        "Definition 8",
        "Inverse worst-case information with respect to f: the same with the two distributions "
        "exchanged.",
        "6",
        (
            r"J_w^f(X; Y) = \max_y \mathbf{E}_{x \sim X}\, "
            r"f\!\left(\frac{p_X(x)}{p_{X \mid Y = y}(x)}\right)",
        ),
        ("egs03/definition_7",),
    ),
)
