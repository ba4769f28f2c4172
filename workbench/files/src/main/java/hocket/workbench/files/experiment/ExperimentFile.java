package hocket.workbench.files.experiment;

import hocket.schedulers.Definition;
import hocket.schedulers.Plan;
import hocket.schedulers.Setup;
import hocket.schedulers.flow.Step;
import hocket.schedulers.flow.Train;
import hocket.scopes.SimilarNames;
import hocket.workbench.files.UserError;
import hocket.workbench.files.forms.Classes;
import hocket.workbench.files.forms.Form;
import hocket.workbench.files.forms.Forms;
import hocket.workbench.files.forms.PartIndex;
import hocket.workbench.files.forms.ReadingContext;
import hocket.workbench.files.forms.Schemas;
import hocket.workbench.files.yaml.FilePosition;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import hocket.workbench.files.yaml.YamlReader;
import hocket.workbench.files.yaml.YamlWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An experiment file with all files that it includes, and with changes. */
public final class ExperimentFile {
    /** The default runner. */
    public static final String TRAIN = "train";

    static final String RECORDED = "recorded";
    private static final Logger LOG = LoggerFactory.getLogger(ExperimentFile.class);

    /** The time of a refusal after which it is not built again to find the change that caused it. */
    private static final long LONG_NANOS = 2_000_000_000L;

    static final Form FORM = Forms.of(ExperimentSpec.class);

    private final YamlNode.Keys tree;
    private final YamlNode.Keys complete;
    private final ExperimentSpec spec;
    private final Classes classes;
    private final Path here;
    private final ExperimentReader.Changed changed;

    ExperimentFile(
            YamlNode.Keys tree,
            YamlNode.Keys complete,
            ExperimentSpec spec,
            Classes classes,
            Path here,
            ExperimentReader.Changed changed) {
        this.here = here;
        this.changed = changed;
        this.tree = tree;
        this.complete = complete;
        this.spec = spec;
        this.classes = classes;
    }

    /**
     * The context in which files are read.
     *
     * @param here what relative paths are relative to
     * @param jars jars and folders of classes that files may name
     * @param environment variables that files may name
     * @param jarsMayBeGone whether a jar that a file names may be missing: its classes are looked for on the class path
     * @param warnings takes warnings about a file, a line each
     */
    public record Surroundings(
            Path here,
            List<Path> jars,
            Map<String, String> environment,
            boolean jarsMayBeGone,
            Consumer<String> warnings) {
        public Surroundings {
            jars = List.copyOf(jars);
            environment = Map.copyOf(environment);
        }

        /** Creates surroundings that log warnings. */
        public Surroundings(Path here, List<Path> jars, Map<String, String> environment, boolean jarsMayBeGone) {
            this(here, jars, environment, jarsMayBeGone, LOG::warn);
        }

        /** Creates surroundings whose jars must all exist. */
        public Surroundings(Path here, List<Path> jars, Map<String, String> environment) {
            this(here, jars, environment, false);
        }

        ExperimentLibrary library() {
            try {
                return new ExperimentLibrary(Classes.of(jars), here, environment);
            } catch (IllegalArgumentException e) {
                throw new UserError("--classpath: " + e.getMessage(), e);
            }
        }
    }

    /** The facts of an experiment that are known without reading it. */
    public record Title(String name, String summary) {}

    /** Returns whether a runner has phases, each with a budget of its own. */
    public boolean hasPhases(String runner) {
        ExperimentSpec.RunnerSpec ran = spec().runners().get(runner);
        return ran != null && !ran.phases().isEmpty();
    }

    /**
     * Checks that a runner reads the budget that changes set: one with phases has budgets of its own.
     *
     * @throws UserError if it does not
     */
    public void requireBudgetIsRead(List<String> changes, String runner) {
        if (hasPhases(runner)) {
            SettingOverrides.ofBudget(changes).ifPresent(change -> {
                throw new UserError("--set " + change + ": has no place here: each phase of runners." + runner
                        + " has a budget of its own, such as runners." + runner + ".phases.0.budget");
            });
        }
    }

