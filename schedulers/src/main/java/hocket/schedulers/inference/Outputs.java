package hocket.schedulers.inference;

import hocket.schedulers.Source.Column;
import hocket.scopes.SimilarNames;
import hocket.scopes.Tensor;
import java.util.List;

/**
 * The result of a call: named columns, with a row for each row that was given.
 *
 * @param step turns of training that the parameters had taken which computed it
 * @param columns name, shape of a row and type of each column, the main one first
 * @param tensors the columns, (rows, …) each
 */
public record Outputs(long step, List<Column> columns, List<Tensor> tensors) {
    public Outputs {
        columns = List.copyOf(columns);
        tensors = List.copyOf(tensors);
    }

    /** Returns the first column. */
    public Tensor tensor() {
        return tensors.get(0);
    }

    /**
     * Returns the column of a name.
     *
     * @throws IllegalArgumentException if there is none; the message names similar ones
     */
    public Tensor tensor(String name) {
        List<String> names = columns.stream().map(Column::name).toList();
        SimilarNames.require(names, name, "there is no output ");
        return tensors.get(names.indexOf(name));
    }

    /** Returns the numbers of the first column, row by row. */
    public float[] floats() {
        return tensor().floats();
    }

    /**
     * Returns the whole numbers of the first column, such as discrete actions.
     *
     * @throws IllegalStateException if it holds floats
     */
    public long[] longs() {
        return tensor().longs();
    }
}
