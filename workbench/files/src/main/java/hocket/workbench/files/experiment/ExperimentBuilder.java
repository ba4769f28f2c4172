package hocket.workbench.files.experiment;

import hocket.programs.Program;
import hocket.schedulers.Action;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Definition;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Ring;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.evaluation.Evaluation;
import hocket.schedulers.evaluation.Validation;
import hocket.schedulers.exchange.DataParallelSplit;
import hocket.schedulers.rings.Samples;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.runs.IncompatibleSetupException;
import hocket.schedulers.settings.EvaluationDefinition;
import hocket.schedulers.settings.NetworkDefinition;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.NonNull;
import hocket.schedulers.settings.SourceDefinition;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.scopes.SimilarNames;
import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/** Builds an experiment from its file. An error is a problem at its place in the file. */
final class ExperimentBuilder {
    private final ExperimentSpec spec;
    private final BuiltParts builtParts;
    private final Map<String, SourceDescription> sources = new LinkedHashMap<>();
    private final Map<String, Source> unnamed = new LinkedHashMap<>();
    /** Opens the feeds that are not open yet. */
    private final Map<String, Supplier<Source>> unopened = new LinkedHashMap<>();

    private final Map<String, Turn> turns = new LinkedHashMap<>();
    /** The places of each watch's trigger and action. */
    private final List<List<String>> watches = new ArrayList<>();

    private final String runner;
    private final Function<String, Plan> written;
    private final Map<String, DescribedFeed> remembered;

    private ExperimentBuilder(
            ExperimentSpec spec,
            String runner,
            YamlNode tree,
            FileProblems fileProblems,
            Function<String, Plan> written,
            Map<String, DescribedFeed> remembered) {
        this.written = written;
        this.remembered = remembered;
        this.spec = spec;
        this.runner = runner;
        this.builtParts = new BuiltParts(tree, fileProblems);
    }

    /**
     * Builds the experiment. Opens the sources, which read their data, except for remembered ones.
     *
     * @param runner the runner whose phases are used
     * @param written the plan of a text, with turns by name
     * @param remembered feeds whose data is read only when rows are requested, by name
     * @return empty if there are problems, which have been added
     */
    static Optional<Setup> build(
            ExperimentSpec spec,
            String runner,
            YamlNode tree,
            FileProblems fileProblems,
            Function<String, Plan> written,
            Map<String, DescribedFeed> remembered) {
        return new ExperimentBuilder(spec, runner, tree, fileProblems, written, remembered).built();
    }

    private Optional<Setup> built() {
        spec.runners().keySet().forEach(name -> {
            String path = "runners/" + name + "/phases";
            if (builtParts.tree().at(List.of(path.split("/"))).orElse(null) instanceof YamlNode.Items phases
                    && phases.items().isEmpty()) {
                builtParts.add(path, "must have at least one phase, or be omitted, was " + phases.described());
            }
        });
        return (spec.algorithm().isPresent() ? made(spec.algorithm().get()) : spelledOut())
                .map(setup -> setup.divided(DataParallelSplit.among(spec.workers())))
                .flatMap(setup -> builtParts.attempt("workers", () -> {
                    setup.checkDivision();
                    return setup;
                }))
                .flatMap(setup -> builtParts.attempt("exchange", () -> {
                    Setup consistent = setup.divided(setup.division().consistent(spec.exchange()));
                    consistent.checkConsistency();
                    return consistent;
                }))
                .map(setup -> setup.plansReadBy(
                        text -> PlanBuilder.resolved(NonNull.by(written, "apply()", written.apply(text)), turns)));
    }

