package hocket.programs;

import hocket.programs.operators.Leaf;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The layers of a program as a tree of modules and scopes, as {@code torchinfo} and Keras's {@code model.summary()} print
 * them. Prints as a table. Operators without a name, such as most activations, are left out; {@code hocket explain} lists
 * them with their cost.
 *
 * <p>For example:
 *
 * <pre>{@code
 * System.out.println(ModuleSummary.of(draw));
 * }</pre>
 *
 * @param program name of the program
 * @param rows modules, scopes and layers, each before what it contains
 * @param weights numbers in the weights that the program reads, each parameter counted once
 * @param statistics numbers in the running statistics that it reads
 */
public record ModuleSummary(String program, List<Row> rows, long weights, long statistics) {
    /**
     * A module, scope or layer.
     *
     * @param path its path, with the number of the call
     * @param depth number of rows that contain it
     * @param kind the layer, such as {@code conv}; empty for a module or scope
     * @param output the shape of one row of its output; empty for a module or scope
     * @param weights numbers in its weights; of a module or scope, in all that it contains
     * @param statistics the same of running statistics
     * @param shared whether an earlier row counts its parameters, which a network that is called again has in common
     *     with the first call
     */
    public record Row(
            Path path, int depth, String kind, String output, long weights, long statistics, boolean shared) {}

    public ModuleSummary {
        rows = List.copyOf(rows);
    }

    /** Makes the summary of a program. */
    public static ModuleSummary of(Program program) {
        Map<Path, List<Value>> layers = new LinkedHashMap<>();
        for (Value value : program.values()) {
            if (isLayer(value)) {
                layers.computeIfAbsent(value.path().withoutCalls(), path -> new ArrayList<>())
                        .add(value);
            }
        }
        Map<Path, long[]> sizes = new LinkedHashMap<>();
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Variable variable) {
                boolean weight = variable.declaration().kind() == Kind.WEIGHT;
                sizes.computeIfAbsent(owner(layers.keySet(), value.path()), path -> new long[2])[weight ? 0 : 1] +=
                        value.shape().size();
            }
        }
        Tree tree = new Tree();
        layers.values().forEach(calls -> calls.forEach(value -> tree.node(value.path()).layer = value));
        sizes.keySet().stream().filter(path -> !layers.containsKey(path)).forEach(tree::node);
        List<Row> rows = new ArrayList<>();
        Set<Path> counted = new HashSet<>();
        tree.tops.values().forEach(node -> node.list(0, sizes, counted, rows));
        return new ModuleSummary(program.name(), rows, sum(sizes, 0), sum(sizes, 1));
    }

    private static long sum(Map<Path, long[]> sizes, int which) {
        return sizes.values().stream().mapToLong(size -> size[which]).sum();
    }

    /** Returns whether the value has a name: numbered ones are called like their operator. */
    private static boolean isLayer(Value value) {
        String name = value.path().name();
        String kind = value.operator().kind();
        return !value.inputs().isEmpty()
                && !(name.startsWith(kind) && name.substring(kind.length()).matches("(_[0-9]+)?"));
    }

    /** Returns the innermost layer that a parameter is named under, or its scope. */
    private static Path owner(Set<Path> layers, Path parameter) {
        String text = parameter.text();
        for (int end = text.lastIndexOf('/'); end > 0; end = text.lastIndexOf('/', end - 1)) {
            Path prefix = Path.of(text.substring(0, end));
            if (layers.contains(prefix)) {
                return prefix;
            }
        }
        int end = text.lastIndexOf('/');
        return end > 0 ? Path.of(text.substring(0, end)) : parameter;
    }

    private static final class Tree {
        final Map<Path, Node> tops = new LinkedHashMap<>();
        private final Map<Path, Node> all = new HashMap<>();

        Node node(Path path) {
            Node known = all.get(path);
            if (known != null) {
                return known;
            }
            Node node = new Node(path);
            all.put(path, node);
            int slash = path.text().lastIndexOf('/');
            Map<Path, Node> among = slash < 0 ? tops : node(Path.of(path.text().substring(0, slash))).parts;
            among.put(path, node);
            return node;
        }
    }

    private static final class Node {
        final Map<Path, Node> parts = new LinkedHashMap<>();
        private final Path path;
        private @Nullable Value layer;

        Node(Path path) {
            this.path = path;
        }

        /** Adds the rows of this node and its parts; returns the numbers that these count. */
        long[] list(int depth, Map<Path, long[]> sizes, Set<Path> counted, List<Row> rows) {
            long[] own = sizes.getOrDefault(path.withoutCalls(), new long[2]);
            boolean shared = !counted.add(path.withoutCalls());
            int place = rows.size();
            long[] total = shared ? new long[2] : own.clone();
            for (Node part : parts.values()) {
                long[] of = part.list(depth + 1, sizes, counted, rows);
                total[0] += of[0];
                total[1] += of[1];
            }
            long[] shown = layer == null && !shared ? total : own;
            String kind = layer == null ? "" : layer.kind();
            String output = layer == null ? "" : layer.shape() + (layer.batched() ? "" : " once");
            rows.add(place, new Row(path, depth, kind, output, shown[0], shown[1], shared));
            return total;
        }
    }

    /** Returns a line for each row, under a headline. Numbers that an earlier row counts are in brackets. */
    @Override
    public String toString() {
        List<String[]> lines = new ArrayList<>();
        lines.add(new String[] {"layer", "kind", "output of a row", "weights", "statistics"});
        for (Row row : rows) {
            lines.add(new String[] {
                "  ".repeat(row.depth) + row.path.name(),
                row.kind,
                row.output,
                number(row.weights, row.shared),
                number(row.statistics, row.shared)
            });
        }
        lines.add(new String[] {"all", "", "", number(weights, false), number(statistics, false)});
        int[] widths = new int[5];
        for (String[] line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line[i].length());
            }
        }
        String format = "%-" + widths[0] + "s  %-" + widths[1] + "s  %-" + widths[2] + "s  %" + widths[3] + "s  %"
                + widths[4] + "s";
        StringBuilder text = new StringBuilder(program);
        for (String[] line : lines) {
            text.append('\n').append(String.format(Locale.ROOT, format, (Object[]) line));
        }
        return text.toString();
    }

    private static String number(long number, boolean shared) {
        if (number == 0) {
            return "-";
        }
        String grouped = String.format(Locale.ROOT, "%,d", number);
        return shared ? "(" + grouped + ")" : grouped;
    }
}
