package hocket.gan.scores;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Shape;
import hocket.scopes.SimilarNames;
import java.util.Map;

/** Finds the sources of real data that scores compare with. */
public final class ReferenceSources {
    private ReferenceSources() {}

    /**
     * Finds the source of a name and checks its kind.
     *
     * @param kind the required class of the source
     * @param contents of sources of that kind, for the message
     * @throws IllegalArgumentException if no source has that name, naming a similar one, or the source is of another
     *     kind
     */
    public static <S extends Source> S by(String feed, Map<String, Source> sources, Class<S> kind, String contents) {
        Source source = SimilarNames.get(sources, feed, "feed: there is no feed ");
        return checked("feed", source, feed, kind, contents);
    }

    /**
     * Opens held-out data and checks their kind. Throws as {@link #by}, or if they cannot be read.
     *
     * @param data as a file's key {@code held_out} describes them
     */
    public static <S extends Source> S heldOut(SourceDefinition data, Class<S> kind, String contents) {
        return of("held_out", data, kind, contents);
    }

    /**
     * Opens data that no turn reads and checks their kind. Throws as {@link #by}, or if they cannot be read.
     *
     * @param key that describes them in a file
     */
    public static <S extends Source> S of(String key, SourceDefinition data, Class<S> kind, String contents) {
        return checked(key, data.open(key, 1, false), "it", kind, contents);
    }

    /**
     * Checks that a program draws rows of a shape from noise alone.
     *
     * @param rows what the rows are, for the message
     * @throws IllegalArgumentException if it reads an input, or draws others
     */
    public static Program requireDrawing(Program draw, Shape row, String rows) {
        Value drawn = draw.targets().get(0);
        if (!draw.inputs().isEmpty() || !drawn.shape().equals(row)) {
            throw new IllegalArgumentException("program: must draw " + rows + " " + row + " from noise alone, but "
                    + draw.name() + " draws " + drawn + " from " + draw.inputs());
        }
        return draw;
    }

    private static <S extends Source> S checked(
            String key, Source source, String name, Class<S> kind, String contents) {
        if (!kind.isInstance(source)) {
            throw new IllegalArgumentException(
                    key + ": must give " + contents + ", but " + name + " gives " + source.columns());
        }
        return kind.cast(source);
    }
}
