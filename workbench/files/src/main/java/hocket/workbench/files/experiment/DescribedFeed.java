package hocket.workbench.files.experiment;

import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import java.util.List;
import java.util.OptionalLong;

/**
 * The facts of a feed that are known without its data: enough to build networks and to show a run.
 *
 * @param columns as they feed inputs
 * @param batch rows a draw
 * @param draws draws an epoch; empty without epochs
 * @param notes remarks on its data, for people; none if unknown
 */
public record DescribedFeed(List<Source.Column> columns, int batch, OptionalLong draws, List<String> notes) {
    public DescribedFeed {
        columns = List.copyOf(columns);
        notes = List.copyOf(notes);
    }

    /** Returns the description of a source. */
    public static DescribedFeed of(SourceDescription source) {
        return new DescribedFeed(source.columns(), source.batch(), source.drawsAnEpoch(), source.notes());
    }
}
