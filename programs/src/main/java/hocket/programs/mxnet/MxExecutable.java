package hocket.programs.mxnet;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.Lowering.Binding;
import hocket.programs.execution.ProgramException;
import hocket.programs.mxnet.MxSymbolWriter.Use;
import hocket.programs.operators.BatchNorm;
import hocket.programs.operators.FurtherResult;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A program bound for a batch size: the executor, its arrays, and the copies that the engine needs. */
final class MxExecutable implements Executable {
    /** Why the engine can run nothing more on this thread. */
    private static final ThreadLocal<@Nullable String> LOST = new ThreadLocal<>();

    /** A private copy of a weight with a second, unused output channel in each (input, output) pair. */
    private static final class Padded {
        final Parameters.Cell cell;
        final MxArray copy;
        final @Nullable MxArray gradient;
        final int pairs;
        final int bytes;
        long version = -1;

        Padded(Parameters.Cell cell, MxArray copy, @Nullable MxArray gradient) {
            this.cell = cell;
            this.copy = copy;
            this.gradient = gradient;
            Shape shape = cell.declaration().shape();
            this.pairs = shape.get(0) * shape.get(1);
            this.bytes = shape.size() / pairs * cell.declaration().type().bytes();
        }

        void refresh() {
            if (version != cell.version()) {
                ByteBuffer from = cell.buffer();
                ByteBuffer to = copy.buffer();
                for (int i = 0; i < pairs; i++) {
                    to.put(2 * i * bytes, from, i * bytes, bytes);
                }
                version = cell.version();
            }
        }

        void addGradientTo(ByteBuffer sum, boolean first) {
            if (gradient == null) {
                return;
            }
            ByteBuffer from = gradient.buffer();
            boolean single = gradient.type() == ElementType.FLOAT32;
            for (int i = 0; i < pairs; i++) {
                if (first) {
                    sum.put(i * bytes, from, 2 * i * bytes, bytes);
                } else {
                    add(sum, i * bytes, from, 2 * i * bytes, single);
                }
            }
        }

        private void add(ByteBuffer sum, int at, ByteBuffer from, int start, boolean single) {
            for (int k = 0; k < bytes; k += single ? Float.BYTES : Double.BYTES) {
                if (single) {
                    sum.putFloat(at + k, sum.getFloat(at + k) + from.getFloat(start + k));
                } else {
                    sum.putDouble(at + k, sum.getDouble(at + k) + from.getDouble(start + k));
                }
            }
        }
    }

    /** The gradient by one path: an array, and its preparation and reading around a run. */
    private static final class Gradient {
        final MxArray sum;
        final List<Padded> padded = new ArrayList<>();
        int direct;

        Gradient(MxArray sum) {
            this.sum = sum;
        }
    }

    private final Program program;
    private final List<MxArray> feeds = new ArrayList<>();
    private final List<MxArray> owned = new ArrayList<>();
    private final List<Padded> padded = new ArrayList<>();
    private final List<Gradient> gradients;
    private final List<Device.@Nullable Array> further = new ArrayList<>();
    private final int threads;
    private final boolean train;
    private final List<MxArray> weights = new ArrayList<>();
    private final boolean transposes;
    private final Object reading = new Object(); // not this: arrays outlive executables
    private final MxExecutor executor;

    private MxExecutable(Binding binding) {
        program = binding.program();
        program.targets().forEach(target -> further.add(room(target)));
        SortedMap<Path, Gradient> byPath = new TreeMap<>();
        try {
            MxSymbolWriter symbol = new MxSymbolWriter(program, binding.gradients(), binding.batch());
            String json = symbol.written().json();
            threads = symbol.threads(binding.threads());
            train = !binding.gradients().isEmpty() || program.mode() == Mode.TRAIN || symbol.transposesASharedWeight();
            transposes = symbol.uses.stream().anyMatch(use -> use.transposed() && !use.padded());
            Map<String, MxArray> arguments = new HashMap<>();
            for (Value feed : program.feeds()) {
                Shape shape = feed.shape().prepend(binding.batch());
                MxArray array = own(shape, feed.type());
                feeds.add(array);
                arguments.put(feed.path().text(), array);
            }
            symbol.constants.forEach((name, value) -> {
                MxArray array = own(value.shape(), value.type());
                array.buffer().put(value.buffer());
                arguments.put(name, array);
            });
            binding.gradients().forEach(path -> {
                Parameters.Cell cell = binding.parameters().cell(path);
                byPath.put(
                        path,
                        new Gradient(own(
                                cell.declaration().shape(), cell.declaration().type())));
            });
            Map<String, GradientRequest> requests = new HashMap<>();
            for (Use use : symbol.uses) {
                bindUse(use, binding.parameters(), byPath, arguments, requests);
            }
            requests.putAll(direct(symbol, byPath));
            MxExecutable pool = (MxExecutable) binding.pool();
            executor = MxExecutor.bind(
                    json,
                    arguments,
                    requests,
                    auxiliary(symbol, binding.parameters()),
                    pool == null ? null : pool.executor);
        } catch (RuntimeException | Error e) {
            owned.forEach(MxArray::close);
            throw e;
        }
        gradients = List.copyOf(byPath.values());
    }

    static MxExecutable bind(Binding binding) {
        requireThread(binding.program());
        return new MxExecutable(binding);
    }

