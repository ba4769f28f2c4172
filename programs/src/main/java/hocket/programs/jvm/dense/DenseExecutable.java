package hocket.programs.jvm.dense;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering.Binding;
import hocket.programs.execution.TableReads;
import hocket.programs.jvm.dense.Transfers.Transfer;
import hocket.programs.jvm.kernels.DenseKernels;
import hocket.programs.jvm.kernels.WorkShare;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.FurtherResult;
import hocket.programs.operators.Leaf;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A program on the {@link DenseKernels}: its feeds, the {@link DenseSteps}, and its results. */
public final class DenseExecutable implements Executable {
    /** An array that is fed, rows times features, and where its numbers are arranged: feature after feature. */
    private final class Fed implements Transfer {
        final Device.Array array;
        final long[] integers;
        final float[] arranged;
        private final FloatBuffer floats;
        private final float[] plain;
        private final int features;

        Fed(Value feed) {
            features = feed.shape().size();
            int size = Math.multiplyExact(rows, features);
            int length = Math.multiplyExact(features, stride);
            boolean whole = feed.type() == ElementType.INT64;
            array = memory.handed(feed);
            floats = array.view().floats();
            integers = new long[whole ? length : 0];
            arranged = memory.floats(whole ? 0 : length);
            plain = memory.floats(whole || isArranged() ? 0 : size);
        }

        /** Returns whether row-major and feature-major order are the same. */
        private boolean isArranged() {
            return features == 1 || rows == 1;
        }

        @Override
        public int size() {
            return rows * features;
        }

        @Override
        public void slice(int part, int parts) {
            int at = WorkShare.first(part, parts, features, DenseMemory.SLACK);
            int count = WorkShare.first(part + 1, parts, features, DenseMemory.SLACK) - at;
            if (integers.length > 0) {
                ByteBuffer bytes = array.buffer(); // the caller may have changed its order
                for (int r = 0; r < rows; r++) {
                    for (int f = at; f < at + count; f++) {
                        integers[f * stride + r] = bytes.getLong((r * features + f) * Long.BYTES);
                    }
                }
            } else if (isArranged()) {
                floats.get(at * rows, arranged, at * rows, count * rows);
            } else if (count == features) {
                floats.get(0, plain, 0, rows * features);
                kernels.turn(plain, 0, rows, features, features, arranged, 0, stride, threads.scratch(part));
            } else if (count > 0) {
                for (int r = 0; r < rows; r++) {
                    floats.get(r * features + at, plain, r * features + at, count);
                }
                kernels.turn(plain, at, rows, count, features, arranged, at * stride, stride, threads.scratch(part));
            }
        }
    }

    /** An array that is handed out, rows times features. */
    private final class Handed implements Transfer {
        final Device.Array handed;
        private final FloatBuffer floats;
        private final float[] array;
        private final long[] integers;
        private final float[] turned;
        private final int count;
        private final int features;
        private final int every;

        Handed(Value value) {
            boolean whole = value.type() == ElementType.INT64;
            features = value.shape().size();
            count = value.batched() ? rows : 1;
            every = value.batched() ? stride : 1;
            handed = memory.handed(value);
            floats = handed.view().floats();
            array = whole ? new float[0] : memory.array(value);
            integers = whole ? memory.integers(value) : new long[0];
            turned = memory.floats(whole || isArranged() ? 0 : count * features);
        }

        private boolean isArranged() {
            return count == 1 || features == 1;
        }

        @Override
        public int size() {
            return count * features;
        }

        @Override
        public void slice(int part, int parts) {
            if (integers.length == 0 && isArranged()) {
                int at = WorkShare.first(part, parts, size(), DenseMemory.SLACK);
                floats.put(at, array, at, WorkShare.first(part + 1, parts, size(), DenseMemory.SLACK) - at);
                return;
            }
            int from = WorkShare.first(part, parts, count, DenseMemory.SLACK);
            int to = WorkShare.first(part + 1, parts, count, DenseMemory.SLACK);
            if (integers.length > 0) {
                ByteBuffer bytes = handed.buffer();
                for (int r = from; r < to; r++) {
                    for (int f = 0; f < features; f++) {
                        bytes.putLong((r * features + f) * Long.BYTES, integers[f * every + r]);
                    }
                }
            } else if (to > from) {
                kernels.turn(
                        array,
                        from,
                        features,
                        to - from,
                        every,
                        turned,
                        from * features,
                        features,
                        threads.scratch(part));
                floats.put(from * features, turned, from * features, (to - from) * features);
            }
        }
    }

    /** An array that hands out what a step leaves in doubles. */
    private record Further(double[] numbers, Device.Array array) implements Transfer {
        @Override
        public int size() {
            return numbers.length;
        }

