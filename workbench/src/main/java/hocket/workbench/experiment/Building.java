package hocket.workbench.experiment;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Columns;
import hocket.schedulers.Deed;
import hocket.schedulers.Experiment;
import hocket.schedulers.Networks;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Source;
import hocket.schedulers.SourceDefinition;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.Validation;
import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.Rate;
import hocket.schedulers.optimizers.RmsProp;
import hocket.schedulers.optimizers.Sgd;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.scopes.Nearest;
import hocket.scopes.Selection;
import hocket.workbench.yaml.Node;
import hocket.workbench.yaml.Problems;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Makes an experiment of what a file says. What does not fit is a problem at its place in the file. */
final class Building {
    private final ExperimentSpec spec;
    private final Node tree;
    private final Problems problems;
    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Map<String, Source> unnamed = new LinkedHashMap<>();
    private final Map<String, Turn> turns = new LinkedHashMap<>();

    private Building(ExperimentSpec spec, Node tree, Problems problems) {
        this.spec = spec;
        this.tree = tree;
        this.problems = problems;
    }

    /** What was built. */
    record Built(Networks networks, Experiment experiment) {}

    /**
     * Builds. Opens the sources, which read their data.
     *
     * @param runner whose phases are taken
     * @return empty if there are problems, which have been added
     */
    static Optional<Built> build(ExperimentSpec spec, String runner, Node tree, Problems problems) {
        return new Building(spec, tree, problems).built(runner);
    }

    private Optional<Built> built(String runner) {
        spec.feeds()
                .forEach((name, feed) ->
                        open("feeds/" + name, name, feed).ifPresent(source -> sources.put(name, source)));
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        Columns columns = Columns.of(sources.values().toArray(Source[]::new));
        Optional<Networks> networks =
                attempt("network", () -> spec.network().build(columns)).flatMap(this::changed);
        if (networks.isEmpty()) {
            return Optional.empty();
        }
        spec.turns().forEach((name, turn) -> turn(name, turn, networks.get()).ifPresent(made -> turns.put(name, made)));
        List<Phase> phases = phases(runner);
        if (!problems.isEmpty() || phases.isEmpty()) {
            return Optional.empty();
        }
        return attempt("", () -> Experiment.of(networks.get().graph(), phases))
                .map(experiment -> completed(experiment, networks.get()))
                .filter(experiment -> attempt("", () -> checked(experiment)).isPresent() && problems.isEmpty())
                .map(experiment -> new Built(networks.get(), experiment));
    }

