package hocket.gan.scores;

import hocket.schedulers.Source;
import hocket.scopes.SimilarNames;
import java.util.Map;

/** Finds the sources of real data that scores compare with. */
final class ReferenceSources {
    private ReferenceSources() {}

    /**
     * Finds the source of a name and checks its kind.
     *
     * @param kind the required class of the source
     * @param such the contents of sources of that kind, for the message
     * @throws IllegalArgumentException if no source has that name, naming a similar one, or the source is of another
     *     kind
     */
    static <S extends Source> S by(String feed, Map<String, Source> sources, Class<S> kind, String such) {
        Source source = SimilarNames.get(sources, feed, "feed: there is no feed ");
        if (!kind.isInstance(source)) {
            throw new IllegalArgumentException(
                    "feed: must give " + such + ", but " + feed + " gives " + source.columns());
        }
        return kind.cast(source);
    }
}
