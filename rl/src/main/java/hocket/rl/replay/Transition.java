package hocket.rl.replay;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.losses.RegressionLoss;
import hocket.schedulers.Source.Column;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a graph that a {@link Replay} feeds, with the names and types of its columns.
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
    public static Transition of(Graph graph, Replay replay) {
        return new Transition(
                input(graph, replay, Policy.OBSERVATION),
                input(graph, replay, "next_observation"),
                input(graph, replay, "action"),
                input(graph, replay, "reward"),
                input(graph, replay, "discount"),
                optional(graph, replay, "next_mask"),
                optional(graph, replay, "weight"));
    }

    /** Returns the loss of predictions, each row with its weight; one number. */
    public Value loss(RegressionLoss loss, Value target, Value prediction) {
        return weight == null ? loss.loss(target, prediction) : loss.weighted(weight, target, prediction);
    }

    private static @Nullable Value optional(Graph graph, Replay replay, String name) {
        return replay.columns().stream().anyMatch(each -> each.name().equals(name)) ? input(graph, replay, name) : null;
    }

    private static Value input(Graph graph, Replay replay, String name) {
        Column column = replay.columns().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        return graph.input(name, column.shape(), column.type());
    }
}
