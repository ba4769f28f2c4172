package hocket.rl.envs.wrappers;

import hocket.rl.envs.Environment;
import hocket.scopes.Shape;

/**
 * A wrapper that shows pictures of three channels in grey, (1, height, width): Gymnasium's {@code GrayscaleObservation}, {@code
 * 0.2125 red + 0.7154 green + 0.0721 blue}, cut to whole numbers where the picture is of bytes.
 */
public final class Greyscale extends PictureWrapper {
    private static final double[] WEIGHTS = {0.2125, 0.7154, 0.0721};
    private final boolean isChannelLast;

    /** @throws IllegalArgumentException if observations are no pictures (height, width, 3) or (3, height, width) */
    public Greyscale(Environment inner) {
        super(inner, grey(inner));
        isChannelLast = picture(inner).shape().get(2) == WEIGHTS.length;
    }

    private static Shape grey(Environment inner) {
        Shape shape = picture(inner).shape();
        boolean isLast = shape.rank() == 3 && shape.get(2) == WEIGHTS.length;
        if (!isLast && (shape.rank() != 3 || shape.get(0) != WEIGHTS.length)) {
            throw new IllegalArgumentException(
                    inner.name() + ": only pictures of three channels become grey, observations are " + shape);
        }
        return isLast ? Shape.of(1, shape.get(0), shape.get(1)) : Shape.of(1, shape.get(1), shape.get(2));
    }

    @Override
    void change(float[] before, float[] after) {
        int step = isChannelLast ? WEIGHTS.length : 1;
        int channel = isChannelLast ? 1 : after.length;
        for (int i = 0; i < after.length; i++) {
            double grey = 0;
            for (int c = 0; c < WEIGHTS.length; c++) {
                grey += before[i * step + c * channel] * WEIGHTS[c];
            }
            after[i] = (float) (isOfBytes() ? Math.floor(grey) : grey);
        }
    }
}
