package hocket.workbench.runs.plans;

import hocket.schedulers.Condition;
import hocket.schedulers.Node;
import hocket.schedulers.Plan;

/** Prints a plan with its conditions in words. */
final class TriggerText {
    private TriggerText() {}

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

    /** Prints a condition that follows {@code when} or {@code until}. */
    private static String inside(Condition<?> condition) {
        return condition.words().replaceFirst("^when ", "");
    }
}
