package hocket.workbench.runs.plans;

import hocket.schedulers.Phase;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.TrainingProgress;
import hocket.schedulers.optimizers.transforms.Scale;
import hocket.scopes.Path;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Warns of valid but suspicious optimizer settings, with a sentence for each that names the part and the remedy. */
record RuleWarnings(Setup setup, List<String> warnings) {
    private static final double FAR_APART = 1000;
    private static final double ROUNDING = 1e-9;

    static List<String> of(Setup setup) {
        RuleWarnings found = new RuleWarnings(setup, new ArrayList<>());
        found.chains();
        setup.phases().forEach(found::rates);
        return found.warnings;
    }

    private static void updates(Collection<Turn> turns, BiConsumer<String, Turn.Update> to) {
        for (Turn turn : turns) {
            for (Turn.Update update : turn.updates()) {
                to.accept("turn " + turn.name() + " updates " + update.selection(), update);
            }
        }
    }

    /** Warns of chains with no rate, or several, and of transformations that match no parameter. */
    private void chains() {
        updates(setup.turnsByName().values(), (what, update) -> {
            List<GradientTransformation> rated = update.rule().links().stream()
                    .filter(gradientTransformation ->
                            !gradientTransformation.rates().isEmpty())
                    .toList();
            List<GradientTransformation> rules = rated.stream()
                    .filter(gradientTransformation -> !(gradientTransformation instanceof Scale))
                    .toList();
            if (rated.isEmpty() && update.rule().links().stream().allMatch(RuleWarnings::isBuiltIn)) {
                warnings.add(what + " by " + names(update.rule().links())
                        + ", in which no transformation has a rate: the step is the gradient"
                        + " itself; put a rule such as adam or sgd into the chain");
            } else if (rules.size() > 1) {
                warnings.add(what + " by " + names(rules) + ", each with a rate, one upon the other's step; keep one of"
                        + " them");
            }
            Collection<Path> weights =
                    update.selection().of(setup.declarations()).keySet();
            for (GradientTransformation gradientTransformation : update.rule().links()) {
                if (!weights.isEmpty() && weights.stream().noneMatch(gradientTransformation::touches)) {
                    warnings.add(what + ", of which " + gradientTransformation
                            + " matches no parameter; check its glob against "
                            + weights.iterator().next());
                }
            }
        });
    }

    /** A user's own transformation may scale the step itself. */
    private static boolean isBuiltIn(GradientTransformation gradientTransformation) {
        return (gradientTransformation.getClass().getPackageName() + ".")
                .startsWith(GradientTransformation.class.getPackageName() + ".");
    }

    private static String names(List<GradientTransformation> gradientTransformations) {
        return gradientTransformations.stream()
                .map(gradientTransformation -> gradientTransformation.getClass().getSimpleName())
                .collect(Collectors.joining(" and "));
    }

    private void rates(Phase phase) {
        Map<String, Double> rates = new LinkedHashMap<>();
        updates(
                phase.plan().turnsByName().values(),
                (what, update) -> update.rule().rates().stream()
                        .mapToDouble(RuleWarnings::peak)
                        .reduce((rate, factor) -> rate * factor)
                        .ifPresent(peak -> rates.put(what, peak)));
        rates.forEach((what, rate) -> {
            if (rate == 0) {
                warnings.add(what + " at rate 0, so it never changes; remove the update");
            }
        });
        rates.values().removeIf(rate -> rate == 0);
        if (rates.isEmpty()) {
            return;
        }
        Map.Entry<String, Double> most = Collections.max(rates.entrySet(), Map.Entry.comparingByValue());
        Map.Entry<String, Double> least = Collections.min(rates.entrySet(), Map.Entry.comparingByValue());
        double apart = most.getValue() / least.getValue();
        if (apart >= FAR_APART * (1 - ROUNDING)) {
            warnings.add(most.getKey() + " at rate " + NumberFormats.exactly(most.getValue()) + ", but "
                    + least.getKey()
                    + " at " + NumberFormats.exactly(least.getValue()) + ", " + NumberFormats.grouped(Math.round(apart))
                    + " times less; check that both are intended");
        }
    }

    /** Returns the largest value of a rate in the first million updates. */
    private static double peak(Rate rate) {
        return LongStream.iterate(1, count -> count <= 1_000_000, count -> 10 * count)
                .mapToDouble(count -> rate.at(TrainingProgress.of(count, count - 1, 0)))
                .max()
                .orElse(0);
    }
}
