package hocket.programs.jvm;

import hocket.programs.Compiled;
import hocket.programs.Executable;
import hocket.programs.Leaf;
import hocket.programs.Lowering.Binding;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A program of dense layers on the {@link DenseKernels}: what is fed, the {@link DenseSteps}, what is handed out. */
final class DenseExecutable implements Executable {
    /** Rows times features that are fed, and where they are arranged. */
    private record Fed(
            ByteBuffer buffer, FloatBuffer floats, Value value, float[] plain, float[] arranged, long[] integers) {}

    /** A parameter's copy, and how it is made. */
    private record Refreshed(Copied copied, Runnable copy) {}

    /** A parameter, copied when it was written. */
    private static final class Copied {
        final Parameters.Cell cell;
        final float[] values;
        final int size;
        private @Nullable ByteBuffer seen;
        private @Nullable FloatBuffer view;
        long version = -1;

        Copied(Parameters.Cell cell, float[] values) {
            this.cell = cell;
            this.values = values;
            this.size = cell.declaration().shape().size();
        }

        /** Whether it was written since; asks for its elements then. */
        boolean isOld() {
            boolean old = version != cell.version();
            if (old) {
                version = cell.version();
                view = floats(cell.buffer());
            }
            return old;
        }

        void copy(int at, int count) {
            Objects.requireNonNull(view).get(at, values, at, count);
        }

        /** The same view as long as it is the same buffer. */
        @SuppressWarnings("ReferenceEquality")
        private FloatBuffer floats(ByteBuffer buffer) {
            FloatBuffer floats = view;
            if (floats == null || seen != buffer) {
                floats = buffer.asFloatBuffer();
                seen = buffer;
                view = floats;
            }
            return floats;
        }
    }

    private record Handed(Value value, ByteBuffer buffer, Runnable copy) {}

    private final DenseKernels kernels;
    private final DenseSteps steps;
    private final int rows;
    private final int stride;
    private final List<Fed> feeds = new ArrayList<>();
    private final List<Runnable> arrangements = new ArrayList<>();
    private final List<Refreshed> copies = new ArrayList<>();
    private final List<Handed> targets = new ArrayList<>();
    private final List<Handed> gradients = new ArrayList<>();
    private final List<Value> moments;
    private boolean closed;
    private final Runnable[] order;

    DenseExecutable(Binding binding, DenseKernels kernels) {
        this.kernels = kernels;
        rows = binding.batch();
        Compiled compiled = Compiled.of(binding.program(), binding.gradients(), rows);
        Program program = compiled.program();
        moments = program.batchNormsOwnedBy(binding.gradients());
        steps = new DenseSteps(compiled, rows, kernels, binding.threads());
        stride = steps.stride();
        try {
            order = prepared(binding, compiled, program);
        } catch (RuntimeException | Error e) {
            steps.close();
            throw e;
        }
    }

