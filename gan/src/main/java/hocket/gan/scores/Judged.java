package hocket.gan.scores;

import hocket.schedulers.Source;
import hocket.scopes.Nearest;
import java.util.Map;

/** Finds what scores are taken against. */
final class Judged {
    private Judged() {}

    /**
     * The source of a name, of a kind.
     *
     * @param kind what the source must be
     * @param such what sources of that kind give, for the message
     * @throws IllegalArgumentException if there is none of that name, naming what is near, or it is of another kind
     */
    static <S extends Source> S by(String feed, Map<String, Source> sources, Class<S> kind, String such) {
        Source source = sources.get(feed);
        if (source == null) {
            throw new IllegalArgumentException(
                    "feed: there is no feed " + feed + Nearest.among(feed, sources.keySet()));
        }
        if (!kind.isInstance(source)) {
            throw new IllegalArgumentException(
                    "feed: must give " + such + ", but " + feed + " gives " + source.columns());
        }
        return kind.cast(source);
    }
}
