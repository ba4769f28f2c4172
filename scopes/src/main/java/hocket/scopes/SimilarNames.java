package hocket.scopes;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * The ends of messages about unknown names, which list similar names or all names.
 *
 * <p>For example:
 *
 * <pre>{@code
 * String end = SimilarNames.among("rte", List.of("rate", "beta1")); // ; did you mean rate?
 * }</pre>
 */
public final class SimilarNames {
    private static final int SHOWN = 7;
    private static final int LONGEST = 200;

    /** The length of a common prefix of two similar words, and the number of last letters that may differ. */
    private static final int ALIKE = 4;

    private static final int ENDING = 2;
    private static final Pattern WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");

    private SimilarNames() {}

    /**
     * Returns the end of a message, for example {@code "; did you mean generator/conv1?"} when one differs in case or by a few
     * letters, or is the only one that shares a word or a word's beginning, or {@code "; there is: a, b, c and 4 more"}, nearest
     * first.
     *
     * @param wanted the name that does not exist
     * @param known those that do
     */
    public static String among(String wanted, Collection<?> known) {
        if (known.isEmpty()) {
            return "; there is none at all";
        }
        String begin = beginning(wanted);
        List<String> sorted = nearestFirst(begin, known);
        return nearest(begin, sorted).orElseGet(() -> list(begin, sorted));
    }

    /** Returns {@code "; did you mean …?"} as {@link #among} does, or nothing if no name is similar. */
    public static Optional<String> near(String wanted, Collection<?> known) {
        String begin = beginning(wanted);
        return known.isEmpty() ? Optional.empty() : nearest(begin, nearestFirst(begin, known));
    }

    private static String beginning(String wanted) {
        return wanted.substring(0, Math.min(LONGEST, wanted.length()));
    }

    private static List<String> nearestFirst(String wanted, Collection<?> known) {
        LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
        return known.stream()
                .map(Object::toString)
                .distinct()
                .sorted(Comparator.<String>comparingInt(name -> distance.apply(name, wanted))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static Optional<String> nearest(String wanted, List<String> sorted) {
        List<String> sameLetters =
                sorted.stream().filter(wanted::equalsIgnoreCase).toList();
        int near = wanted.length() <= 3 ? 1 : Math.max(2, wanted.length() / 3);
        List<String> sharing = sorted.stream()
                .filter(name -> !Collections.disjoint(words(name), words(wanted)))
                .toList();
        int away = LevenshteinDistance.getDefaultInstance().apply(sorted.get(0), wanted);
        boolean isNear = away <= near && away < Math.max(sorted.get(0).length(), wanted.length());
        boolean isWord = words(wanted).size() == 1; // gp is nearer to wgan_gp than to r1
        Stream<List<String>> guesses = isWord
                ? Stream.of(sameLetters, sharing, isNear ? sorted.subList(0, 1) : List.of(), alike(wanted, sorted))
                : Stream.of(sameLetters, isNear ? sorted.subList(0, 1) : List.of(), sharing, alike(wanted, sorted));
        return guesses.map(SimilarNames::only)
                .flatMap(Optional::stream)
                .findFirst()
                .map(meant -> "; did you mean " + meant + "?");
    }

    private static List<String> alike(String wanted, List<String> sorted) {
        return sorted.stream().filter(name -> beginsAlike(name, wanted)).toList();
    }

    private static String list(String wanted, List<String> sorted) {
        List<String> all = Stream.concat(alike(wanted, sorted).stream(), sorted.stream())
                .distinct()
                .toList();
        int count = all.size() == SHOWN + 1 ? all.size() : Math.min(SHOWN, all.size()); // "and 1 more" is no shorter
        String shown = String.join(", ", all.subList(0, count));
        int more = all.size() - count;
        return "; there is: " + shown + (more > 0 ? " and " + more + " more" : "");
    }

    /**
     * Returns the value of a name.
     *
     * @param rule the beginning of the message: {@code "no turn is called "}
     * @throws IllegalArgumentException if there is none; the message names similar ones
     */
    public static <K, V> V get(Map<K, V> all, K name, String rule) {
        V value = all.get(name);
        if (value == null) {
            throw unknown(all.keySet(), name, rule);
        }
        return value;
    }

    /**
     * Returns the first that has a name.
     *
     * @param rule the beginning of the message
     * @throws IllegalArgumentException if there is none; the message names similar ones
     */
    public static <T> T find(Collection<T> all, Function<T, String> naming, String name, String rule) {
        return all.stream()
                .filter(each -> naming.apply(each).equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(all.stream().map(naming).toList(), name, rule));
    }

    /**
     * Checks that a name is known.
     *
     * @param rule the beginning of the message
     * @throws IllegalArgumentException if it is not; the message names similar ones
     */
    public static void require(Collection<?> known, Object name, String rule) {
        if (!known.contains(name)) {
            throw unknown(known, name, rule);
        }
    }

    private static IllegalArgumentException unknown(Collection<?> known, Object name, String rule) {
        return new IllegalArgumentException(rule + name + among(name.toString(), known));
    }

    /** The shortest of names that are one in shorter and longer forms; empty where they are several. */
    private static Optional<String> only(List<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(String::length))
                .filter(shortest -> names.stream().allMatch(name -> name.endsWith(shortest)));
    }

    private static Set<String> words(String name) {
        return WORDS.splitAsStream(name).filter(word -> word.length() > 1).collect(Collectors.toSet());
    }

    /** Returns whether a word of a name starts like another name, except for its last letters. */
    private static boolean beginsAlike(String name, String wanted) {
        int needed = Math.max(ALIKE, wanted.length() - ENDING);
        return wanted.length() >= ALIKE
                && WORDS.splitAsStream(name).anyMatch(word -> word.regionMatches(0, wanted, 0, needed));
    }
}
