package hocket.gan.parts;

import hocket.programs.Graph;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Keyed;

/** No condition; in a file {@code condition: none}. */
@Keyed.Name("none")
public record Unconditional() implements ConditionDefinition {
    @Override
    public Conditions of(Graph graph, Columns columns, Redraw noise) {
        return new Conditions(RowCondition.none(), RowCondition.none(), RowCondition.none());
    }

    @Override
    public boolean allowsPacks() {
        return true;
    }
}
