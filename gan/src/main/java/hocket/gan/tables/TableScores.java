package hocket.gan.tables;

import hocket.gan.scores.HeldOutScores;
import hocket.gan.scores.ReferenceSources;
import hocket.programs.Program;
import hocket.schedulers.Source;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Shape;
import java.util.Map;
import java.util.Optional;

/**
 * Scores generated rows of a table by {@link TableEvaluation}.
 *
 * @param feed of a table
 * @param program whose first target is encoded rows, from noise alone
 * @param samples the number of rows drawn
 * @param heldOut a table of the same columns and categories that the generator is not trained on
 */
public record TableScores(
        @Setting(help = "the feed of the table: a CsvTable or Penguins")
        String feed,

        @Setting(usually = "draw", help = "the program that generates rows")
        String program,

        @Setting(usually = "1000", least = 2, help = "number of rows to generate")
        int samples,

        @Setting(help = "a table that the generator is not trained on, by class as a feed, for hocket eval")
        Optional<SourceDefinition> heldOut)
        implements EvaluationDefinition, TableScoresCopies {
    /** @throws IllegalArgumentException if there are too few samples */
    public TableScores {
        TableScoresCopies.check(samples);
    }

    /** @throws IllegalArgumentException if the held-out table has another header, unknown categories, or the rows of the feed */
    @Override
    public Evaluation build(Networks networks, Map<String, Source> sources) {
        TableSource real = ReferenceSources.by(feed, sources, TableSource.class, "rows of a table");
        Optional<TableData> others = heldOut.map(data -> real.encoding()
                .known(
                        "held_out",
                        ReferenceSources.heldOut(data, TableSource.class, "rows of a table")
                                .table()));
        others.ifPresent(
                each -> HeldOutScores.requireOthers("rows", real.table().rowHashes(), each.rowHashes()));
        Shape row = Shape.of(real.encoding().layout().size());
        Program draw = ReferenceSources.requireDrawing(networks.program(program), row, "rows of " + feed);
        return new TableEvaluation(real, draw, samples, others);
    }
}
