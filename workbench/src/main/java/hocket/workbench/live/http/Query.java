package hocket.workbench.live.http;

import hocket.workbench.json.ApiDocument.Operation;
import hocket.workbench.json.ApiDocument.QueryParameter;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The parameters behind the {@code ?} of a request, as its operation describes them. What is wrong with one is a {@link HttpError}. */
public final class Query {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?");

    private final MultiMap given;
    private final Map<String, QueryParameter> known;

    /** @throws HttpError if there is one that the operation does not know */
    Query(MultiMap given, Operation of) {
        this.given = given;
        this.known = of.query();
        for (String key : of.isOpen() ? Set.<String>of() : given.names()) {
            if (!known.containsKey(key)) {
                throw HttpError.wrong(
                        AccessGuard.shown(key),
                        "is asked for nothing here"
                                + (known.isEmpty() ? "" : "; there is " + new TreeSet<>(known.keySet())));
            }
        }
    }

    private QueryParameter rule(String key) {
        return Objects.requireNonNull(known.get(key), key);
    }

    /** Whether there is one of a key. */
    public boolean has(String key) {
        return given.contains(key);
    }

    /** The only one of a key, which must be there. */
    public String one(String key) {
        List<String> values = given.getAll(key);
        if (values.size() != 1) {
            throw HttpError.wrong(key, "must be named once, was " + values.size() + " times");
        }
        return values.get(0);
    }

    /** All names of a key, of which one must be there. */
    public List<String> names(String key) {
        List<String> names = given.getAll(key);
        if (names.isEmpty() || names.size() > rule(key).mostItems()) {
            throw HttpError.wrong(key, "must be 1 to " + rule(key).mostItems() + " names, were " + names.size());
        }
        return names;
    }

    public double number(String key) {
        return number(key, "number", false);
    }

    public int whole(String key) {
        return (int) number(key, "whole number", true);
    }

    private double number(String key, String what, boolean isWhole) {
        QueryParameter rule = rule(key);
        Double usually = rule.usually();
        if (usually != null && !has(key)) {
            return usually;
        }
        String text = one(key);
        double number = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!(number >= rule.least() && number <= rule.most()) || isWhole && number != Math.rint(number)) {
            throw HttpError.wrong(
                    key,
                    "must be a " + what + " from " + shown(rule.least(), isWhole) + " to " + shown(rule.most(), isWhole)
                            + ", was " + AccessGuard.shown(text));
        }
        return number;
    }

    private static String shown(double number, boolean isWhole) {
        return isWhole ? Long.toString((long) number) : Double.toString(number);
    }

    /** One of the words that the operation knows; the first where none is given. */
    public String word(String key) {
        return word(key, rule(key).words());
    }

    /** One of some words; the first where none is given. */
    public String word(String key, List<String> words) {
        String text = has(key) ? one(key) : words.get(0);
        if (!words.contains(text)) {
            throw HttpError.wrong(key, "must be one of " + words + ", was " + AccessGuard.shown(text));
        }
        return text;
    }
}
