package hocket.workbench.yaml;

import hocket.workbench.yaml.Node.Entry;
import hocket.workbench.yaml.Node.Items;
import hocket.workbench.yaml.Node.Keys;
import hocket.workbench.yaml.Node.Scalar;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.reader.ReaderException;

/**
 * Reads YAML files of a size that people write, from whoever wrote them: what is too long, too deep or grows by aliases is
 * refused before it costs time or memory.
 */
public final class YamlReader {
    /** The longest file, in bytes. */
    public static final int LONGEST = 1_000_000;

    private static final int DEEPEST = 50;
    private static final int MOST_PARTS = 100_000;

    private final String file;
    private final Problems problems;
    private final Set<org.yaml.snakeyaml.nodes.Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private int parts;
    private long characters;

    private YamlReader(String file, Problems problems) {
        this.file = file;
        this.problems = problems;
    }

    /**
     * Reads a file's content: one document.
     *
     * @param file as problems name it
     * @return the tree; empty if there are problems that leave none
     */
    public static Optional<Node> read(String file, byte[] content, Problems problems) {
        if (content.length > LONGEST) {
            tooLong(file, content.length, problems);
            return Optional.empty();
        }
        return decoded(file, content, problems).flatMap(text -> new YamlReader(file, problems).parsed(text));
    }

    /** Says that a file is longer than {@link #LONGEST}. */
    public static void tooLong(String file, long bytes, Problems problems) {
        String sentence = "has %,d bytes; an experiment file has at most %,d";
        problems.add(Spot.in(file), "", String.format(java.util.Locale.ROOT, sentence, bytes, LONGEST));
    }

