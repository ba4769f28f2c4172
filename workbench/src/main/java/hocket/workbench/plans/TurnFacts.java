package hocket.workbench.plans;

import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Selection;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A turn. Program and updates are of one that descends; from, to and decay of one that follows.
 *
 * @param warmUp whether the decay begins small
 * @param statisticsBatches over how many batches the average's own batch-norm statistics are estimated; 0 for copies
 * @param reads what is read; of one that acts, that is not known
 * @param writes what is written
 */
public record TurnFacts(
        String name,
        Does does,
        @Nullable String program,
        List<ParameterGlobs.Share> reads,
        List<ParameterGlobs.Share> writes,
        List<Update> updates,
        @Nullable String from,
        @Nullable String to,
        @Nullable Double decay,
        @Nullable Boolean warmUp,
        @Nullable Integer statisticsBatches) {
    /** What a turn is. */
    enum Does {
        DESCENDS,
        FOLLOWS,
        ACTS
    }

    /** By which rule weights are moved. */
    record Update(String selection, boolean shared, String rule) {}

    static TurnFacts of(Turn turn, Writes writes, List<ProgramUse> programUses, ParameterGlobs parameterGlobs) {
        List<ParameterGlobs.Share> written =
                parameterGlobs.summary(writes.byTurn().getOrDefault(turn.name(), new TreeSet<>()));
        return turn.fold(
                descend -> of(descend, written, programUses, parameterGlobs),
                follow -> of(follow, written, parameterGlobs),
                TurnFacts::of);
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
                turn.from(),
                turn.to(),
                turn.decay(),
                turn.warmUp(),
                turn.statisticsBatches());
    }

    private static TurnFacts of(Turn.Act turn) {
        return new TurnFacts(
                turn.name(), Does.ACTS, null, List.of(), List.of(), List.of(), null, null, null, null, null);
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
                null,
                null,
                null,
                null,
                null);
    }
}
