package hocket.workbench.files.yaml;

import hocket.workbench.files.yaml.YamlNode.Entry;
import hocket.workbench.files.yaml.YamlNode.Items;
import hocket.workbench.files.yaml.YamlNode.Keys;
import hocket.workbench.files.yaml.YamlNode.Scalar;
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
 * Reads YAML files from untrusted sources: files that are too long, too deep or grow by aliases are rejected before
 * they cost time or memory.
 */
public final class YamlReader {
    /** The maximum size of a file, in bytes. */
    public static final int LONGEST = 1_000_000;

    private static final int DEEPEST = 50;
    private static final int MOST_PARTS = 100_000;

    private final String file;
    private final FileProblems fileProblems;
    private final Set<org.yaml.snakeyaml.nodes.Node> open = Collections.newSetFromMap(new IdentityHashMap<>());
    private int parts;
    private long characters;

    private YamlReader(String file, FileProblems fileProblems) {
        this.file = file;
        this.fileProblems = fileProblems;
    }

    /**
     * Reads a file's content: one document.
     *
     * @param file the file's name in problems
     * @return the tree; empty if there are problems without a tree
     */
    public static Optional<YamlNode> read(String file, byte[] content, FileProblems fileProblems) {
        if (content.length > LONGEST) {
            tooLong(file, content.length, fileProblems);
            return Optional.empty();
        }
        return decoded(file, content, fileProblems).flatMap(text -> new YamlReader(file, fileProblems).parsed(text));
    }

    /** Adds the problem of a file longer than {@link #LONGEST}. */
    public static void tooLong(String file, long bytes, FileProblems fileProblems) {
        String sentence = "has %,d bytes; an experiment file has at most %,d";
        fileProblems.add(FilePosition.in(file), "", String.format(java.util.Locale.ROOT, sentence, bytes, LONGEST));
    }

    private static Optional<String> decoded(String file, byte[] content, FileProblems fileProblems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(content);
        CharBuffer out = CharBuffer.allocate(content.length);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            fileProblems.add(
                    new YamlReader(file, fileProblems).at(text, text.length()),
                    "",
                    String.format(
                            java.util.Locale.ROOT,
                            "byte 0x%02x is not UTF-8: save the file with that encoding",
                            content[in.position()]));
            return Optional.empty();
        }
        return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
    }

    private Optional<YamlNode> parsed(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setNestingDepthLimit(DEEPEST);
        options.setMaxAliasesForCollections(Integer.MAX_VALUE); // the limit here is on their expanded size
        options.setCodePointLimit(LONGEST);
        options.setAllowRecursiveKeys(false);
        try {
            List<org.yaml.snakeyaml.nodes.Node> documents = new ArrayList<>();
            for (org.yaml.snakeyaml.nodes.Node document : new Yaml(options).composeAll(new StringReader(text))) {
                documents.add(document);
                if (documents.size() > 1) {
                    fileProblems.add(spot(document.getStartMark()), "", "is a second document; a file holds one");
                    return Optional.empty();
                }
            }
            if (documents.isEmpty()) {
                fileProblems.add(
                        FilePosition.in(file),
                        "",
                        "is empty; the smallest one is in: hocket run digits-gan --write FILE");
                return Optional.empty();
            }
            return converted(documents.get(0), "");
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
            fileProblems.add(mark == null ? FilePosition.in(file) : spot(mark), "", sentence(e));
        } catch (ReaderException e) {
            fileProblems.add(at(text, e.getPosition()), "", "holds a control character, which YAML does not allow");
        } catch (YAMLException e) {
            fileProblems.add(tooDeep(text), "", deep(e.getMessage()));
        } catch (StackOverflowError e) {
            fileProblems.add(tooDeep(text), "", deep(null));
        }
        return Optional.empty();
    }

    /** Returns the library's message without the names of its own parts. */
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
            return "is not YAML: the " + open
                    + (isHere ? " of column " : " of line " + (opened.getLine() + 1) + ", column ")
                    + (opened.getColumn() + 1) + " needs a , or its closing " + close + " here"
                    + (problem.endsWith("<stream end>") ? ", at the end" : "");
        }
        String context = e.getContext() == null ? "" : e.getContext() + ": ";
        return "is not YAML: " + (context + problem).replace('\n', ' ');
    }

    private static String deep(@org.jspecify.annotations.Nullable String message) {
        return message == null || message.contains("Nesting") || message.contains("nesting")
                ? "is nested deeper than " + DEEPEST + " levels"
                : "is not YAML: " + message.replace('\n', ' ');
    }

    /** Finds where brackets first exceed the allowed depth, which the library does not report. */
    private FilePosition tooDeep(String text) {
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
                    return new FilePosition(file, line, column);
                }
            } else if (c == ']' || c == '}') {
                depth--;
            }
        }
        return new FilePosition(file, 1, 1);
    }

    private FilePosition at(String text, int position) {
        String before = text.substring(0, Math.min(position, text.length()));
        int line = 1 + (int) before.chars().filter(c -> c == '\n').count();
        return new FilePosition(file, line, before.length() - before.lastIndexOf('\n'));
    }

    private Optional<YamlNode> converted(org.yaml.snakeyaml.nodes.Node node, String path) {
        FilePosition filePosition = spot(node.getStartMark());
        if (++parts > MOST_PARTS) {
            if (parts == MOST_PARTS + 1) {
                fileProblems.add(filePosition, path, "its aliases make it grow beyond " + MOST_PARTS + " parts");
            }
            return Optional.empty();
        }
        if (node instanceof ScalarNode scalar) {
            characters += scalar.getValue().length();
            if (characters > 2L * LONGEST) {
                if (characters - scalar.getValue().length() <= 2L * LONGEST) {
                    fileProblems.add(
                            filePosition, path, "its aliases make it grow beyond " + 2 * LONGEST + " characters");
                }
                return Optional.empty();
            }
            boolean quoted = scalar.getScalarStyle() != DumperOptions.ScalarStyle.PLAIN;
            return Optional.of(new Scalar(filePosition, scalar.getValue(), quoted));
        }
        if (!open.add(node)) {
            fileProblems.add(filePosition, path, "contains an alias of itself");
            return Optional.empty();
        }
        try {
            return node instanceof SequenceNode list
                    ? items(list, filePosition, path)
                    : keys((MappingNode) node, filePosition, path);
        } finally {
            open.remove(node);
        }
    }

    private Optional<YamlNode> items(SequenceNode list, FilePosition filePosition, String path) {
        List<YamlNode> items = new ArrayList<>();
        for (int i = 0; i < list.getValue().size(); i++) {
            converted(list.getValue().get(i), YamlNode.below(path, Integer.toString(i)))
                    .ifPresent(items::add);
        }
        return Optional.of(new Items(filePosition, items));
    }

    private Optional<YamlNode> keys(MappingNode mapping, FilePosition filePosition, String path) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            FilePosition keySpot = spot(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                fileProblems.add(keySpot, path, "a key must be a single word or text");
                continue;
            }
            Entry before = entries.get(key.getValue());
            if (before != null) {
                fileProblems.add(
                        keySpot,
                        YamlNode.below(path, key.getValue()),
                        "is there twice; first in line " + before.keySpot().line());
                continue;
            }
            converted(tuple.getValueNode(), YamlNode.below(path, key.getValue()))
                    .ifPresent(value -> entries.put(key.getValue(), new Entry(keySpot, value)));
        }
        return Optional.of(new Keys(filePosition, entries));
    }

    private FilePosition spot(Mark mark) {
        return new FilePosition(file, mark.getLine() + 1, mark.getColumn() + 1);
    }
}
