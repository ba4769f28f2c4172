package hocket.gan.tables;

import hocket.gan.parts.Categories;
import hocket.gan.parts.ConditionDefinition;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.RowLayout;
import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Keyed;
import hocket.scopes.ElementType;
import java.util.List;
import java.util.Optional;

/**
 * Conditions on a category of one column of a table, as in CTGAN (Xu et al. 2019, section 4.3): real and generated rows have that of the feed's
 * column {@code condition}. Samples have one that is drawn by its frequency, of a column that is drawn, by noise {@code condition_drawn}.
 */
@Keyed.Name("categories")
public record TableCategories() implements ConditionDefinition {
    static final String COLUMN = "condition";

    /** @throws IllegalArgumentException if no source gives rows of a table */
    @Override
    public Conditions of(Graph graph, Columns columns, Redraw noise) {
        TableEncoding encoding = TableEncoding.of(columns.all())
                .orElseThrow(() -> new IllegalArgumentException(
                        "condition: categories needs rows of a table, such as feed {class: CsvTable}, but the columns are "
                                + columns.all()));
        RowLayout layout = encoding.layout();
        if (layout.choices() == 0) {
            RowCondition none = RowCondition.of(new RowCondition.Table(layout, Optional.empty()));
            return new Conditions(none, none, none);
        }
        Value choice = graph.input(COLUMN, columns.shape(COLUMN), ElementType.INT64);
        RowCondition given = RowCondition.of(new RowCondition.Table(layout, Optional.of(choice)));
        List<Double> frequencies = encoding.categorical().stream()
                .flatMap(column -> column.counts().stream())
                .map(Integer::doubleValue)
                .toList();
        Value drawn = Categories.drawn(graph, "condition_drawn", frequencies, noise);
        return new Conditions(given, given, RowCondition.of(new RowCondition.Table(layout, Optional.of(drawn))));
    }

    @Override
    public boolean allowsPacks() {
        return true;
    }
}
