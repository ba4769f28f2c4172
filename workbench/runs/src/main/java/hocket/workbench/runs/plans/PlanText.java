package hocket.workbench.runs.plans;

import hocket.schedulers.Resample;
import hocket.schedulers.plans.Rehearsal;
import hocket.schedulers.plans.Rehearsal.Interval;
import hocket.workbench.runs.plans.TurnFacts.Does;
import hocket.workbench.terminal.NumberFormats;
import hocket.workbench.terminal.TextPage;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Prints the facts of a plan for people. */
public final class PlanText {
    private static final int VERB = 7;

    private final PlanFacts facts;
    private final TextPage textPage = new TextPage();

    private PlanText(PlanFacts facts) {
        this.facts = facts;
    }

    public static List<String> of(PlanFacts facts) {
        PlanText text = new PlanText(facts);
        text.textPage.entry(facts.name() + ":", 0, facts.summary());
        text.settings();
        text.programs();
        StructureText.print(facts, text.textPage);
        text.turns();
        text.shared();
        text.feeds();
        text.phases();
        text.rings();
        text.memory();
        text.workers();
        text.next();
        text.warnings();
        return text.textPage.lines();
    }

    private void settings() {
        if (facts.settings().isEmpty()) {
            return;
        }
        textPage.heading("settings, each changed by --set KEY=VALUE");
        int column = TextPage.column(facts.settings().keySet(), key -> key);
        facts.settings().forEach((key, value) -> textPage.entry("  " + key, column, value));
    }

    private void programs() {
        textPage.heading("programs");
        int column = TextPage.column(facts.programs(), PlanFacts.ProgramFacts::name);
        for (PlanFacts.ProgramFacts program : facts.programs()) {
            textPage.entry(
                    "  " + program.name(),
                    column,
                    program.mode() + (program.turns().isEmpty() ? " for " + program.purpose() : "") + " from "
                            + TextPage.listed(program.from(), ValueFacts::text, "nothing"));
            textPage.entry("", column, "to " + TextPage.listed(program.to(), TargetFacts::text, "nothing"));
            program.readings()
                    .forEach(reading -> textPage.entry(
                            "", column, reading.module() + " by the parameters of " + reading.parameters()));
        }
    }

    private void turns() {
        textPage.heading(
                facts.phases().size() == 1
                        ? "turns of a round, " + facts.phases().get(0).plan()
                        : "turns");
        int column = TextPage.column(facts.turns(), TurnFacts::name);
        for (TurnFacts turn : facts.turns()) {
            textPage.entry("  " + turn.name(), column, action(turn));
            if (turn.does() == Does.DESCENDS) {
                shares("reads", column, turn.reads());
            }
            shares("writes", column, turn.writes());
            if (turn.optimizerOf() != null) {
                textPage.entry(
                        " ".repeat(column) + "steps", column + VERB, "the optimizer of turn " + turn.optimizerOf());
            }
            turn.updates()
                    .forEach(update -> textPage.entry(
                            " ".repeat(column) + "trains",
                            column + VERB,
                            update.selection() + (update.shared() ? " (shared)" : "") + " by " + update.rule()));
        }
    }

    private static String action(TurnFacts turn) {
        return switch (turn.does()) {
            case DESCENDS -> "descends " + turn.program();
            case FOLLOWS ->
                "follows " + turn.from() + ", keeping " + NumberFormats.exactly(Objects.requireNonNull(turn.decay()))
                        + (Boolean.TRUE.equals(turn.warmUp()) ? ", less at first (warm-up)" : "");
            case ACTS -> turn.writes().isEmpty() ? "acts, and writes no parameter" : "acts";
        };
    }

    private void shares(String verb, int column, List<ParameterGlobs.Share> shares) {
        String label = " ".repeat(column) + verb;
        for (ParameterGlobs.Share share : shares) {
            textPage.entry(label, column + VERB, share.toString());
            label = "";
        }
    }