    /** Makes the buffers and the steps between them. */
    private Runnable[] prepared(Binding binding, Compiled compiled, Program program) {
        Map<String, Fed> fed = new HashMap<>();
        for (Value feed : binding.program().feeds()) {
            int size = Math.multiplyExact(rows, feed.shape().size());
            boolean integers = feed.type() == ElementType.INT64;
            ByteBuffer buffer = buffer(size, feed.type());
            Fed buffers = new Fed(
                    buffer,
                    buffer.asFloatBuffer(),
                    feed,
                    new float[integers ? 0 : size + DenseSteps.SLACK],
                    new float[integers ? 0 : Math.multiplyExact(feed.shape().size(), stride) + DenseSteps.SLACK],
                    new long[integers ? feed.shape().size() * stride : 0]);
            feeds.add(buffers);
            arrangements.add(arrangement(buffers));
            fed.put(feed.path().text(), buffers);
        }
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Input || value.operator() instanceof Leaf.Noise) {
                Fed buffers = Objects.requireNonNull(fed.get(value.path().text()));
                if (value.type() == ElementType.INT64) {
                    steps.holdIntegers(value, buffers.integers());
                } else {
                    steps.hold(value, buffers.arranged());
                }
            } else if (value.operator() instanceof Leaf.Variable) {
                Parameters.Cell cell = binding.parameters().cell(program.stored(value.path()));
                Copied copy = new Copied(cell, new float[value.shape().size() + DenseSteps.SLACK]);
                copies.add(new Refreshed(copy, steps.overRun(copy.size, copy::copy)));
                steps.hold(value, copy.values);
            }
        }
        Runnable[] planned = steps.plan();
        compiled.targets().forEach(target -> targets.add(handed(target)));
        compiled.gradients().forEach(gradient -> gradients.add(handed(gradient)));
        return planned;
    }

    private Handed handed(Value value) {
        int features = value.shape().size();
        int count = value.batched() ? rows : 1;
        int every = value.batched() ? stride : 1;
        ByteBuffer buffer = buffer(Math.multiplyExact(count, features), value.type());
        FloatBuffer floats = buffer.asFloatBuffer();
        if (value.type() == ElementType.INT64) {
            long[] integers = steps.integers(value);
            return new Handed(value, buffer, () -> {
                for (int r = 0; r < count; r++) {
                    for (int f = 0; f < features; f++) {
                        buffer.putLong((r * features + f) * Long.BYTES, integers[f * every + r]);
                    }
                }
            });
        }
        float[] array = steps.array(value);
        if (count == 1 || features == 1) {
            Runnable copy = steps.overRun(count * features, (at, length) -> floats.put(at, array, at, length));
            return new Handed(value, buffer, copy);
        }
        float[] turned = new float[count * features + DenseSteps.SLACK];
        return new Handed(value, buffer, () -> {
            kernels.turn(array, features, 0, count, every, turned, features);
            floats.put(0, turned, 0, count * features);
        });
    }

    /** How what was fed is arranged, feature after feature. */
    private Runnable arrangement(Fed fed) {
        int features = fed.value().shape().size();
        if (fed.value().type() == ElementType.INT64) {
            return () -> {
                for (int r = 0; r < rows; r++) {
                    for (int f = 0; f < features; f++) {
                        fed.integers()[f * stride + r] = fed.buffer().getLong((r * features + f) * Long.BYTES);
                    }
                }
            };
        }
        if (features == 1 || rows == 1) {
            return () -> fed.floats().get(0, fed.arranged(), 0, rows * features);
        }
        Runnable copy =
                steps.overRun(rows * features, (at, count) -> fed.floats().get(at, fed.plain(), at, count));
        Runnable turn = steps.overColumns(
                features,
                rows,
                (at, count) -> kernels.turn(fed.plain(), rows, at, count, features, fed.arranged(), stride));
        return () -> {
            copy.run();
            turn.run();
        };
    }

    private static ByteBuffer buffer(int size, ElementType type) {
        return ByteBuffer.allocateDirect(Math.multiplyExact(size, type.bytes())).order(ByteOrder.nativeOrder());
    }

    @Override
    public ByteBuffer feed(int index) {
        return feeds.get(index).buffer().clear();
    }

    @Override
    public void run() {
        if (closed) {
            throw new IllegalStateException("the program is closed");
        }
        for (int i = 0; i < arrangements.size(); i++) {
            arrangements.get(i).run();
        }
        for (int i = 0; i < copies.size(); i++) {
            if (copies.get(i).copied().isOld()) {
                copies.get(i).copy().run();
            }
        }
        for (Runnable step : order) {
            step.run();
        }
        for (int i = 0; i < targets.size(); i++) {
            targets.get(i).copy().run();
        }
        for (int i = 0; i < gradients.size(); i++) {
            gradients.get(i).copy().run();
        }
    }

    @Override
    public ByteBuffer target(int index) {
        return targets.get(index).buffer().clear();
    }

    @Override
    public ByteBuffer gradient(int index) {
        return gradients.get(index).buffer().clear();
    }

    @Override
    public void moments(int index, double[] mean, double[] variance) {
        steps.moments(moments.get(index), mean, variance);
    }

    @Override
    public void close() {
        closed = true;
        steps.close();
    }
}
