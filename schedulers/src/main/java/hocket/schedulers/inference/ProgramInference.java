package hocket.schedulers.inference;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.execution.Inference;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Noise;
import hocket.schedulers.Source.Column;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Stream;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** A program as an {@link InferenceFunction}: its inputs are given, its noise is drawn unless it is given, too. */
public final class ProgramInference implements InferenceFunction {
    private final String name;
    private final Program program;
    private final SortedMap<Path, Noise> noises;
    private final List<Column> outputs = new ArrayList<>();
    private final List<Integer> targets = new ArrayList<>();

    private ProgramInference(String name, Program program, Map<Path, Noise> noises) {
        this.name = name;
        this.program = program;
        this.noises = new TreeMap<>(noises);
        this.noises
                .keySet()
                .retainAll(program.inputs().stream().map(Value::path).toList());
        Set<String> taken = new HashSet<>();
        for (int i = 0; i < program.targets().size(); i++) {
            Value target = program.targets().get(i);
            if (target.batched()) {
                String plain = target.path().withoutCalls().text();
                outputs.add(new Column(taken.add(plain) ? plain : target.path().text(), target.shape(), target.type()));
                targets.add(i);
            }
        }
    }

    /**
     * A program that draws nothing.
     *
     * @param name for messages
     * @param noises the inputs that are noise, by their paths; those that the program does not read are ignored
     */
    public static ProgramInference of(String name, Program program, Map<Path, Noise> noises) {
        return new ProgramInference(name, program, noises);
    }

    /** A program with its noise, in EVAL mode. */
    public static ProgramInference of(Program program) {
        return of(program.name(), Inference.of(program), noises(List.of(program.in(Mode.EVAL))));
    }

    /** The noise that programs draw, by path. */
    public static SortedMap<Path, Noise> noises(Iterable<Program> programs) {
        SortedMap<Path, Noise> noises = new TreeMap<>();
        programs.forEach(program ->
                program.noises().forEach(noise -> noises.putIfAbsent(noise.path(), (Noise) noise.operator())));
        return noises;
    }

    @Override
    public String name() {
        return name;
    }

    /** The program, whose noise is an input. */
    public Program program() {
        return program;
    }

    @Override
    public List<Program> programs() {
        return List.of(program);
    }

    @Override
    public List<Column> inputs() {
        return columns(false);
    }

    @Override
    public List<Column> noises() {
        return columns(true);
    }

    private List<Column> columns(boolean drawn) {
        return program.inputs().stream()
                .filter(input -> noises.containsKey(input.path()) == drawn)
                .map(input -> new Column(input.path().text(), input.shape(), input.type()))
                .toList();
    }

    @Override
    public List<Column> outputs() {
        return Collections.unmodifiableList(outputs);
    }

    /** The program with its noise, which {@link #of(Program)} takes back. */
    public Program drawing() {
        return Inference.drawing(program, noises);
    }

    /**
     * Some rows with noise for the inputs that are noise and were not given. The noise of a row depends on seed and row number
     * alone, so the first rows of many are those of few.
     */
    public Feeds complete(Feeds rows, long seed) {
        Feeds all = rows;
        for (Value input : program.inputs()) {
            String path = input.path().text();
            Noise noise = noises.get(input.path());
            if (noise != null && !rows.tensors().containsKey(path)) {
                Stream stream = Streams.seed(seed).at("infer/" + path);
                all = all.and(
                        path, drawn(noise.distribution(), stream, input.shape().prepend(rows.rows()), input.type()));
            }
        }
        return all;
    }

    /** The first values of a stream: of two shapes that differ in rows, the smaller has the first rows of the larger. */
    public static Tensor drawn(Distribution distribution, Stream stream, Shape shape, ElementType type) {
        ByteBuffer rows = ByteBuffer.allocate(shape.bytes(type)).order(ByteOrder.nativeOrder());
        distribution.sample(stream, 0, rows, type, shape.size());
        return Tensor.copyOf(shape, type, rows.clear());
    }

    /** The targets that have a row for each row given, of all that the program computes. */
    public List<Tensor> outputs(List<Tensor> all) {
        return targets.stream().map(all::get).toList();
    }

    @Override
    public Bound bind(Parameters parameters, int threads) {
        Session session = Session.over(parameters, threads);
        return new Bound() {
            @Override
            public List<Tensor> infer(Feeds rows, OptionalLong seed) {
                return outputs(session.run(program, complete(rows, seed.orElse(0))));
            }

            @Override
            public void close() {
                session.close();
            }
        };
    }
}