    /** Builds the parts that one class makes of its settings. */
    private Optional<Setup> made(Definition definition) {
        spec.runners().forEach((name, runner) -> {
            if (!runner.phases().isEmpty()) {
                builtParts.add(
                        "runners/" + name + "/phases",
                        "the algorithm defines the plan and the budget: remove one of the two");
            }
        });
        Optional<Setup> made = builtParts.attempt(
                ExperimentSpec.ALGORITHM, () -> NonNull.by(definition, "setup()", definition.setup()));
        if (made.isEmpty()) {
            return Optional.empty();
        }
        Networks networks = made.get().networks();
        Setup setup = made.get();
        if (spec.recorded().isEmpty()) { // a run's file may be older than a rule of training
            builtParts.attempt(ExperimentSpec.ALGORITHM, () -> {
                setup.requireTrainable();
                return setup;
            });
        }
        setup.feeds().forEach(feed -> {
            SourceDescription described = feed.source();
            sources.put(described.name(), described);
            if (described instanceof Source source) {
                unnamed.put(source.name(), source);
            } else { // inspecting a run does not need its data
                unopened.put(described.name(), once(described::open));
            }
        });
        turns.putAll(setup.turnsByName());
        PlanBuilder plans = new PlanBuilder(spec, turns, sources.keySet(), builtParts);
        return builtParts
                .attempt(ExperimentSpec.ALGORITHM, () -> checked(judged(setup, networks, plans), plans))
                .filter(whole -> builtParts.problems().isEmpty());
    }

    private Optional<Setup> spelledOut() {
        spec.feeds()
                .forEach((name, feed) ->
                        described("feeds/" + name, name, feed).ifPresent(source -> sources.put(name, source)));
        if (!builtParts.problems().isEmpty()) {
            return Optional.empty();
        }
        Columns columns = Columns.of(sources.values().toArray(SourceDescription[]::new));
        Optional<Networks> networks = builtParts
                .attempt("network", () -> built(spec.network().orElseThrow(), columns))
                .flatMap(this::changed);
        if (networks.isEmpty()) {
            return Optional.empty();
        }
        turns.putAll(new TurnBuilder(networks.get(), spec.turns(), builtParts).all());
        PlanBuilder plans = new PlanBuilder(spec, turns, sources.keySet(), builtParts);
        List<Phase> phases = plans.phases(runner);
        if (!builtParts.problems().isEmpty() || phases.isEmpty()) {
            Phase any = new Phase("any", Turn.act("any", run -> {}), Budget.rounds(0));
            completed(Setup.of(networks.get(), List.of(any)), networks.get(), plans); // for its problems
            return Optional.empty();
        }
        return fitting(() -> Setup.of(networks.get(), phases), plans)
                .map(setup -> completed(setup, networks.get(), plans))
                .filter(setup ->
                        builtParts.attempt("", () -> checked(setup, plans)).isPresent()
                                && builtParts.problems().isEmpty());
    }

    private static Networks built(NetworkDefinition network, Columns columns) {
        return NonNull.by(network, "build()", network.build(columns));
    }

    /** Describes a feed; one that is not remembered is opened. */
    private Optional<SourceDescription> described(String path, String name, ExperimentSpec.FeedSpec feed) {
        DescribedFeed known = remembered.get(name);
        if (known != null) {
            Supplier<Source> opening = once(() -> feed.unnamed(name, false));
            unopened.put(name, opening);
            return Optional.of(new FileFeed(
                    name, known, feed.pack(), () -> feed.feeding(name, opening.get()), () -> feed.open(name, false)));
        }
        return builtParts.attempt(path, () -> {
            Source source = feed.unnamed(name, false);
            unnamed.put(name, source);
            Source named = feed.feeding(name, source);
            return feed.source() instanceof SourceDefinition && named.hasEpochs()
                    ? FileFeed.of(named, () -> feed.open(name, false))
                    : named;
        });
    }

    private static Supplier<Source> once(Supplier<Source> opening) {
        List<Source> opened = new ArrayList<>(1);
        return () -> {
            if (opened.isEmpty()) {
                opened.add(opening.get());
            }
            return opened.get(0);
        };
    }

    /** Builds an evaluation; feeds that are not open are opened at its first use. */
    private Evaluation evaluation(EvaluationDefinition judge, Networks networks) {
        return unopened.isEmpty()
                ? built(judge, networks, unnamed)
                : new LazyEvaluation(unnamed, unopened, sources -> built(judge, networks, sources));
    }

    private static Evaluation built(EvaluationDefinition judge, Networks networks, Map<String, Source> sources) {
        return NonNull.by(judge, "build()", judge.build(networks, sources));
    }

    private Optional<Networks> changed(Networks networks) {
        Networks changed = networks;
        for (Map.Entry<String, ExperimentSpec.ProgramSpec> entry :
                spec.programs().entrySet()) {
            String path = "programs/" + entry.getKey();
            Optional<Program> program = builtParts.attempt(path, () -> networks.program(entry.getKey()));
            for (Map.Entry<String, String> reading : entry.getValue().reading().entrySet()) {
                program = program.flatMap(
                        each -> builtParts.attempt(path, () -> each.reading(reading.getKey(), reading.getValue())));
            }
            if (program.isEmpty()) {
                return Optional.empty();
            }
            changed = changed.with(program.get());
        }
        return Optional.of(changed);
    }

