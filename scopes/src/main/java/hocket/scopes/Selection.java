package hocket.scopes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A selection of parameters: a list of globs that are read in order. {@code *} stands for anything within a segment,
 * {@code **} for any number of segments (at the end at least one), and a leading {@code !} excludes paths that earlier
 * globs match: {@code generator/**, !generator/bn0/**}. A glob without a star means that one path. Equal when the globs
 * are.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Selection trained = Selection.of("generator/**", "!generator/bn0/**");
 * boolean isTrained = trained.matches(Path.of("generator/bn0/scale")); // false
 * }</pre>
 */
public final class Selection {
    private static final Pattern GLOB = Pattern.compile("[A-Za-z0-9_.+*-]+(/[A-Za-z0-9_.+*-]+)*");

    private record Glob(String text, boolean taken, Pattern pattern) {}

    private final List<Glob> globs;

    private Selection(List<Glob> globs) {
        this.globs = globs;
    }

    /**
     * A selection of globs, each of which may itself be a list separated by commas.
     *
     * @throws IllegalArgumentException if there is none, one is not made of segments, or the first one takes away
     */
    public static Selection of(String... globs) {
        List<Glob> read = new ArrayList<>();
        for (String part : String.join(",", globs).split(",", -1)) {
            String text = part.strip();
            boolean taken = !text.startsWith("!");
            String glob = taken ? text : text.substring(1);
            if (!GLOB.matcher(glob).matches()) {
                throw new IllegalArgumentException("\"" + text + "\" is not a selection of parameters: write paths"
                        + " such as generator/**, with * within a segment and ! in front to leave out");
            }
            read.add(new Glob(text, taken, pattern(glob)));
        }
        if (!read.get(0).taken()) {
            throw new IllegalArgumentException(
                    "a selection cannot begin by leaving out " + read.get(0).text());
        }
        return new Selection(List.copyOf(read));
    }

    /** Returns whether the path is selected. */
    public boolean matches(Path path) {
        boolean matches = false;
        for (Glob glob : globs) {
            if (glob.taken() != matches && glob.pattern().matcher(path.text()).matches()) {
                matches = glob.taken();
            }
        }
        return matches;
    }

    /**
     * The selected ones of the declarations, in path order.
     *
     * @throws IllegalArgumentException if a glob matches none of them, listing similar ones, or nothing is left
     */
    public SortedMap<Path, Declaration> of(Collection<Declaration> declarations) {
        for (Glob glob : globs) {
            if (declarations.stream()
                    .noneMatch(d -> glob.pattern().matcher(d.path().text()).matches())) {
                throw new IllegalArgumentException("selection " + glob.text() + " matches no parameter"
                        + SimilarNames.among(glob.text().replace("!", ""), globs(declarations)));
            }
        }
        SortedMap<Path, Declaration> selected = new TreeMap<>();
        declarations.stream().filter(d -> matches(d.path())).forEach(d -> selected.put(d.path(), d));
        if (selected.isEmpty()) {
            throw new IllegalArgumentException(
                    "selection " + this + " selects no parameter: it excludes all that it includes");
        }
        return selected;
    }

    /** Returns the globs that a selection may use: every path, and every leading part of one with {@code /**}. */
    private static Set<String> globs(Collection<Declaration> declarations) {
        Set<String> globs = new TreeSet<>();
        for (Declaration declaration : declarations) {
            String path = declaration.path().text();
            globs.add(path);
            for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
                globs.add(path.substring(0, slash) + "/**");
            }
        }
        return globs;
    }

    private static Pattern pattern(String glob) {
        StringBuilder regex = new StringBuilder();
        String[] segments = glob.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            boolean last = i == segments.length - 1;
            if (segments[i].equals("**")) {
                regex.append(last ? ".+" : "(?:[^/]+/)*");
            } else {
                regex.append(Arrays.stream(segments[i].split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining("[^/]*")));
                regex.append(last ? "" : "/");
            }
        }
        return Pattern.compile(regex.toString());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Selection selection && toString().equals(selection.toString());
    }

    @Override
    public int hashCode() {
        return toString().hashCode();
    }

    /** The globs, as given. */
    @Override
    public String toString() {
        return String.join(", ", globs.stream().map(Glob::text).toList());
    }
}
