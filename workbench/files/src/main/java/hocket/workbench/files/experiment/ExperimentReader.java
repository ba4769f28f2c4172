package hocket.workbench.files.experiment;

import hocket.schedulers.checkpoint.DiskFailureText;
import hocket.workbench.files.UserError;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.forms.ReadingContext;
import hocket.workbench.files.yaml.FilePosition;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
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
import java.util.function.Function;

/** Reads an experiment file with all files that it includes, and changes it. */
final class ExperimentReader {
    private static final List<String> MAP = List.of("startup", "map");

    private final ExperimentFile.Surroundings at;
    private final ExperimentLibrary library;
    private final FileProblems problems = new FileProblems();

    ExperimentReader(ExperimentFile.Surroundings at) {
        this.at = at;
        library = at.library();
    }

    /** Reads an experiment, as {@link ExperimentFile#read}. */
    ExperimentFile read(String nameOrFile, List<String> changes) {
        Optional<ExperimentLibrary.Found> found =
                library.find(nameOrFile, Optional.empty(), FilePosition.in(""), "", problems);
        Optional<YamlNode.Keys> merged =
                found.flatMap(file -> included(file, new ArrayList<>(List.of(file.identity()))));
        if (merged.isEmpty() || !problems.isEmpty()) {
            throw new UserError(problems);
        }
        YamlNode.Keys unchanged = FormerDefaults.added(merged.get());
        Classes classes = classes(unchanged);
        Changed changed = new Changed(unchanged, changes, classes);
        ReadingContext readingContext = new ReadingContext(problems, classes, at.here());
        YamlNode.Keys tree =
                withMap(renewed(changed(unchanged, changes, classes, problems), readingContext), readingContext);
        Optional<ExperimentSpec> spec = read(tree, readingContext);
        if (spec.isEmpty() || !problems.isEmpty()) {
            throw changed.refusal(problems, other -> {
                FileProblems others = new FileProblems();
                read(other, new ReadingContext(others, classes, at.here()));
                return others;
            });
        }
        FormerDefaults.refuseUncheckedNorm(tree, problems);
        if (!problems.isEmpty()) {
            throw new UserError(problems);
        }
        YamlNode.Keys complete =
                ((YamlNode.Keys) ExperimentFile.FORM.complete(tree, readingContext)).without("include");
        if (spec.get().name().isEmpty()) {
            complete = ExperimentFile.named(
                    complete, ExperimentFile.baseName(found.get().origin()));
        }
        String name = ExperimentFile.text(complete, "name");
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            problems.add(
                    tree.spotOf("name"),
                    "name",
                    "must begin with a letter or digit and hold only letters, digits, ., _ and -, as it names folders,"
                            + " was \"" + name + "\"");
            throw new UserError(problems);
        }
        problems.warnings().forEach(at.warnings());
        return new ExperimentFile(tree, complete, spec.get(), classes, at.here(), changed);
    }

    /** Returns a file's tree over those that it includes. */
    private Optional<YamlNode.Keys> included(ExperimentLibrary.Found file, List<String> open) {
        YamlNode.Keys tree = renewed(file.tree(), new ReadingContext(problems, library.classes(), library.here()));
        Optional<YamlNode> include = tree.get("include");
        if (include.isEmpty()) {
            return Optional.of(tree);
        }
        if (!(include.get() instanceof YamlNode.Scalar scalar) || scalar.isNothing()) {
            problems.add(
                    include.get().spot(),
                    "include",
                    "must be a file or a built-in experiment, was "
                            + include.get().described());
            return Optional.empty();
        }
        Optional<ExperimentLibrary.Found> base =
                library.find(scalar.text(), Optional.of(file), scalar.spot(), "include", problems);
        if (base.isEmpty()) {
            return Optional.empty();
        }
        if (open.contains(base.get().identity())) {
            problems.add(
                    scalar.spot(),
                    "include",
                    "files include each other in a circle: " + base.get().origin() + " is open already");
            return Optional.empty();
        }
        open.add(base.get().identity());
        return included(base.get(), open).map(below -> (YamlNode.Keys)
                ExperimentFile.FORM.merged(below.without("name"), tree.without("include"), library.classes()));
    }

    /**
     * The file's jars are needed to read the rest of it. Those on the command line come first; one replaces a missing
     * jar of its name.
     */
    private Classes classes(YamlNode.Keys tree) {
        LinkedHashSet<Path> jars = new LinkedHashSet<>();
        at.jars().forEach(jar -> jars.add(jar.toAbsolutePath().normalize()));
        int given = jars.size();
        try {
            if (tree.get("classpath").orElse(null) instanceof YamlNode.Items items) {
                for (YamlNode item : items.items()) {
                    if (item instanceof YamlNode.Scalar scalar && !scalar.text().isBlank()) {
                        Path jar = at.here()
                                .resolve(scalar.text())
                                .toAbsolutePath()
                                .normalize();
                        boolean isGone = !Files.exists(jar)
                                && (at.jarsMayBeGone()
                                        || jars.stream()
                                                .anyMatch(
                                                        each -> Objects.equals(each.getFileName(), jar.getFileName())));
                        if (!isGone) {
                            jars.add(jar);
                        }
                    }
                }
            }
            return jars.size() == given ? library.classes() : Classes.of(List.copyOf(jars));
        } catch (IllegalArgumentException e) {
            problems.add(tree.spotOf("classpath"), "classpath", String.valueOf(e.getMessage()), e);
            return library.classes();
        }
    }

    static Optional<ExperimentSpec> read(YamlNode.Keys tree, ReadingContext readingContext) {
        return ExperimentFile.FORM
                .read(withMap(tree, readingContext), "", readingContext)
                .map(ExperimentSpec.class::cast);
    }

    /** The tree with the present names of keys and classes. */
    private static YamlNode.Keys renewed(YamlNode.Keys tree, ReadingContext readingContext) {
        return (YamlNode.Keys) ExperimentFile.FORM.renewed(tree, "", readingContext);
    }

    private static YamlNode.Keys changed(
            YamlNode.Keys tree, List<String> changes, Classes classes, FileProblems fileProblems) {
        SettingOverrides setting = new SettingOverrides(ExperimentFile.FORM, classes);
        YamlNode.Keys changed = tree;
        for (String change : changes) {
            if (change.startsWith("include=") || change.startsWith("classpath=")) {
                fileProblems.add(
                        SettingOverrides.spot(change), "", "can be set in the file only; use --classpath for jars");
            }
            changed = setting.apply(change, changed, fileProblems);
        }
        return changed;
    }

    /** Replaces the name of a file of names with the map in it; removes it if the file has none. */
    private static YamlNode.Keys withMap(YamlNode.Keys tree, ReadingContext readingContext) {
        if (!(tree.at(MAP).orElse(null) instanceof YamlNode.Scalar named) || named.isNothing()) {
            return tree;
        }
        YamlNode.Keys startup = (YamlNode.Keys) tree.at(MAP.subList(0, 1)).orElseThrow();
        return tree.with(
                MAP.get(0),
                names(named, readingContext)
                        .map(names -> startup.with(MAP.get(1), names))
                        .orElseGet(() -> startup.without(MAP.get(1))));
    }

    private static Optional<YamlNode.Keys> names(YamlNode.Scalar named, ReadingContext readingContext) {
        Path file = readingContext.here().resolve(named.text());
        FileProblems own = new FileProblems();
        String reason;
        try {
            Optional<YamlNode> read = YamlReader.read(named.text(), Files.readAllBytes(file), own);
            if (read.isPresent()
                    && read.get() instanceof YamlNode.Keys names
                    && names.entries().values().stream().allMatch(entry -> entry.value() instanceof YamlNode.Scalar)) {
                return Optional.of(names);
            }
            reason = own.isEmpty()
                    ? named.text() + " must hold a name and a path a line, such as conv1.weight:"
                            + " generator/conv1/weight"
                            + read.map(other -> ", was " + other.described()).orElse(", was empty")
                    : String.join("; ", own.lines());
        } catch (IOException e) {
            reason = file + " could not be read: " + DiskFailureText.of(e);
        }
        readingContext.problems().add(named.spot(), String.join("/", MAP), reason);
        return Optional.empty();
    }

    /**
     * The changes of a person.
     *
     * @param unchanged the file without changes
     * @param changes to it
     */
    record Changed(YamlNode.Keys unchanged, List<String> changes, Classes classes) {
        /**
         * Returns the error for problems; those that the unchanged file lacks are attributed to the changes that cause
         * them.
         *
         * @param again returns the problems of another tree
         */
        UserError refusal(FileProblems fileProblems, Function<YamlNode.Keys, FileProblems> again) {
            if (changes.isEmpty()) {
                return new UserError(fileProblems);
            }
            Map<FilePosition, FileProblems> without = new LinkedHashMap<>();
            for (String change : changes) {
                List<String> others = new ArrayList<>(changes);
                others.remove(change);
                without.put(
                        SettingOverrides.spot(change),
                        again.apply(changed(unchanged, others, classes, new FileProblems())));
            }
            return new UserError(fileProblems.blamed(again.apply(unchanged), without));
        }
    }
}
