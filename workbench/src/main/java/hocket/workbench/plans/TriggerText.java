package hocket.workbench.plans;

import hocket.schedulers.Condition;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;
import hocket.schedulers.Trigger;
import hocket.schedulers.triggers.Above;
import hocket.schedulers.triggers.After;
import hocket.schedulers.triggers.All;
import hocket.schedulers.triggers.Any;
import hocket.schedulers.triggers.AtRounds;
import hocket.schedulers.triggers.Below;
import hocket.schedulers.triggers.EveryTurns;
import hocket.schedulers.triggers.Improves;
import hocket.schedulers.triggers.Not;
import hocket.schedulers.triggers.Once;
import hocket.schedulers.triggers.Plateau;
import hocket.workbench.terminal.Figures;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Triggers and conditions in words: {@code every 20 rounds}, {@code when d/loss is below 0.4}. */
final class TriggerText {
    private TriggerText() {}

    static String of(Trigger trigger) {
        if (trigger instanceof Trigger.EveryRounds every) {
            return every(every.rounds(), "round", "");
        } else if (trigger instanceof EveryTurns every) {
            return every(every.turns(), "turn", "");
        } else if (trigger instanceof Trigger.EveryEpoch every) {
            return every(1, "epoch", " of " + every.epoch());
        } else if (trigger instanceof Trigger.EveryEpochs every) {
            Map.Entry<String, Long> only = every.epochs().entrySet().iterator().next();
            return every(only.getValue(), "epoch", " of " + only.getKey());
        } else if (trigger instanceof Trigger.EverySeconds every) {
            return "every " + Figures.exactly(every.seconds()) + " seconds";
        } else if (trigger instanceof Trigger.AtEnd) {
            return "at the end";
        } else if (trigger instanceof AtRounds rounds) {
            return "after "
                    + (rounds.at().size() == 1 ? "round " : "rounds ")
                    + rounds.at().stream().map(Figures::grouped).collect(Collectors.joining(", "));
        } else if (trigger instanceof After after) {
            return "from round " + Figures.grouped(after.after()) + " on";
        } else if (trigger instanceof Above above) {
            return "when " + mean(above.series(), above.window()) + " is above " + Figures.exactly(above.value());
        } else if (trigger instanceof Below below) {
            return "when " + mean(below.series(), below.window()) + " is below " + Figures.exactly(below.value());
        } else if (trigger instanceof Improves improves) {
            return "when " + mean(improves.series(), improves.window()) + " improves";
        } else if (trigger instanceof Plateau plateau) {
            return "when " + mean(plateau.series(), plateau.window()) + " has not improved for "
                    + Figures.counted(plateau.patience(), "look");
        } else if (trigger instanceof Not not) {
            return "unless " + of(not.not());
        } else if (trigger instanceof Once once) {
            return "the first time " + of(once.once());
        } else if (trigger instanceof All all) {
            return joined(all.all(), " and ");
        } else if (trigger instanceof Any any) {
            return joined(any.any(), " or ");
        }
        return "when " + trigger; // one of a user's own, by its settings
    }

    /** A plan as it prints, its conditions in words. */
    static String in(Plan plan) {
        return in(plan.toString(), plan);
    }

    private static String in(String text, Plan plan) {
        String worded = text;
        Condition<?> condition = plan.node().flatMap(Node::condition).orElse(null);
        if (condition != null) {
            worded = worded.replace("(" + condition + ",", "(" + inside(condition) + ",");
        }
        for (Plan part : plan.parts()) {
            worded = in(worded, part);
        }
        return worded;
    }

    /** Where {@code when} or {@code until} stands before it already. */
    private static String inside(Condition<?> condition) {
        return of(condition).replaceFirst("^when ", "");
    }

    private static String joined(List<Condition<?>> conditions, String by) {
        return conditions.stream().map(TriggerText::of).collect(Collectors.joining(by));
    }

    private static String every(long count, String unit, String of) {
        return "every " + (count == 1 ? unit : Figures.counted(count, unit)) + of;
    }

    private static String mean(String series, int window) {
        return window == 1 ? series : "the mean of the last " + window + " of " + series;
    }
}
