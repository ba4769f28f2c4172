package hocket.workbench.live;

import io.vertx.core.MultiMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What a question is narrowed by: the parameters behind the {@code ?}. What is wrong with one is a {@link Denial}. */
final class Query {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?([eE][-+]?[0-9]{1,3})?");

    private final MultiMap given;

    /** @param known all that may be given */
    Query(MultiMap given, Set<String> known) {
        this.given = given;
        for (String key : given.names()) {
            if (!known.contains(key)) {
                throw Denial.wrong(
                        Guard.shown(key),
                        "is asked for nothing here" + (known.isEmpty() ? "" : "; there is " + new TreeSet<>(known)));
            }
        }
    }

    /** All of a key. */
    List<String> all(String key) {
        return given.getAll(key);
    }

    /** The only one of a key, which must be there. */
    String one(String key) {
        List<String> values = all(key);
        if (values.size() != 1) {
            throw Denial.wrong(key, "must be named once, was " + values.size() + " times");
        }
        return values.get(0);
    }

    /** From {@code -most} to {@code most}. */
    double number(String key, double usually, double most) {
        if (all(key).isEmpty()) {
            return usually;
        }
        String text = one(key);
        double number = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!(Math.abs(number) <= most)) {
            throw Denial.wrong(key, "must be a number from " + -most + " to " + most + ", was " + Guard.shown(text));
        }
        return number;
    }

    /** One of some words; the first where none is given. */
    String word(String key, List<String> words) {
        String text = all(key).isEmpty() ? words.get(0) : one(key);
        if (!words.contains(text)) {
            throw Denial.wrong(key, "must be one of " + words + ", was " + Guard.shown(text));
        }
        return text;
    }

    int whole(String key, int usually, int least, int most) {
        if (all(key).isEmpty()) {
            return usually;
        }
        String text = one(key);
        double number = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!(number == Math.rint(number) && number >= least && number <= most)) {
            throw Denial.wrong(
                    key, "must be a whole number from " + least + " to " + most + ", was " + Guard.shown(text));
        }
        return (int) number;
    }
}
