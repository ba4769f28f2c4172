package hocket.workbench.experiment;

import hocket.schedulers.checkpoint.Reason;
import hocket.workbench.terminal.Refusal;
import hocket.workbench.yaml.Node;
import hocket.workbench.yaml.Problems;
import hocket.workbench.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What a complete experiment file says, as it is written: without the classes that it names, and without opening its data.
 *
 * @param byPath the single values, by their path, in the order of the file; without what was recorded of the machine, and
 *     where its jars lie
 */
public record WrittenSettings(Map<String, String> byPath) {
    /** Keys that say where a run was made, not what it is. */
    private static final List<String> PLACES = List.of("recorded", "classpath");

    /**
     * A setting in which two files differ.
     *
     * @param path where it stands
     * @param left its value in the one; none where it is not there
     * @param right and in the other
     */
    public record Change(String path, Optional<String> left, Optional<String> right) {}

    /**
     * What a file says.
     *
     * @throws Refusal if it cannot be read, naming file and line
     */
    public static WrittenSettings of(Path file) {
        try {
            return of(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new Refusal(file + " cannot be read: " + Reason.of(e), e);
        }
    }

    /**
     * What a file's content says. Throws likewise.
     *
     * @param file as problems name it
     */
    public static WrittenSettings of(String file, byte[] content) {
        Problems problems = new Problems();
        Optional<Node> tree = YamlReader.read(file, content, problems);
        if (tree.isEmpty() || !problems.isEmpty()) {
            throw new Refusal(problems);
        }
        Map<String, String> byPath = new LinkedHashMap<>();
        tree.get().leaves("", byPath::put);
        byPath.keySet().removeIf(path -> PLACES.contains(path.split("/", 2)[0]));
        return new WrittenSettings(byPath);
    }

    /** In what it differs from another, in the order of this one; then what only the other has. */
    public List<Change> changes(WrittenSettings other) {
        LinkedHashSet<String> paths = new LinkedHashSet<>(byPath.keySet());
        paths.addAll(other.byPath.keySet());
        List<Change> changes = new ArrayList<>();
        for (String path : paths) {
            String left = byPath.get(path);
            String right = other.byPath.get(path);
            if (!Objects.equals(left, right)) {
                changes.add(new Change(path, Optional.ofNullable(left), Optional.ofNullable(right)));
            }
        }
        return changes;
    }
}
