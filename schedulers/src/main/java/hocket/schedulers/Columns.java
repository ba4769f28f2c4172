package hocket.schedulers;

import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import java.util.List;
import java.util.stream.Stream;

/**
 * The columns of all sources of an experiment, from which networks take their input shapes.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Shape image = Columns.of(images).shape("image");
 * }</pre>
 *
 * @param all every column of every source
 */
public record Columns(List<Source.Column> all) {
    public Columns {
        all = List.copyOf(all);
    }

    /** Returns the columns of these sources. */
    public static Columns of(SourceDescription... sources) {
        return new Columns(
                Stream.of(sources).flatMap(source -> source.columns().stream()).toList());
    }

    /**
     * Returns the shape of a row of a column.
     *
     * @throws IllegalArgumentException if no source has it; the message names similar columns
     */
    public Shape shape(String name) {
        return SimilarNames.find(all, Source.Column::name, name, "no source gives a column ")
                .shape();
    }
}
