package hocket.workbench.experiment;

import hocket.programs.Program;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Deed;
import hocket.schedulers.Definition;
import hocket.schedulers.Evaluation;
import hocket.schedulers.EvaluationDefinition;
import hocket.schedulers.Given;
import hocket.schedulers.MisfitException;
import hocket.schedulers.NetworkDefinition;
import hocket.schedulers.Networks;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Ring;
import hocket.schedulers.Setup;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDefinition;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.Validation;
import hocket.schedulers.exchange.Division;
import hocket.schedulers.rings.Beside;
import hocket.schedulers.rings.Samples;
import hocket.scopes.Nearest;
import hocket.scopes.Path;
import hocket.scopes.Selection;
import hocket.workbench.yaml.Node;
import hocket.workbench.yaml.Problems;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes an experiment of what a file says. What does not fit is a problem at its place in the file. */
final class Building {
    private final ExperimentSpec spec;
    private final Parts parts;
    private final Map<String, SourceDescription> sources = new LinkedHashMap<>();
    private final Map<String, Source> unnamed = new LinkedHashMap<>();
    /** Opens the feeds that are not open. */
    private final Map<String, Supplier<Source>> unopened = new LinkedHashMap<>();

    private final Map<String, Turn> turns = new LinkedHashMap<>();
    /** Where trigger and deed of each watch stand. */
    private final List<List<String>> watches = new ArrayList<>();

    private final String runner;
    private final Function<String, Plan> written;
    private final Map<String, RememberedFeed> remembered;

    private Building(
            ExperimentSpec spec,
            String runner,
            Node tree,
            Problems problems,
            Function<String, Plan> written,
            Map<String, RememberedFeed> remembered) {
        this.written = written;
        this.remembered = remembered;
        this.spec = spec;
        this.runner = runner;
        this.parts = new Parts(tree, problems);
    }

    /**
     * Builds. Opens the sources, which read their data, but for those that are remembered.
     *
     * @param runner whose phases are taken
     * @param written the plan of a text, with turns by their names
     * @param remembered feeds whose data is read only when rows are wanted, by name
     * @return empty if there are problems, which have been added
     */
    static Optional<Setup> build(
            ExperimentSpec spec,
            String runner,
            Node tree,
            Problems problems,
            Function<String, Plan> written,
            Map<String, RememberedFeed> remembered) {
        return new Building(spec, runner, tree, problems, written, remembered).built();
    }

    private Optional<Setup> built() {
        spec.runners().keySet().forEach(name -> {
            String path = "runners/" + name + "/phases";
            if (parts.tree().at(List.of(path.split("/"))).orElse(null) instanceof Node.Items phases
                    && phases.items().isEmpty()) {
                parts.add(path, "must be at least one phase, or not be there, was " + phases.described());
            }
        });
        return (spec.algorithm().isPresent() ? made(spec.algorithm().get()) : spelledOut())
                .map(setup -> setup.divided(Division.among(spec.workers())))
                .flatMap(setup -> parts.attempt("workers", () -> {
                    setup.checkDivision();
                    return setup;
                }))
                .flatMap(setup -> parts.attempt("exchange", () -> {
                    Setup consistent = setup.divided(setup.division().consistent(spec.exchange()));
                    consistent.checkConsistency();
                    return consistent;
                }))
                .map(setup -> setup.plansReadBy(
                        text -> PlanBuilding.resolved(Given.by(written, "apply()", written.apply(text)), turns)));
    }

    /** What one class makes of its settings. */
    private Optional<Setup> made(Definition definition) {
        spec.runners().forEach((name, runner) -> {
            if (!runner.phases().isEmpty()) {
                parts.add(
                        "runners/" + name + "/phases",
                        "algorithm makes the plan and the budget: take one of the two away");
            }
        });
        Optional<Setup> made =
                parts.attempt(ExperimentSpec.ALGORITHM, () -> Given.by(definition, "setup()", definition.setup()));
        if (made.isEmpty()) {
            return Optional.empty();
        }
        Networks networks = made.get().networks();
        Setup setup = made.get();
        if (spec.recorded().isEmpty()) { // a run's file may be of a time before a rule of training
            parts.attempt(ExperimentSpec.ALGORITHM, () -> {
                setup.requireTrainable();
                return setup;
            });
        }
        setup.feeds().forEach(feed -> {
            sources.put(feed.source().name(), feed.source());
            unnamed.put(feed.source().name(), feed.source().open());
        });
        turns.putAll(setup.turnsByName());
        PlanBuilding plans = new PlanBuilding(spec, turns, sources.keySet(), parts);
        return parts.attempt(ExperimentSpec.ALGORITHM, () -> checked(judged(setup, networks, plans), plans))
                .filter(whole -> parts.problems().isEmpty());
    }

