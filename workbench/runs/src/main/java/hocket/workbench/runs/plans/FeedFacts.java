package hocket.workbench.runs.plans;

import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Turn;
import hocket.scopes.ElementType;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A feed: its source, batch and readers.
 *
 * @param rows a draw
 * @param drawsAnEpoch draws an epoch; null if there are no epochs, or it is unknown
 * @param readBy the turns that read it
 * @param notes remarks on its data
 */
public record FeedFacts(
        String name,
        List<Column> columns,
        int rows,
        Resample draw,
        @Nullable Long drawsAnEpoch,
        List<String> readBy,
        List<String> notes) {
    /** A column, its shape and type as text, and whether a turn reads it. */
    record Column(String name, List<Integer> shape, ElementType type, String text, boolean read) {}

    static FeedFacts of(Setup.Feed feed, List<Turn.Descend> turns) {
        SourceDescription source = feed.source();
        OptionalLong epoch = source.drawsAnEpoch();
        return new FeedFacts(
                source.name(),
                source.columns().stream().map(column -> column(column, turns)).toList(),
                source.batch(),
                feed.draw(),
                epoch.isPresent() ? epoch.getAsLong() : null,
                turns.stream()
                        .filter(turn -> RoundCounts.reads(turn, source))
                        .map(Turn.Descend::name)
                        .toList(),
                source.notes());
    }

    private static Column column(Source.Column column, List<Turn.Descend> turns) {
        return new Column(
                column.name(),
                Arrays.stream(column.shape().extents()).boxed().toList(),
                column.type(),
                column.toString(),
                turns.stream()
                        .anyMatch(turn -> turn.program().input(column.name()).isPresent()));
    }
}
