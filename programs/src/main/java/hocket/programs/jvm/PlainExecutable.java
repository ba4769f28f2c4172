package hocket.programs.jvm;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.CompiledProgram;
import hocket.programs.execution.Executable;
import hocket.programs.execution.Lowering.Binding;
import hocket.programs.execution.ProgramException;
import hocket.programs.operators.FurtherResult;
import hocket.programs.operators.Leaf;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The reference: each value an array of doubles, computed one after the other by the {@link PlainRules}. In FLOAT32
 * programs each result is computed in double and rounded once.
 */
final class PlainExecutable implements Executable {
    /** A parameter, located and copied when it was written. */
    private static final class Copied {
        final Parameters.Cell cell;
        final double[] values;
        private @Nullable ByteBuffer buffer;
        private long located = -1;
        private long copied = -1;

        Copied(Parameters.Cell cell, double[] values) {
            this.cell = cell;
            this.values = values;
        }

        void locate() {
            long now = cell.version();
            if (located != now) {
                buffer = cell.buffer();
                located = now;
            }
        }

        void refresh() {
            locate();
            if (copied != located && buffer != null) {
                read(buffer, cell.declaration().type(), values);
                copied = located;
            }
        }
    }

    private record Fed(Device.Array array, double[] values) {}

    private record Handed(double[] values, Device.Array array) {}

    private final PlainRules rules;
    private final List<Fed> feeds = new ArrayList<>();
    private final List<Copied> copies = new ArrayList<>();
    private final List<Runnable> steps = new ArrayList<>();
    private final List<Handed> targets = new ArrayList<>();
    private final List<Handed> gradients = new ArrayList<>();
    private boolean closed;

    PlainExecutable(Binding binding) {
        int rows = binding.batch();
        CompiledProgram compiledProgram =
                CompiledProgram.of(binding.program(), binding.gradients(), rows, PlainTable.TABLE::covers);
        Program program = compiledProgram.program();
        binding.requireRoom(
                program,
                value -> (value.batched() ? (long) rows : 1) * value.shape().size());
        rules = new PlainRules(program.mode(), rows);
        Map<String, Fed> fed = new HashMap<>();
        for (Value feed : binding.program().feeds()) {
            Shape shape = feed.shape().prepend(rows);
            Fed buffers = new Fed(Device.jvm().allocate(shape, feed.type()), new double[shape.size()]);
            feeds.add(buffers);
            fed.put(feed.path().text(), buffers);
        }
        for (Value value : program.values()) {
            if (value.operator() instanceof Leaf.Input || value.operator() instanceof Leaf.Noise) {
                rules.hold(
                        value,
                        Objects.requireNonNull(fed.get(value.path().text())).values());
            } else if (value.operator() instanceof Leaf.Variable) {
                Parameters.Cell cell = binding.parameters().cell(program.stored(value.path()));
                Copied copy = new Copied(cell, new double[value.shape().size()]);
                copies.add(copy);
                rules.hold(value, copy.values);
            } else if (value.operator() instanceof FurtherResult further) {
                rules.hold(value, rules.further(value.inputs().get(0))[further.index()]);
            } else if (compiledProgram.isConstant(value)) {
                rules.step(value, program.inputsOf(value)).run();
            } else {
                steps.add(rules.step(value, program.inputsOf(value)));
            }
        }
        compiledProgram.targets().forEach(target -> targets.add(handed(target)));
        compiledProgram.gradients().forEach(gradient -> gradients.add(handed(gradient)));
    }

    /** @throws ProgramException where making an executable takes more memory than there is */
    static Executable withinMemory(Binding binding, Supplier<Executable> maker) {
        try {
            return maker.get();
        } catch (OutOfMemoryError | ArithmeticException | NegativeArraySizeException e) {
            throw new ProgramException(
                    "program " + binding.program().name() + ": a batch of " + binding.batch()
                            + " rows needs more memory than the JVM has (" + e.getMessage() + ")",
                    e,
                    false);
        }
    }

    private Handed handed(Value value) {
        Shape shape = rules.full(value);
        return new Handed(rules.array(value), Device.jvm().allocate(shape, value.type()));
    }

    @Override
    public Device.Array feed(int index) {
        return feeds.get(index).array();
    }

    @Override
    public void prepare() {
        copies.forEach(Copied::locate);
    }

    @Override
    public void run() {
        if (closed) {
            throw new IllegalStateException("the program is closed");
        }
        feeds.forEach(fed -> read(fed.array().buffer(), fed.array().type(), fed.values()));
        copies.forEach(Copied::refresh);
        steps.forEach(Runnable::run);
        targets.forEach(PlainExecutable::write);
        gradients.forEach(PlainExecutable::write);
    }

    private static void read(ByteBuffer buffer, ElementType type, double[] into) {
        for (int i = 0; i < into.length; i++) {
            into[i] = switch (type) {
                case FLOAT32 -> buffer.getFloat(i * Float.BYTES);
                case FLOAT64 -> buffer.getDouble(i * Double.BYTES);
                case INT64 -> PlainRules.exact(buffer.getLong(i * Long.BYTES));
            };
        }
    }

    private static void write(Handed handed) {
        ByteBuffer buffer = handed.array().buffer();
        for (int i = 0; i < handed.values().length; i++) {
            handed.array().type().put(buffer, i, handed.values()[i]);
        }
    }

    @Override
    public Device.Array target(int index) {
        return targets.get(index).array();
    }

    @Override
    public Device.Array gradient(int index) {
        return gradients.get(index).array();
    }

    @Override
    public void close() {
        closed = true;
    }
}
