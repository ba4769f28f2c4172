package hocket.gan.terms;

import static hocket.programs.Operators.scale;

import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import java.util.List;

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
    /** @throws IllegalArgumentException if every is below 1, or the term is lazy itself */
    public LazyTerm {
        LazyTermCopies.check(every);
        if (term.every() != 1) {
            throw new IllegalArgumentException("term: must not be lazy itself, was {lazy: {every: " + term.every()
                    + ", term: " + term.key() + "}}");
        }
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
    public boolean changesTargets() {
        return term.changesTargets();
    }

    @Override
    public List<String> states() {
        return term.states();
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