    private void bindUse(
            Use use,
            Parameters parameters,
            Map<Path, Gradient> byPath,
            Map<String, MxArray> arguments,
            Map<String, GradientRequest> requests) {
        Parameters.Cell cell = parameters.cell(use.path());
        Gradient gradient = byPath.get(use.path());
        if (!use.padded()) {
            MxArray array = (MxArray) cell.array(MxDevice.MEMORY);
            arguments.put(use.name(), array);
            weights.add(array);
            if (gradient != null) {
                gradient.direct++;
            }
            return;
        }
        Shape shape = cell.declaration()
                .shape()
                .with(1, 2 * cell.declaration().shape().get(1));
        ElementType type = cell.declaration().type();
        MxArray copy = own(shape, type);
        Padded weight = new Padded(cell, copy, gradient == null ? null : own(shape, type));
        padded.add(weight);
        arguments.put(use.name(), copy);
        if (gradient != null && weight.gradient != null) {
            gradient.padded.add(weight);
            requests.put(use.name(), GradientRequest.write(weight.gradient));
        }
    }

    /** Several arguments may read one array: then their gradients are added up in one. */
    private static Map<String, GradientRequest> direct(MxSymbolWriter symbol, Map<Path, Gradient> byPath) {
        Map<String, GradientRequest> requests = new HashMap<>();
        for (Use use : symbol.uses) {
            Gradient gradient = byPath.get(use.path());
            if (gradient != null && !use.padded()) {
                requests.put(
                        use.name(),
                        gradient.direct == 1 ? GradientRequest.write(gradient.sum) : GradientRequest.add(gradient.sum));
            }
        }
        return requests;
    }

    private Map<String, MxArray> auxiliary(MxSymbolWriter symbol, Parameters parameters) {
        Map<String, MxArray> auxiliary = new HashMap<>();
        symbol.scratch.forEach((name, shape) -> auxiliary.put(name, own(shape, program.floatType())));
        symbol.statistics.forEach((name, path) ->
                auxiliary.put(name, (MxArray) parameters.cell(path).array(MxDevice.MEMORY)));
        return auxiliary;
    }

    private MxArray own(Shape shape, ElementType type) {
        MxArray array = MxArray.create(shape, type);
        owned.add(array);
        return array;
    }

    @Override
    public Device.Array feed(int index) {
        return feeds.get(index);
    }

    @Override
    public void run() {
        requireThread(program);
        Engine.get().threads(threads);
        for (int i = 0; i < padded.size(); i++) {
            padded.get(i).refresh();
        }
        for (int i = 0; i < gradients.size(); i++) {
            if (gradients.get(i).direct > 1) {
                clear(gradients.get(i).sum.buffer());
            }
        }
        if (!train) {
            claimWeights();
        }
        try {
            executor.forward(train);
            if (!gradients.isEmpty()) {
                executor.backward();
            }
        } catch (EngineException e) {
            if (e.poisonsThread) {
                LOST.set(e.getMessage());
            }
            String without =
                    e.poisonsThread ? "; -D" + Lowering.PROPERTY + "=reference runs it without the engine, slowly" : "";
            throw new ProgramException(
                    "program " + program.name() + ": " + e.getMessage() + without, e, e.poisonsThread);
        }
        for (int i = 0; i < gradients.size(); i++) {
            Gradient gradient = gradients.get(i);
            for (int k = 0; k < gradient.padded.size(); k++) {
                gradient.padded.get(k).addGradientTo(gradient.sum.buffer(), k == 0 && gradient.direct == 0);
            }
        }
    }

    /**
     * The engine's evaluation leaves weights in the layout that its kernels want. A convolution takes any layout; a
     * transposed one takes only its own or the plain one.
     */
    private void claimWeights() {
        for (int i = 0; i < weights.size(); i++) {
            weights.get(i).claim(reading, transposes);
        }
    }

    private static void clear(ByteBuffer buffer) {
        for (int i = 0; i < buffer.limit(); i += Integer.BYTES) {
            buffer.putInt(i, 0);
        }
    }

    private static void requireThread(Program program) {
        String lost = LOST.get();
        if (lost != null) {
            throw new ProgramException(
                    "program " + program.name() + ": the engine can run nothing more on thread "
                            + Thread.currentThread().getName() + ", where this happened before: " + lost
                            + ". Continue on another thread, which takes the parameters over with adopt()",
                    new IllegalStateException(lost),
                    true);
        }
    }

    @Override
    public Device.Array target(int index) {
        MxArray array = executor.output(index);
        Device.Array doubles = further.get(index);
        return doubles == null ? array : moments(program.targets().get(index), array, doubles);
    }

    /** An array for a target that is a further result; null for others, which the engine holds as they are. */
    private static Device.@Nullable Array room(Value target) {
        return target.operator() instanceof FurtherResult ? Device.jvm().allocate(target.shape(), target.type()) : null;
    }

    /** The engine gives the mean of a batch norm, and 1/sqrt(variance + epsilon) in place of the variance. */
    private static Device.Array moments(Value moment, MxArray array, Device.Array into) {
        boolean mean = ((FurtherResult) moment.operator()).index() == BatchNorm.BATCH_MEAN;
        double epsilon = ((BatchNorm) moment.inputs().get(0).operator()).epsilon();
        ByteBuffer buffer = array.buffer();
        for (int c = 0; c < moment.shape().size(); c++) {
            double number = array.type().get(buffer, c);
            // Rounding can leave a constant batch a little below zero.
            into.buffer().putDouble(c * Double.BYTES, mean ? number : Math.max(0, 1 / (number * number) - epsilon));
        }
        return into;
    }

    @Override
    public Device.Array gradient(int index) {
        return gradients.get(index).sum;
    }

    @Override
    public void close() {
        executor.close();
        owned.forEach(MxArray::close);
    }
}
