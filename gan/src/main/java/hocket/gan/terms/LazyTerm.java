package hocket.gan.terms;

import static hocket.programs.Operators.scale;

import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * A term that is computed once in a number of rounds, lazy regularisation (Karras et al. 2020, StyleGAN2, appendix B):
 * {@code every · term}. It is not added to the loss: it is the loss of a program under the term's key, for a turn that
 * steps the optimizer of the loss's turn, {@code {program: r1, optimizer_of: d}}, and is taken by {@code {when: {rounds:
 * 16}, of: r1}}.
 *
 * @param every rounds, at least 1
 * @param term what is computed
 */
public record LazyTerm(
        @Setting(least = 1, most = 1e6, help = "computed once in this many rounds, with this times its weight")
        int every,

        @Setting(help = "what is computed, such as {r1: {weight: 10}}")
        Term term)
        implements Term, LazyTermCopies {
    /** @throws IllegalArgumentException if every is below 1 */
    public LazyTerm {
        LazyTermCopies.check(every);
    }

    @Override
    public Value of(Pass pass) {
        return scale(term.of(pass), every);
    }

    @Override
    public Side side() {
        return term.side();
    }

    @Override
    public boolean usesPerSampleGradients() {
        return term.usesPerSampleGradients();
    }

    @Override
    public boolean constrainsLipschitz() {
        return term.constrainsLipschitz();
    }

    @Override
    public String key() {
        return term.key();
    }
}
