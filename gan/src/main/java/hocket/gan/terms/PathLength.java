package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.spreadToRows;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.stopGradient;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.gan.parts.Generated;
import hocket.gan.parts.Pass;
import hocket.gan.parts.Side;
import hocket.programs.Gradients;
import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;
import java.util.List;

/**
 * Path length regularisation of a generator (Karras et al. 2020, StyleGAN2, section 3.2): {@code weight · mean (l − m)²}. Here l
 * is the length of each row's gradient by the styles, {@code √(mean over styles of Σ g²)}, where g is the derivative of {@code
 * Σ x · y / √pixels} with normal y; m is a running mean of l, {@code m ← m + decay · (mean l − m)}, new before it is used.
 * Rows must not be packed, as the styles of a pack are joined from those that its rows were made of.
 *
 * <p>The mean is a state of the turn that takes the term: {@code carries: {path_mean: path_mean_next}}. Usually the term is
 * lazy: {@code {lazy: {every: 4, term: {path_length: {weight: 2}}}}}. Noise {@code path_length/direction}.
 *
 * @param weight usually 2, at least 0
 * @param decay share of the mean that is new, in 0..1
 * @param throughMean whether the gradient flows through the new mean, too, as in the public code
 */
public record PathLength(
        @Setting(usually = "2", least = 0, help = "weight of the penalty")
        double weight,

        @Setting(usually = "0.01", least = 0, most = 1, help = "share of the running mean that is new")
        double decay,

        @Setting(usually = "true", help = "whether the gradient flows through the new mean, as in the public code")
        boolean throughMean)
        implements Term, PathLengthCopies {
    /** The input that reads the running mean, the same number for each row. */
    public static final String MEAN = "path_mean";

    /** The value that the mean has the next time. */
    public static final String NEXT = "path_mean_next";

    /** @throws IllegalArgumentException if a setting is out of its range */
    public PathLength {
        PathLengthCopies.check(weight, decay);
    }

    /**
     * @throws IllegalArgumentException if the generator has no head {@code styles}, a value (styles, width), or the rows do not
     *     depend on it
     */
    @Override
    public Value of(Pass pass) {
        Value x = pass.fake();
        Graph graph = x.graph();
        Value w = pass.requireLatents("term " + key()).head(Generated.STYLES);
        if (w.shape().rank() != 2) {
            throw new IllegalArgumentException("path_length: styles must be (styles, width) for each row, is " + w);
        }
        if (!Value.above(List.of(x), Value::inputs).contains(w)) {
            throw new IllegalArgumentException("path_length: rows must depend on the generator's styles, and " + x
                    + " does not on " + w + ", so that each length would be 0; with pack above 1 it never does");
        }
        Value y = graph.noise(key() + "/direction", x.shape());
        Value projected = sum(multiply(x, scale(y, 1 / Math.sqrt(pixels(x.shape())))));
        Value g = Gradients.of(projected, w).get(0);
        Value lengths = sqrt(mean(sum(square(g), 1), 0));
        Value before = mean(graph.input(MEAN, Shape.scalar()));
        Value m = add(before, scale(subtract(mean(lengths), before), decay));
        graph.name(NEXT, spreadToRows(stopGradient(m)));
        return scale(mean(square(subtract(lengths, throughMean ? m : stopGradient(m)))), weight);
    }

    /** The number of pixels of an image (channels, height, width), and of entries of other rows. */
    private static int pixels(Shape rows) {
        return rows.rank() == 3 ? rows.get(1) * rows.get(2) : rows.size();
    }

    @Override
    public List<String> states() {
        return List.of(MEAN);
    }

    @Override
    public Side side() {
        return Side.GENERATOR;
    }
}
