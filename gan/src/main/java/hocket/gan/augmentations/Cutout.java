package hocket.gan.augmentations;

import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.subtract;

import hocket.programs.Value;
import hocket.schedulers.settings.Setting;
import hocket.scopes.ElementType;
import hocket.scopes.Scope;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.stream.IntStream;

/**
 * Sets a rectangle of each image to zero, with its centre anywhere (Zhao et al. 2020, DiffAugment); noise {@code row} and
 * {@code column}.
 *
 * @param share of the height and width that the rectangle has, rounded to whole pixels
 */
public record Cutout(
        @Setting(usually = "0.5", least = 0, most = 1, help = "size of the rectangle, as a share of height and width")
        double share)
        implements Augmentation, CutoutCopies {
    /** @throws IllegalArgumentException if the share is out of 0..1 */
    public Cutout {
        CutoutCopies.check(share);
    }

    /** @throws IllegalArgumentException if rows are not images */
    @Override
    public Value apply(Value rows) {
        RowDraws.requireImages("cutout", rows);
        try (Scope<Value> each = Augmentation.scope(rows)) {
            Value inside = multiply(within(rows, 1, "row"), within(rows, 2, "column"));
            return multiply(rows, shift(negate(inside), 1));
        }
    }

    /** 1 at the places of an axis that the rectangle covers: from {@code c - size/2}, {@code size} of them. */
    private Value within(Value rows, int axis, String name) {
        int extent = rows.shape().get(axis);
        int size = (int) (extent * share + 0.5);
        Value centre = RowDraws.floor(RowDraws.uniform(rows, name), extent + (size % 2 == 0 ? 1 : 0));
        Value from = subtract(positions(rows, axis), centre); // - size/2 at the first
        return multiply(RowDraws.atLeast(from, -(size / 2)), RowDraws.atLeast(negate(from), -(size - 1 - size / 2)));
    }

    /** 0, 1, … along an axis of images. */
    private static Value positions(Value rows, int axis) {
        int extent = rows.shape().get(axis);
        Shape shape = axis == 1 ? Shape.of(1, extent, 1) : Shape.of(1, 1, extent);
        double[] numbers = IntStream.range(0, extent).asDoubleStream().toArray();
        ElementType type = rows.graph().floatType();
        return rows.graph().constant(Tensor.of(shape, numbers).in(type));
    }
}