    private void shared() {
        textPage.heading(facts.shared().isEmpty() ? "no path is written by two turns" : "written by several turns");
        facts.shared()
                .forEach(shared -> textPage.entry(
                        "  " + String.join(", ", shared.turns()),
                        TextPage.column(facts.shared(), each -> String.join(", ", each.turns())),
                        TextPage.listed(shared.arrays(), ParameterGlobs.Share::toString, "")));
    }

    private void feeds() {
        textPage.heading(facts.feeds().isEmpty() ? "no data" : "data");
        int column = TextPage.column(facts.feeds(), FeedFacts::name);
        for (FeedFacts feed : facts.feeds()) {
            textPage.entry(
                    "  " + feed.name(),
                    column,
                    "columns "
                            + TextPage.listed(
                                    feed.columns(), each -> each.text() + (each.read() ? "" : " (unread)"), "none"));
            textPage.entry(
                    "",
                    column,
                    feed.rows() + " rows for each " + (feed.draw() == Resample.EACH_TURN ? "turn" : "round")
                            + " that reads it"
                            + (feed.drawsAnEpoch() == null
                                    ? ""
                                    : ", " + NumberFormats.counted(feed.drawsAnEpoch(), "draw") + " an epoch"));
            feed.notes().forEach(note -> textPage.entry("", column, note));
        }
    }

    private void phases() {
        if (facts.phases().size() == 1) {
            textPage.heading("budget");
            PhaseFacts only = facts.phases().get(0);
            textPage.entry("", 2, budget(only));
            only.notes().forEach(note -> textPage.entry("", 2, note));
            return;
        }
        textPage.heading("phases, one after the other");
        int column = TextPage.column(facts.phases(), PhaseFacts::name);
        for (PhaseFacts phase : facts.phases()) {
            textPage.entry("  " + phase.name(), column, phase.plan());
            textPage.entry("", column, budget(phase));
            phase.notes().forEach(note -> textPage.entry("", column, note));
        }
    }

    private void rings() {
        textPage.heading("rings, from the outermost to the innermost");
        int column = TextPage.column(facts.rings(), RingFacts::name);
        facts.rings().forEach(ring -> textPage.entry("  " + ring.name(), column, ring.text()));
    }

    private void memory() {
        MemoryFacts memory = facts.memory();
        textPage.heading("memory, about " + NumberFormats.bytes(memory.all()));
        textPage.entry(
                "",
                2,
                "parameters " + NumberFormats.bytes(memory.parameters()) + ", their gradients "
                        + NumberFormats.bytes(memory.gradients()) + ", optimizers "
                        + NumberFormats.bytes(memory.optimizers())
                        + ", values of programs at their batches " + NumberFormats.bytes(memory.values())
                        + (memory.data() == 0 ? "" : ", data " + NumberFormats.bytes(memory.data())));
    }

    private void workers() {
        WorkersFacts workers = facts.workers();
        if (workers.shares() == 1) {
            return;
        }
        textPage.heading(NumberFormats.counted(workers.shares(), "worker")
                + (workers.processes() == 1 ? " in this process" : " in " + workers.processes() + " processes")
                + ", which share the rows of a turn");
        int column = TextPage.column(workers.turns(), WorkersFacts.SharedTurn::turn);
        for (WorkersFacts.SharedTurn turn : workers.turns()) {
            int least = turn.rows() / workers.shares();
            boolean isEven = turn.rows() % workers.shares() == 0;
            textPage.entry(
                    "  " + turn.turn(),
                    column,
                    NumberFormats.counted(turn.rows(), "row") + ", "
                            + (isEven ? least + " each" : least + " or " + (least + 1) + " each")
                            + (workers.processes() == 1
                                    ? ""
                                    : turn.bytes() == 0
                                            ? "; each process updates its own"
                                            : "; " + NumberFormats.bytes(turn.bytes())
                                                    + " from each process and back"));
            if (turn.stale() != null && workers.processes() > 1) {
                textPage.entry(
                        "",
                        column,
                        "updated by servers as each process's gradient arrives, which may be "
                                + NumberFormats.counted(turn.stale(), "turn") + " ahead of the last");
            }
            if (!turn.ofShares().isEmpty()) {
                textPage.entry(
                        "", column, "normalised by each worker's rows alone: " + String.join(", ", turn.ofShares()));
            }
        }
        for (WorkersFacts.MeanFacts mean : workers.means()) {
            textPage.entry(
                    "  mean",
                    column,
                    "of what " + String.join(" and ", mean.turns()) + " updated, and optimizer slots, "
                            + (mean.rounds() == 1 ? "after each round" : "after each " + mean.rounds() + " rounds")
                            + "; "
                            + NumberFormats.bytes(mean.bytes()) + " from each process and back");
        }
        Long round = workers.round();
        if (round != null && workers.processes() > 1) {
            textPage.entry(
                    "  a round",
                    column,
                    NumberFormats.bytes(round) + " from each process to the servers, as many back");
        }
    }

