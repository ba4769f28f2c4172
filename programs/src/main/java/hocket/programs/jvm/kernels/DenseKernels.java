package hocket.programs.jvm.kernels;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loops over float arrays that programs are made of. They exist twice, as plain Java and by the Vector
 * API, and both give the same bits, whatever the vector length and the number of parts: an element of a product is a
 * chain of fused multiply-adds over the depth in ascending order, and a reduction adds up 16 interleaved partial sums in
 * a fixed tree (8 and 8, 4 and 4, 2 and 2, 1 and 1); where a product is made of reductions instead, its method says so.
 * Long sums keep their precision: a chain ends after {@value Scratch#CHAIN} terms, and {@link PairwiseSums} adds up the
 * chains; a reduction ends after {@value Scratch#BLOCK} elements, and the sums of these are added up in FLOAT64.
 *
 * <p>Batched values are feature-major: feature f of row r of a value that starts at {@code at} is element {@code at +
 * f·stride + r}, where the stride is the number of rows rounded up to a multiple of 16, or 1 where there is one row.
 * Every array has at least 16 elements after the last one named, which may be read; they are never written. The padding
 * within a run counts as named: it may hold anything and is computed along where a method takes a stride.
 *
 * <p>Instances have no state; what is computed in parts is computed by calling the method once for each part, in any
 * order and by any threads, each {@link WorkShare} with memory of its own.
 */
public interface DenseKernels {
    /** Set to {@code plain}, this system property keeps {@link #best} from using the Vector API. */
    String PROPERTY = "hocket.kernels";

    /**
     * Kernels by the Vector API where it is usable and {@link #PROPERTY} does not say otherwise, else plain ones.
     *
     * @throws IllegalArgumentException if the property is neither {@code plain} nor {@code best}
     */
    static DenseKernels best() {
        String wanted = System.getProperty(PROPERTY, "best");
        return switch (wanted) {
            case "plain" -> plain();
            case "best" -> vector().orElseGet(DenseKernels::plain);
            default -> throw new IllegalArgumentException(PROPERTY + ": must be plain or best, was " + wanted);
        };
    }

    /** Kernels as loops that every JVM runs. */
    static DenseKernels plain() {
        return new PlainKernels();
    }

    /** Kernels by the Vector API; empty where this JVM has not got it, or not as these classes were compiled for it. */
    static Optional<DenseKernels> vector() {
        return VectorKernelProvider.FOUND;
    }

    /** {@code vector} or {@code plain}. */
    String name();

    /**
     * {@code Y = activation(W·X + bias)}.
     *
     * <p>The chain of an element starts with its bias. A single row (stride 1) is summed as 16 interleaved chains per
     * element instead, to which the bias is added last.
     *
     * @param bias one number per output; null for none
     * @param slope of the leaky rectifier, else unused
     */
    void forward(
            DenseSize size,
            Floats w,
            @Nullable Floats bias,
            Floats x,
            Floats y,
            Activation activation,
            float slope,
            WorkShare workShare);

    /**
     * Computes the bits of {@link #forward} for several rows from a transposed weight. It is faster where the size
     * {@link DenseSize#isByFeatures} of the outputs.
     *
     * @param turned inputs × outputs, of which each row is rounded up to a multiple of 16
     */
    void forwardTransposed(
            DenseSize size,
            Floats turned,
            @Nullable Floats bias,
            Floats x,
            Floats y,
            Activation activation,
            float slope,
            WorkShare workShare);

    /**
     * {@code dX = [dX +] Wᵀ·dY}, the gradient that goes further back.
     *
     * @param add whether to add to what is there; an element's chain then starts with it
     */
    void inputGradient(DenseSize size, Floats w, Floats dy, Floats dx, boolean add, WorkShare workShare);

    /**
     * {@code dW = [dW +] dY·Xᵀ} and {@code db = [db +] the sum of dY}, over the rows that are not padding.
     *
     * <p>Where there are fewer than 32 outputs or inputs, and several rows, an element of dW is a reduction by partial
     * sums too, to which what is there is added last; else it is a chain, which starts with what is there. An element of
     * db is always a reduction.
     *
     * @param dw row-major, outputs × inputs; nothing is written beyond it
     * @param db one number per output; null where there is no bias
     * @param add whether to add to what is there
     */
    void weightGradient(
            DenseSize size, Floats dy, Floats x, Floats dw, @Nullable Floats db, boolean add, WorkShare workShare);

    /**
     * {@code C = start + A·B} by matrices of any place. An element is a chain over the depth, and nothing is written
     * beyond C.
     *
     * @param bias start of each row; null for 0
     * @param add whether to start with what C holds, instead of the bias
     */
    void product(MatrixProduct size, Floats a, Floats b, Floats c, boolean add, @Nullable Floats bias, Scratch scratch);

    /**
     * {@code C = A·Bᵀ}, where B(p,j) of the size is the element p of a run j, and runs are {@code bRow} elements apart. An
     * element is a reduction over the depth. Runs of A must be consecutive: {@code aStep} is 1.
     */
    void reductions(MatrixProduct size, Floats a, Floats b, Floats c, Scratch scratch);

    /**
     * {@code C = [C +] A·B} for each of {@value Scratch#LANES} rows: what the matrices name is the element of the first row,
     * and those of the others follow. An element is a sum of chains over the depth in their order.
     *
     * @param add whether to add to what C holds
     */
    void rowProducts(int rows, int columns, int depth, Matrix a, Matrix b, Matrix c, boolean add);

    /** Copies runs of {@code width} elements, which begin {@code step} elements apart, to others. */
    void copyRuns(float[] from, int at, int step, int runs, int width, float[] to, int toAt, int toStep);

    /**
     * A combination of runs, {@code y = combination + bias}: plane k of run i begins at element {@code at + k·plane + i·step}
     * of x.
     *
     * @param runs of each plane, of {@code width} elements
     * @param bias one number for each run; empty for none
     */
    void combine(
            PlaneSum of,
            float[] x,
            int at,
            int plane,
            int step,
            int runs,
            int width,
            float[] bias,
            float[] y,
            int yAt,
            int yStep);

    /** {@code y = f(x)} for count elements; y may be x. NaN gives NaN. See {@link FloatFunctions} for the errors. */
    void unary(Unary f, float p, float q, float[] x, int xAt, float[] y, int yAt, int count);

    /** {@code y = activation(y)} for count elements. */
    default void activate(Activation activation, float slope, float[] y, int at, int count) {
        if (activation.function != null) {
            unary(activation.function, slope, 0, y, at, y, at, count);
        }
    }

    /**
     * {@code out = f(a, b)} for count elements; out may be a or b.
     *
     * @param aStep 1, or 0 to take the same a every time; then out may not overlap it
     * @param bStep 1, or 0 to take the same b every time; then out may not overlap it
     */
    void binary(
            Binary f, float[] a, int aAt, int aStep, float[] b, int bAt, int bStep, float[] out, int outAt, int count);

    /** {@code out = condition ≠ 0 ? a : b} for count elements, steps as in {@link #binary}; out may be an operand. */
    void where(
            float[] condition,
            int conditionAt,
            int conditionStep,
            float[] a,
            int aAt,
            int aStep,
            float[] b,
            int bAt,
            int bStep,
            float[] out,
            int outAt,
            int count);

    /** {@code out = [out +] slope of f at y, times g} for count elements; out may be g or y. */
    void slope(
            ActivationGradient f,
            float p,
            float[] g,
            int gAt,
            float[] y,
            int yAt,
            float[] out,
            int outAt,
            int count,
            boolean add);

    /** The sum of count elements, 0 of none. */
    float sum(float[] x, int at, int count);

    /** The sum of the products of two runs of count elements, 0 of none. */
    float sumOfProducts(float[] a, int aAt, float[] b, int bAt, int count);

    /**
     * Adds two sums of some runs of count elements: that of each by {@link #sum} or {@link #sumOfProducts}, these in
     * FLOAT64.
     *
     * @param g for {@link RunSums#GRADIENT}, else unused
     * @param at the first run of x and g
     * @param step elements from one run to the next
     */
    default void runSums(
            RunSums of,
            float[] x,
            float q,
            float[] g,
            int at,
            int step,
            int runs,
            int count,
            double[] sums,
            Scratch scratch) {
        float[] centred = scratch.gathered(count + Scratch.LANES);
        for (int i = at; i < at + runs * step; i += step) {
            if (of == RunSums.INPUT) {
                sums[0] += sum(x, i, count);
                continue;
            }
            unary(Unary.AFFINE, 1, q, x, i, centred, 0, count);
            boolean squares = of == RunSums.CENTRED;
            float[] factor = squares ? centred : g;
            int factorAt = squares ? 0 : i;
            sums[0] += sum(factor, factorAt, count);
            sums[1] += sumOfProducts(factor, factorAt, centred, 0, count);
        }
    }

    /** {@code y = activation(p·(x + c) + q)} for count elements of a channel. */
    default void normalise(
            Activation activation, float slope, float[] x, float c, float p, float q, float[] y, int at, int count) {
        unary(Unary.AFFINE, 1, c, x, at, y, at, count);
        unary(Unary.AFFINE, p, q, y, at, y, at, count);
        activate(activation, slope, y, at, count);
    }

    /** {@code out = r·(x + c) + (p·g + q)} for count elements of a channel. Both terms are rounded before the sum. */
    default void normGradient(
            float[] x, float c, float r, float[] g, float p, float q, float[] out, int at, int count, Scratch scratch) {
        float[] centred = scratch.gathered(count + Scratch.LANES);
        unary(Unary.AFFINE, 1, c, x, at, centred, 0, count);
        unary(Unary.AFFINE, r, 0, centred, 0, centred, 0, count);
        unary(Unary.AFFINE, p, q, g, at, out, at, count);
        binary(Binary.ADD, out, at, 1, centred, 0, 1, out, at, count);
    }

    /**
     * Two sums of each of {@code width} rows: of g, and of {@code g·(x + q)}. They are chains over the elements of a row in
     * their order, of at most {@value Scratch#CHAIN} each.
     *
     * @param at the first element of the first row; those of the others follow
     * @param step from one element of a row to its next
     * @param width a multiple of {@value Scratch#LANES}
     * @param count of elements of a row
     * @param sums of g, then the others
     */
    void rowSums(float[] x, float q, float[] g, int at, int step, int width, int count, float[] sums);

    /**
     * {@code y = activation(p·(x + c) + q)} with p and q of each of {@code width} rows.
     *
     * @param pq p, then q
     * @param width a multiple of {@value Scratch#LANES}
     * @param count of elements of a row
     */
    void normaliseRows(
            Activation activation,
            float slope,
            float[] x,
            float c,
            float[] pq,
            float[] y,
            int at,
            int step,
            int width,
            int count);

    /**
     * {@code out = r·(x + c) + (p·g + q)} with p of each of {@code width} rows. Both terms are rounded before the sum.
     *
     * @param width a multiple of {@value Scratch#LANES}
     * @param count of elements of a row
     */
    void rowNormGradient(
            float[] x,
            float c,
            float r,
            float[] g,
            float[] p,
            float q,
            float[] out,
            int at,
            int step,
            int width,
            int count);

    /**
     * Finds by what {@value Scratch#LANES} rows are brought to a common size: the mean, what is left of it by rounding, and
     * {@code 1 / sqrt(variance + epsilon)}; of rows that are not centred 0, 0 and {@code 1 / sqrt(mean(x²) + epsilon)}. Sums
     * are chains over the elements of a row in their order, of at most {@value Scratch#CHAIN} each.
     *
     * @param at the first element of the first row; those of the others follow
     * @param step from one element of a row to its next
     * @param count of elements of a row
     * @param moments the three, one after the other, each of {@value Scratch#LANES} numbers
     */
    void moments(boolean centred, float epsilon, float[] x, int at, int step, int count, float[] moments);

    /**
     * {@code out = (x - mean) / sqrt(variance + epsilon)} for {@value Scratch#LANES} rows.
     *
     * @param moments of x, as {@link #moments} finds them
     * @param at the first element of x and out
     */
    void standardise(float[] moments, float[] x, int at, int step, int count, float[] out);

    /**
     * The gradient of {@link #standardise}, whose result is y: {@code out = (g - mean(g) - y·mean(g·y)) / sqrt(variance +
     * epsilon)}, without mean(g) where rows are not centred.
     *
     * @param out neither x nor g
     */
    void standardiseGradient(
            boolean centred, float[] moments, float[] x, float[] g, int at, int step, int count, float[] out);

    /** The sum of some runs of {@code width} elements, which begin {@code step} apart, in their order. */
    default void addRuns(float[] x, int at, int step, int runs, int width, float[] to, int toAt) {
        System.arraycopy(x, at, to, toAt, width);
        for (int i = 1; i < runs; i++) {
            binary(Binary.ADD, to, toAt, 1, x, at + i * step, 1, to, toAt, width);
        }
    }

    /** The largest of count elements, NaN if any is; −∞ of none. */
    float max(float[] x, int at, int count);

    /** Rows as columns: element {@code at + r·fromStride + c} becomes element {@code toAt + c·toStride + r}. */
    void turn(
            float[] from,
            int at,
            int rows,
            int columns,
            int fromStride,
            float[] to,
            int toAt,
            int toStride,
            Scratch scratch);
}
