package hocket.rl.search;

import hocket.rl.actors.CandidateEpisodes;
import hocket.rl.random.Pcg64;
import hocket.rl.replay.Table;
import hocket.schedulers.Run;
import hocket.schedulers.Source.Column;
import hocket.schedulers.Turn;
import hocket.schedulers.settings.Limits;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Declaration;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.Collection;

/**
 * A turn of Java that estimates the gradient of the expected return by {@code actor/**}: it plays pairs of mirrored candidates
 * as {@code candidate/actor/**}, and keeps the estimate in a table of one row, whose column {@code ascent} a turn descends. It
 * reports {@code best_candidate}, the highest mean return.
 */
public final class MirroredSearch implements Turn.Action, Stateful, AutoCloseable {
    /** The column of the estimate, (n), in the order of {@link WeightVector}. */
    public static final String ASCENT = "ascent";

    private final CandidateEpisodes episodes;
    private final WeightVector actor;
    private final int pairs;
    private final double deviation;
    private final ReturnShaping shaping;
    private final Table table;
    private long generation;

    /**
     * Makes a search.
     *
     * @param declarations of the graph
     * @param pairs number of pairs of candidates, at least 1
     * @param deviation of the candidates' weights
     */
    public MirroredSearch(
            CandidateEpisodes episodes,
            Collection<Declaration> declarations,
            int pairs,
            double deviation,
            ReturnShaping shaping) {
        this.episodes = episodes;
        this.actor = WeightVector.of("actor/**", declarations);
        this.pairs = pairs;
        this.deviation = deviation;
        this.shaping = shaping;
        table = new Table("search", 1, new Column(ASCENT, Shape.of(actor.size()), ElementType.FLOAT32));
    }

    /** Returns the table of the estimate. */
    public Table table() {
        return table;
    }

    @Override
    public void act(Run run) {
        Parameters parameters = run.parameters();
        WeightVector candidate = WeightVector.of("candidate/**", parameters.declarations());
        double[] weights = actor.read(parameters);
        Pcg64 random = CandidateEpisodes.noise(parameters, generation);
        Limits.elements("population: pairs of candidates and their weights", pairs, weights.length, Double.BYTES);
        double[][] noise = new double[pairs][weights.length];
        double[] returns = new double[2 * pairs];
        for (int k = 0; k < pairs; k++) {
            double[] drawn = noise[k];
            Arrays.setAll(drawn, i -> random.standardNormal());
            for (int side = 0; side < 2; side++) {
                double step = side == 0 ? deviation : -deviation;
                double[] moved = new double[weights.length];
                Arrays.setAll(moved, i -> weights[i] + step * drawn[i]);
                candidate.write(parameters, moved);
                returns[2 * k + side] = episodes.play(run, generation);
            }
        }
        double[] gradient = shaping.gradient(noise, returns, deviation);
        float[] row = new float[gradient.length];
        for (int i = 0; i < row.length; i++) {
            row[i] = (float) gradient[i];
        }
        table.set(ASCENT, row);
        table.collected();
        generation++;
        episodes.report(run);
        run.report("best_candidate", Arrays.stream(returns).max().orElseThrow());
    }

    @Override
    public State save() {
        return State.empty()
                .with("generation", generation)
                .with("episodes", episodes.save())
                .with("table", table.save());
    }

    @Override
    public void restore(State state) {
        table.restore(state.state("table"));
        episodes.restore(state.state("episodes"));
        generation = state.whole("generation");
    }

    @Override
    public void close() {
        episodes.close();
    }
}
