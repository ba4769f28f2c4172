package hocket.scopes;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The ends of messages about names that do not exist: what is near, or what there is. */
public final class Nearest {
    private static final int SHOWN = 5;
    private static final int LONGEST = 200;

    /** Letters that two words begin with, so that one may mean the other; how many of its last letters may differ. */
    private static final int ALIKE = 4;

    private static final int ENDING = 2;
    private static final Pattern WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private Nearest() {}

    /**
     * The end of a message, for example {@code "; did you mean generator/conv1?"} when one is a few letters away, or the only
     * one with a word that begins alike, or {@code "; there is: a, b, c and 4 more"}, nearest first.
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
        List<String> alike =
                sorted.stream().filter(name -> beginsAlike(name, wanted)).toList();
        if (!alike.isEmpty() && alike.stream().allMatch(name -> name.endsWith(alike.get(0)))) {
            return "; did you mean " + alike.get(0) + "?";
        }
        sorted = Stream.concat(alike.stream(), sorted.stream()).distinct().toList();
        String shown = String.join(", ", sorted.subList(0, Math.min(SHOWN, sorted.size())));
        int more = sorted.size() - SHOWN;
        return "; there is: " + shown + (more > 0 ? " and " + more + " more" : "");
    }

    /** Whether a word of a name begins as another name does, but for its last letters. */
    private static boolean beginsAlike(String name, String wanted) {
        int needed = Math.max(ALIKE, wanted.length() - ENDING);
        return wanted.length() >= ALIKE
                && WORDS.splitAsStream(name).anyMatch(word -> word.regionMatches(0, wanted, 0, needed));
    }
}