    private Optional<Setup> spelledOut() {
        spec.feeds()
                .forEach((name, feed) ->
                        described("feeds/" + name, name, feed).ifPresent(source -> sources.put(name, source)));
        if (!parts.problems().isEmpty()) {
            return Optional.empty();
        }
        Columns columns = Columns.of(sources.values().toArray(SourceDescription[]::new));
        Optional<Networks> networks = parts.attempt(
                        "network", () -> built(spec.network().orElseThrow(), columns))
                .flatMap(this::changed);
        if (networks.isEmpty()) {
            return Optional.empty();
        }
        TurnBuilding turnBuilding = new TurnBuilding(networks.get(), spec.turns(), parts);
        spec.turns().forEach((name, turn) -> turnBuilding.turn(name, turn).ifPresent(made -> turns.put(name, made)));
        PlanBuilding plans = new PlanBuilding(spec, turns, sources.keySet(), parts);
        List<Phase> phases = plans.phases(runner);
        if (!parts.problems().isEmpty() || phases.isEmpty()) {
            Phase any = new Phase("any", Turn.act("any", run -> {}), Budget.rounds(0));
            completed(Setup.of(networks.get(), List.of(any)), networks.get(), plans); // for its problems
            return Optional.empty();
        }
        return fitting(() -> Setup.of(networks.get(), phases), plans)
                .map(setup -> completed(setup, networks.get(), plans))
                .filter(setup -> parts.attempt("", () -> checked(setup, plans)).isPresent()
                        && parts.problems().isEmpty());
    }

    private static Networks built(NetworkDefinition network, Columns columns) {
        return Given.by(network, "build()", network.build(columns));
    }

