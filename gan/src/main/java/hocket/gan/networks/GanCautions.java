package hocket.gan.networks;

import hocket.gan.augmentations.Adaptive;
import hocket.gan.augmentations.AdjustAugmentation;
import hocket.gan.losses.GanLoss;
import hocket.gan.losses.GanLoss.LazyLoss;
import hocket.gan.parts.ConditionDefinition.Conditions;
import hocket.gan.parts.Discriminator;
import hocket.programs.Loss;
import hocket.programs.Value;
import hocket.schedulers.Action;
import hocket.schedulers.Count;
import hocket.schedulers.Plan;
import hocket.schedulers.Setup;
import hocket.schedulers.Setup.Feed;
import hocket.schedulers.Setup.Watch;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.transforms.Bound;
import hocket.schedulers.plans.Choose;
import hocket.schedulers.plans.Repeat;
import hocket.schedulers.plans.When;
import hocket.schedulers.settings.Networks;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/** Warnings of what a GAN needs and an experiment may lack. Each method returns networks with one more. */
final class GanCautions {
    /** The path of the setting that is the probability of an adaptive augmentation. */
    static final String PROBABILITY = "augment/" + Adaptive.PROBABILITY;

    private static final double HALF_A_TURN = 0.5;

    private GanCautions() {}

    /** Warns if the loss needs a Lipschitz-constrained discriminator and nothing constrains it. */
    static Networks lipschitz(Networks networks, GanLoss loss, Discriminator discriminator, String selection) {
        return loss.requiresLipschitz() && !discriminator.isLipschitzConstrained()
                ? networks.warnUnlessHeld(
                        selection,
                        Bound.class,
                        "discriminator: its loss is " + loss.key()
                                + ", which needs a Lipschitz-constrained discriminator,"
                                + " and nothing constrains it; add the term {wgan_gp: {weight: 10}} to a discriminator"
                                + " without batch norm, use a spectral norm, or put {bound: 0.01} after its optimizer")
                : networks;
    }

    /**
     * Warns if nothing sets the probability of an adaptive augmentation, no action and no schedule that may, and if the
     * loss gives the sign of an output, by which it is adjusted, no meaning; and if an action that adjusts it counts other turns
     * or rows than there are.
     *
     * @param column of the real rows
     */
    static Networks adaptive(Networks networks, GanLoss loss, String column) {
        Networks checked = loss.decisionThreshold().isPresent()
                ? networks
                : networks.warnUnless(
                        setup -> false,
                        "network: the augmentation is adaptive, and loss " + loss.key() + " compares outputs with each"
                                + " other, so that their sign, by which AdjustAugmentation sets " + PROBABILITY
                                + ", says nothing: use non_saturating, hinge or least_squares, or a fixed probability");
        checked = checked.warnUnless(
                setup -> setup.watches().stream().allMatch(watch -> isTimely(setup, watch)),
                "network: AdjustAugmentation sets the probability by another number of turns than it runs after: set its"
                        + " every to the discriminator's turns between two of its runs");
        checked = checked.warnUnless(
                setup -> setup.watches().stream()
                        .flatMap(watch -> adjustment(watch).stream())
                        .allMatch(adjust ->
                                isFedBy(setup, column, source -> source.batch() * source.pack() == adjust.batch())),
                "network: AdjustAugmentation counts another number of real rows than a turn reads: set its batch to the"
                        + " batch of the feed, times its pack");
        return checked.warnUnless(
                setup -> setup.watches().stream()
                                .anyMatch(watch -> watch.action().settings().contains(PROBABILITY))
                        || setup.phases().stream().anyMatch(phase -> hasSchedule(phase.plan())),
                "network: the augmentation is adaptive, and nothing sets its probability " + PROBABILITY
                        + ", which stays 0: add {every: {rounds: 4}, do: [{class: AdjustAugmentation}]} under on");
    }

    private static Optional<AdjustAugmentation> adjustment(Watch watch) {
        return watch.action() instanceof Action.Own own && own.action() instanceof AdjustAugmentation adjust
                ? Optional.of(adjust)
                : Optional.empty();
    }

    /** Returns whether an action that adjusts the probability may run after as many turns as it takes into account. */
    private static boolean isTimely(Setup setup, Watch watch) {
        Optional<AdjustAugmentation> adjust = adjustment(watch);
        if (adjust.isEmpty() || !(watch.trigger() instanceof Trigger.EveryRounds every)) {
            return true;
        }
        return setup.phases().stream()
                .mapToDouble(phase -> intervals(phase.plan(), "discriminator")
                        .map(rounds -> every.rounds() / rounds)
                        .sum())
                .allMatch(turns -> turns == 0 || Math.abs(turns - adjust.get().every()) < HALF_A_TURN);
    }

