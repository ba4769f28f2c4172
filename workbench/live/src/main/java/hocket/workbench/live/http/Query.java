package hocket.workbench.live.http;

import hocket.workbench.live.json.ApiDocument.Operation;
import hocket.workbench.live.json.ApiDocument.QueryParameter;
import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The query parameters of a request, as its operation describes them. An invalid one throws a {@link HttpError}. */
public final class Query {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?");

    private final MultiMap given;
    private final Map<String, QueryParameter> known;

    /** @throws HttpError if the operation has no such parameter */
    Query(MultiMap given, Operation of) {
        this.given = given;
        this.known = of.query();
        for (String key : of.isOpen() ? Set.<String>of() : given.names()) {
            if (!known.containsKey(key)) {
                throw HttpError.wrong(
                        AccessGuard.shown(key),
                        "is not a parameter of this address"
                                + (known.isEmpty() ? "" : "; there is " + new TreeSet<>(known.keySet())));
            }
        }
    }

    private QueryParameter rule(String key) {
        return Objects.requireNonNull(known.get(key), key);
    }

    /** Returns whether the request has a parameter of this key. */
    public boolean has(String key) {
        return given.contains(key);
    }

    /** Returns the only value of a required key. */
    public String one(String key) {
        List<String> values = given.getAll(key);
        if (values.size() != 1) {
            throw HttpError.wrong(key, "must be given once, was given " + values.size() + " times");
        }
        return values.get(0);
    }

    /** Returns all values of a key, at least one. */
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

    /** Returns one of the operation's values; the first if the request has none. */
    public String word(String key) {
        return word(key, rule(key).words());
    }

    /** Returns one of these values; the first if the request has none. */
    public String word(String key, List<String> words) {
        String text = has(key) ? one(key) : words.get(0);
        if (!words.contains(text)) {
            throw HttpError.wrong(key, "must be one of " + words + ", was " + AccessGuard.shown(text));
        }
        return text;
    }
}
