package hocket.workbench.files.experiment;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.scopes.SimilarNames;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.yaml.FilePosition;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds experiments: built into jars, which list them in {@code META-INF/hocket/experiments}, or files.
 *
 * @param classes the jars
 * @param here the folder to which relative paths are relative
 * @param environment variables for files
 */
record ExperimentLibrary(Classes classes, Path here, Map<String, String> environment) {
    private static final String INDEX = "META-INF/hocket/experiments";

    /** Returns the names of the built-in experiments, in order. */
    List<String> builtIn() {
        return classes.lines(INDEX).stream().sorted().toList();
    }

    private byte[] builtIn(String name) {
        return classes.resource("hocket/experiments/" + name + ".yaml")
                .orElseThrow(() -> new IllegalStateException(INDEX + " lists " + name + ", which is not there"));
    }

    /**
     * Reads an experiment, by name or file, and fills in placeholders.
     *
     * @param beside the file that refers to it; empty if a person does
     * @return empty if there are problems
     */
    Optional<Found> find(
            String nameOrFile, Optional<Found> beside, FilePosition by, String path, FileProblems fileProblems) {
        if (builtIn().contains(nameOrFile)) {
            String origin = Found.BUILT_IN + nameOrFile;
            return read(origin, here, builtIn(nameOrFile), fileProblems);
        }
        Path given;
        try {
            given = beside.map(Found::workspace).orElse(here).resolve(nameOrFile);
        } catch (InvalidPathException e) {
            fileProblems.add(by, path, "must be a file or a built-in experiment: " + e.getMessage());
            return Optional.empty();
        }
        Path file = Files.isDirectory(given) ? given.resolve("experiment.yaml") : given;
        if (!Files.exists(file) || Files.isDirectory(file)) {
            fileProblems.add(by, path, missing(nameOrFile, given));
            return Optional.empty();
        }
        String origin = beside.filter(
                        including -> !including.isBuiltIn() && Files.isRegularFile(Path.of(including.origin())))
                .map(including -> Path.of(including.origin())
                        .resolveSibling(nameOrFile)
                        .normalize()
                        .toString())
                .orElse(file.toString());
        try (InputStream in = Files.newInputStream(file)) { // which may be a pipe
            byte[] content = in.readNBytes(YamlReader.LONGEST + 1);
            if (content.length > YamlReader.LONGEST) {
                YamlReader.tooLong(origin, Math.max(content.length, Files.size(file)), fileProblems);
                return Optional.empty();
            }
            Path workspace = Optional.ofNullable(file.toAbsolutePath().getParent())
                    .filter(parent -> Files.isRegularFile(file)) // a pipe has no folder
                    .orElse(here);
            return read(origin, workspace, content, fileProblems);
        } catch (IOException e) {
            fileProblems.add(FilePosition.in(origin), "", "cannot be read: " + DiskFailureText.of(e));
            return Optional.empty();
        }
    }

    private String missing(String nameOrFile, Path given) {
        if (Files.isDirectory(given)) {
            return "there is no experiment.yaml in " + given;
        }
        Optional<String> hidden = DiskFailureText.hiding(given);
        if (hidden.isPresent()) {
            return given + " cannot be read: " + hidden.get();
        }
        boolean isFile = nameOrFile.contains("/") || nameOrFile.endsWith(".yaml") || nameOrFile.endsWith(".yml");
        return isFile
                ? "there is no file " + given
                : "there is no experiment " + nameOrFile + SimilarNames.among(nameOrFile, builtIn());
    }

    private Optional<Found> read(String origin, Path workspace, byte[] content, FileProblems fileProblems) {
        Optional<YamlNode> tree = YamlReader.read(origin, content, fileProblems);
        if (tree.isPresent() && !(tree.get() instanceof YamlNode.Keys)) {
            fileProblems.add(
                    tree.get().spot(),
                    "",
                    "must be keys and values such as name: digits-gan, was "
                            + tree.get().described());
            return Optional.empty();
        }
        return tree.map(yamlNode -> new Found(origin, workspace, (YamlNode.Keys)
                new Placeholders(workspace.toString(), environment).in(yamlNode, fileProblems)));
    }

    /**
     * The text of an experiment file.
     *
     * @param origin its name in problems
     * @param workspace its folder; the working folder if it is not a regular file
     * @param tree its content
     */
    record Found(String origin, Path workspace, YamlNode.Keys tree) {
        private static final String BUILT_IN = "builtin:";

        boolean isBuiltIn() {
            return origin.startsWith(BUILT_IN);
        }

        /** Returns the same name for one file, for any path to it. */
        String identity() {
            return isBuiltIn()
                    ? origin
                    : workspace
                            .resolve(Path.of(origin).getFileName())
                            .normalize()
                            .toString();
        }
    }
}
