package hocket.workbench.files.experiment;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.files.UserError;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.forms.ReadingContext;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The text of a complete experiment file as settings: without its classes, and without opening its data.
 *
 * @param byPath the single values, by path, in the order of the file; without records of the machine and the paths of
 *     jars
 */
public record WrittenSettings(Map<String, String> byPath) {
    /** Keys that say where a run was made. */
    private static final List<String> PLACES = List.of("recorded", "classpath");

    /**
     * A setting that differs between two files.
     *
     * @param path its path
     * @param left its value in the first; none if absent
     * @param right its value in the second
     */
    public record Change(String path, Optional<String> left, Optional<String> right) {}

    /**
     * Reads the settings of a file.
     *
     * @throws UserError if it cannot be read, naming file and line
     */
    public static WrittenSettings of(Path file) {
        return read(file, UnaryOperator.identity());
    }

    /** Returns the settings with present names of keys and classes, to compare releases. Throws as {@link #of(Path)}. */
    public static WrittenSettings present(Path file) {
        ReadingContext readingContext =
                new ReadingContext(new FileProblems(), Classes.of(List.of()), file.toAbsolutePath());
        return read(file, tree -> ExperimentFile.FORM.renewed(tree, "", readingContext));
    }

    private static WrittenSettings read(Path file, UnaryOperator<YamlNode> change) {
        try {
            return of(file.toString(), Files.readAllBytes(file), change);
        } catch (IOException e) {
            throw new UserError(file + " cannot be read: " + DiskFailureText.of(e), e);
        }
    }

    /**
     * Reads the settings of a file's content. Throws as {@link #of(Path)}.
     *
     * @param file its name in problems
     */
    public static WrittenSettings of(String file, byte[] content) {
        return of(file, content, UnaryOperator.identity());
    }

    private static WrittenSettings of(String file, byte[] content, UnaryOperator<YamlNode> change) {
        FileProblems fileProblems = new FileProblems();
        Optional<YamlNode> tree = YamlReader.read(file, content, fileProblems);
        if (tree.isEmpty() || !fileProblems.isEmpty()) {
            throw new UserError(fileProblems);
        }
        Map<String, String> byPath = change.apply(tree.get()).leaves();
        byPath.keySet().removeIf(path -> PLACES.contains(path.split("/", 2)[0]));
        return new WrittenSettings(byPath);
    }

    /** Returns the changed values by path, in the order of the first map, then those that only the second has. */
    public static List<Change> changes(Map<String, String> from, Map<String, String> to) {
        LinkedHashSet<String> paths = new LinkedHashSet<>(from.keySet());
        paths.addAll(to.keySet());
        List<Change> changes = new ArrayList<>();
        for (String path : paths) {
            String left = from.get(path);
            String right = to.get(path);
            if (!Objects.equals(left, right)) {
                changes.add(new Change(path, Optional.ofNullable(left), Optional.ofNullable(right)));
            }
        }
        return changes;
    }
}
