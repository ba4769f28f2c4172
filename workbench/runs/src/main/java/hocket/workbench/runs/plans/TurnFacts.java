package hocket.workbench.runs.plans;

import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Selection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A turn. Program and updates belong to a turn with a loss; from, to and decay belong to a follow turn.
 *
 * @param warmUp whether the decay starts small
 * @param statisticsBatches number of batches from which the average's own batch-norm statistics are estimated; 0 for
 *         copies
 * @param optimizerOf the turn whose optimizers it steps
 * @param reads arrays that it reads; unknown for a Java turn
 * @param writes arrays that it writes
 */
public record TurnFacts(
        String name,
        Does does,
        @Nullable String program,
        List<ParameterGlobs.Share> reads,
        List<ParameterGlobs.Share> writes,
        List<Update> updates,
        @Nullable String optimizerOf,
        @Nullable String from,
        @Nullable String to,
        @Nullable Double decay,
        @Nullable Boolean warmUp,
        @Nullable Integer statisticsBatches) {
    /** The kind of a turn. */
    enum Does {
        DESCENDS,
        FOLLOWS,
        ACTS
    }

    /** The rule that updates some weights. */
    record Update(String selection, boolean shared, String rule) {}

    static TurnFacts of(Turn turn, Writes writes, List<ProgramUse> programUses, ParameterGlobs parameterGlobs) {
        List<ParameterGlobs.Share> written =
                parameterGlobs.summary(writes.byTurn().getOrDefault(turn.name(), new TreeSet<>()));
        return turn.fold(
                descend -> of(descend, written, programUses, parameterGlobs),
                follow -> of(follow, written, parameterGlobs),
                act -> of(act, written));
    }

    private static TurnFacts of(Turn.Follow turn, List<ParameterGlobs.Share> written, ParameterGlobs parameterGlobs) {
        List<ParameterGlobs.Share> read = parameterGlobs.summary(
                Selection.of(turn.from()).of(parameterGlobs.declarations()).keySet());
        return new TurnFacts(
                turn.name(),
                Does.FOLLOWS,
                null,
                read,
                written,
                List.of(),
                null,
                turn.from(),
                turn.to(),
                turn.decay(),
                turn.warmUp(),
                turn.statisticsBatches());
    }

    private static TurnFacts of(Turn.Act turn, List<ParameterGlobs.Share> written) {
        return new TurnFacts(
                turn.name(), Does.ACTS, null, List.of(), written, List.of(), null, null, null, null, null, null);
    }

    private static TurnFacts of(
            Turn.Descend turn,
            List<ParameterGlobs.Share> written,
            List<ProgramUse> programUses,
            ParameterGlobs parameterGlobs) {
        ProgramUse programUse = programUses.stream()
                .filter(each -> each.turns().contains(turn.name()))
                .findFirst()
                .orElseThrow();
        List<Update> updates = turn.updates().stream()
                .map(update -> new Update(update.selection().toString(), update.shared(), RuleText.line(update.rule())))
                .toList();
        return new TurnFacts(
                turn.name(),
                Does.DESCENDS,
                programUse.label(),
                parameterGlobs.summary(programUse.program().parameters().keySet()),
                written,
                updates,
                turn.optimizerOf().map(Turn::name).orElse(null),
                null,
                null,
                null,
                null,
                null);
    }
}
