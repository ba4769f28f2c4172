package hocket.workbench.plans;

import hocket.schedulers.Draw;
import hocket.schedulers.Rehearsal;
import hocket.schedulers.Rehearsal.Stretch;
import hocket.workbench.plans.TurnFacts.Does;
import hocket.workbench.terminal.Figures;
import hocket.workbench.terminal.Page;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The facts of a plan, for people. */
public final class PlanText {
    private static final int VERB = 7;

    private final PlanFacts facts;
    private final Page page = new Page();

    private PlanText(PlanFacts facts) {
        this.facts = facts;
    }

    public static List<String> of(PlanFacts facts) {
        PlanText text = new PlanText(facts);
        text.page.entry(facts.name() + ":", 0, facts.summary());
        text.settings();
        text.programs();
        StructureText.print(facts, text.page);
        text.turns();
        text.shared();
        text.feeds();
        text.phases();
        text.rings();
        text.memory();
        text.workers();
        text.next();
        text.warnings();
        return text.page.lines();
    }

    private void settings() {
        if (facts.settings().isEmpty()) {
            return;
        }
        page.heading("settings, each changed by --set KEY=VALUE");
        int column = Page.column(facts.settings().keySet(), key -> key);
        facts.settings().forEach((key, value) -> page.entry("  " + key, column, value));
    }

    private void programs() {
        page.heading("programs");
        int column = Page.column(facts.programs(), PlanFacts.ProgramFacts::name);
        for (PlanFacts.ProgramFacts program : facts.programs()) {
            page.entry(
                    "  " + program.name(),
                    column,
                    program.mode() + (program.turns().isEmpty() ? " for " + program.purpose() : "") + " from "
                            + Page.listed(program.from(), ValueFacts::text, "nothing"));
            page.entry("", column, "to " + Page.listed(program.to(), TargetFacts::text, "nothing"));
            program.readings()
                    .forEach(reading ->
                            page.entry("", column, reading.module() + " by the parameters of " + reading.parameters()));
        }
    }

    private void turns() {
        page.heading(
                facts.phases().size() == 1
                        ? "turns of a round, " + facts.phases().get(0).plan()
                        : "turns");
        int column = Page.column(facts.turns(), TurnFacts::name);
        for (TurnFacts turn : facts.turns()) {
            page.entry("  " + turn.name(), column, deed(turn));
            if (turn.does() == Does.DESCENDS) {
                shares("reads", column, turn.reads());
            }
            shares("writes", column, turn.writes());
            turn.updates()
                    .forEach(update -> page.entry(
                            " ".repeat(column) + "moves",
                            column + VERB,
                            update.selection() + (update.shared() ? " (shared)" : "") + " by " + update.rule()));
        }
    }

    private static String deed(TurnFacts turn) {
        return switch (turn.does()) {
            case DESCENDS -> "descends " + turn.program();
            case FOLLOWS ->
                "follows " + turn.from() + ", keeping " + Figures.exactly(Objects.requireNonNull(turn.decay()))
                        + (Boolean.TRUE.equals(turn.warmUp()) ? ", less at first (warm-up)" : "");
            case ACTS -> "acts, and writes no parameter";
        };
    }

    private void shares(String verb, int column, List<Globs.Share> shares) {
        String label = " ".repeat(column) + verb;
        for (Globs.Share share : shares) {
            page.entry(label, column + VERB, share.toString());
            label = "";
        }
    }

    private void shared() {
        page.heading(facts.shared().isEmpty() ? "no path is written by two turns" : "written by several turns");
        facts.shared()
                .forEach(shared -> page.entry(
                        "  " + String.join(", ", shared.turns()),
                        Page.column(facts.shared(), each -> String.join(", ", each.turns())),
                        Page.listed(shared.arrays(), Globs.Share::toString, "")));
    }

    private void feeds() {
        page.heading(facts.feeds().isEmpty() ? "no data" : "data");
        int column = Page.column(facts.feeds(), FeedFacts::name);
        for (FeedFacts feed : facts.feeds()) {
            page.entry(
                    "  " + feed.name(),
                    column,
                    "columns "
                            + Page.listed(
                                    feed.columns(), each -> each.text() + (each.read() ? "" : " (unread)"), "none"));
            page.entry(
                    "",
                    column,
                    feed.rows() + " rows for each " + (feed.draw() == Draw.EACH_TURN ? "turn" : "round")
                            + " that reads it"
                            + (feed.drawsAnEpoch() == null
                                    ? ""
                                    : ", " + Figures.counted(feed.drawsAnEpoch(), "draw") + " an epoch"));
            feed.notes().forEach(note -> page.entry("", column, note));
        }
    }

    private void phases() {
        if (facts.phases().size() == 1) {
            page.heading("budget");
            PhaseFacts only = facts.phases().get(0);
            page.entry("", 2, budget(only));
            only.notes().forEach(note -> page.entry("", 2, note));
            return;
        }
        page.heading("phases, one after the other");
        int column = Page.column(facts.phases(), PhaseFacts::name);
        for (PhaseFacts phase : facts.phases()) {
            page.entry("  " + phase.name(), column, phase.plan());
            page.entry("", column, budget(phase));
            phase.notes().forEach(note -> page.entry("", column, note));
        }
    }

    private void rings() {
        page.heading("around it, from the outermost ring on");
        int column = Page.column(facts.rings(), RingFacts::name);
        facts.rings().forEach(ring -> page.entry("  " + ring.name(), column, ring.text()));
    }

