package hocket.rl.algorithms;

import hocket.schedulers.Algorithm;
import hocket.schedulers.Experiment;
import hocket.schedulers.Scheduler;
import hocket.schedulers.State;
import hocket.schedulers.Trigger;
import hocket.scopes.Parameters;
import java.util.Objects;
import java.util.Optional;

/** Runs of small algorithms, one thread each. */
final class Training {
    private Training() {}

    /** The whole state at the end. */
    static State whole(Algorithm algorithm, long seed) {
        return run(algorithm, seed, Optional.empty(), 0);
    }

    /** The whole state after some rounds. */
    static State stopped(Algorithm algorithm, long seed, int rounds) {
        return run(algorithm, seed, Optional.empty(), rounds);
    }

    /** The whole state at the end of a run that goes on from another's. */
    static State resumed(Algorithm algorithm, long seed, State from) {
        return run(algorithm, seed, Optional.of(from), 0);
    }

    private static State run(Algorithm algorithm, long seed, Optional<State> from, int rounds) {
        Experiment experiment = algorithm.experiment();
        try (Parameters parameters = experiment.initialise(seed);
                Scheduler scheduler = experiment.schedule(parameters, 1)) {
            from.ifPresent(scheduler::restore);
            if (rounds > 0) {
                scheduler.on(Trigger.everyRounds(rounds), run -> run.stop());
            }
            scheduler.run();
            return scheduler.save();
        }
    }

    /** The mean return over so many episodes after the whole training. */
    static double mean(Algorithm algorithm, long seed, int episodes) {
        Experiment experiment = algorithm.experiment();
        try (Parameters parameters = experiment.initialise(seed);
                Scheduler scheduler = experiment.schedule(parameters, 1)) {
            scheduler.run();
            return mean(experiment, parameters, episodes);
        }
    }

    /** The mean return over so many episodes now. */
    static double mean(Experiment experiment, Parameters parameters, int episodes) {
        return Objects.requireNonNull(experiment
                .evaluation()
                .orElseThrow()
                .over(episodes)
                .scores(parameters)
                .get("return_mean"));
    }
}
