package hocket.schedulers.flow;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A rule that renames tensors by a pattern, such as {@code layers.*.weight} to {@code actor/hidden*.weight}: {@code *}
 * matches any text without a slash and {@code **} any text, and the new name repeats the matched texts in order. Of
 * several rules that match a name, the most specific applies: one without stars before one with them, then a longer one
 * before a shorter one, then by text.
 */
record Renaming(String key, Pattern from, String to) implements Comparable<Renaming> {
    private static final Pattern STARS = Pattern.compile("\\*\\*|\\*");
    private static final Comparator<Renaming> MOST_EXACT_FIRST = Comparator.comparing(
                    (Renaming each) -> each.key().contains("*"))
            .thenComparing(each -> -each.key().length())
            .thenComparing(Renaming::key);

    /**
     * Returns the rule of an entry of a map; an empty value drops the names that match.
     *
     * @throws IllegalArgumentException if key and value differ in the number of stars
     */
    static Renaming of(String from, String to) {
        List<String> stars = stars(from);
        if (!to.isEmpty() && stars(to).size() != stars.size()) {
            throw new IllegalArgumentException(
                    "cannot map " + from + " to " + to + ": both must have the same number of stars");
        }
        StringBuilder regex = new StringBuilder();
        Matcher star = STARS.matcher(from);
        int end = 0;
        while (star.find()) {
            regex.append(Pattern.quote(from.substring(end, star.start())));
            regex.append(star.group().length() == 2 ? "(.*)" : "([^/]*)");
            end = star.end();
        }
        return new Renaming(from, Pattern.compile(regex + Pattern.quote(from.substring(end)), Pattern.DOTALL), to);
    }

    private static List<String> stars(String glob) {
        return STARS.matcher(glob).results().map(found -> found.group()).toList();
    }

    boolean matches(String name) {
        return from.matcher(name).matches();
    }

    /** Returns the new name of a match; empty if it is dropped. */
    String map(String name) {
        Matcher found = from.matcher(name);
        if (to.isEmpty() || !found.matches()) {
            return "";
        }
        StringBuilder mapped = new StringBuilder();
        Matcher star = STARS.matcher(to);
        int end = 0;
        for (int i = 1; star.find(); i++) {
            mapped.append(to, end, star.start()).append(found.group(i));
            end = star.end();
        }
        return mapped.append(to.substring(end)).toString();
    }

    @Override
    public int compareTo(Renaming other) {
        return MOST_EXACT_FIRST.compare(this, other);
    }
}
