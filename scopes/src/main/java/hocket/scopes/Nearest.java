package hocket.scopes;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The ends of messages about names that do not exist: what is near, or what there is. */
public final class Nearest {
    private static final int SHOWN = 5;
    private static final int LONGEST = 200;

    private Nearest() {}

    /**
     * The end of a message, for example {@code "; did you mean generator/conv1?"} when one is a few letters away, or
     * {@code "; there is: a, b, c and 4 more"}, nearest first.
     *
     * @param wanted the name that does not exist
     * @param known those that do
     */
    public static String among(String wanted, Collection<String> known) {
        if (known.isEmpty()) {
            return "; there is none at all";
        }
        if (wanted.length() > LONGEST) {
            return among(wanted.substring(0, LONGEST), known);
        }
        int near = Math.max(2, wanted.length() / 3);
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        List<String> sorted = known.stream()
                .distinct()
                .sorted(Comparator.<String>comparingInt(name -> distance.apply(name, wanted))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        if (distance.apply(sorted.get(0), wanted) <= near) {
            return "; did you mean " + sorted.get(0) + "?";
        }
        String shown = String.join(", ", sorted.subList(0, Math.min(SHOWN, sorted.size())));
        int more = sorted.size() - SHOWN;
        return "; there is: " + shown + (more > 0 ? " and " + more + " more" : "");
    }
}
