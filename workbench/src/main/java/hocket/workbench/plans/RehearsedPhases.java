package hocket.workbench.plans;

import hocket.schedulers.Phase;
import hocket.schedulers.Setup.Feed;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** The rounds of a setup's phases: each phase is rehearsed once, when it is asked for first. */
final class RehearsedPhases {
    private final List<Feed> feeds;

    /** By identity: a phase's hash would be that of its whole plan. */
    private final Map<Phase, Rounds> known = new IdentityHashMap<>();

    RehearsedPhases(List<Feed> feeds) {
        this.feeds = feeds;
    }

    Rounds of(Phase phase) {
        return known.computeIfAbsent(phase, each -> new Rounds(each.plan(), feeds));
    }
}