    /** Returns the built-in experiments. */
    public static List<Title> builtIn(Surroundings at) {
        ExperimentLibrary experimentLibrary = at.library();
        List<Title> titles = new ArrayList<>();
        for (String name : experimentLibrary.builtIn()) {
            Optional<ExperimentLibrary.Found> found =
                    experimentLibrary.find(name, Optional.empty(), FilePosition.in(name), "", new FileProblems());
            titles.add(new Title(
                    name, found.map(file -> text(file.tree(), "summary")).orElse("")));
        }
        return titles;
    }

    /** Returns whether there is a built-in experiment of a name. */
    public static boolean isBuiltIn(String name, Surroundings at) {
        return at.library().builtIn().contains(name);
    }

    static String text(YamlNode.Keys keys, String key) {
        return keys.get(key)
                .map(yamlNode -> yamlNode instanceof YamlNode.Scalar scalar ? scalar.text() : "")
                .orElse("");
    }

    /**
     * Reads an experiment.
     *
     * @param nameOrFile the name of a built-in one, a file, or a folder with an {@code experiment.yaml}
     * @param changes each {@code key=value}: see {@link SettingOverrides}
     * @throws UserError if there are problems: all of them
     */
    public static ExperimentFile read(String nameOrFile, List<String> changes, Surroundings at) {
        return new ExperimentReader(at).read(nameOrFile, changes);
    }

    /** Returns the name of an experiment whose file has none: the file's name without invalid characters. */
    public static String baseName(String origin) {
        String file = origin.substring(Math.max(origin.lastIndexOf('/'), origin.lastIndexOf('\\')) + 1);
        String name = file.replaceFirst("^builtin:", "")
                .replaceFirst("\\.ya?ml$", "")
                .replaceAll("[^A-Za-z0-9._-]+", "-")
                .replaceFirst("^[._-]+", "")
                .replaceFirst("-+$", "");
        return name.isEmpty() ? "experiment" : name;
    }

    /** Returns the tree with the name at the top. */
    static YamlNode.Keys named(YamlNode.Keys complete, String name) {
        Map<String, YamlNode.Entry> entries = new LinkedHashMap<>();
        entries.put("name", new YamlNode.Entry(complete.spot(), new YamlNode.Scalar(complete.spot(), name, false)));
        complete.without("name").entries().forEach(entries::put);
        return new YamlNode.Keys(complete.spot(), entries);
    }

    /** The experiment's name. */
    public String name() {
        return text(complete, "name");
    }

    public ExperimentSpec spec() {
        return spec;
    }

    /** Returns the added jars and folders of classes. */
    public List<Path> jars() {
        return classes.jars();
    }

    /** Returns the number of compute threads: the file's, or this machine's cores. */
    public int threads() {
        return spec.threads() > 0 ? spec.threads() : Runtime.getRuntime().availableProcessors();
    }

    /**
     * Returns the runner of a name.
     *
     * @throws UserError if there is no such runner
     */
    public Step runner(String name) {
        ExperimentSpec.RunnerSpec runner = spec.runners().get(name);
        if (runner == null && !name.equals(TRAIN)) {
            List<String> known = new ArrayList<>(spec.runners().keySet());
            known.add(TRAIN);
            throw new UserError("there is no runner " + name + SimilarNames.among(name, known));
        }
        return runner == null ? new Train() : runner.step();
    }

    /**
     * Checks the starting parameters, as far as possible without building anything.
     *
     * @param setup the setup that they fill
     * @return remarks, a line each
     * @throws UserError if they are rejected, at their place
     */
    public List<String> checkStartup(Setup setup) {
        try {
            spec.startup().check(setup);
            return spec.startup().notes(setup);
        } catch (IllegalArgumentException | UncheckedIOException e) {
            throw startupRefused(e);
        }
    }

    /** Returns the error of the startup step, at its place if it names one. */
    public UserError startupRefused(RuntimeException e) {
        FileProblems fileProblems = new FileProblems();
        for (String line : String.valueOf(e.getMessage()).lines().toList()) {
            fileProblems.refused(
                    "",
                    STARTUP,
                    key -> key.isEmpty() ? FilePosition.in("") : tree.spotOf(key),
                    new IllegalArgumentException(line, e));
        }
        return new UserError(fileProblems);
    }

