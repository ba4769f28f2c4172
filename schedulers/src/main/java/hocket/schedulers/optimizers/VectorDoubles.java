package hocket.schedulers.optimizers;

import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Vector loops for double, straight on native memory; what is left of a range after whole vectors is done by the plain
 * loops. Named by {@link Vectors} as text only: without the incubator module this class does not link.
 *
 * <p>The loops call nothing of ours, and JDKs by handles where theirs differ ({@link VectorMemory}): whether a small method of vectors is inlined depends on what was compiled before,
 * and one that is not makes an object of each vector.
 */
@SuppressWarnings("cast") // one text serves both types
final class VectorDoubles implements Loops {
    private static final VectorSpecies<Double> SPECIES = DoubleVector.SPECIES_PREFERRED;
    private static final int LENGTH = SPECIES.length();
    private static final int BYTES = Double.BYTES;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final boolean BUFFERS = VectorMemory.BUFFERS;
    private static final MethodHandle LOAD = VectorMemory.load(DoubleVector.class, VectorSpecies.class, SPECIES);
    private static final MethodHandle STORE = VectorMemory.store(DoubleVector.class);

    private final PlainDoubles rest = new PlainDoubles();
    private final VectorSums sums = new VectorSums();

    VectorDoubles() {}

    @Override
    public void sgd(Sgd rule, Step step, Reals weight, Reals gradient, int from, int to) {
        Object w = weight.memory();
        Object g = gradient.memory();
        double scale = (double) step.scale;
        double decay = (double) step.decay;
        double keep = (double) step.keep;
        double size = (double) step.size;
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                DoubleVector x = BUFFERS
                        ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (DoubleVector) LOAD.invokeExact(w, at);
                DoubleVector d = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                STORE.invokeExact(x.mul(keep).sub(d.mul(size)), w, at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.sgd(rule, step, weight, gradient, end, to);
    }

    @Override
    public void momentum(Sgd rule, Step step, Reals weight, Reals gradient, Reals buffer, int from, int to) {
        Object w = weight.memory();
        Object g = gradient.memory();
        Object b = buffer.memory();
        double scale = (double) step.scale;
        double decay = (double) step.decay;
        double momentum = (double) rule.momentum();
        double fresh = (double) step.fresh;
        double keep = (double) step.keep;
        double size = (double) step.size;
        boolean nesterov = rule.nesterov();
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                DoubleVector x = BUFFERS
                        ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (DoubleVector) LOAD.invokeExact(w, at);
                DoubleVector d = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                DoubleVector kept = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) b, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(b, at))
                        .mul(momentum)
                        .add(d.mul(fresh));
                STORE.invokeExact(kept, b, at);
                if (nesterov) {
                    STORE.invokeExact(x.mul(keep).sub(d.add(kept.mul(momentum)).mul(size)), w, at);
                } else {
                    STORE.invokeExact(x.mul(keep).sub(kept.mul(size)), w, at);
                }
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.momentum(rule, step, weight, gradient, buffer, end, to);
    }

    @Override
    public void adam(Adam rule, Step step, Reals weight, Reals gradient, Reals mean, Reals square, int from, int to) {
        Object w = weight.memory();
        Object g = gradient.memory();
        Object m = mean.memory();
        Object v = square.memory();
        double scale = (double) step.scale;
        double decay = (double) step.decay;
        double beta1 = (double) rule.beta1();
        double fresh1 = (double) (1 - rule.beta1());
        double beta2 = (double) rule.beta2();
        double fresh2 = (double) (1 - rule.beta2());
        double keep = (double) step.keep;
        double size = (double) step.size;
        double epsilon = (double) step.epsilon;
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                DoubleVector x = BUFFERS
                        ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (DoubleVector) LOAD.invokeExact(w, at);
                DoubleVector d = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                DoubleVector a = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) m, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(m, at))
                        .mul(beta1)
                        .add(d.mul(fresh1));
                DoubleVector s = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) v, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(v, at))
                        .mul(beta2)
                        .add(d.mul(d).mul(fresh2));
                STORE.invokeExact(a, m, at);
                STORE.invokeExact(s, v, at);
                STORE.invokeExact(x.mul(keep).sub(a.mul(size).div(s.sqrt().add(epsilon))), w, at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
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
        Object w = weight.memory();
        Object g = gradient.memory();
        Object v = square.memory();
        @Nullable Object c = mean == null ? null : mean.memory();
        @Nullable Object b = buffer == null ? null : buffer.memory();
        double scale = (double) step.scale;
        double decay = (double) step.decay;
        double kept = (double) rule.decay();
        double fresh = (double) (1 - rule.decay());
        double momentum = (double) rule.momentum();
        double keep = (double) step.keep;
        double size = (double) step.size;
        double epsilon = (double) step.epsilon;
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                DoubleVector x = BUFFERS
                        ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (DoubleVector) LOAD.invokeExact(w, at);
                DoubleVector d = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                DoubleVector s = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) v, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(v, at))
                        .mul(kept)
                        .add(d.mul(d).mul(fresh));
                STORE.invokeExact(s, v, at);
                if (c != null) {
                    DoubleVector a = (BUFFERS
                                    ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) c, at, ORDER)
                                    : (DoubleVector) LOAD.invokeExact(c, at))
                            .mul(kept)
                            .add(d.mul(fresh));
                    STORE.invokeExact(a, c, at);
                    s = s.sub(a.mul(a)).max(0);
                }
                DoubleVector u = d.div(s.sqrt().add(epsilon));
                if (b != null) {
                    u = (BUFFERS
                                    ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) b, at, ORDER)
                                    : (DoubleVector) LOAD.invokeExact(b, at))
                            .mul(momentum)
                            .add(u);
                    STORE.invokeExact(u, b, at);
                }
                STORE.invokeExact(x.mul(keep).sub(u.mul(size)), w, at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.rmsProp(rule, step, weight, gradient, square, mean, buffer, end, to);
    }

    @Override
    public void follow(double decay, Reals target, Reals source, int from, int to) {
        Object t = target.memory();
        Object s = source.memory();
        double kept = (double) decay;
        double fresh = (double) (1 - decay);
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                DoubleVector now = (BUFFERS
                                ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) s, at, ORDER)
                                : (DoubleVector) LOAD.invokeExact(s, at))
                        .mul(fresh);
                STORE.invokeExact(
                        (BUFFERS
                                        ? DoubleVector.fromByteBuffer(SPECIES, (ByteBuffer) t, at, ORDER)
                                        : (DoubleVector) LOAD.invokeExact(t, at))
                                .mul(kept)
                                .add(now),
                        t,
                        at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.follow(decay, target, source, end, to);
    }

    @Override
    public double sumOfSquares(Reals values, int from, int to) {
        return sums.ofDoubles(values, from, to);
    }
}