    private void memory() {
        MemoryFacts memory = facts.memory();
        page.heading("memory, about " + Figures.bytes(memory.all()));
        page.entry(
                "",
                2,
                "parameters " + Figures.bytes(memory.parameters()) + ", their gradients "
                        + Figures.bytes(memory.gradients()) + ", optimizers " + Figures.bytes(memory.optimizers())
                        + ", values of programs at their batches " + Figures.bytes(memory.values())
                        + (memory.data() == 0 ? "" : ", data " + Figures.bytes(memory.data())));
    }

    private void workers() {
        WorkersFacts workers = facts.workers();
        if (workers.shares() == 1) {
            return;
        }
        page.heading(Figures.counted(workers.shares(), "worker")
                + (workers.processes() == 1 ? " in this process" : " in " + workers.processes() + " processes")
                + ", which share the rows of a turn");
        int column = Page.column(workers.turns(), WorkersFacts.SharedTurn::turn);
        for (WorkersFacts.SharedTurn turn : workers.turns()) {
            int least = turn.rows() / workers.shares();
            boolean isEven = turn.rows() % workers.shares() == 0;
            page.entry(
                    "  " + turn.turn(),
                    column,
                    Figures.counted(turn.rows(), "row") + ", "
                            + (isEven ? least + " each" : least + " or " + (least + 1) + " each")
                            + (workers.processes() == 1
                                    ? ""
                                    : turn.bytes() == 0
                                            ? "; each process moves its own"
                                            : "; " + Figures.bytes(turn.bytes()) + " from each process and back"));
            if (turn.stale() != null && workers.processes() > 1) {
                page.entry(
                        "",
                        column,
                        "moved by servers as each process's comes, which may be "
                                + Figures.counted(turn.stale(), "turn") + " ahead of the last");
            }
            if (!turn.ofShares().isEmpty()) {
                page.entry("", column, "normalised by each worker's rows alone: " + String.join(", ", turn.ofShares()));
            }
        }
        for (WorkersFacts.MeanFacts mean : workers.means()) {
            page.entry(
                    "  mean",
                    column,
                    "of what " + String.join(" and ", mean.turns()) + " moved and keeps, "
                            + (mean.rounds() == 1 ? "after each round" : "after each " + mean.rounds() + " rounds")
                            + "; "
                            + Figures.bytes(mean.bytes()) + " from each process and back");
        }
        Long round = workers.round();
        if (round != null && workers.processes() > 1) {
            page.entry("  a round", column, Figures.bytes(round) + " from each process to the servers, as many back");
        }
    }

    private static String budget(PhaseFacts phase) {
        PhaseFacts.BudgetFacts budget = phase.budget();
        String wanted = budget.unit().equals("rounds")
                ? ""
                : Figures.grouped(budget.count()) + " " + budget.unit()
                        + (budget.source() == null ? "" : " of " + budget.source()) + ": ";
        return wanted
                + (phase.rounds() == null
                        ? "as many rounds as that takes"
                        : Figures.counted(phase.rounds(), "round")
                                + (phase.turns() == null ? "" : ", " + Figures.counted(phase.turns(), "turn"))
                                + taken(phase.taken()));
    }

    /** How often each is taken, where some are taken more often than others. */
    private static String taken(Map<String, Long> taken) {
        return Set.copyOf(taken.values()).size() < 2
                ? ""
                : ": "
                        + String.join(
                                ", ",
                                taken.entrySet().stream()
                                        .map(turn -> turn.getKey() + " " + Figures.grouped(turn.getValue()))
                                        .toList());
    }

    private void next() {
        long shown = facts.next().stream()
                .mapToLong(stretch -> stretch.turns().size())
                .sum();
        String turns = shown < PlanFacts.NEXT ? "the first turns" : "the first " + shown + " turns";
        page.heading(shown == 0 ? "no turn is taken" : turns + ", in time; | ends a round" + legend());
        for (Stretch stretch : facts.next()) {
            if (facts.phases().size() > 1) {
                page.entry("  " + stretch.phase(), 2, "");
            }
            timeline(stretch);
        }
    }

    private String legend() {
        List<Rehearsal.Beat> beats = facts.next().stream()
                .flatMap(stretch -> stretch.beats().stream())
                .toList();
        return (beats.stream().anyMatch(beat -> beat.ahead() > 0 && !beat.back()) ? ", ~ is on trial" : "")
                + (beats.stream().anyMatch(Rehearsal.Beat::back) ? ", < moves from where the trial began" : "");
    }

    /** A row for each turn, a column for each time: what is taken at once stands above each other. */
    private void timeline(Stretch stretch) {
        List<String> names = stretch.turns().stream().distinct().toList();
        int column = Page.column(names, name -> name);
        for (String name : names) {
            StringBuilder row = new StringBuilder();
            long round = stretch.beats().get(0).round();
            for (Rehearsal.Beat beat : stretch.beats()) {
                row.append("|".repeat((int) Math.min(beat.round() - round, 1)));
                round = beat.round();
                row.append(!beat.turns().contains(name) ? '.' : beat.back() ? '<' : beat.ahead() > 0 ? '~' : '#');
            }
            page.entry("  " + name, column, row.toString());
        }
    }

    private void warnings() {
        page.heading(facts.warnings().isEmpty() ? "nothing looks wrong" : "what looks wrong");
        facts.warnings().forEach(warning -> page.entry("  -", 4, warning));
    }
}