    /** Problems of a part are problems of the file, at its place. */
    private <T> Optional<T> attempt(String path, Supplier<T> part) {
        try {
            return Optional.of(part.get());
        } catch (IllegalArgumentException | UncheckedIOException e) {
            add(path, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void add(String path, String sentence) {
        String where = path;
        String rest = sentence;
        for (String key : keysOf(path)) {
            if (sentence.matches("(?s)(setting )?" + java.util.regex.Pattern.quote(key) + "[: ].*")) {
                where = path + "/" + key;
                rest = sentence.replaceFirst("^(setting )?" + java.util.regex.Pattern.quote(key) + ":? ", "");
                break;
            }
        }
        problems.add(tree.spotOf(where), where, rest);
    }

    private List<String> keysOf(String path) {
        Node part = tree;
        for (String key : path.isEmpty() ? new String[0] : path.split("/")) {
            part = part instanceof Node.Keys keys ? keys.get(key).orElse(part) : part;
        }
        return part instanceof Node.Keys keys && !path.isEmpty()
                ? List.copyOf(keys.entries().keySet())
                : List.of();
    }

    private Optional<Source> open(String path, String name, ExperimentSpec.FeedSpec feed) {
        return attempt(path, () -> {
            Source source = feed.source() instanceof SourceDefinition definition
                    ? definition.open(name, feed.batch(), feed.shuffled())
                    : (Source) feed.source();
            unnamed.put(name, source);
            return FeedSource.of(source, name, feed.feedOrder());
        });
    }

    private Optional<Networks> changed(Networks networks) {
        Networks changed = networks;
        for (Map.Entry<String, ExperimentSpec.ProgramSpec> entry :
                spec.programs().entrySet()) {
            String path = "programs/" + entry.getKey();
            Optional<Program> program = attempt(path, () -> networks.program(entry.getKey()));
            for (Map.Entry<String, String> reading : entry.getValue().reading().entrySet()) {
                program = program.flatMap(
                        each -> attempt(path, () -> each.reading(reading.getKey(), reading.getValue())));
            }
            if (program.isEmpty()) {
                return Optional.empty();
            }
            changed = changed.with(program.get());
        }
        return Optional.of(changed);
    }

    private Optional<Turn> turn(String name, ExperimentSpec.TurnSpec turn, Networks networks) {
        String path = "turns/" + name;
        if (turn instanceof ExperimentSpec.FollowTurnSpec follow) {
            return attempt(
                    path + "/follow",
                    () -> Turn.follow(
                            name,
                            follow.follow().from(),
                            follow.follow().to(),
                            follow.follow().decay()));
        } else if (turn instanceof ExperimentSpec.ActTurnSpec act) {
            return attempt(path, () -> Turn.act(name, act.act()));
        }
        ExperimentSpec.DescendSpec descend = (ExperimentSpec.DescendSpec) turn;
        Optional<Turn.Descend> made = attempt(path + "/program", () -> networks.program(descend.program()))
                .flatMap(program -> attempt(path, () -> Turn.of(name, program)));
        if (made.isPresent() && descend.updates().isEmpty() && descend.shares().isEmpty()) {
            add(path, "needs updates or shares: which weights it moves, and how");
        }
        for (Map.Entry<String, ExperimentSpec.RuleSpec> entry :
                descend.updates().entrySet()) {
            made = updated(made, path + "/updates/" + entry.getKey(), entry, networks, false);
        }
        for (Map.Entry<String, ExperimentSpec.RuleSpec> entry : descend.shares().entrySet()) {
            made = updated(made, path + "/shares/" + entry.getKey(), entry, networks, true);
        }
        for (int i = 0; i < descend.observes().size(); i++) {
            String value = descend.observes().get(i);
            Optional<Value> observed =
                    attempt(path + "/observes/" + i, () -> networks.graph().value(value));
            made = made.flatMap(each -> observed.map(each::observes));
        }
        return made.map(each -> each);
    }

    private Optional<Turn.Descend> updated(
            Optional<Turn.Descend> turn,
            String path,
            Map.Entry<String, ExperimentSpec.RuleSpec> update,
            Networks networks,
            boolean shared) {
        Optional<UpdateRule> rule = attempt(path, () -> rule(update.getValue()));
        Optional<Selection> selection = attempt(path, () -> {
            Selection selected = Selection.of(update.getKey());
            selected.of(networks.graph().declarations()); // refuses what matches nothing
            return selected;
        });
        return selection.isEmpty() || rule.isEmpty()
                ? Optional.empty()
                : turn.map(each ->
                        shared ? each.shares(update.getKey(), rule.get()) : each.updates(update.getKey(), rule.get()));
    }

    private static UpdateRule rule(ExperimentSpec.RuleSpec spec) {
        UpdateRule rule;
        if (spec instanceof ExperimentSpec.AdamRuleSpec own) {
            ExperimentSpec.AdamSpec adam = own.adam();
            rule = new Adam(
                    rate(adam.rate()),
                    adam.beta1(),
                    adam.beta2(),
                    adam.epsilon(),
                    adam.weightDecay(),
                    adam.decoupled());
        } else if (spec instanceof ExperimentSpec.SgdRuleSpec own) {
            ExperimentSpec.SgdSpec sgd = own.sgd();
            rule = new Sgd(rate(sgd.rate()), sgd.momentum(), 0, sgd.nesterov(), sgd.weightDecay());
        } else {
            ExperimentSpec.RmsPropSpec rms = ((ExperimentSpec.RmsPropRuleSpec) spec).rmsprop();
            rule = new RmsProp(rate(rms.rate()), rms.decay(), rms.epsilon(), rms.centered(), rms.momentum());
        }
        return spec.clip().map(rule::clip).orElse(rule);
    }

    private static Rate rate(ExperimentSpec.RateSpec spec) {
        if (spec instanceof ExperimentSpec.ConstantRateSpec constant) {
            return Rate.constant(constant.number());
        } else if (spec instanceof ExperimentSpec.LinearRateSpec linear) {
            ExperimentSpec.LinearSpec line = linear.linear();
            return Rate.linear(line.from(), line.to(), line.begin(), line.length());
        }
        return ((ExperimentSpec.OwnRateSpec) spec).own();
    }

    private List<Phase> phases(String runner) {
        ExperimentSpec.RunnerSpec ran = spec.runners().get(runner);
        List<Phase> phases = new ArrayList<>();
        if (ran != null && !ran.phases().isEmpty()) {
            if (spec.plan().isPresent() || spec.budget().isPresent()) {
                add(
                        spec.plan().isPresent() ? "plan" : "budget",
                        "runner " + runner + " has phases, each with a plan and a budget: this one would not be used");
            }
            for (int i = 0; i < ran.phases().size(); i++) {
                ExperimentSpec.PhaseSpec phase = ran.phases().get(i);
                phase("runners/" + runner + "/phases/" + i, "", phase.name(), phase.plan(), phase.budget())
                        .ifPresent(phases::add);
            }
            return phases;
        }
        if (spec.plan().isEmpty()) {
            add("", "needs a key plan: a round, such as {sequence: [d, g]}");
        }
        if (spec.budget().isEmpty()) {
            add("", "needs a key budget: how long, such as {rounds: 1000}");
        }
        if (spec.plan().isPresent() && spec.budget().isPresent()) {
            phase("", runner, runner, spec.plan().get(), spec.budget().get()).ifPresent(phases::add);
        }
        return phases;
    }

    private Optional<Phase> phase(
            String path, String unnamed, String name, ExperimentSpec.PlanSpec plan, ExperimentSpec.BudgetSpec budget) {
        String before = path.isEmpty() ? "" : path + "/";
        Optional<Plan> round = plan(before + "plan", plan);
        Optional<Budget> length = budget(before + "budget", budget);
        return round.flatMap(part -> length.flatMap(whole ->
                attempt(path, () -> new Phase(unnamed.isEmpty() ? name : unnamed, part, whole))));
    }

    private Optional<Plan> plan(String path, ExperimentSpec.PlanSpec plan) {
        if (plan instanceof ExperimentSpec.TurnNameSpec name) {
            return named(path, name.turnsName()).map(turn -> turn);
        } else if (plan instanceof ExperimentSpec.SequenceSpec sequence) {
            List<Plan> parts = new ArrayList<>();
            for (int i = 0; i < sequence.sequence().size(); i++) {
                plan(path + "/sequence/" + i, sequence.sequence().get(i)).ifPresent(parts::add);
            }
            return parts.size() < sequence.sequence().size()
                    ? Optional.empty()
                    : attempt(path, () -> Plan.sequence(parts.toArray(Plan[]::new)));
        } else if (plan instanceof ExperimentSpec.RepeatSpec repeat) {
            return plan(path + "/of", repeat.of())
                    .map(part -> repeat.repeat() == 1 ? part : part.times(repeat.repeat()));
        } else if (plan instanceof ExperimentSpec.SimultaneousSpec group) {
            List<Turn> members = named(path + "/simultaneous", group.simultaneous());
            for (Turn member : members) {
                if (!(member instanceof Turn.Descend)) {
                    add(path, "turn " + member.name() + " descends no loss, so it cannot be simultaneous with others");
                    return Optional.empty();
                }
            }
            return members.size() < group.simultaneous().size()
                    ? Optional.empty()
                    : attempt(path, () -> Plan.simultaneous(members.toArray(Turn.Descend[]::new)));
        }
        ExperimentSpec.ChooseSpec choose = (ExperimentSpec.ChooseSpec) plan;
        List<Turn> choices = named(path + "/of", choose.of());
        return choices.size() < choose.of().size()
                ? Optional.empty()
                : attempt(path, () -> Plan.choose(choose.choose(), choices.toArray(Turn[]::new)));
    }

    private List<Turn> named(String path, List<String> names) {
        List<Turn> named = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            named(path + "/" + i, names.get(i)).ifPresent(named::add);
        }
        return named;
    }

    private Optional<Turn> named(String path, String name) {
        if (!spec.turns().containsKey(name)) {
            add(
                    path,
                    "there is no turn " + name
                            + Nearest.among(name, spec.turns().keySet()));
        }
        return Optional.ofNullable(turns.get(name));
    }

    private Optional<Budget> budget(String path, ExperimentSpec.BudgetSpec budget) {
        if (budget instanceof ExperimentSpec.RoundsSpec rounds) {
            return Optional.of(Budget.rounds(rounds.rounds()));
        } else if (budget instanceof ExperimentSpec.TurnsSpec count) {
            return Optional.of(Budget.turns(count.turns()));
        }
        Map<String, Long> epochs = ((ExperimentSpec.EpochsSpec) budget).epochs();
        return one(path + "/epochs", epochs).map(entry -> Budget.epochs(entry.getKey(), entry.getValue()));
    }

    /** The only entry of a map from a feed to a number. */
    private Optional<Map.Entry<String, Long>> one(String path, Map<String, Long> epochs) {
        if (epochs.size() != 1) {
            add(path, "must name one feed, as in {digits: 30}, names " + epochs.size());
            return Optional.empty();
        }
        Map.Entry<String, Long> only = epochs.entrySet().iterator().next();
        return feed(path + "/" + only.getKey(), only.getKey()) ? Optional.of(only) : Optional.empty();
    }

    private boolean feed(String path, String name) {
        if (!sources.containsKey(name)) {
            add(path, "there is no feed " + name + Nearest.among(name, sources.keySet()));
        }
        return sources.containsKey(name);
    }

    private Experiment completed(Experiment experiment, Networks networks) {
        Experiment complete = experiment;
        for (Map.Entry<String, ExperimentSpec.FeedSpec> feed : spec.feeds().entrySet()) {
            Source source = java.util.Objects.requireNonNull(sources.get(feed.getKey()));
            complete = complete.feed(source, feed.getValue().draw());
        }
        if (spec.rows() > 0) {
            complete = complete.batch(spec.rows());
        }
        for (Turn turn : turns.values()) {
            if (turn instanceof Turn.Follow follow && !isDeclared(follow.to(), networks)) {
                complete = complete.copy(follow.from(), follow.to());
            }
        }
        if (!spec.samples().isEmpty()) {
            Optional<Program> program = attempt("samples", () -> networks.program(spec.samples()));
            complete = program.isPresent() ? complete.samples(program.get()) : complete;
        }
        for (int i = 0; i < spec.on().size(); i++) {
            complete = watched(complete, "on/" + i, spec.on().get(i));
        }
        if (spec.evaluation().isPresent()) {
            var evaluation = attempt("evaluation", () -> spec.evaluation().get().build(networks, unnamed));
            complete = evaluation.isPresent() ? complete.evaluated(evaluation.get()) : complete;
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

    private Experiment watched(Experiment experiment, String path, ExperimentSpec.WatchSpec watch) {
        Optional<Trigger> trigger = trigger(path + "/every", watch.every());
        if (watch.deeds().isEmpty()) {
            add(path + "/do", "must name at least one of save, samples, validate, score, or a class");
        }
        Experiment watched = experiment;
        for (int i = 0; i < watch.deeds().size(); i++) {
            Deed deed = deed(watch.deeds().get(i));
            String at = path + "/do/" + i;
            if (deed == Deed.Usual.SAMPLES && spec.samples().isEmpty()) {
                add(at, "samples needs a key samples: the program that draws them");
            } else if (deed == Deed.Usual.VALIDATE && spec.validation().isEmpty()) {
                add(at, "validate needs a key validation: a feed, a program and a metric");
            } else if (deed == Deed.Usual.SCORE && spec.evaluation().isEmpty()) {
                add(at, "score needs a key evaluation");
            }
            watched = trigger.isPresent() ? watched.on(trigger.get(), deed) : watched;
        }
        return watched;
    }

    private static Deed deed(ExperimentSpec.DeedSpec deed) {
        if (deed instanceof ExperimentSpec.UsualDeedSpec usual) {
            return usual.word();
        }
        Consumer<hocket.schedulers.Run> action = ((ExperimentSpec.OwnDeedSpec) deed).action();
        return new Deed.Own(action);
    }

    private Optional<Trigger> trigger(String path, ExperimentSpec.TriggerSpec trigger) {
        if (trigger instanceof ExperimentSpec.RoundsTriggerSpec rounds) {
            return Optional.of(Trigger.everyRounds(rounds.rounds()));
        } else if (trigger instanceof ExperimentSpec.SecondsTriggerSpec seconds) {
            return Optional.of(Trigger.everySeconds(seconds.seconds()));
        } else if (trigger instanceof ExperimentSpec.EpochTriggerSpec epoch) {
            return feed(path + "/epoch", epoch.epoch())
                    ? Optional.of(Trigger.everyEpochOf(epoch.epoch()))
                    : Optional.empty();
        }
        Map<String, Long> epochs = ((ExperimentSpec.EpochsTriggerSpec) trigger).epochs();
        return one(path + "/epochs", epochs).map(entry -> Trigger.everyEpochs(entry.getKey(), entry.getValue()));
    }

    private Optional<Validation> validation(ExperimentSpec.ValidationSpec validation, Networks networks) {
        Optional<Source> source = open("validation/feed", "validation", validation.feed());
        Optional<Program> program = attempt("validation/program", () -> networks.program(validation.program()));
        if (source.isEmpty() || program.isEmpty()) {
            return Optional.empty();
        }
        return attempt("validation", () -> new Validation(source.get(), program.get(), validation.metric()));
    }

    /** The checks of the whole, whose messages name turns and sources. */
    private Experiment checked(Experiment experiment) {
        try {
            experiment.check();
        } catch (IllegalArgumentException e) {
            String sentence = String.valueOf(e.getMessage());
            add(mentioned(sentence), sentence);
        }
        return experiment;
    }

    private String mentioned(String sentence) {
        return mentioned("turns", turns.keySet(), sentence, "(turns? |by )")
                .or(() -> mentioned("feeds", sources.keySet(), sentence, "(source |from )"))
                .orElse("turns");
    }

    private static Optional<String> mentioned(String where, Collection<String> names, String sentence, String before) {
        return names.stream()
                .filter(name -> sentence.matches("(?s).*\\b" + before + java.util.regex.Pattern.quote(name) + "\\b.*"))
                .findFirst()
                .map(name -> where + "/" + name);
    }
}