    private static String budget(PhaseFacts phase) {
        PhaseFacts.BudgetFacts budget = phase.budget();
        String wanted = budget.unit().equals("rounds")
                ? ""
                : NumberFormats.grouped(budget.count()) + " " + budget.unit()
                        + (budget.source() == null ? "" : " of " + budget.source()) + ": ";
        return wanted
                + (phase.rounds() == null
                        ? "as many rounds as that takes"
                        : NumberFormats.counted(phase.rounds(), "round")
                                + (phase.turns() == null ? "" : ", " + NumberFormats.counted(phase.turns(), "turn"))
                                + taken(phase.taken()));
    }

    /** Returns how often each turn is taken, if some are taken more often than others. */
    private static String taken(Map<String, Long> taken) {
        return Set.copyOf(taken.values()).size() < 2
                ? ""
                : ": "
                        + String.join(
                                ", ",
                                taken.entrySet().stream()
                                        .map(turn -> turn.getKey() + " " + NumberFormats.grouped(turn.getValue()))
                                        .toList());
    }

    private void next() {
        long shown = facts.next().stream()
                .mapToLong(interval -> interval.turns().size())
                .sum();
        String turns = shown < PlanFacts.NEXT ? "the first turns" : "the first " + shown + " turns";
        textPage.heading(shown == 0 ? "no turn is taken" : turns + ", in order; | ends a round" + legend());
        for (Interval interval : facts.next()) {
            if (facts.phases().size() > 1) {
                textPage.entry("  " + interval.phase(), 2, "");
            }
            timeline(interval);
        }
    }

    private String legend() {
        List<Rehearsal.TakenTurns> steps = facts.next().stream()
                .flatMap(interval -> interval.beats().stream())
                .toList();
        return (steps.stream().anyMatch(step -> step.ahead() > 0 && !step.back()) ? ", ~ is in a trial" : "")
                + (steps.stream().anyMatch(Rehearsal.TakenTurns::back)
                        ? ", < updates from the state before the trial"
                        : "");
    }

    /** Prints a row for each turn and a column for each step: turns that are taken simultaneously share a column. */
    private void timeline(Interval interval) {
        List<String> names = interval.turns().stream().distinct().toList();
        int column = TextPage.column(names, name -> name);
        for (String name : names) {
            StringBuilder row = new StringBuilder();
            long round = interval.beats().get(0).round();
            for (Rehearsal.TakenTurns step : interval.beats()) {
                row.append("|".repeat((int) Math.min(step.round() - round, 1)));
                round = step.round();
                row.append(!step.turns().contains(name) ? '.' : step.back() ? '<' : step.ahead() > 0 ? '~' : '#');
            }
            textPage.entry("  " + name, column, row.toString());
        }
    }

    private void warnings() {
        textPage.heading(facts.warnings().isEmpty() ? "nothing looks wrong" : "warnings");
        facts.warnings().forEach(warning -> textPage.entry("  -", 4, warning));
    }
}
