package hocket.workbench.files.yaml;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.emitter.Emitter;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.resolver.Resolver;
import org.yaml.snakeyaml.serializer.Serializer;

/** Writes readable YAML: short maps and lists on one line, others with one key a line. */
public final class YamlWriter {
    private static final int WIDTH = 100;

    private YamlWriter() {}

    /** Returns the tree as YAML text; reading it gives the same tree. */
    public static String text(YamlNode root) {
        DumperOptions options = new DumperOptions();
        options.setWidth(1000);
        options.setIndent(2);
        options.setIndicatorIndent(2);
        options.setIndentWithIndicator(true);
        options.setAllowUnicode(true);
        StringWriter out = new StringWriter();
        Serializer serializer = new Serializer(new Emitter(out, options), new Resolver(), options, null);
        try {
            serializer.open();
            serializer.serialize(converted(root, 0));
            serializer.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    /** Returns a tree on one line. */
    public static String line(YamlNode yamlNode) {
        if (yamlNode instanceof YamlNode.Scalar scalar) {
            return scalar.text();
        } else if (yamlNode instanceof YamlNode.Items list) {
            return list.items().stream().map(YamlWriter::line).collect(Collectors.joining(", ", "[", "]"));
        }
        return ((YamlNode.Keys) yamlNode)
                .entries().entrySet().stream()
                        .map(entry ->
                                entry.getKey() + ": " + line(entry.getValue().value()))
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    private static org.yaml.snakeyaml.nodes.Node converted(YamlNode yamlNode, int depth) {
        if (yamlNode instanceof YamlNode.Scalar scalar) {
            return new ScalarNode(
                    scalar.quoted()
                            ? Tag.STR
                            : new Resolver().resolve(org.yaml.snakeyaml.nodes.NodeId.scalar, scalar.text(), true),
                    scalar.text(),
                    null,
                    null,
                    scalar.quoted() ? ScalarStyle.DOUBLE_QUOTED : ScalarStyle.PLAIN);
        }
        FlowStyle style = depth > 0 && depth + width(yamlNode) <= WIDTH ? FlowStyle.FLOW : FlowStyle.BLOCK;
        if (yamlNode instanceof YamlNode.Items list) {
            List<org.yaml.snakeyaml.nodes.Node> items = new ArrayList<>();
            list.items().forEach(item -> items.add(converted(item, depth + 2)));
            return new SequenceNode(Tag.SEQ, items, style);
        }
        List<NodeTuple> tuples = new ArrayList<>();
        ((YamlNode.Keys) yamlNode).entries().forEach((key, entry) -> {
            ScalarStyle keyStyle = key.matches("[A-Za-z_][\\w.-]*") ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED;
            tuples.add(new NodeTuple(
                    new ScalarNode(Tag.STR, key, null, null, keyStyle),
                    converted(entry.value(), depth + 2 + (style == FlowStyle.FLOW ? 0 : key.length()))));
        });
        return new MappingNode(Tag.MAP, tuples, style);
    }

    /** Returns the approximate number of characters on one line. */
    private static int width(YamlNode yamlNode) {
        if (yamlNode instanceof YamlNode.Scalar scalar) {
            return scalar.text().length() + 2;
        } else if (yamlNode instanceof YamlNode.Items list) {
            return 2 + list.items().stream().mapToInt(item -> 2 + width(item)).sum();
        }
        return 2
                + ((YamlNode.Keys) yamlNode)
                        .entries().entrySet().stream()
                                .mapToInt(entry -> entry.getKey().length()
                                        + 4
                                        + width(entry.getValue().value()))
                                .sum();
    }
}
