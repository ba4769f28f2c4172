package hocket.schedulers.optimizers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Vector loops for double, straight on native memory; what is left of a range after whole vectors is done by the plain
 * loops. Named by {@link Kernels} as text only: without the incubator module this class does not link.
 *
 * <p>The loops call nothing of ours: whether a small method of vectors is inlined depends on what was compiled before,
 * and one that is not makes an object of each vector.
 */
@SuppressWarnings("cast") // one text serves both types
final class VectorDoubles implements Loops {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LENGTH = SPECIES.length();
    private static final int BYTES = Double.BYTES;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private final PlainDoubles rest = new PlainDoubles();
    private final VectorSums sums = new VectorSums();

    VectorDoubles() {}

    @Override
    public void sgd(Sgd rule, Step step, Reals weight, Reals gradient, int from, int to) {
        ByteBuffer w = weight.bytes();
        ByteBuffer g = gradient.bytes();
        double scale = (double) step.scale;
        double decay = (double) rule.weightDecay();
        double size = (double) step.size;
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            DoubleVector x = DoubleVector.fromByteBuffer(SPECIES, w, at, ORDER);
            DoubleVector d = DoubleVector.fromByteBuffer(SPECIES, g, at, ORDER)
                    .mul(scale)
                    .add(x.mul(decay));
            x.sub(d.mul(size)).intoByteBuffer(w, at, ORDER);
        }
        rest.sgd(rule, step, weight, gradient, end, to);
    }

    @Override
    public void momentum(Sgd rule, Step step, Reals weight, Reals gradient, Reals buffer, int from, int to) {
        ByteBuffer w = weight.bytes();
        ByteBuffer g = gradient.bytes();
        ByteBuffer b = buffer.bytes();
        double scale = (double) step.scale;
        double decay = (double) rule.weightDecay();
        double momentum = (double) rule.momentum();
        double fresh = (double) step.fresh;
        double size = (double) step.size;
        boolean nesterov = rule.nesterov();
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            DoubleVector x = DoubleVector.fromByteBuffer(SPECIES, w, at, ORDER);
            DoubleVector d = DoubleVector.fromByteBuffer(SPECIES, g, at, ORDER)
                    .mul(scale)
                    .add(x.mul(decay));
            DoubleVector kept = DoubleVector.fromByteBuffer(SPECIES, b, at, ORDER)
                    .mul(momentum)
                    .add(d.mul(fresh));
            kept.intoByteBuffer(b, at, ORDER);
            if (nesterov) {
                x.sub(d.add(kept.mul(momentum)).mul(size)).intoByteBuffer(w, at, ORDER);
            } else {
                x.sub(kept.mul(size)).intoByteBuffer(w, at, ORDER);
            }
        }
        rest.momentum(rule, step, weight, gradient, buffer, end, to);
    }

    @Override
    public void adam(Adam rule, Step step, Reals weight, Reals gradient, Reals mean, Reals square, int from, int to) {
        ByteBuffer w = weight.bytes();
        ByteBuffer g = gradient.bytes();
        ByteBuffer m = mean.bytes();
        ByteBuffer v = square.bytes();
        double scale = (double) step.scale;
        double decay = (double) rule.gradientDecay();
        double beta1 = (double) rule.beta1();
        double fresh1 = (double) (1 - rule.beta1());
        double beta2 = (double) rule.beta2();
        double fresh2 = (double) (1 - rule.beta2());
        double keep = (double) step.keep;
        double size = (double) step.size;
        double epsilon = (double) step.epsilon;
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            DoubleVector x = DoubleVector.fromByteBuffer(SPECIES, w, at, ORDER);
            DoubleVector d = DoubleVector.fromByteBuffer(SPECIES, g, at, ORDER)
                    .mul(scale)
                    .add(x.mul(decay));
            DoubleVector a = DoubleVector.fromByteBuffer(SPECIES, m, at, ORDER)
                    .mul(beta1)
                    .add(d.mul(fresh1));
            DoubleVector s = DoubleVector.fromByteBuffer(SPECIES, v, at, ORDER)
                    .mul(beta2)
                    .add(d.mul(d).mul(fresh2));
            a.intoByteBuffer(m, at, ORDER);
            s.intoByteBuffer(v, at, ORDER);
            x.mul(keep).sub(a.mul(size).div(s.sqrt().add(epsilon))).intoByteBuffer(w, at, ORDER);
        }
        rest.adam(rule, step, weight, gradient, mean, square, end, to);
    }

    @Override
    public void rmsProp(
            RmsProp rule,
            Step step,
            Reals weight,
            Reals gradient,
            Reals square,
            @Nullable Reals mean,
            @Nullable Reals buffer,
            int from,
            int to) {
        ByteBuffer w = weight.bytes();
        ByteBuffer g = gradient.bytes();
        ByteBuffer v = square.bytes();
        ByteBuffer c = mean == null ? null : mean.bytes();
        ByteBuffer b = buffer == null ? null : buffer.bytes();
        double scale = (double) step.scale;
        double decay = (double) rule.decay();
        double fresh = (double) (1 - rule.decay());
        double momentum = (double) rule.momentum();
        double size = (double) step.size;
        double epsilon = (double) step.epsilon;
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            DoubleVector x = DoubleVector.fromByteBuffer(SPECIES, w, at, ORDER);
            DoubleVector d = DoubleVector.fromByteBuffer(SPECIES, g, at, ORDER).mul(scale);
            DoubleVector s = DoubleVector.fromByteBuffer(SPECIES, v, at, ORDER)
                    .mul(decay)
                    .add(d.mul(d).mul(fresh));
            s.intoByteBuffer(v, at, ORDER);
            if (c != null) {
                DoubleVector a = DoubleVector.fromByteBuffer(SPECIES, c, at, ORDER)
                        .mul(decay)
                        .add(d.mul(fresh));
                a.intoByteBuffer(c, at, ORDER);
                s = s.sub(a.mul(a)).max(0);
            }
            DoubleVector u = d.div(s.sqrt().add(epsilon));
            if (b != null) {
                u = DoubleVector.fromByteBuffer(SPECIES, b, at, ORDER)
                        .mul(momentum)
                        .add(u);
                u.intoByteBuffer(b, at, ORDER);
            }
            x.sub(u.mul(size)).intoByteBuffer(w, at, ORDER);
        }
        rest.rmsProp(rule, step, weight, gradient, square, mean, buffer, end, to);
    }

    @Override
    public void follow(double decay, Reals target, Reals source, int from, int to) {
        ByteBuffer t = target.bytes();
        ByteBuffer s = source.bytes();
        double kept = (double) decay;
        double fresh = (double) (1 - decay);
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            DoubleVector now =
                    DoubleVector.fromByteBuffer(SPECIES, s, at, ORDER).mul(fresh);
            DoubleVector.fromByteBuffer(SPECIES, t, at, ORDER)
                    .mul(kept)
                    .add(now)
                    .intoByteBuffer(t, at, ORDER);
        }
        rest.follow(decay, target, source, end, to);
    }

    @Override
    public double sumOfSquares(Reals values, int from, int to) {
        return sums.ofDoubles(values.bytes(), from, to);
    }
}