    /** Warns unless the feed of a column joins rows to packs of the size that the discriminator scores. */
    static Networks packed(Networks networks, String column, int pack) {
        return networks.warnUnless(
                setup -> isFedBy(setup, column, source -> source.pack() == pack),
                "network: pack is " + pack + ", and the feed of column " + column
                        + " joins another number of rows of its data: set pack of both to one number");
    }

    /** Warns if batches are smaller than the discriminator's statistics need. */
    static Networks fewestRows(Networks networks, String column, Discriminator discriminator) {
        int fewest = discriminator.fewestRows();
        return fewest > 1
                ? networks.warnUnless(
                        setup -> isFedBy(setup, column, source -> source.batch() >= fewest),
                        "network: the discriminator compares the rows of a batch and needs at least " + fewest
                                + ", two for each of its groups, and a batch has fewer: set fewer groups")
                : networks;
    }

    /** Returns whether the feeds of a column are as wanted. */
    private static boolean isFedBy(Setup setup, String column, Predicate<SourceDescription> wanted) {
        return setup.feeds().stream()
                .map(Feed::source)
                .filter(source -> source.hasColumn(column))
                .allMatch(wanted);
    }

    private static boolean hasSchedule(Plan plan) {
        return plan instanceof Choose || plan.parts().stream().anyMatch(GanCautions::hasSchedule);
    }

    /** Warns unless a turn takes a lazy term and steps the optimizer of the turn that takes the loss of its side. */
    static Networks lazy(Networks networks, String name, LazyLoss term) {
        String side = term.side().name().toLowerCase(Locale.ROOT);
        Networks checked = networks.warnUnless(
                setup -> setup.phases().stream()
                        .flatMapToDouble(phase -> intervals(phase.plan(), name))
                        .allMatch(rounds -> rounds == term.every()),
                "network: term " + name + " has " + term.every() + " times its weight, as it is computed once in "
                        + term.every()
                        + " rounds, and the plan takes its turn more or less often: set both to one number");
        return checked.warnUnless(
                setup -> isTaken(setup, name, side),
                "network: term " + name + " is computed once in " + term.every()
                        + " rounds by a turn of its own, and no"
                        + " turn takes program " + name + " with the optimizer of program " + side + "'s turn: add the"
                        + " turn {program: " + name + ", optimizer_of: …} and, after the other turn in the plan,"
                        + " {when: {rounds: " + term.every() + "}, of: …}");
    }

    /** Returns in how many rounds each turn of a program is taken once on average, where the plan says so. */
    private static DoubleStream intervals(Plan plan, String program) {
        if (plan instanceof Turn.Descend turn) {
            return turn.program().name().equals(program) ? DoubleStream.of(1) : DoubleStream.empty();
        }
        if (plan instanceof When when) {
            return when.when() instanceof Trigger.EveryRounds every
                    ? intervals(when.of(), program).map(rounds -> rounds * every.rounds())
                    : DoubleStream.empty();
        }
        if (plan instanceof Repeat repeat) {
            return repeat.repeat() instanceof Count.Times times
                    ? intervals(repeat.of(), program).map(rounds -> rounds / times.times())
                    : DoubleStream.empty();
        }
        return plan.parts().stream().flatMapToDouble(part -> intervals(part, program));
    }

    private static boolean isTaken(Setup setup, String program, String side) {
        return setup.descending().stream()
                .filter(turn -> turn.program().name().equals(program))
                .anyMatch(turn -> turn.optimizerOf()
                        .map(owner -> owner.program().name().equals(side))
                        .orElse(false));
    }

    /**
     * Warns if a discriminator does not read the labels, or no loss recognises the code, that the generator reads.
     *
     * @param fake the generated rows
     */
    static Networks unread(Networks networks, Conditions conditions, Value fake, Loss discriminator, Loss generator) {
        Networks checked = networks;
        if (conditions
                .real()
                .label()
                .map(label -> !reads(discriminator, label, fake))
                .orElse(false)) {
            checked = checked.warnUnless(
                    setup -> false,
                    "network: the generator reads labels and the discriminator's loss does not, so that generated rows"
                            + " need not be of their label: put {projection: {of: …}} around the discriminator, or add"
                            + " {linear_heads: {of: …, sizes: {class: …}}} and the term classes");
        }
        if (conditions
                .fake()
                .code()
                .map(code -> !reads(generator, code.category(), fake))
                .orElse(false)) {
            checked = checked.warnUnless(
                    setup -> false,
                    "network: the generator reads a code and no loss recognises it: add {linear_heads: {of: …, sizes:"
                            + " {category: …, numbers: …}}} around the discriminator, and the term information");
        }
        return checked;
    }

    /** Returns whether a loss reads a condition in another way than through the generated rows. */
    private static boolean reads(Loss loss, Value condition, Value fake) {
        return Value.above(List.of(loss.value()), value -> value.equals(fake) ? List.of() : value.inputs())
                .contains(condition);
    }
}
