package hocket.workbench.live;

import hocket.schedulers.CommandForm;
import hocket.schedulers.Event;
import hocket.schedulers.Steering;
import hocket.workbench.cluster.Worker;
import hocket.workbench.json.CommandLines;
import hocket.workbench.json.Unwrapped;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A run as the network sees it.
 *
 * @param id no other's in the same folder
 * @param name of its experiment
 * @param status what it does, in a word: {@link Status}
 * @param failure why it failed; null of one that did not
 * @param live whether its ticks can be watched: it trains in this process, or in one that answers this one
 * @param budget in words
 * @param done how much of the budget, from 0 to 1
 * @param place in its round, for people; empty between rounds
 * @param secondsLeft of the phase; null where that is not known
 * @param settings of its turns' rules, such as {@code d/rate}
 * @param plan of a round, in words
 * @param agent whether it is an agent in a world
 * @param canBeSteered whether it takes commands now
 * @param canGoOn whether it was stopped, and who serves it here can start it
 * @param workers how they are of a run of several processes, by their ranks; none of another
 */
record RunFacts(
        String id,
        String name,
        String summary,
        String folder,
        long seed,
        String status,
        @Nullable String failure,
        boolean live,
        Event.Position at,
        String budget,
        double done,
        String place,
        String phase,
        @Nullable Double roundsPerSecond,
        @Nullable Double secondsLeft,
        SortedMap<String, Double> settings,
        List<TurnName> turns,
        String plan,
        boolean agent,
        boolean hasSamples,
        boolean hasFilms,
        boolean canBeSteered,
        boolean canGoOn,
        List<Worker> workers) {
    /**
     * A turn.
     *
     * @param kind descend, follow or act
     */
    record TurnName(String name, String kind) {}

    /**
     * Several.
     *
     * @param serving what serves them: {@code process}, the one in which the run trains; {@code run}, the folder of one;
     *     {@code runs}, a folder in which others can be started
     */
    record All(List<RunFacts> runs, String serving) {}

    /**
     * The newest picture of its samples.
     *
     * @param name {@code latest} of one that is not kept: what they are like just now
     */
    record Drawn(String name, long step) {}

    /**
     * What happened since the last tick: what did not change is null.
     *
     * @param samples a new picture that is kept
     * @param film a new one, of an episode
     */
    record Tick(
            String kind,
            long tick,
            Event.Position at,
            String status,
            String place,
            String phase,
            @Nullable String turn,
            double done,
            @Nullable Double roundsPerSecond,
            @Nullable Double secondsLeft,
            Map<String, Long> counts,
            Map<String, Double> last,
            Map<String, List<double[]>> series,
            @Nullable String samples,
            @Nullable Drawn drawn,
            @Nullable String film,
            @Nullable SortedMap<String, Double> settings,
            @Nullable String plan,
            List<String> log,
            List<Entry> journal,
            @Nullable Long checkpoint,
            @Nullable List<Worker> workers) {}

    /**
     * A command of the journal.
     *
     * @param arguments of all commands, by name; null for those of other commands
     * @param time when it was done, in seconds since 1970; 0 where that is not known
     */
    record Entry(
            long number,
            String command,
            @Unwrapped Map<String, @Nullable Object> arguments,
            long step,
            long round,
            String by,
            double time) {
        static Entry of(Steering.Applied applied, double time) {
            return new Entry(
                    applied.number(),
                    CommandForm.of(applied.command()).name(),
                    CommandLines.journalled(applied.command()),
                    applied.at().step(),
                    applied.at().round(),
                    applied.by(),
                    time);
        }
    }

    /** The commands that a run was given. */
    record Commands(List<Entry> commands) {}

    /** What a client hears first. */
    record Hello(String kind, RunFacts run) {}

    /** What it hears last. */
    record End(String kind, String status, String message) {}
}