    private static Optional<String> decoded(String file, byte[] content, Problems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(content);
        CharBuffer out = CharBuffer.allocate(content.length);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            problems.add(
                    new YamlReader(file, problems).at(text, text.length()),
                    "",
                    String.format(
                            java.util.Locale.ROOT,
                            "byte 0x%02x is not UTF-8: save the file with that encoding",
                            content[in.position()]));
            return Optional.empty();
        }
        return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
    }

    private Optional<Node> parsed(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setNestingDepthLimit(DEEPEST);
        options.setMaxAliasesForCollections(Integer.MAX_VALUE); // the limit here is on what they grow to
        options.setCodePointLimit(LONGEST);
        options.setAllowRecursiveKeys(false);
        try {
            List<org.yaml.snakeyaml.nodes.Node> documents = new ArrayList<>();
            for (org.yaml.snakeyaml.nodes.Node document : new Yaml(options).composeAll(new StringReader(text))) {
                documents.add(document);
                if (documents.size() > 1) {
                    problems.add(spot(document.getStartMark()), "", "is a second document; a file holds one");
                    return Optional.empty();
                }
            }
            if (documents.isEmpty()) {
                problems.add(Spot.in(file), "", "is empty; the smallest one is in: hocket run digits-gan --write FILE");
                return Optional.empty();
            }
            return converted(documents.get(0), "");
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
            problems.add(mark == null ? Spot.in(file) : spot(mark), "", sentence(e));
        } catch (ReaderException e) {
            problems.add(at(text, e.getPosition()), "", "holds a control character, which YAML does not allow");
        } catch (YAMLException e) {
            problems.add(tooDeep(text), "", deep(e.getMessage()));
        } catch (StackOverflowError e) {
            problems.add(tooDeep(text), "", deep(null));
        }
        return Optional.empty();
    }

    /** Without the library's habit of naming its own parts. */
    private static String sentence(MarkedYAMLException e) {
        String problem = String.valueOf(e.getProblem());
        if (problem.contains("\\t(TAB)") || problem.contains("'\\t'") || problem.contains("\t")) {
            return "a tab cannot indent in YAML: use spaces";
        }
        if (problem.contains("undefined alias")) {
            return "the alias "
                    + problem.substring(problem.indexOf("alias") + 5).strip()
                    + " stands for nothing: no anchor of that name comes before it";
        }
        if (problem.startsWith("expected ',' or ") && e.getContextMark() != null) {
            Mark opened = e.getContextMark();
            String open = problem.contains("']'") ? "[" : "{";
            String close = open.equals("[") ? "]" : "}";
            boolean isHere = e.getProblemMark() != null && e.getProblemMark().getLine() == opened.getLine();
            return "is no YAML: the " + open
                    + (isHere ? " of column " : " of line " + (opened.getLine() + 1) + ", column ")
                    + (opened.getColumn() + 1) + " needs a , or its closing " + close + " here"
                    + (problem.endsWith("<stream end>") ? ", at the end" : "");
        }
        String context = e.getContext() == null ? "" : e.getContext() + ": ";
        return "is no YAML: " + (context + problem).replace('\n', ' ');
    }

    private static String deep(@org.jspecify.annotations.Nullable String message) {
        return message == null || message.contains("Nesting") || message.contains("nesting")
                ? "is nested deeper than " + DEEPEST + " levels"
                : "is no YAML: " + message.replace('\n', ' ');
    }

    /** Where brackets first stand deeper than is allowed; the library does not tell. */
    private Spot tooDeep(String text) {
        int depth = 0;
        int line = 1;
        int column = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            column++;
            if (c == '\n') {
                line++;
                column = 0;
            } else if (c == '[' || c == '{') {
                if (++depth > DEEPEST) {
                    return new Spot(file, line, column);
                }
            } else if (c == ']' || c == '}') {
                depth--;
            }
        }
        return new Spot(file, 1, 1);
    }

    private Spot at(String text, int position) {
        String before = text.substring(0, Math.min(position, text.length()));
        int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
        return new Spot(file, line, before.length() - before.lastIndexOf('\n'));
    }

    private Optional<Node> converted(org.yaml.snakeyaml.nodes.Node node, String path) {
        Spot spot = spot(node.getStartMark());
        if (++parts > MOST_PARTS) {
            if (parts == MOST_PARTS + 1) {
                problems.add(spot, path, "its aliases make it grow beyond " + MOST_PARTS + " parts");
            }
            return Optional.empty();
        }
        if (node instanceof ScalarNode scalar) {
            characters += scalar.getValue().length();
            if (characters > 2L * LONGEST) {
                if (characters - scalar.getValue().length() <= 2L * LONGEST) {
                    problems.add(spot, path, "its aliases make it grow beyond " + 2 * LONGEST + " characters");
                }
                return Optional.empty();
            }
            boolean quoted = scalar.getScalarStyle() != DumperOptions.ScalarStyle.PLAIN;
            return Optional.of(new Scalar(spot, scalar.getValue(), quoted));
        }
        if (!open.add(node)) {
            problems.add(spot, path, "contains an alias of itself");
            return Optional.empty();
        }
        try {
            return node instanceof SequenceNode list ? items(list, spot, path) : keys((MappingNode) node, spot, path);
        } finally {
            open.remove(node);
        }
    }

    private Optional<Node> items(SequenceNode list, Spot spot, String path) {
        List<Node> items = new ArrayList<>();
        for (int i = 0; i < list.getValue().size(); i++) {
            converted(list.getValue().get(i), Node.below(path, Integer.toString(i)))
                    .ifPresent(items::add);
        }
        return Optional.of(new Items(spot, items));
    }

    private Optional<Node> keys(MappingNode mapping, Spot spot, String path) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Spot keySpot = spot(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                problems.add(keySpot, path, "a key must be a single word or text");
                continue;
            }
            Entry before = entries.get(key.getValue());
            if (before != null) {
                problems.add(
                        keySpot,
                        Node.below(path, key.getValue()),
                        "is there twice; first in line " + before.keySpot().line());
                continue;
            }
            converted(tuple.getValueNode(), Node.below(path, key.getValue()))
                    .ifPresent(value -> entries.put(key.getValue(), new Entry(keySpot, value)));
        }
        return Optional.of(new Keys(spot, entries));
    }

    private Spot spot(Mark mark) {
        return new Spot(file, mark.getLine() + 1, mark.getColumn() + 1);
    }
}
