package hocket.schedulers.optimizers.kernels;

import hocket.schedulers.settings.Limits;
import hocket.scopes.ElementType;
import java.util.Optional;

/**
 * The loops over native arrays that update rules are made of. They exist twice, as plain Java and by the Vector API, and
 * both give the same bits; {@link #best} takes the latter where the JVM was started with
 * {@code --add-modules jdk.incubator.vector}.
 *
 * <p>Kernels have scratch memory: an instance belongs to one thread at a time. After the first calls nothing is
 * allocated.
 */
public final class Kernels {
    /** Set to {@code plain}, this system property keeps {@link #best} from using the Vector API. */
    public static final String PROPERTY = "hocket.kernels";

    private final String name;
    private final Loops floats;
    private final Loops doubles;
    private final Chunk chunk = new Chunk();

    private Kernels(String name, Loops floats, Loops doubles) {
        this.name = name;
        this.floats = floats;
        this.doubles = doubles;
    }

    /**
     * Kernels by the Vector API where it is usable and {@link #PROPERTY} does not say otherwise, else plain ones.
     *
     * @throws IllegalArgumentException if the property is neither {@code plain} nor {@code best}
     */
    public static Kernels best() {
        String wanted = System.getProperty(PROPERTY, "best");
        return switch (wanted) {
            case "plain" -> plain();
            case "best" -> vector().orElseGet(Kernels::plain);
            default -> throw new IllegalArgumentException(PROPERTY + ": must be plain or best, was " + wanted);
        };
    }

    /** Kernels as loops that every JVM runs. */
    public static Kernels plain() {
        return new Kernels("plain", new PlainFloats(), new PlainDoubles());
    }

    /** Kernels by the Vector API; empty where this JVM lacks it or a part that these loops need. */
    public static Optional<Kernels> vector() {
        return VectorLoopProvider.FOUND.map(
                vectorLoopProvider -> new Kernels("vector", vectorLoopProvider.floats(), vectorLoopProvider.doubles()));
    }

    /** {@code vector} or {@code plain}. */
    public String name() {
        return name;
    }

    /**
     * {@code target ← decay · target + (1 − decay) · source}: an exponential average, or a Polyak update with
     * {@code tau = 1 − decay}. In the arrays' precision; decay and its complement are rounded to it once.
     *
     * @throws IllegalArgumentException if the arrays differ in type or length, or the decay is not in [0, 1]
     * @throws IndexOutOfBoundsException if the range is not within the arrays
     */
    public void follow(double decay, Reals target, Reals source, int from, int to) {
        Limits.fraction("decay", decay);
        target.requireAlike("source", source);
        target.requireRange(from, to);
        loops(target.type()).follow(decay, target, source, from, to);
    }

    /**
     * Copies elements as they are.
     *
     * @throws IllegalArgumentException if the arrays differ in type or length
     * @throws IndexOutOfBoundsException if the range is not within the arrays
     */
    public static void copy(Reals target, Reals source, int from, int to) {
        target.requireAlike("source", source);
        target.requireRange(from, to);
        int size = target.type().bytes();
        target.view().bytes().put(from * size, source.view().bytes(), from * size, (to - from) * size);
    }

    /**
     * The sum of squares, in double for either type, by chunks of 4,096 elements from the range's start and in a fixed
     * order: the same bits from either kind of kernels. Finite exactly if all elements are, except that float64 elements
     * beyond 1e150 may overflow.
     *
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    public double sumOfSquares(Reals values, int from, int to) {
        values.requireRange(from, to);
        Loops loops = loops(values.type());
        double sum = 0;
        for (int i = from; i < to; i += Chunks.SIZE) {
            sum += loops.sumOfSquares(values, i, Math.min(i + Chunks.SIZE, to));
        }
        return sum;
    }

    /**
     * Replaces the subnormal numbers of a range by 0: they are smaller than 1.2e-38 (2.3e-308 in FLOAT64), and processors
     * need ten times longer for them.
     *
     * @throws IndexOutOfBoundsException if the range is not within the array
     */
    public void flush(Reals values, int from, int to) {
        values.requireRange(from, to);
        loops(values.type()).flush(values, from, to);
    }

    /** Buffers for transformations that run one by one. */
    public Chunk chunk() {
        return chunk;
    }

    Loops loops(ElementType type) {
        return switch (type) {
            case FLOAT32 -> floats;
            case FLOAT64 -> doubles;
            case INT64 -> throw new IllegalArgumentException("update rules are for FLOAT32 and FLOAT64, was INT64");
        };
    }
}
