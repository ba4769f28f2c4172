package hocket.rl.algorithms;

import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import java.util.Objects;
import java.util.Optional;

/** Runs of small algorithms, one thread each. */
final class Training {
    private Training() {}

    /** The whole state at the end. */
    static State whole(Setup setup, long seed) {
        return run(setup, seed, Optional.empty(), 0);
    }

    /** The whole state after some rounds. */
    static State stopped(Setup setup, long seed, int rounds) {
        return run(setup, seed, Optional.empty(), rounds);
    }

    /** The whole state at the end of a run that continues from another's. */
    static State resumed(Setup setup, long seed, State from) {
        return run(setup, seed, Optional.of(from), 0);
    }

    private static State run(Setup setup, long seed, Optional<State> from, int rounds) {
        try (Parameters parameters = setup.initialise(seed);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            from.ifPresent(scheduler::restore);
            if (rounds > 0) {
                scheduler.on(Trigger.everyRounds(rounds), run -> run.stop());
            }
            scheduler.run();
            return scheduler.save();
        }
    }

    /** The mean return over a number of episodes after the whole training. */
    static double mean(Setup setup, long seed, int episodes) {
        try (Parameters parameters = setup.initialise(seed);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run();
            return mean(setup, parameters, episodes);
        }
    }

    /** The mean return over a number of episodes with the current parameters. */
    static double mean(Setup setup, Parameters parameters, int episodes) {
        return Objects.requireNonNull(setup.evaluation()
                .orElseThrow()
                .over(episodes)
                .scores(parameters)
                .get("return_mean"));
    }
}