    /** Returns the default runner: that of the run whose file this is, or {@link #TRAIN}. */
    public String usualRunner() {
        return spec.recorded().map(ExperimentSpec.RecordedSpec::runner).orElse(TRAIN);
    }

    /**
     * Returns the experiment in the folder of one of its runs, read with the same classes.
     *
     * @throws UserError if there are problems: all of them
     */
    public ExperimentFile written(Path file) {
        return read(file.toString(), List.of(), new Surroundings(here, classes.jars(), Map.of()));
    }

    /**
     * Returns the definition of the experiment: each setup is built from the file again, including its classes and
     * data; it throws {@link UserError} with all problems that it finds.
     *
     * @param runner the runner whose phases are used
     */
    public Definition definition(String runner) {
        return definition(runner, Map.of());
    }

    /**
     * Returns the definition to inspect a run: no data is read before rows are requested, and data may be missing.
     *
     * @param remembered the known facts of feeds, by name; other feeds are opened
     */
    public Definition definition(String runner, Map<String, DescribedFeed> remembered) {
        return () -> {
            FileProblems fileProblems = new FileProblems();
            long begun = System.nanoTime();
            Optional<Setup> setup = built(tree, runner, fileProblems, remembered);
            if (setup.isEmpty() || !fileProblems.isEmpty()) {
                if (System.nanoTime() - begun > LONG_NANOS) { // as where an environment of Python does not answer
                    throw new UserError(fileProblems);
                }
                throw changed.refusal(fileProblems, other -> {
                    FileProblems others = new FileProblems();
                    built(other, runner, others, remembered);
                    return others;
                });
            }
            return setup.get();
        };
    }

    private Optional<Setup> built(
            YamlNode.Keys root, String runner, FileProblems fileProblems, Map<String, DescribedFeed> remembered) {
        return classes.within(() -> ExperimentReader.read(root, new ReadingContext(fileProblems, classes, here))
                .flatMap(fresh -> ExperimentBuilder.build(fresh, runner, root, fileProblems, this::plan, remembered)));
    }

    /**
     * Returns a plan from text that arrives during training, with turns by name. It may come over a network, so it can
     * name only classes of the file.
     *
     * @throws IllegalArgumentException if it is not a plan, with all problems
     */
    private Plan plan(String text) {
        Set<String> own = classesIn(tree);
        BiConsumer<YamlNode, FileProblems> check = (node, problems) -> classesIn(node).stream()
                .filter(name -> !own.contains(name))
                .findFirst()
                .ifPresent(name -> problems.add(
                        node.spot(), "plan", "class " + name + " is not named in the file of the experiment"));
        return (Plan) part(Plan.class, "plan", text, check, classes, here);
    }

    private static Set<String> classesIn(YamlNode yamlNode) {
        Set<String> names = new TreeSet<>();
        if (yamlNode instanceof YamlNode.Keys keys) {
            if (keys.get("class").orElse(null) instanceof YamlNode.Scalar name) {
                names.add(name.text());
            }
            keys.entries().values().forEach(entry -> names.addAll(classesIn(entry.value())));
        } else if (yamlNode instanceof YamlNode.Items items) {
            items.items().forEach(item -> names.addAll(classesIn(item)));
        }
        return names;
    }