    private Setup completed(Setup setup, Networks networks, PlanBuilder plans) {
        Setup complete = setup;
        for (Map.Entry<String, ExperimentSpec.FeedSpec> feed : spec.feeds().entrySet()) {
            SourceDescription source = java.util.Objects.requireNonNull(sources.get(feed.getKey()));
            complete = complete.feed(source, feed.getValue().draw());
        }
        if (spec.noiseRows() > 0) {
            complete = complete.batch(spec.noiseRows());
        }
        for (Turn.Follow turn : Turn.following(turns.values())) {
            if (!isDeclared(turn.to(), networks)) {
                complete = complete.copy(turn.from(), turn.to());
            }
        }
        if (!spec.samples().isEmpty()) {
            Setup drawn = complete;
            complete = builtParts
                    .attempt("samples", () -> {
                        Setup sampled = drawn.samples(networks.program(spec.samples()));
                        if (unopened.isEmpty()) {
                            Samples.of(sampled); // without data, nothing is sampled here
                        }
                        return sampled;
                    })
                    .orElse(complete);
        }
        return judged(complete, networks, plans);
    }

    /** Adds the file's actions. */
    private Setup judged(Setup setup, Networks networks, PlanBuilder plans) {
        Setup complete = setup;
        if (spec.evaluation().isPresent()) {
            EvaluationDefinition judge = spec.evaluation().get();
            Optional<Evaluation> evaluation = builtParts.attempt("evaluation", () -> evaluation(judge, networks));
            complete = evaluation.isPresent() ? complete.evaluated(evaluation.get()) : complete;
        }
        for (int i = 0; i < spec.on().size(); i++) {
            complete = watched(complete, "on/" + i, spec.on().get(i), plans);
        }
        for (int i = 0; i < spec.rings().size(); i++) {
            Ring ring = spec.rings().get(i);
            String at = "rings/" + i;
            ring.trigger().ifPresent(trigger -> plans.trigger(at, trigger)); // adds its problems
            complete = complete.ring(ring);
        }
        for (String name : spec.without()) {
            complete = complete.without(name);
        }
        if (spec.validation().isPresent()) {
            Optional<Validation> validation = validation(spec.validation().get(), networks);
            complete = validation.isPresent() ? complete.validated(validation.get()) : complete;
        }
        return complete;
    }

    private static boolean isDeclared(String glob, Networks networks) {
        Selection selection = Selection.of(glob);
        return networks.graph().declarations().stream().anyMatch(declaration -> selection.matches(declaration.path()));
    }

    private Setup watched(Setup setup, String path, ExperimentSpec.WatchSpec watch, PlanBuilder plans) {
        Optional<Trigger> trigger = plans.trigger(path + "/every", watch.every());
        if (watch.actions().isEmpty()) {
            builtParts.add(
                    path + "/do", "must name at least one of save, samples, validate, score, best, stop, or a class");
        }
        Setup watched = setup;
        for (int i = 0; i < watch.actions().size(); i++) {
            Action action = watch.actions().get(i).action();
            String at = path + "/do/" + i;
            if (action == Action.Usual.SAMPLES
                    && spec.samples().isEmpty()
                    && setup.samples().isEmpty()) {
                builtParts.add(at, "samples needs a key samples: the program that generates them");
            } else if (action == Action.Usual.VALIDATE
                    && spec.validation().isEmpty()
                    && setup.validation().isEmpty()) {
                builtParts.add(at, "validate needs a key validation: a feed, a program and a metric");
            } else if (action == Action.Usual.SCORE
                    && spec.evaluation().isEmpty()
                    && setup.evaluation().isEmpty()) {
                builtParts.add(at, "score needs a key evaluation");
            } else if (action.keepsBest() && unopened.isEmpty()) {
                checkBest(setup, at, action);
            } else if (action.keepsBest()) {
                Setup before = watched; // only data tells which score counts, and nothing is trained here
                watched = trigger.map(when -> before.ring(TriggeredAction.of("best", when, run -> {})))
                        .orElse(before);
                continue;
            }
            if (trigger.isPresent()) {
                while (watches.size() < watched.watches().size()) {
                    watches.add(List.of(ExperimentSpec.ALGORITHM, ExperimentSpec.ALGORITHM)); // it brought its own
                }
                watched = watched.on(trigger.get(), action);
                watches.add(List.of(path + "/every", at));
            }
        }
        return watched;
    }

