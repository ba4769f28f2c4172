package hocket.programs.jvm.dense;

import hocket.programs.Value;
import hocket.programs.jvm.AxisLayout;
import hocket.programs.jvm.kernels.Binary;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.Floats;
import hocket.programs.jvm.kernels.Matrix;
import hocket.programs.jvm.kernels.MatrixProduct;
import hocket.programs.jvm.kernels.Scratch;
import hocket.programs.jvm.kernels.Unary;
import hocket.programs.layers.Attention;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The computation of {@link Attention} and its gradients, some queries at a time: of the weights (L, S), only those of a
 * block of queries exist at any time, and gradients compute them again (Dao et al. 2022). A block of weights is (S,
 * queries, lanes): {@value Scratch#LANES} rows of the batch lie side by side, or a single one.
 */
final class DenseAttentionRules {
    /** The number of weights in a block, which fit into a second-level cache. */
    private static final int BLOCK = 1 << 16;

    /** The most queries in a block. */
    private static final int QUERIES = 16;

    private final DenseKernels kernels;
    private final Attention attention;
    private final int queries;
    private final int keys;
    private final int width;
    private final int valueWidth;
    private final int every;
    private final int lanes;
    private final int heads;
    private final int block;
    private final float factor;
    private final int seenBefore;
    private final boolean seesAlways;
    private final float[] q;
    private final float[] k;
    private final float[] v;
    private final float @Nullable [] mask;

    private DenseAttentionRules(DenseRules in, Attention attention, List<Value> inputs) {
        Value ofQueries = inputs.get(0);
        Value ofKeys = inputs.get(1);
        this.kernels = in.kernels;
        this.attention = attention;
        this.queries = ofQueries.shape().get(-2);
        this.keys = ofKeys.shape().get(-2);
        this.width = ofQueries.shape().get(-1);
        this.valueWidth = inputs.get(2).shape().get(-1);
        this.every = in.memory.stride(ofQueries);
        this.lanes = Math.min(every, Scratch.LANES);
        this.heads = ofQueries.shape().size() / (queries * width);
        this.block = Math.max(1, Math.min(Math.min(QUERIES, queries), BLOCK / (keys * lanes)));
        this.factor = (float) attention.factor(ofQueries);
        this.seenBefore = attention.seenBefore(ofQueries, ofKeys);
        this.seesAlways = attention.seesAlways(ofQueries, ofKeys);
        this.q = in.array(ofQueries);
        this.k = in.array(ofKeys);
        this.v = in.array(inputs.get(2));
        this.mask = attention.masked() ? in.array(inputs.get(3)) : null;
    }

    /** Some queries of a head, in some rows. */
    private record Part(int head, int lane, int first, int count) {}

    static Runnable attention(DenseRules in, Attention attention, Value value, List<Value> inputs, float[] out) {
        DenseAttentionRules rules = new DenseAttentionRules(in, attention, inputs);
        int blocks = (rules.queries + rules.block - 1) / rules.block;
        int units = rules.heads * rules.every / rules.lanes;
        float[] tiles = in.memory.working(in.threads.threadTeam.threads() * rules.tile());
        return in.threads.products(rules.multiplyAdds(), share -> {
            for (int i = share.first(units * blocks); i < share.end(units * blocks); i++) {
                Part part = rules.part(i / blocks, i % blocks);
                int tile = share.index() * rules.tile();
                int seen = rules.weights(part, tiles, tile, share.scratch());
                rules.mix(part, seen, tiles, tile, rules.v, rules.valueWidth, out, share.scratch());
            }
        });
    }

    /**
     * The gradients by queries, keys and values, those that are asked for.
     *
     * @param outs arrays of the gradients by each; null for none
     */
    static Runnable gradients(DenseRules in, Attention attention, List<Value> inputs, float[] @Nullable [] outs) {
        DenseAttentionRules rules = new DenseAttentionRules(in, attention, inputs);
        float[] upstream = in.array(inputs.get(inputs.size() - 1));
        int blocks = (rules.queries + rules.block - 1) / rules.block;
        int units = rules.heads * rules.every / rules.lanes;
        int tile = rules.tile();
        float[] tiles = in.memory.working(in.threads.threadTeam.threads() * 3 * tile);
        float[] byQueries = outs[0];
        float[] byKeys = outs[1];
        float[] byValues = outs[2];
        Runnable products = in.threads.products(2 * rules.multiplyAdds(), share -> {
            int at = share.index() * 3 * tile;
            for (int i = share.first(units); i < share.end(units); i++) {
                for (int j = 0; j < blocks; j++) {
                    Part part = rules.part(i, j);
                    Scratch scratch = share.scratch();
                    int seen = rules.weights(part, tiles, at, scratch);
                    if (byValues != null) {
                        rules.add(part, seen, tiles, at, upstream, rules.valueWidth, byValues, scratch);
                    }
                    if (byQueries != null || byKeys != null) {
                        rules.slopes(part, seen, tiles, at, at + tile, at + 2 * tile, upstream, scratch);
                    }
                    if (byQueries != null) {
                        rules.mix(part, seen, tiles, at + tile, rules.k, rules.width, byQueries, scratch);
                    }
                    if (byKeys != null) {
                        rules.add(part, seen, tiles, at + tile, rules.q, rules.width, byKeys, scratch);
                    }
                }
            }
        });
        int size = rules.heads * rules.keys * rules.every;
        return () -> {
            if (byKeys != null) {
                Arrays.fill(byKeys, 0, size * rules.width, 0);
            }
            if (byValues != null) {
                Arrays.fill(byValues, 0, size * rules.valueWidth, 0);
            }
            products.run();
        };
    }

    private int tile() {
        return keys * block * lanes;
    }

    private long multiplyAdds() {
        return (long) heads * queries * keys * (width + valueWidth) * every;
    }

    private Part part(int unit, int number) {
        int groups = every / lanes;
        int first = number * block;
        return new Part(unit / groups, unit % groups * lanes, first, Math.min(block, queries - first));
    }

    /** Returns where the rows of keys, or queries, of a part begin. */
    private int at(Part part, int rows, int first, int features) {
        return (part.head * rows + first) * features * every + part.lane;
    }

    /** Computes the weights of some queries; returns of how many keys, from the first on. */
    private int weights(Part part, float[] tile, int at, Scratch scratch) {
        boolean causal = attention.causal() != Attention.Causal.NO;
        int seen = causal ? Math.max(0, Math.min(keys, part.first + part.count + seenBefore)) : keys;
        if (seen == 0) {
            return 0;
        }
        int inside = part.count * lanes;
        scores(part, seen, q, k, width, tile, at, scratch);
        kernels.unary(Unary.AFFINE, factor, 0, tile, at, tile, at, seen * inside);
        hide(part, seen, tile, at, (float) Attention.HIDDEN);
        DenseReductionRules.softmax(kernels, scratch, false, tile, at, new AxisLayout(1, seen, inside), tile, at);
        if (!seesAlways) {
            hide(part, seen, tile, at, 0);
        }
        return seen;
    }

    /** Sets what queries do not see. */
    private void hide(Part part, int seen, float[] tile, int at, float number) {
        int inside = part.count * lanes;
        if (attention.causal() != Attention.Causal.NO) {
            for (int key = Math.max(0, part.first + seenBefore + 1); key < seen; key++) {
                int earlier = Math.min(part.count, key - seenBefore - part.first);
                Arrays.fill(tile, at + key * inside, at + key * inside + earlier * lanes, number);
            }
        }
        for (int key = 0; mask != null && key < seen; key++) {
            for (int lane = 0; lane < lanes; lane++) {
                if (mask[key * every + part.lane + lane] == 0) {
                    for (int i = at + key * inside + lane; i < at + (key + 1) * inside; i += lanes) {
                        tile[i] = number;
                    }
                }
            }
        }
    }

    /**
     * Computes the gradient by the products of queries and keys.
     *
     * @param weights where the weights are
     * @param to where the gradient begins
     * @param more place for another block
     */
    private void slopes(
            Part part, int seen, float[] tiles, int weights, int to, int more, float[] upstream, Scratch scratch) {
        int inside = part.count * lanes;
        int length = seen * inside;
        scores(part, seen, upstream, v, valueWidth, tiles, to, scratch);
        kernels.binary(Binary.MULTIPLY, tiles, weights, 1, tiles, to, 1, tiles, more, length);
        float[] totals = scratch.products(inside + DenseMemory.SLACK);
        DenseReductionRules.sum(kernels, scratch.sums(), tiles, more, seen, inside, totals, 0);
        AxisLayout all = new AxisLayout(1, seen, inside);
        DenseReductionRules.each(kernels, Binary.SUBTRACT, tiles, to, totals, tiles, to, all);
        kernels.binary(Binary.MULTIPLY, tiles, weights, 1, tiles, to, 1, tiles, to, length);
        kernels.unary(Unary.AFFINE, factor, 0, tiles, to, tiles, to, length);
    }

    /** {@code tile = keys·queriesᵀ}, (seen, features) by (count, features). */
    private void scores(
            Part part,
            int seen,
            float[] ofQueries,
            float[] ofKeys,
            int features,
            float[] tile,
            int at,
            Scratch scratch) {
        int left = at(part, keys, 0, features);
        int right = at(part, queries, part.first, features);
        int inside = part.count * lanes;
        if (lanes > 1) {
            int row = features * every;
            kernels.rowProducts(
                    seen,
                    part.count,
                    features,
                    new Matrix(ofKeys, left, row, every),
                    new Matrix(ofQueries, right, every, row),
                    new Matrix(tile, at, inside, lanes),
                    false);
            return;
        }
        float[] turned = scratch.gathered(features * part.count + DenseMemory.SLACK);
        kernels.turn(ofQueries, right, part.count, features, features, turned, 0, part.count, scratch);
        kernels.product(
                new MatrixProduct(seen, part.count, features, features, part.count, part.count),
                new Floats(ofKeys, left),
                Floats.of(turned),
                new Floats(tile, at),
                false,
                null,
                scratch);
    }

    /** {@code out = tileᵀ·keys} for some queries: (count, seen) by (seen, features), zeros where none is seen. */
    private void mix(
            Part part, int seen, float[] tile, int at, float[] ofKeys, int features, float[] out, Scratch scratch) {
        int left = at(part, keys, 0, features);
        int to = at(part, queries, part.first, features);
        if (seen == 0) {
            for (int i = 0; i < part.count * features; i++) {
                Arrays.fill(out, to + i * every, to + i * every + lanes, 0);
            }
            return;
        }
        if (lanes > 1) {
            int row = features * every;
            kernels.rowProducts(
                    part.count,
                    features,
                    seen,
                    new Matrix(tile, at, lanes, part.count * lanes),
                    new Matrix(ofKeys, left, row, every),
                    new Matrix(out, to, row, every),
                    false);
            return;
        }
        float[] turned = scratch.gathered(seen * part.count + DenseMemory.SLACK);
        kernels.turn(tile, at, seen, part.count, part.count, turned, 0, seen, scratch);
        kernels.product(
                new MatrixProduct(part.count, features, seen, seen, features, features),
                Floats.of(turned),
                new Floats(ofKeys, left),
                new Floats(out, to),
                false,
                null,
                scratch);
    }

    /** {@code out += tile·queries}: (seen, count) by (count, features). */
    private void add(
            Part part, int seen, float[] tile, int at, float[] ofQueries, int features, float[] out, Scratch scratch) {
        int right = at(part, queries, part.first, features);
        int to = at(part, keys, 0, features);
        if (lanes > 1) {
            int row = features * every;
            kernels.rowProducts(
                    seen,
                    features,
                    part.count,
                    new Matrix(tile, at, part.count * lanes, lanes),
                    new Matrix(ofQueries, right, row, every),
                    new Matrix(out, to, row, every),
                    true);
            return;
        }
        kernels.product(
                new MatrixProduct(seen, features, part.count, part.count, features, features),
                new Floats(tile, at),
                new Floats(ofQueries, right),
                new Floats(out, to),
                true,
                null,
                scratch);
    }
}
