package hocket.rl.replay;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.stopGradient;

import hocket.programs.Graph;
import hocket.programs.Operators;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.losses.RegressionLoss;
import hocket.schedulers.SourceDescription;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a graph that transitions feed, a {@link Replay} of {@link Transitions} or recorded ones, with the names and types
 * of the columns.
 *
 * @param observation (w)
 * @param next the observation after it, (w); input {@code next_observation}
 * @param action () of INT64, an index from 0, where actions are discrete; else (a)
 * @param reward ()
 * @param discount the factor of the next observation's value, (): 0 where the episode terminated
 * @param nextMask the actions that are allowed at the next observation, (n); input {@code next_mask}; null for all
 * @param weight the factor of a row's loss, (); null for 1
 */
public record Transition(
        Value observation,
        Value next,
        Value action,
        Value reward,
        Value discount,
        @Nullable Value nextMask,
        @Nullable Value weight) {

    /** Opens the inputs. */
    public static Transition of(Graph graph, SourceDescription source) {
        return of(
                graph,
                source,
                SpaceColumns.input(graph, source, Policy.OBSERVATION),
                SpaceColumns.input(graph, source, "action"));
    }

    /** Opens the other inputs; observation and action are those of a policy. */
    public static Transition of(Graph graph, SourceDescription source, Value observation, Value action) {
        return new Transition(
                observation,
                SpaceColumns.input(graph, source, "next_observation"),
                action,
                SpaceColumns.input(graph, source, "reward"),
                SpaceColumns.input(graph, source, "discount"),
                SpaceColumns.optionalInput(graph, source, "next_mask"),
                SpaceColumns.optionalInput(graph, source, "weight"));
    }

    /** Returns the mean of the losses of rows, (), each with its weight; one number. */
    public Value mean(Value losses) {
        return Operators.mean(weight == null ? losses : multiply(stopGradient(weight), losses));
    }

    /** Returns the sum of the losses of predictions, each row with its weight; one number. */
    public Value loss(RegressionLoss loss, Value target, Value... predictions) {
        return weight == null ? loss.loss(target, predictions) : loss.weighted(weight, target, predictions);
    }
}
