package hocket.workbench.live.views;

import hocket.schedulers.Event;
import hocket.workbench.json.Unwrapped;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.Worker;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A run as the network sees it; in JSON its parts are not to be seen.
 *
 * @param budget in words
 * @param settings of its turns' rules, such as {@code d/rate}
 * @param plan of a round, in words
 * @param workers how they are of a run of several processes, by their ranks; none of another
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
     * Which run it is.
     *
     * @param id no other's in the same folder
     * @param name of its experiment
     */
    public record Identity(String id, String name, String summary, String folder, long seed) {
        static Identity of(ServedRun run, SelectedExperiment what) {
            return new Identity(run.id(), what.name(), what.summary(), folder(run), what.seed());
        }

        /** Of a run whose experiment cannot be read. */
        static Identity unread(ServedRun run) {
            return new Identity(run.id(), run.id(), "", folder(run), 0);
        }

        private static String folder(ServedRun run) {
            return run.folder().path().toAbsolutePath().normalize().toString();
        }
    }

    /**
     * What it does.
     *
     * @param status in a word: {@link RunStatus}
     * @param failure why it failed; null of one that did not
     * @param live whether its ticks can be watched: it trains in this process, or in one that answers this one
     */
    public record State(String status, @Nullable String failure, boolean live) {}

    /**
     * Where it is.
     *
     * @param place in its round, for people; empty between rounds
     * @param done how much of the budget, from 0 to 1
     * @param secondsLeft of the phase; null where that is not known
     */
    public record Progress(
            Event.Position at,
            String place,
            String phase,
            double done,
            @Nullable Double roundsPerSecond,
            @Nullable Double secondsLeft) {
        /** Of a run that has not begun. */
        static final Progress NONE = new Progress(new Event.Position(0, 0, 0), "", "", 0, null, null);

        Progress at(Event.Position later) {
            return new Progress(later, place, phase, done, roundsPerSecond, secondsLeft);
        }
    }

    /**
     * What it has to show, and what can be done with it.
     *
     * @param agent whether it is an agent in a world
     * @param canBeSteered whether it takes commands now
     * @param canGoOn whether it was stopped, and who serves it here can start it
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
     * @param kind descend, follow or act
     */
    public record TurnName(String name, String kind) {
        static List<TurnName> of(SelectedExperiment what) {
            return what.setup().turnsByName().entrySet().stream()
                    .map(turn -> new TurnName(turn.getKey(), LiveView.kind(turn.getValue())))
                    .toList();
        }
    }

    /** A run of which there is nothing, or nothing that can be read. */
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
     * @param serving what serves them: {@code process}, the one in which the run trains; {@code run}, the folder of one;
     *     {@code runs}, a folder in which others can be started
     */
    public record All(List<RunFacts> runs, String serving) {}
}
