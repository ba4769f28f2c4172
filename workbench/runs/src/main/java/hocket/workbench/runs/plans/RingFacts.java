package hocket.workbench.runs.plans;

import hocket.schedulers.Learn;
import hocket.schedulers.Ring;
import hocket.schedulers.Trigger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A ring.
 *
 * @param name the name by which it can be removed
 * @param order a ring of lower order is around one of higher order
 * @param when its trigger; null if it has none
 * @param what its class, and its settings if they are known; null for Hocket's own
 */
record RingFacts(
        String name,
        int order,
        @Nullable String when,
        @Nullable String what) {
    /** Returns the facts of all rings; rings of one class without known settings are numbered. */
    static List<RingFacts> of(List<Ring> rings) {
        List<RingFacts> facts = new ArrayList<>();
        for (Ring ring : rings) {
            RingFacts one = of(ring);
            long same = facts.stream()
                    .filter(before -> before.name.equals(one.name) || before.name.startsWith(one.name + " #"))
                    .count();
            boolean isTold = one.what == null || ring instanceof Record || same == 0;
            facts.add(isTold ? one : new RingFacts(one.name + " #" + (same + 1), one.order, one.when, one.what));
        }
        return facts;
    }

    private static RingFacts of(Ring ring) {
        return new RingFacts(
                ring.name(), ring.order(), ring.trigger().map(Trigger::words).orElse(null), what(ring));
    }

    private static @Nullable String what(Ring ring) {
        if (ring instanceof Learn) {
            return "lets turns write";
        } else if (ring.getClass().getName().startsWith("hocket.schedulers.")) {
            return null;
        }
        return ring instanceof Record ? ring.toString() : ring.getClass().getName();
    }

    /** Returns the text of the plan. */
    String text() {
        return when == null ? String.valueOf(what) : what == null ? when : when + ": " + what;
    }
}
