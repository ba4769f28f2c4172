package hocket.scopes;

/**
 * A mapping from one part of the store to another: {@code generator → ema/generator} replaces a leading path, which may
 * be a whole path, by another.
 *
 * <p>For example:
 *
 * <pre>{@code
 * Mapping average = Mapping.of("generator/**", "ema/generator/**");
 * Path copy = average.map(Path.of("generator/project/weight")); // ema/generator/project/weight
 * }</pre>
 *
 * @param from the leading path that is exchanged
 * @param to its replacement, which is not under {@code from}
 */
public record Mapping(Path from, Path to) {
    private static final String ALL = "/**";

    /** @throws IllegalArgumentException if {@code to} is {@code from} or under it */
    public Mapping {
        if (to.isUnder(from)) {
            throw new IllegalArgumentException("cannot map " + from + " to " + to
                    + (to.equals(from) ? ": they are the same" : ": it lies inside " + from));
        }
    }

    /**
     * A mapping written as two paths, or as two globs that end in {@code /**}: {@code generator/**} and
     * {@code ema/generator/**}.
     *
     * @throws IllegalArgumentException if only one ends so, there is another star, or {@code to} is {@code from} or
     *     under it
     */
    public static Mapping of(String from, String to) {
        if (from.endsWith(ALL) != to.endsWith(ALL) || stem(from).contains("*") || stem(to).contains("*")) {
            throw new IllegalArgumentException("cannot map " + from + " to " + to
                    + ": both must be one path, or both end in /** and have no other star");
        }
        return new Mapping(Path.of(stem(from)), Path.of(stem(to)));
    }

    private static String stem(String glob) {
        return glob.endsWith(ALL) ? glob.substring(0, glob.length() - ALL.length()) : glob;
    }

    /** Returns the new path; a path that is not under {@link #from} stays. */
    public Path map(Path path) {
        return path.isUnder(from) ? path.rebase(from, to) : path;
    }
}