    /** Checks that a score ranks the best checkpoint, and that an evaluation by episodes has some. */
    private void checkBest(Setup setup, String at, Action action) {
        Optional<Evaluation> evaluation = setup.evaluation();
        if (evaluation.isEmpty()) {
            if (spec.evaluation().isEmpty()) {
                builtParts.add(at, "best needs a key evaluation");
            } // otherwise it could not be built, which was reported
        } else if (evaluation.get().merit().isEmpty()) {
            builtParts.add(at, "best needs an evaluation with a main score, and this one has none");
        } else {
            action.judgedBy()
                    .ifPresent(episodes -> builtParts.attempt(
                            at + "/best/episodes", () -> evaluation.get().selecting(episodes)));
        }
    }

    private Optional<Validation> validation(ExperimentSpec.ValidationSpec validation, Networks networks) {
        Optional<SourceDescription> source = described("validation/feed", "validation", validation.feed());
        Optional<Program> program =
                builtParts.attempt("validation/program", () -> networks.program(validation.program()));
        if (source.isEmpty() || program.isEmpty()) {
            return Optional.empty();
        }
        return builtParts.attempt("validation", () -> new Validation(source.get(), program.get(), validation.metric()));
    }

    /** Checks the complete setup. */
    private Setup checked(Setup setup, PlanBuilder plans) {
        fitting(
                () -> {
                    setup.check();
                    if (builtParts.problems().isEmpty()) {
                        setup.rings(); // its missing part has been reported
                    }
                    checkReadings(setup);
                    return setup;
                },
                plans);
        return setup;
    }

    /** An error is a problem at its place. */
    private <T> Optional<T> fitting(Supplier<T> part, PlanBuilder plans) {
        try {
            return Optional.of(part.get());
        } catch (IncompatibleSetupException e) {
            builtParts.refused(place(e.key().split("/", 3), plans), e);
            return Optional.empty();
        }
    }

    /** Returns the place of a part of the experiment in the file. */
    private String place(String[] key, PlanBuilder plans) {
        if (key[0].equals("watches") && Integer.parseInt(key[1]) < watches.size()) {
            return watches.get(Integer.parseInt(key[1])).get(key[2].equals("trigger") ? 0 : 1);
        } else if ((key[0].equals("rings") && !spec.rings().isEmpty()) || key[0].equals("without")) {
            return String.join("/", key);
        } else if (spec.algorithm().isPresent()) {
            return ExperimentSpec.ALGORITHM;
        }
        return switch (key[0]) {
            case "phases" -> plans.place(runner, Integer.parseInt(key[1]), key[2]);
            case "copies" ->
                "turns/" + following(String.join("/", List.of(key).subList(1, key.length))) + "/follow/from";
            default -> String.join("/", key);
        };
    }

    /** Returns the turn that updates copies. */
    private String following(String copies) {
        return Turn.following(turns.values()).stream()
                .filter(turn -> turn.to().equals(copies))
                .findFirst()
                .orElseThrow()
                .name();
    }

    /** Checks that programs read existing arrays: an average needs a turn that makes it. */
    private void checkReadings(Setup setup) {
        TreeSet<Path> there = new TreeSet<>();
        setup.declarations().forEach(declaration -> there.add(declaration.path()));
        setup.samples().ifPresent(program -> {
            List<String> missing = program.parameters().keySet().stream()
                    .map(program::stored)
                    .filter(path -> !there.contains(path))
                    .map(Path::text)
                    .toList();
            if (!missing.isEmpty()) {
                String name = program.name();
                String first = missing.get(0);
                String more = missing.size() == 1 ? "" : " and " + (missing.size() - 1) + " more";
                builtParts.add(
                        "programs/" + name + "/reading",
                        "program " + name + " reads " + first + more + ", which nothing makes"
                                + SimilarNames.among(
                                        first, there.stream().map(Path::text).toList()));
            }
        });
    }
}
