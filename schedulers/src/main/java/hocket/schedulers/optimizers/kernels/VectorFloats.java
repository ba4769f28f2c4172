package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.optimizers.Adam;
import hocket.schedulers.optimizers.RmsProp;
import hocket.schedulers.optimizers.Sgd;
import hocket.settings.DoubleTwin;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.jspecify.annotations.Nullable;

/**
 * Vector loops for float, straight on native memory; what is left of a range after whole vectors is done by the plain
 * loops. Named by {@link VectorLoopProvider} as text only: without the incubator module this class does not link.
 *
 * <p>The loops call nothing of ours, and JDKs by handles where theirs differ ({@link VectorMemory}): whether a small method of vectors is inlined depends on what was compiled before,
 * and one that is not makes an object of each vector.
 */
@DoubleTwin
@SuppressWarnings("cast") // one text serves both types
final class VectorFloats implements Loops {
    private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
    private static final int LENGTH = SPECIES.length();
    private static final int BYTES = Float.BYTES;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final boolean BUFFERS = VectorMemory.BUFFERS;
    private static final MethodHandle LOAD = VectorMemory.load(FloatVector.class, VectorSpecies.class, SPECIES);
    private static final MethodHandle STORE = VectorMemory.store(FloatVector.class);

    private final PlainFloats rest = new PlainFloats();
    private final VectorSquareSums sums = new VectorSquareSums();

    VectorFloats() {}

    @Override
    public void sgd(Sgd rule, UpdateStep updateStep, Reals weight, Reals gradient, int from, int to) {
        Object w = weight.memory();
        Object g = gradient.memory();
        float scale = (float) updateStep.scale;
        float decay = (float) updateStep.decay;
        float keep = (float) updateStep.keep;
        float size = (float) updateStep.size;
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                FloatVector x = BUFFERS
                        ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (FloatVector) LOAD.invokeExact(w, at);
                FloatVector d = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                STORE.invokeExact(x.mul(keep).sub(d.mul(size)), w, at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.sgd(rule, updateStep, weight, gradient, end, to);
    }

    @Override
    public void momentum(
            Sgd rule, UpdateStep updateStep, Reals weight, Reals gradient, Reals buffer, int from, int to) {
        Object w = weight.memory();
        Object g = gradient.memory();
        Object b = buffer.memory();
        float scale = (float) updateStep.scale;
        float decay = (float) updateStep.decay;
        float momentum = (float) rule.momentum();
        float fresh = (float) updateStep.fresh;
        float keep = (float) updateStep.keep;
        float size = (float) updateStep.size;
        boolean nesterov = rule.nesterov();
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                FloatVector x = BUFFERS
                        ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (FloatVector) LOAD.invokeExact(w, at);
                FloatVector d = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                FloatVector kept = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) b, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(b, at))
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
        rest.momentum(rule, updateStep, weight, gradient, buffer, end, to);
    }

    @Override
    public void adam(
            Adam rule,
            UpdateStep updateStep,
            Reals weight,
            Reals gradient,
            Reals mean,
            Reals square,
            int from,
            int to) {
        Object w = weight.memory();
        Object g = gradient.memory();
        Object m = mean.memory();
        Object v = square.memory();
        float scale = (float) updateStep.scale;
        float decay = (float) updateStep.decay;
        float beta1 = (float) rule.beta1();
        float fresh1 = (float) (1 - rule.beta1());
        float beta2 = (float) rule.beta2();
        float fresh2 = (float) (1 - rule.beta2());
        float keep = (float) updateStep.keep;
        float size = (float) updateStep.size;
        float epsilon = (float) updateStep.epsilon;
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                FloatVector x = BUFFERS
                        ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (FloatVector) LOAD.invokeExact(w, at);
                FloatVector d = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                FloatVector a = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) m, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(m, at))
                        .mul(beta1)
                        .add(d.mul(fresh1));
                FloatVector s = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) v, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(v, at))
                        .mul(beta2)
                        .add(d.mul(d).mul(fresh2));
                STORE.invokeExact(a, m, at);
                STORE.invokeExact(s, v, at);
                STORE.invokeExact(x.mul(keep).sub(a.mul(size).div(s.sqrt().add(epsilon))), w, at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.adam(rule, updateStep, weight, gradient, mean, square, end, to);
    }

    @Override
    public void rmsProp(
            RmsProp rule,
            UpdateStep updateStep,
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
        float scale = (float) updateStep.scale;
        float decay = (float) updateStep.decay;
        float kept = (float) rule.decay();
        float fresh = (float) (1 - rule.decay());
        float momentum = (float) rule.momentum();
        float keep = (float) updateStep.keep;
        float size = (float) updateStep.size;
        float epsilon = (float) updateStep.epsilon;
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                FloatVector x = BUFFERS
                        ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) w, at, ORDER)
                        : (FloatVector) LOAD.invokeExact(w, at);
                FloatVector d = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) g, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(g, at))
                        .mul(scale)
                        .add(x.mul(decay));
                FloatVector s = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) v, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(v, at))
                        .mul(kept)
                        .add(d.mul(d).mul(fresh));
                STORE.invokeExact(s, v, at);
                if (c != null) {
                    FloatVector a = (BUFFERS
                                    ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) c, at, ORDER)
                                    : (FloatVector) LOAD.invokeExact(c, at))
                            .mul(kept)
                            .add(d.mul(fresh));
                    STORE.invokeExact(a, c, at);
                    s = s.sub(a.mul(a)).max(0);
                }
                FloatVector u = d.div(s.sqrt().add(epsilon));
                if (b != null) {
                    u = (BUFFERS
                                    ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) b, at, ORDER)
                                    : (FloatVector) LOAD.invokeExact(b, at))
                            .mul(momentum)
                            .add(u);
                    STORE.invokeExact(u, b, at);
                }
                STORE.invokeExact(x.mul(keep).sub(u.mul(size)), w, at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.rmsProp(rule, updateStep, weight, gradient, square, mean, buffer, end, to);
    }

    @Override
    public void follow(double decay, Reals target, Reals source, int from, int to) {
        Object t = target.memory();
        Object s = source.memory();
        float kept = (float) decay;
        float fresh = (float) (1 - decay);
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                FloatVector now = (BUFFERS
                                ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) s, at, ORDER)
                                : (FloatVector) LOAD.invokeExact(s, at))
                        .mul(fresh);
                STORE.invokeExact(
                        (BUFFERS
                                        ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) t, at, ORDER)
                                        : (FloatVector) LOAD.invokeExact(t, at))
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
    public void flush(Reals values, int from, int to) {
        Object v = values.memory();
        FloatVector zero = FloatVector.zero(SPECIES);
        int end = to - (to - from) % LENGTH;
        try {
            for (int i = from; i < end; i += LENGTH) {
                int at = i * BYTES;
                FloatVector x = BUFFERS
                        ? FloatVector.fromByteBuffer(SPECIES, (ByteBuffer) v, at, ORDER)
                        : (FloatVector) LOAD.invokeExact(v, at);
                STORE.invokeExact(x.blend(zero, x.abs().lt(Float.MIN_NORMAL)), v, at);
            }
        } catch (Throwable e) {
            throw VectorMemory.unexpected(e);
        }
        rest.flush(values, end, to);
    }

    @Override
    public double sumOfSquares(Reals values, int from, int to) {
        return sums.ofFloats(values, from, to);
    }
}
