package hocket.gan.losses;

import static hocket.programs.Operators.add;

import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.gan.terms.InputGradients;
import hocket.gan.terms.Term;
import hocket.programs.Loss;
import hocket.programs.Value;
import hocket.scopes.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A GAN loss with terms.
 *
 * @param checked whether a discriminator that mixes the rows of a batch is refused where a term uses each row's gradient
 */
record LossWithTerms(GanLoss loss, List<Term> terms, boolean checked) implements GanLoss {
    LossWithTerms {
        terms.stream()
                .filter(term -> term.changesTargets() && !loss.hasTargets())
                .forEach(term -> {
                    throw new IllegalArgumentException(
                            "term " + term.key() + " changes the target of real rows, and loss " + loss.key()
                                    + " has none; use it with non_saturating, minimax or least_squares");
                });
    }

    @Override
    public GanLoss with(List<Term> more) {
        List<Term> all = new ArrayList<>(terms);
        all.addAll(more);
        return new LossWithTerms(loss, List.copyOf(all), checked);
    }

    @Override
    public GanLoss withUnchecked(List<Term> more) {
        return new LossWithTerms(loss, with(more).terms(), false);
    }

    @Override
    public boolean hasTargets() {
        return loss.hasTargets();
    }

    @Override
    public Value discriminator(Value real, Value fake) {
        return loss.discriminator(real, fake);
    }

    @Override
    public Value generator(Value real, Value fake) {
        return loss.generator(real, fake);
    }

    @Override
    public OptionalDouble decisionThreshold() {
        return loss.decisionThreshold();
    }

    @Override
    public String key() {
        return loss.key();
    }

    @Override
    public boolean requiresLipschitz() {
        return loss.requiresLipschitz() && terms.stream().noneMatch(Term::constrainsLipschitz);
    }

    @Override
    public Loss discriminator(Pass pass) {
        if (checked) {
            terms.stream()
                    .filter(Term::usesPerSampleGradients)
                    .forEach(term -> InputGradients.requireApart(term, pass.real(), pass.onReal()));
        }
        return with(Side.DISCRIMINATOR, loss.discriminator(pass), pass, "penalty");
    }

    @Override
    public Loss generator(Pass pass) {
        return with(Side.GENERATOR, loss.generator(pass), pass, "terms");
    }

    /** Adds the terms of a side; each is a metric under its key, the second of a key under {@code key_2}. */
    private Loss with(Side side, Loss plain, Pass pass, String sumName) {
        Loss all = plain;
        @Nullable Value sum = null;
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            if (term.side().includes(side) && term.every() == 1) {
                Value value = value(i, side, pass);
                all = all.metric(unused(term.key(), all.metrics().keySet()), value);
                sum = sum == null ? value : add(sum, value);
            }
        }
        return sum == null ? all : new Loss(add(all.value(), sum), all.metrics()).metric(sumName, sum);
    }

    @Override
    public SortedMap<String, LazyLoss> lazyTerms(Pass ofDiscriminator, Pass ofGenerator) {
        SortedMap<String, LazyLoss> losses = new TreeMap<>();
        for (int i = 0; i < terms.size(); i++) {
            Term term = terms.get(i);
            if (term.every() != 1) {
                if (term.side() == Side.BOTH) {
                    throw new IllegalArgumentException(
                            "term " + term.key()
                                    + " trains both networks, each in its own turn, so it cannot be computed in some rounds only");
                }
                Pass pass = term.side() == Side.DISCRIMINATOR ? ofDiscriminator : ofGenerator;
                String name = unused(term.key(), losses.keySet());
                losses.put(name, new LazyLoss(term.side(), term.every(), Loss.of(value(i, term.side(), pass))));
            }
        }
        return losses;
    }

    /**
     * Computes a term. One whose key another has before it, and the generator's part of one of both sides, has a scope, so that
     * its noise has a path of its own.
     */
    private Value value(int place, Side side, Pass pass) {
        Term term = terms.get(place);
        long before = terms.subList(0, place).stream()
                .filter(other -> other.key().equals(term.key()))
                .count();
        String scope = (before == 0 ? "" : "_" + (before + 1))
                + (term.side() == Side.BOTH && side == Side.GENERATOR ? "_of_generator" : "");
        if (scope.isEmpty()) {
            return term.of(pass);
        }
        try (Scope<Value> own = pass.fake().graph().scope(term.key() + scope)) {
            return term.of(pass);
        }
    }

    /** Returns a key, or with the first number from 2 with which it is not used yet. */
    private static String unused(String key, Set<String> used) {
        String name = key;
        for (int i = 2; used.contains(name); i++) {
            name = key + "_" + i;
        }
        return name;
    }
}