    /** Describes a feed, which opens one that is not remembered. */
    private Optional<SourceDescription> described(String path, String name, ExperimentSpec.FeedSpec feed) {
        RememberedFeed known = remembered.get(name);
        if (known != null) {
            Supplier<Source> opening = once(() -> feed.unnamed(name, false));
            unopened.put(name, opening);
            return Optional.of(new FileFeed(
                    name, known, () -> opening.get().feeding(name, feed.feedOrder()), () -> feed.open(name, false)));
        }
        return parts.attempt(path, () -> {
            Source source = feed.unnamed(name, false);
            unnamed.put(name, source);
            Source named = source.feeding(name, feed.feedOrder());
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

    /** A judgement; one of feeds that are not open opens them when it is asked. */
    private Evaluation evaluation(EvaluationDefinition judge, Networks networks) {
        return unopened.isEmpty()
                ? built(judge, networks, unnamed)
                : new UnopenedEvaluation(unnamed, unopened, sources -> built(judge, networks, sources));
    }

    private static Evaluation built(EvaluationDefinition judge, Networks networks, Map<String, Source> sources) {
        return Given.by(judge, "build()", judge.build(networks, sources));
    }

    private Optional<Networks> changed(Networks networks) {
        Networks changed = networks;
        for (Map.Entry<String, ExperimentSpec.ProgramSpec> entry :
                spec.programs().entrySet()) {
            String path = "programs/" + entry.getKey();
            Optional<Program> program = parts.attempt(path, () -> networks.program(entry.getKey()));
            for (Map.Entry<String, String> reading : entry.getValue().reading().entrySet()) {
                program = program.flatMap(
                        each -> parts.attempt(path, () -> each.reading(reading.getKey(), reading.getValue())));
            }
            if (program.isEmpty()) {
                return Optional.empty();
            }
            changed = changed.with(program.get());
        }
        return Optional.of(changed);
    }

    private Setup completed(Setup setup, Networks networks, PlanBuilding plans) {
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
            complete = parts.attempt("samples", () -> {
                        Setup sampled = drawn.samples(networks.program(spec.samples()));
                        if (unopened.isEmpty()) {
                            Samples.of(sampled); // without data, nothing is drawn here
                        }
                        return sampled;
                    })
                    .orElse(complete);
        }
        return judged(complete, networks, plans);
    }

    /** With what the file says is to be done beside training. */
    private Setup judged(Setup setup, Networks networks, PlanBuilding plans) {
        Setup complete = setup;
        if (spec.evaluation().isPresent()) {
            EvaluationDefinition judge = spec.evaluation().get();
            Optional<Evaluation> evaluation = parts.attempt("evaluation", () -> evaluation(judge, networks));
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

    private Setup watched(Setup setup, String path, ExperimentSpec.WatchSpec watch, PlanBuilding plans) {
        Optional<Trigger> trigger = plans.trigger(path + "/every", watch.every());
        if (watch.deeds().isEmpty()) {
            parts.add(path + "/do", "must name at least one of save, samples, validate, score, best, stop, or a class");
        }
        Setup watched = setup;
        for (int i = 0; i < watch.deeds().size(); i++) {
            Deed deed = watch.deeds().get(i).deed();
            String at = path + "/do/" + i;
            if (deed == Deed.Usual.SAMPLES
                    && spec.samples().isEmpty()
                    && setup.samples().isEmpty()) {
                parts.add(at, "samples needs a key samples: the program that draws them");
            } else if (deed == Deed.Usual.VALIDATE
                    && spec.validation().isEmpty()
                    && setup.validation().isEmpty()) {
                parts.add(at, "validate needs a key validation: a feed, a program and a metric");
            } else if (deed == Deed.Usual.SCORE
                    && spec.evaluation().isEmpty()
                    && setup.evaluation().isEmpty()) {
                parts.add(at, "score needs a key evaluation");
            } else if (deed.keepsBest() && unopened.isEmpty()) {
                checkBest(setup, at, deed);
            } else if (deed.keepsBest()) {
                Setup before = watched; // only data tells which score counts, and nothing is trained here
                watched = trigger.map(when -> before.ring(Beside.of("best", when, run -> {})))
                        .orElse(before);
                continue;
            }
            if (trigger.isPresent()) {
                while (watches.size() < watched.watches().size()) {
                    watches.add(List.of(ExperimentSpec.ALGORITHM, ExperimentSpec.ALGORITHM)); // it brought its own
                }
                watched = watched.on(trigger.get(), deed);
                watches.add(List.of(path + "/every", at));
            }
        }
        return watched;
    }

    /** What is best must be said by a score, and what is judged by episodes be made of some. */
    private void checkBest(Setup setup, String at, Deed deed) {
        Optional<Evaluation> evaluation = setup.evaluation();
        if (evaluation.isEmpty()) {
            if (spec.evaluation().isEmpty()) {
                parts.add(at, "best needs a key evaluation");
            } // else it could not be built, which was said
        } else if (evaluation.get().merit().isEmpty()) {
            parts.add(at, "best needs an evaluation that says which score counts, and this one does not");
        } else {
            deed.judgedBy()
                    .ifPresent(episodes -> parts.attempt(
                            at + "/best/episodes", () -> evaluation.get().selecting(episodes)));
        }
    }

    private Optional<Validation> validation(ExperimentSpec.ValidationSpec validation, Networks networks) {
        Optional<SourceDescription> source = described("validation/feed", "validation", validation.feed());
        Optional<Program> program = parts.attempt("validation/program", () -> networks.program(validation.program()));
        if (source.isEmpty() || program.isEmpty()) {
            return Optional.empty();
        }
        return parts.attempt("validation", () -> new Validation(source.get(), program.get(), validation.metric()));
    }

    /** The checks of the whole. */
    private Setup checked(Setup setup, PlanBuilding plans) {
        fitting(
                () -> {
                    setup.check();
                    if (parts.problems().isEmpty()) {
                        setup.rings(); // what it lacks has been said otherwise
                    }
                    checkReadings(setup);
                    return setup;
                },
                plans);
        return setup;
    }

    /** What does not fit is a problem at its place. */
    private <T> Optional<T> fitting(Supplier<T> part, PlanBuilding plans) {
        try {
            return Optional.of(part.get());
        } catch (MisfitException e) {
            parts.refused(place(e.key().split("/", 3), plans), e);
            return Optional.empty();
        }
    }

    /** Where in the file a part of the experiment stands. */
    private String place(String[] key, PlanBuilding plans) {
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

    /** The turn that moves copies. */
    private String following(String copies) {
        return Turn.following(turns.values()).stream()
                .filter(turn -> turn.to().equals(copies))
                .findFirst()
                .orElseThrow()
                .name();
    }

    /** What programs read elsewhere must be there: an average that no turn makes is not. */
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
                parts.add(
                        "programs/" + name + "/reading",
                        "program " + name + " reads " + first + more + ", which nothing makes"
                                + Nearest.among(
                                        first, there.stream().map(Path::text).toList()));
            }
        });
    }
}
