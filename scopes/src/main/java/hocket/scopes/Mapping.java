package hocket.scopes;

/**
 * From one part of the store to another: {@code generator/** → ema/generator/**}, or one path to one path.
 *
 * @param from the leading path that is replaced
 * @param to what replaces it
 */
public record Mapping(Path from, Path to) {
    private static final String ALL = "/**";

    /**
     * A mapping between two globs, both of which end in {@code /**} or neither; no other star is allowed.
     *
     * @throws IllegalArgumentException otherwise, or if one lies inside the other's source
     */
    public static Mapping of(String from, String to) {
        if (from.endsWith(ALL) != to.endsWith(ALL) || stem(from).contains("*") || stem(to).contains("*")) {
            throw new IllegalArgumentException("cannot map " + from + " to " + to
                    + ": both must be one path, or both end in /** and have no other star");
        }
        Mapping mapping = new Mapping(Path.of(stem(from)), Path.of(stem(to)));
        if (mapping.to.isUnder(mapping.from)) {
            throw new IllegalArgumentException("cannot map " + from + " to " + to + ", which lies inside it");
        }
        return mapping;
    }

    private static String stem(String glob) {
        return glob.endsWith(ALL) ? glob.substring(0, glob.length() - ALL.length()) : glob;
    }

    /** Where a path goes; a path that is not under {@link #from} stays. */
    public Path map(Path path) {
        return path.isUnder(from) ? path.rebase(from, to) : path;
    }
}
