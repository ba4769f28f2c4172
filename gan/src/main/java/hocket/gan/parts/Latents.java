package hocket.gan.parts;

import hocket.programs.Value;
import hocket.programs.operators.Leaf.Noise;
import hocket.programs.operators.Leaf.Redraw;
import hocket.scopes.SimilarNames;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The noise of generated rows, and the generator that makes them, for terms that generate further rows.
 *
 * @param noise (latent), or (pack · latent) of packs of rows
 * @param generator makes rows, or packs of rows, of other noise, with the same parameters and condition
 * @param heads further outputs of the generator for this noise, by name
 */
public record Latents(Value noise, UnaryOperator<Value> generator, Map<String, Value> heads) {
    public Latents {
        heads = Map.copyOf(heads);
    }

    /** Returns when further noise of a generator is drawn: each round, if that is so of any noise that its latent is made of. */
    public static Redraw redraw(Value latent) {
        return Value.above(List.of(latent), Value::inputs).stream()
                        .anyMatch(
                                value -> value.operator() instanceof Noise noise && noise.redraw() == Redraw.EACH_ROUND)
                ? Redraw.EACH_ROUND
                : Redraw.EACH_TURN;
    }

    /**
     * Returns a further output.
     *
     * @throws IllegalArgumentException if the generator has none of that name; the message names its heads
     */
    public Value head(String name) {
        return SimilarNames.get(heads, name, "the generator has no head ");
    }
}
