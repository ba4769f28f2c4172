package hocket.rl.settings;

import hocket.programs.Graph;
import hocket.programs.Program;
import hocket.rl.sampling.Sampler;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import java.util.List;
import java.util.stream.Stream;

/** How the actor and the critics of an off-policy algorithm learn from its replay. */
public record OffPolicySettings(
        @Setting(usually = "uniform", help = "how rows of the replay are drawn: uniform, {prioritised: {…}}, …")
        Sampler sampler,

        @Setting(usually = "0.99", least = 0, most = 1, help = "discount of a step")
        double gamma,

        @Setting(usually = "1", least = 1, most = 1000, help = "number of steps of an n-step return")
        int nSteps,

        @Setting(usually = "1", least = 1, most = 1e6, help = "number of updates after the steps of a collection")
        int updates,

        @Setting(
                usually = "0.995",
                least = 0,
                most = 1,
                help = "share of the targets' own weights that an update keeps")
        double targetDecay)
        implements OffPolicySettingsCopies {

    /**
     * Returns the round of a collection and {@code updates} passes of the turns that learn from it.
     *
     * @param collect steps the environments
     * @param pass the turns of an update, in their order
     */
    public Plan round(Turn collect, List<? extends Turn> pass) {
        return updates == 1
                ? Plan.sequence(Stream.concat(Stream.of(collect), pass.stream()).toArray(Plan[]::new))
                : Plan.sequence(
                        collect, Plan.sequence(pass.toArray(Plan[]::new)).times(updates));
    }

    /**
     * Returns the collections of a round in which the actor is updated once for {@code delay} updates of the critics.
     *
     * @throws IllegalArgumentException unless one of {@code updates} and {@code delay} divides the other
     */
    public int collections(int delay) {
        if (delay % updates != 0 && updates % delay != 0) {
            throw new IllegalArgumentException(
                    "updates must divide delay, or be a multiple of it, were " + updates + " and " + delay);
        }
        return Math.max(1, delay / updates);
    }

    /** Returns the networks of the turns that learn, and of programs that act. */
    public static Networks networks(Graph graph, List<? extends Turn> pass, Program... acting) {
        Stream<Program> taught =
                pass.stream().flatMap(turn -> turn.descend().stream()).map(Turn.Descend::program);
        return Networks.of(graph, Stream.concat(taught, Stream.of(acting)).toArray(Program[]::new));
    }

    /** Returns when transitions are drawn: once for the turns of a round with one update, else for each turn. */
    public Resample resample() {
        return updates == 1 ? Resample.EACH_ROUND : Resample.EACH_TURN;
    }
}