    /**
     * Returns the complete experiment, with default values, as a file that can be run again.
     *
     * @param threads number of threads, if the file leaves it open
     * @param seed seed of the run
     * @param recorded software that runs it
     */
    public String resolved(int threads, long seed, ExperimentSpec.RecordedSpec recorded) {
        FilePosition filePosition = complete.spot();
        YamlNode.Keys made = new YamlNode.Keys(filePosition, Map.of())
                .with("hocket", new YamlNode.Scalar(filePosition, recorded.hocket(), true))
                .with("lowering", new YamlNode.Scalar(filePosition, recorded.lowering(), true))
                .with("kernels", new YamlNode.Scalar(filePosition, recorded.kernels(), false))
                .with("runner", new YamlNode.Scalar(filePosition, recorded.runner(), false));
        List<YamlNode> jars = new ArrayList<>();
        classes.jars()
                .forEach(jar -> jars.add(new YamlNode.Scalar(
                        filePosition, jar.toAbsolutePath().normalize().toString(), true)));
        YamlNode.Keys whole = complete.with("seed", new YamlNode.Scalar(filePosition, Long.toString(seed), false))
                .with("threads", new YamlNode.Scalar(filePosition, Integer.toString(threads), false));
        if (!jars.isEmpty()) {
            whole = whole.with("classpath", new YamlNode.Items(filePosition, jars));
        }
        return YamlWriter.text(Placeholders.escaped(whole.with(RECORDED, made)));
    }

    /**
     * Returns the settings that people set, by their shortest keys: all of the file, and all of algorithms, networks
     * and data.
     */
    public Map<String, String> settings() {
        SettingOverrides settingOverrides = new SettingOverrides(FORM, classes);
        List<List<String>> addresses = settingOverrides.addresses(complete);
        Map<String, String> settings = new LinkedHashMap<>();
        settingOverrides.settings(complete).forEach((address, isNumber) -> {
            String last = address.isEmpty() ? "" : address.get(address.size() - 1);
            boolean isUsual = !address.isEmpty() && SHOWN.contains(address.get(0));
            boolean isShown = isUsual || tree.at(address).isPresent();
            if (isShown && !HIDDEN.contains(last) && !last.matches("\\d+")) {
                (isNumber ? tree.at(address) : Optional.<YamlNode>empty())
                        .or(() -> complete.at(address))
                        .map(value -> isUsual && address.get(0).equals(ExperimentSpec.ALGORITHM) ? kind(value) : value)
                        .filter(value -> value instanceof YamlNode.Scalar || isNumber || (isUsual && isList(value)))
                        .ifPresent(value ->
                                settings.put(SettingOverrides.shortest(address, addresses), YamlWriter.line(value)));
            }
        });
        return settings;
    }

    /** Returns the key of a part that is told by its key, such as a memory, in place of it and its settings. */
    private static YamlNode kind(YamlNode part) {
        if (part instanceof YamlNode.Keys keys && keys.entries().size() == 1) {
            Map.Entry<String, YamlNode.Entry> only =
                    keys.entries().entrySet().iterator().next();
            if (only.getValue().value() instanceof YamlNode.Keys) {
                return new YamlNode.Scalar(keys.spot(), only.getKey(), false);
            }
        }
        return part;
    }

    /** Returns whether it is a list of single values, such as the sizes of layers. */
    private static boolean isList(YamlNode yamlNode) {
        return yamlNode instanceof YamlNode.Items list
                && list.items().stream().allMatch(YamlNode.Scalar.class::isInstance);
    }

    private static final List<String> SHOWN = List.of("seed", ExperimentSpec.ALGORITHM, "network", "feeds");
    private static final List<String> HIDDEN = List.of("name", "summary", "class", "include", "of");

    /** Returns all settings of its algorithm, by path; none without an algorithm. */
    public Map<String, String> algorithm() {
        String under = ExperimentSpec.ALGORITHM + "/";
        Map<String, String> settings = new LinkedHashMap<>();
        complete.leaves().forEach((path, value) -> {
            if (path.startsWith(under)) {
                settings.put(path.substring(under.length()), value);
            }
        });
        return settings;
    }

    /** Keys of the starting parameters. */
    private static final List<String> STARTUP = List.of("startup/from", "startup/map", "startup/strict");

    /** Keys that may change when a run is resumed. */
    private static final List<String> FREE = List.of("budget", "print", "on", RECORDED, "classpath");

    /** Returns the total environment steps of an agent's training; empty if it counts none. */
    public OptionalLong totalSteps() {
        return complete.at(List.of(ExperimentSpec.ALGORITHM, "total_steps")).stream()
                .filter(yamlNode -> yamlNode instanceof YamlNode.Scalar scalar
                        && scalar.text().matches("\\d{1,18}"))
                .mapToLong(yamlNode -> Long.parseLong(((YamlNode.Scalar) yamlNode).text()))
                .findFirst();
    }

