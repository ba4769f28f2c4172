package hocket.rl.models;

import static hocket.programs.Operators.maximum;
import static hocket.programs.Operators.subtract;

import hocket.programs.Graph;
import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.state.State;
import hocket.schedulers.state.Stateful;
import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.util.Arrays;
import java.util.List;

/**
 * The scale of returns, by which advantages are divided (Hafner et al. 2023, equation 7): the moving average of the range between
 * their 5th and 95th percentile, and at least 1. The averages are the parameters {@code returns/low} and {@code returns/high}, which
 * its turn writes.
 */
public final class ReturnScale implements Turn.Action, Stateful {
    static final double LOW = 0.05;
    static final double HIGH = 0.95;

    private final Value low;
    private final Value high;
    private final double decay;
    private double lowNow;
    private double highNow;

    /**
     * Declares the averages, 0 at first.
     *
     * @param decay share of an average that each update keeps, 0.99 in the paper
     */
    public ReturnScale(Graph graph, double decay) {
        this.decay = decay;
        try (var returns = graph.module("returns")) {
            low = declared(graph, "low");
            high = declared(graph, "high");
        }
    }

    /** Returns {@code max(1, high - low)}, for the whole batch. */
    public Value scale() {
        return maximum(subtract(high, low), low.graph().constant(1));
    }

    private static Value declared(Graph graph, String name) {
        return Layers.declare(graph, name, Shape.scalar(), Fan.NONE, Initialiser.constant(0), Kind.WEIGHT);
    }

    /** Updates the averages by the returns of the last turn that computed some. */
    @Override
    public void act(Run run) {
        double below = update(run.parameters(), low, lowNow);
        double above = update(run.parameters(), high, highNow);
        run.report("scale", scale(below, above));
    }

    /**
     * Returns a setup whose returns update the averages.
     *
     * @param turn observes the returns
     * @param returns of the program of that turn
     */
    public Setup of(Setup setup, Turn.Descend turn, Value returns) {
        return setup.ring(new Percentiles(this, turn, returns));
    }

    /** Takes the percentiles inside of the turn that observes returns, so that a state between two turns has them. */
    private record Percentiles(ReturnScale of, Turn.Descend turn, Value returns) implements Ring {
        @Override
        public void turn(Run run, List<Turn> turns, Next next) {
            next.proceed();
            if (turns.stream().anyMatch(each -> each.name().equals(turn.name()))) {
                float[] all = run.scheduler().observed(turn, returns).floats();
                Arrays.sort(all);
                of.lowNow = percentile(all, LOW);
                of.highNow = percentile(all, HIGH);
            }
        }

        @Override
        public String toString() {
            return "turn " + turn.name() + " gives the percentiles of its returns to the scale";
        }
    }

    @Override
    public State save() {
        return State.empty().with("low", lowNow).with("high", highNow);
    }

    @Override
    public void restore(State state) {
        double savedLow = state.real("low");
        highNow = state.real("high");
        lowNow = savedLow;
    }

    private double update(Parameters parameters, Value average, double now) {
        String path = average.path().toString();
        double next = average(parameters.tensor(path).doubles()[0], now);
        parameters.set(path, next);
        return next;
    }

    static double scale(double low, double high) {
        return Math.max(1, high - low);
    }

    double average(double before, double now) {
        return decay * before + (1 - decay) * now;
    }

    /** Returns the quantile of sorted numbers, interpolated linearly as by NumPy. */
    static double percentile(float[] sorted, double share) {
        double at = share * (sorted.length - 1);
        int below = (int) at;
        double rest = at - below;
        return rest == 0 ? sorted[below] : sorted[below] + rest * ((double) sorted[below + 1] - sorted[below]);
    }
}
