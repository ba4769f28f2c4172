package hocket.schedulers.optimizers;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Vector loops for float, straight on native memory; what is left of a range after whole vectors is done by the plain
 * loops. Named by {@link Kernels} as text only: without the incubator module this class does not link.
 *
 * <p>The loops call nothing of ours: whether a small method of vectors is inlined depends on what was compiled before,
 * and one that is not makes an object of each vector.
 */
@SuppressWarnings("cast") // one text serves both types
final class VectorFloats implements Loops {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LENGTH = SPECIES.length();
    private static final int BYTES = Float.BYTES;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    private final PlainFloats rest = new PlainFloats();
    private final VectorSums sums = new VectorSums();

    VectorFloats() {}

    @Override
    public void sgd(Sgd rule, Step step, Reals weight, Reals gradient, int from, int to) {
        ByteBuffer w = weight.bytes();
        ByteBuffer g = gradient.bytes();
        float scale = (float) step.scale;
        float decay = (float) rule.weightDecay();
        float size = (float) step.size;
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            FloatVector x = FloatVector.fromByteBuffer(SPECIES, w, at, ORDER);
            FloatVector d =
                    FloatVector.fromByteBuffer(SPECIES, g, at, ORDER).mul(scale).add(x.mul(decay));
            x.sub(d.mul(size)).intoByteBuffer(w, at, ORDER);
        }
        rest.sgd(rule, step, weight, gradient, end, to);
    }

    @Override
    public void momentum(Sgd rule, Step step, Reals weight, Reals gradient, Reals buffer, int from, int to) {
        ByteBuffer w = weight.bytes();
        ByteBuffer g = gradient.bytes();
        ByteBuffer b = buffer.bytes();
        float scale = (float) step.scale;
        float decay = (float) rule.weightDecay();
        float momentum = (float) rule.momentum();
        float fresh = (float) step.fresh;
        float size = (float) step.size;
        boolean nesterov = rule.nesterov();
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            FloatVector x = FloatVector.fromByteBuffer(SPECIES, w, at, ORDER);
            FloatVector d =
                    FloatVector.fromByteBuffer(SPECIES, g, at, ORDER).mul(scale).add(x.mul(decay));
            FloatVector kept = FloatVector.fromByteBuffer(SPECIES, b, at, ORDER)
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
        float scale = (float) step.scale;
        float decay = (float) rule.gradientDecay();
        float beta1 = (float) rule.beta1();
        float fresh1 = (float) (1 - rule.beta1());
        float beta2 = (float) rule.beta2();
        float fresh2 = (float) (1 - rule.beta2());
        float keep = (float) step.keep;
        float size = (float) step.size;
        float epsilon = (float) step.epsilon;
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            FloatVector x = FloatVector.fromByteBuffer(SPECIES, w, at, ORDER);
            FloatVector d =
                    FloatVector.fromByteBuffer(SPECIES, g, at, ORDER).mul(scale).add(x.mul(decay));
            FloatVector a =
                    FloatVector.fromByteBuffer(SPECIES, m, at, ORDER).mul(beta1).add(d.mul(fresh1));
            FloatVector s = FloatVector.fromByteBuffer(SPECIES, v, at, ORDER)
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
        float scale = (float) step.scale;
        float decay = (float) rule.decay();
        float fresh = (float) (1 - rule.decay());
        float momentum = (float) rule.momentum();
        float size = (float) step.size;
        float epsilon = (float) step.epsilon;
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            FloatVector x = FloatVector.fromByteBuffer(SPECIES, w, at, ORDER);
            FloatVector d = FloatVector.fromByteBuffer(SPECIES, g, at, ORDER).mul(scale);
            FloatVector s = FloatVector.fromByteBuffer(SPECIES, v, at, ORDER)
                    .mul(decay)
                    .add(d.mul(d).mul(fresh));
            s.intoByteBuffer(v, at, ORDER);
            if (c != null) {
                FloatVector a = FloatVector.fromByteBuffer(SPECIES, c, at, ORDER)
                        .mul(decay)
                        .add(d.mul(fresh));
                a.intoByteBuffer(c, at, ORDER);
                s = s.sub(a.mul(a)).max(0);
            }
            FloatVector u = d.div(s.sqrt().add(epsilon));
            if (b != null) {
                u = FloatVector.fromByteBuffer(SPECIES, b, at, ORDER)
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
        float kept = (float) decay;
        float fresh = (float) (1 - decay);
        int end = to - (to - from) % LENGTH;
        for (int i = from; i < end; i += LENGTH) {
            int at = i * BYTES;
            FloatVector now = FloatVector.fromByteBuffer(SPECIES, s, at, ORDER).mul(fresh);
            FloatVector.fromByteBuffer(SPECIES, t, at, ORDER).mul(kept).add(now).intoByteBuffer(t, at, ORDER);
        }
        rest.follow(decay, target, source, end, to);
    }

    @Override
    public double sumOfSquares(Reals values, int from, int to) {
        return sums.ofFloats(values.bytes(), from, to);
    }
}