    /** Returns whether its budget equals that of another file. */
    public boolean hasBudgetOf(ExperimentFile other) {
        Map<String, String> mine = complete.leaves();
        Map<String, String> theirs = other.complete.leaves();
        mine.keySet().removeIf(path -> !isBudget(path));
        theirs.keySet().removeIf(path -> !isBudget(path));
        return mine.equals(theirs);
    }

    private static boolean isBudget(String path) {
        return path.startsWith("budget/") || path.matches("runners/[^/]+/phases/\\d+/budget/.*");
    }

    /** Returns the data paths of feeds with their values: these may change. */
    public Map<String, String> places() {
        Map<String, String> places = new LinkedHashMap<>();
        Map<String, String> leaves = complete.leaves();
        spec.feeds().forEach((name, feed) -> addPlaces("feeds/" + name + "/", feed.source(), leaves, places));
        spec.validation()
                .ifPresent(by -> addPlaces("validation/feed/", by.feed().source(), leaves, places));
        return places;
    }

    private static void addPlaces(String below, Object source, Map<String, String> leaves, Map<String, String> places) {
        if (source instanceof Record definition) {
            for (RecordComponent component : definition.getClass().getRecordComponents()) {
                String path = below + component.getName();
                String value = leaves.get(path);
                if (component.getType() == Path.class && value != null) {
                    places.put(path, value);
                }
            }
        }
    }

    /** Returns the keys, in order, whose difference from another file prevents resuming. */
    public List<String> differences(ExperimentFile other) {
        return WrittenSettings.changes(complete.leaves(), other.complete.leaves()).stream()
                .map(WrittenSettings.Change::path)
                .filter(path -> !FREE.contains(path.split("/", 2)[0]) && !isBudget(path))
                .filter(path -> !places().containsKey(path))
                .toList();
    }

    /** The JSON schema of experiment files: maps, lists, texts, numbers and booleans. */
    public static Map<String, Object> schema(Surroundings at) {
        return Schemas.whole(FORM, "Hocket experiment", "include", at.library().classes());
    }

    /** Returns the parts that experiment files can name. */
    public static PartIndex parts(Surroundings at) {
        return PartIndex.of(FORM, at.library().classes());
    }

    /**
     * Returns a part as a file would name it.
     *
     * @param kind the interface of such parts
     * @param key what the text is the value of, for messages
     * @param text YAML, such as {@code pixels} or <code>{class: my.Features}</code>
     * @throws IllegalArgumentException if it is no such part, with all problems
     */
    public static <T> T part(Class<T> kind, String key, String text, Surroundings at) {
        Classes classes = at.library().classes();
        return classes.within(() -> kind.cast(part(kind, key, text, (node, problems) -> {}, classes, at.here())));
    }

    private static Object part(
            Class<?> kind,
            String key,
            String text,
            BiConsumer<YamlNode, FileProblems> check,
            Classes classes,
            Path here) {
        FileProblems problems = new FileProblems();
        Optional<?> part = YamlReader.read("", text.getBytes(StandardCharsets.UTF_8), problems)
                .flatMap(node -> {
                    check.accept(node, problems);
                    return problems.isEmpty()
                            ? Forms.keyed(kind).read(node, key, new ReadingContext(problems, classes, here))
                            : Optional.empty();
                });
        if (part.isEmpty() || !problems.isEmpty()) {
            throw new IllegalArgumentException(
                    problems.isEmpty() ? key + ": there is nothing in it" : String.join("; ", problems.lines()));
        }
        return part.get();
    }

    /** Returns the complete content, with default values. */
    public String text() {
        return YamlWriter.text(Placeholders.escaped(complete));
    }

    /** Returns the experiment under another name. */
    public String text(String name) {
        return YamlWriter.text(Placeholders.escaped(named(complete.without(RECORDED), name)));
    }
}
