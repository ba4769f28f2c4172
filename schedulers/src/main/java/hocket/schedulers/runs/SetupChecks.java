package hocket.schedulers.runs;

import hocket.schedulers.Phase;
import hocket.schedulers.Setup;
import hocket.schedulers.Setup.Feed;
import hocket.schedulers.Setup.Watch;
import hocket.schedulers.SourceDescription;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.feeds.FeedChecks;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.schedulers.plans.PlanChecks;
import hocket.schedulers.turns.StoredSettings;
import hocket.schedulers.turns.Writes;
import java.util.Collection;
import java.util.List;

/**
 * Checks of a setup that need no store, engine or data.
 *
 * @param setup the setup to check
 */
public record SetupChecks(Setup setup) {
    /** Checks the plan and its inputs; returns the paths that each turn writes. Throws as {@link Setup#check}. */
    public Writes check() {
        Collection<Turn> turns = setup.turnsByName().values();
        List<SourceDescription> sources =
                setup.feeds().stream().map(Feed::source).toList();
        Writes writes = Writes.of(turns, setup.declarations());
        FeedChecks.check(setup.descending(), sources);
        PlanChecks checks = new PlanChecks(sources, writes);
        List<Phase> phases = setup.phases();
        for (int i = 0; i < phases.size(); i++) {
            checks.check(i, phases.get(i));
        }
        checks.checkWatching(turns);
        StoredSettings stored = StoredSettings.of(setup.declarations());
        setup.descending().forEach(turn -> requireOtherNames(turn, stored));
        for (int i = 0; i < setup.watches().size(); i++) {
            Watch watch = setup.watches().get(i);
            checks.check("watches/" + i + "/trigger", watch.trigger(), phases, turns);
            checks.check(i, watch.action(), timesAtLeast(watch.trigger()), turns, stored);
        }
        for (int i = 0; i < setup.ownRings().size(); i++) {
            String key = "rings/" + i;
            setup.ownRings().get(i).trigger().ifPresent(trigger -> checks.check(key, trigger, phases, turns));
        }
        return writes;
    }

    /** Checks that no setting of a program has the name of one of a turn's optimizer. */
    private static void requireOtherNames(Turn.Descend turn, StoredSettings stored) {
        List<UpdateRule> rules = turn.updates().stream().map(Turn.Update::rule).toList();
        for (String setting : UpdatePlan.rehearsed(rules).settings().keySet()) {
            String name = turn.name() + "/" + setting;
            if (stored.has(name)) {
                throw new IncompatibleSetupException(
                        "turns/" + turn.name(),
                        "turn " + turn.name() + ": its optimizer's setting " + name
                                + " is also one that programs read; give the turn or the scope another name");
            }
        }
    }

    /** Returns how often a trigger is certain to fire, at least 1. */
    private long timesAtLeast(Trigger trigger) {
        long rounds = setup.phases().stream()
                .mapToLong(phase -> phase.budget().rounds().orElse(0))
                .sum();
        return Math.max(1, trigger.timesIn(rounds));
    }

    /** Checks how rows are shared by workers and processes. Throws as {@link Setup#checkDivision}. */
    public void checkDivision() {
        if (setup.division().exchange().processes() > 1) {
            checkProcesses();
        }
        int shares = setup.division().shares();
        for (Turn.Descend turn : setup.descending()) {
            for (Feed feed : setup.feeds()) {
                SourceDescription source = feed.source();
                if (source.isReadBy(turn.program()) && source.batch() < shares) {
                    throw new IllegalArgumentException("must be at most " + source.batch() + ", as turn " + turn.name()
                            + " reads this many rows of " + source.name() + ", was " + shares);
                }
            }
        }
    }

    private void checkProcesses() {
        for (Watch watch : setup.watches()) {
            if (watch.trigger().seconds() < Double.POSITIVE_INFINITY
                    && watch.action().changesRun()) {
                throw new IllegalArgumentException("on: an action every n seconds changes the run, and the"
                        + " clocks of its processes differ: do it after rounds or epochs");
            }
        }
        for (Feed feed : setup.feeds()) {
            if (!feed.source().hasEpochs()) {
                throw new IllegalArgumentException("feeds: rows of "
                        + feed.source().name() + " come from outside, to one process: others would not have them");
            }
        }
    }
}