        @Override
        public void slice(int part, int parts) {
            for (int i = 0; part == 0 && i < numbers.length; i++) {
                array.buffer().putDouble(i * Double.BYTES, numbers[i]);
            }
        }
    }

    private final DenseKernels kernels;
    private final DenseArena arena;
    private final DenseMemory memory;
    private final DenseThreads threads;
    private final DenseRules rules;
    private final int rows;
    private final int stride;
    private final List<Fed> feeds = new ArrayList<>();
    private final List<Device.Array> targets = new ArrayList<>();
    private final List<Device.Array> gradients = new ArrayList<>();
    private final Transfers in;
    private final Transfers out;
    private boolean closed;
    private final Runnable[] order;

    public DenseExecutable(Binding binding, DenseKernels kernels) {
        this.kernels = kernels;
        rows = binding.batch();
        CompiledProgram compiledProgram =
                CompiledProgram.of(binding.program(), binding.gradients(), rows, DenseTable.TABLE::covers);
        Program program = compiledProgram.program();
        arena = binding.pool() instanceof DenseExecutable other ? other.arena : new DenseArena();
        memory = new DenseMemory(rows, arena);
        stride = memory.stride;
        binding.requireRoom(program, value -> (long) value.shape().size() * memory.stride(value) + DenseMemory.SLACK);
        threads = new DenseThreads(binding.threads(), binding.worker(), arena);
        rules = new DenseRules(program.mode(), memory, kernels, threads);
        in = new Transfers(threads.threadTeam);
        out = new Transfers(threads.threadTeam);
        try {
            order = prepared(binding, compiledProgram, program);
            memory.end();
        } catch (RuntimeException | Error e) {
            memory.undo();
            threads.close();
            throw e;
        }
    }

    /** Makes the buffers and the steps between them. */
    private Runnable[] prepared(Binding binding, CompiledProgram compiledProgram, Program program) {
        Map<String, Fed> fed = new HashMap<>();
        for (Value feed : binding.program().feeds()) {
            Fed buffers = new Fed(feed);
            feeds.add(buffers);
            in.add(buffers);
            fed.put(feed.path().text(), buffers);
        }
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Input || value.operator() instanceof Leaf.Noise) {
                Fed buffers = Objects.requireNonNull(fed.get(value.path().text()));
                if (value.type() == ElementType.INT64) {
                    memory.hold(value, buffers.integers);
                } else {
                    memory.hold(value, buffers.arranged);
                }
            } else if (value.operator() instanceof Leaf.Variable) {
                DenseParameter copy = arena.copy(
                        binding.parameters().cell(program.stored(value.path())),
                        TableReads.of(program, value).isTableOnly());
                in.add(copy);
                memory.hold(value, copy);
            }
        }
        List<Path> paths = List.copyOf(binding.gradients());
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            Value gradient = compiledProgram.gradients().get(i);
            DenseGatheringRules.hold(
                    memory, compiledProgram, gradient, () -> arena.tableGradient(path, gradient.shape()));
        }
        Runnable[] planned = new DenseSteps(compiledProgram, memory, rules).plan();
        compiledProgram.targets().forEach(target -> targets.add(handed(program, target)));
        compiledProgram.gradients().forEach(gradient -> gradients.add(handed(program, gradient)));
        return planned;
    }

    private Device.Array handed(Program program, Value value) {
        DenseGatheringRules.TablePart part = memory.tablePart(value);
        if (part != null) {
            return part.gradient().array;
        }
        if (value.operator() instanceof FurtherResult result) {
            Value x = program.inputsOf(value.inputs().get(0)).get(BatchNorm.X);
            double[] numbers = Objects.requireNonNull(rules.moments(x))[result.index()];
            Further further = new Further(numbers, memory.handed(value));
            out.add(further);
            return further.array;
        }
        Handed handed = new Handed(value);
        out.add(handed);
        return handed.handed;
    }

    @Override
    public Device.Array feed(int index) {
        return feeds.get(index).array;
    }

    @Override
    public void prepare() {
        in.locate();
    }

    @Override
    public void run() {
        if (closed) {
            throw new IllegalStateException("the program is closed");
        }
        in.run();
        for (Runnable step : order) {
            step.run();
        }
        out.run();
    }

    @Override
    public Device.Array target(int index) {
        return targets.get(index);
    }

    @Override
    public Device.Array gradient(int index) {
        return gradients.get(index);
    }

    @Override
    public boolean outgrown() {
        return memory.outgrown();
    }

    @Override
    public void close() {
        closed = true;
        threads.close();
    }
}
