package hocket.workbench.live.views;

import hocket.schedulers.Event;
import hocket.workbench.files.json.Unwrapped;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.Worker;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A run as the HTTP API shows it; in JSON its parts are flattened.
 *
 * @param budget in words
 * @param settings settings of its turns' rules, such as {@code d/rate}
 * @param plan the plan of a round, in words
 * @param workers status of the workers of a multi-process run, by rank; otherwise empty
 */
public record RunFacts(
        @Unwrapped Identity identity,
        @Unwrapped State state,
        @Unwrapped Progress progress,
        String budget,
        SortedMap<String, Double> settings,
        List<TurnName> turns,
        String plan,
        @Unwrapped Abilities abilities,
        List<Worker> workers) {
    /**
     * The identity of a run.
     *
     * @param id unique in its folder
     * @param name the experiment's name
     */
    public record Identity(String id, String name, String summary, String folder, long seed) {
        static Identity of(ServedRun run, SelectedExperiment what) {
            return new Identity(run.id(), what.name(), what.summary(), folder(run), what.seed());
        }

        /** Returns the facts of a run whose experiment cannot be read. */
        static Identity unread(ServedRun run) {
            return new Identity(run.id(), run.id(), "", folder(run), 0);
        }

        private static String folder(ServedRun run) {
            return run.folder().path().toAbsolutePath().normalize().toString();
        }
    }

    /**
     * The state of the run.
     *
     * @param status one word: {@link RunStatus}
     * @param failure the cause of its failure; null if it did not fail
     * @param live whether its ticks can be watched: it trains in this process, or in one that this process reaches
     */
    public record State(String status, @Nullable String failure, boolean live) {}

    /**
     * The progress of the run.
     *
     * @param place position in its round, for people; empty between rounds
     * @param done the fraction of the budget, from 0 to 1
     * @param secondsLeft seconds until the end of the phase; null if unknown
     */
    public record Progress(
            Event.Position at,
            String place,
            String phase,
            double done,
            @Nullable Double roundsPerSecond,
            @Nullable Double secondsLeft) {
        /** Returns the progress of a run that has not begun. */
        static final Progress NONE = new Progress(new Event.Position(0, 0, 0), "", "", 0, null, null);

        Progress at(Event.Position later) {
            return new Progress(later, place, phase, done, roundsPerSecond, secondsLeft);
        }

        Progress withoutPace() {
            return new Progress(at, place, phase, done, null, null);
        }
    }

    /**
     * The views of the page that a run supports, and the commands that it accepts.
     *
     * @param agent whether it trains an agent in an environment
     * @param canBeSteered whether it accepts commands now
     * @param canGoOn whether it was stopped and this server can resume it
     */
    public record Abilities(
            boolean agent, boolean hasSamples, boolean hasFilms, boolean canBeSteered, boolean canGoOn) {
        static final Abilities NONE = new Abilities(false, false, false, false, false);

        static Abilities of(SelectedExperiment what, boolean canBeSteered, boolean canGoOn) {
            boolean isAgent = what.setup().film().isPresent();
            return new Abilities(isAgent, what.setup().samples().isPresent(), isAgent, canBeSteered, canGoOn);
        }
    }

    /**
     * A turn.
     *
     * @param kind {@code descend}, {@code follow} or {@code act}
     */
    public record TurnName(String name, String kind) {
        static List<TurnName> of(SelectedExperiment what) {
            return what.setup().turnsByName().entrySet().stream()
                    .map(turn -> new TurnName(turn.getKey(), LiveView.kind(turn.getValue())))
                    .toList();
        }
    }

    /** Returns the facts of a run that is empty or cannot be read. */
    static RunFacts unread(ServedRun run, RunStatus runStatus, @Nullable String why) {
        return new RunFacts(
                Identity.unread(run),
                new State(runStatus.word(), why, false),
                Progress.NONE,
                "",
                new TreeMap<>(),
                List.of(),
                "",
                Abilities.NONE,
                List.of());
    }

    public String status() {
        return state.status();
    }

    public Event.Position at() {
        return progress.at();
    }

    /**
     * Several.
     *
     * @param serving what the server shows: {@code process}, the run of its own process; {@code run}, the folder of one
     *     run; {@code runs}, a folder in which runs can be started
     */
    public record All(List<RunFacts> runs, String serving) {}
}
