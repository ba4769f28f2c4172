package hocket.programs.mxnet;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Writes a program in the engine's symbol format. Nodes are numbered from 0 in the order they are added, and an operator
 * reads only nodes added before it.
 *
 * <p>The same calls write the same text: attributes are sorted by name.
 */
final class SymbolJson {
    /** An output of a node. */
    record Ref(int node, int output) {
        /** The first, for most operators the only output of a node. */
        static Ref of(int node) {
            return new Ref(node, 0);
        }
    }

    private final StringBuilder nodes = new StringBuilder();
    private final List<Integer> outputs = new ArrayList<>();
    private final List<Integer> variables = new ArrayList<>();
    private final Set<String> variableNames = new HashSet<>();
    private final List<String> names = new ArrayList<>();
    private final List<Ref[]> inputs = new ArrayList<>();

    /**
     * Adds a variable: an argument, or an auxiliary array if an operator reads it in the position of one.
     *
     * @return the node's number
     * @throws IllegalArgumentException if the name is taken or has a character the format cannot hold
     */
    int variable(String name) {
        if (!variableNames.add(name)) {
            throw new IllegalArgumentException("a symbol has one variable of a name, '" + name + "' came twice");
        }
        begin("null", name);
        nodes.append(",\"inputs\":[]}");
        variables.add(outputs.size());
        return end(name, 1);
    }

    /**
     * Adds an operator.
     *
     * @param outputs how many outputs the operator has; the engine counts rows of its node table by it
     * @return the node's number
     * @throws IllegalArgumentException if an input is not there yet, or a text has a character the format cannot hold
     */
    int operator(String operator, String name, Map<String, String> attributes, int outputs, Ref... inputs) {
        requireKnown(inputs);
        begin(operator, name);
        nodes.append(",\"attrs\":{");
        String separator = "";
        for (Map.Entry<String, String> attribute : new TreeMap<>(attributes).entrySet()) {
            nodes.append(separator);
            quote(nodes, attribute.getKey());
            nodes.append(':');
            quote(nodes, attribute.getValue());
            separator = ",";
        }
        nodes.append("},\"inputs\":");
        references(nodes, inputs);
        nodes.append('}');
        return end(name, outputs, inputs);
    }

    /** Returns the number of added operators. */
    int operators() {
        return outputs.size() - variables.size();
    }

    /** Returns the symbol, whose outputs are the given heads in this order. */
    String json(Ref... heads) {
        requireKnown(heads);
        StringBuilder json = new StringBuilder("{\"nodes\":[").append(nodes).append("],\"arg_nodes\":[");
        String separator = "";
        for (int variable : variables) {
            json.append(separator).append(variable);
            separator = ",";
        }
        json.append("],\"node_row_ptr\":[0");
        int row = 0;
        for (int count : outputs) {
            row += count;
            json.append(',').append(row);
        }
        json.append("],\"heads\":");
        references(json, heads);
        return json.append(",\"attrs\":{\"mxnet_version\":[\"int\",10900]}}").toString();
    }

    /**
     * The names of the variables that heads are made from, in the engine's order: that in which they are first met when
     * the inputs of each operator are gone through before it.
     */
    List<String> variables(Ref... heads) {
        requireKnown(heads);
        List<String> met = new ArrayList<>();
        Set<Integer> all = new HashSet<>(variables);
        Set<Integer> seen = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = heads.length - 1; i >= 0; i--) {
            open.push(heads[i].node());
        }
        while (!open.isEmpty()) {
            int node = open.pop();
            if (seen.add(node)) {
                Ref[] from = inputs.get(node);
                for (int i = from.length - 1; i >= 0; i--) {
                    open.push(from[i].node());
                }
                if (all.contains(node)) {
                    met.add(names.get(node));
                }
            }
        }
        return met;
    }

    private void begin(String operator, String name) {
        nodes.append(outputs.isEmpty() ? "" : ",").append("{\"op\":");
        quote(nodes, operator);
        nodes.append(",\"name\":");
        quote(nodes, name);
    }

    private int end(String name, int count, Ref... from) {
        names.add(name);
        inputs.add(from);
        outputs.add(count);
        return outputs.size() - 1;
    }

    private void requireKnown(Ref... references) {
        for (Ref reference : references) {
            if (reference.node() < 0
                    || reference.node() >= outputs.size()
                    || reference.output() < 0
                    || reference.output() >= outputs.get(reference.node())) {
                throw new IllegalArgumentException(reference + " is not an output of the " + outputs.size() + " nodes");
            }
        }
    }

    private static void references(StringBuilder json, Ref... references) {
        json.append('[');
        String separator = "";
        for (Ref reference : references) {
            json.append(separator).append('[').append(reference.node()).append(',');
            json.append(reference.output()).append(",0]");
            separator = ",";
        }
        json.append(']');
    }

    /** The engine's reader knows five escapes and no others, and takes all else as it is. */
    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            switch (character) {
                case '"' -> json.append("\\\"");
                case '\\' -> json.append("\\\\");
                case '\n' -> json.append("\\n");
                case '\r' -> json.append("\\r");
                case '\t' -> json.append("\\t");
                default -> {
                    if (character == 0) {
                        throw new IllegalArgumentException(
                                "a text in a symbol cannot hold the character 0: '" + text + "'");
                    }
                    json.append(character);
                }
            }
        }
        json.append('"');
    }
}
