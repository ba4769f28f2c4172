package hocket.workbench;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Draw;
import hocket.schedulers.Experiment;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.Writes;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What an experiment would do, for people: settings, programs, turns and what they touch, data, budget, next turns. */
final class PlanText {
    private static final int NEXT = 20;
    private static final int WIDE_VALUE = 8;
    private static final int VERB = 7;

    private final Selected choice;
    private final Experiment experiment;
    private final Writes writes;
    private final Globs globs;
    private final Page page = new Page();

    private PlanText(Selected choice, Experiment experiment, Writes writes) {
        this.choice = choice;
        this.experiment = experiment;
        this.writes = writes;
        this.globs = new Globs(experiment.declarations());
    }

    /** @param writes what {@link Experiment#check} gave */
    static List<String> of(Selected choice, Experiment experiment, Writes writes) {
        PlanText text = new PlanText(choice, experiment, writes);
        text.page.entry(choice.name() + ":", 0, choice.summary());
        text.settings();
        text.programs();
        text.turns();
        text.shared();
        text.sources();
        text.budget();
        return text.page.lines();
    }

    private void settings() {
        page.heading("settings, each changed by --set KEY=VALUE");
        int keys = width(choice.file().settings().keySet());
        choice.file().settings().forEach((key, value) -> page.entry("  " + key, keys + 4, value));
    }

    private static int width(Collection<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(0);
    }

    private void programs() {
        Set<Program> programs = new LinkedHashSet<>();
        experiment.turnsByName().values().forEach(turn -> {
            if (turn instanceof Turn.Descend descend) {
                programs.add(descend.program());
            }
        });
        experiment.samples().ifPresent(programs::add);
        page.heading("programs");
        int column = 4 + width(programs.stream().map(Program::name).toList());
        for (Program program : programs) {
            page.entry("  " + program.name(), column, program.mode() + " from " + listed(program.feeds()));
            page.entry("", column, "to " + targets(program));
        }
    }

    private static String listed(List<Value> values) {
        return values.isEmpty()
                ? "nothing"
                : values.stream().map(Value::toString).collect(Collectors.joining(", "));
    }

    /** The loss and metrics by what they are, everything else by its path. */
    private static String targets(Program program) {
        List<String> targets = new ArrayList<>();
        for (Value target : program.targets()) {
            boolean loss = program.mode() == Mode.TRAIN && targets.isEmpty();
            String metric = program.metrics().entrySet().stream()
                    .filter(entry -> entry.getValue().equals(target))
                    .map(entry -> entry.getKey() + " ")
                    .findFirst()
                    .orElse("");
            targets.add((loss ? "loss " : metric) + target);
        }
        return String.join(", ", targets);
    }

    private void turns() {
        page.heading("turns of a round, " + experiment.phases().get(0).plan());
        Collection<Turn> turns = experiment.turnsByName().values();
        int column = 4 + width(turns.stream().map(Turn::name).toList());
        for (Turn turn : turns) {
            String label = "  " + turn.name();
            if (turn instanceof Turn.Descend descend) {
                page.entry(label, column, "descends " + descend.program().name());
                paths("reads", column, descend.program().parameters().keySet());
                paths("writes", column, writes.byTurn().getOrDefault(turn.name(), new TreeSet<>()));
                for (Turn.Update update : descend.updates()) {
                    page.entry(
                            " ".repeat(column) + "moves",
                            column + VERB,
                            update.selection() + (update.shared() ? " (shared)" : "") + " by "
                                    + Rules.line(update.rule()));
                }
            } else if (turn instanceof Turn.Follow follow) {
                page.entry(label, column, "follows " + follow.from() + ", keeping " + Figures.exactly(follow.decay()));
                paths("writes", column, writes.byTurn().getOrDefault(turn.name(), new TreeSet<>()));
            } else {
                page.entry(label, column, "acts, and writes nothing");
            }
        }
    }

    private void paths(String verb, int column, Collection<Path> paths) {
        String label = " ".repeat(column) + verb;
        for (String glob : globs.summary(paths)) {
            page.entry(label, column + VERB, glob);
            label = "";
        }
    }

    private void shared() {
        SortedMap<String, List<Path>> shared = new TreeMap<>();
        writes.byPath().forEach((path, turns) -> {
            if (turns.size() > 1) {
                shared.computeIfAbsent(String.join(", ", turns), key -> new ArrayList<>())
                        .add(path);
            }
        });
        page.heading(shared.isEmpty() ? "no path is written by two turns" : "written by several turns");
        shared.forEach((turns, paths) ->
                page.entry("  " + turns, turns.length() + 4, String.join(", ", globs.summary(paths))));
    }

    private void sources() {
        page.heading(experiment.feeds().isEmpty() ? "no data" : "data");
        for (Experiment.Feed feed : experiment.feeds()) {
            Source source = feed.source();
            String columns =
                    source.columns().stream().map(Source.Column::toString).collect(Collectors.joining(", "));
            page.entry("  " + source.name(), source.name().length() + 4, "columns " + columns);
            page.entry(
                    "",
                    source.name().length() + 4,
                    source.batch() + " rows for each " + (feed.draw() == Draw.EACH_TURN ? "turn" : "round")
                            + " that reads it, " + Figures.grouped(Rounds.drawsAnEpoch(source)) + " draws an epoch");
        }
    }

    private void budget() {
        Rounds rounds = new Rounds(experiment.phases().get(0).plan(), experiment.feeds());
        OptionalLong count = rounds.in(experiment.phases().get(0).budget());
        page.heading("budget");
        String budget = experiment.phases().get(0).budget() instanceof Budget.Epochs epochs
                ? Figures.grouped(epochs.count()) + " epochs of " + epochs.source()
                : experiment.phases().get(0).budget() instanceof Budget.Turns turns
                        ? Figures.grouped(turns.count()) + " turns"
                        : "";
        String known = count.isPresent()
                ? Figures.grouped(count.getAsLong()) + " rounds, " + Figures.grouped(count.getAsLong() * rounds.turns())
                        + " turns"
                : "as many rounds as that takes";
        page.entry("", 2, (budget.isEmpty() ? "" : budget + ": ") + known);
        page.heading("the first " + NEXT + " turns");
        page.entry(
                "",
                2,
                String.join(" ", UpcomingTurns.of(experiment.phases().get(0).plan(), choice.seed(), NEXT)));
    }
}
