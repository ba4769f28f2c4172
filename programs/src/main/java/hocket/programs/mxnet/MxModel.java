package hocket.programs.mxnet;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Inference;
import hocket.programs.execution.Lowering.Model;
import hocket.programs.mxnet.MxSymbolWriter.Use;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A program and its parameters in the engine's model format: {@code -symbol.json}, which takes any number of rows, and
 * {@code -0000.params}, its list of named arrays (MXNet 1.9's {@code MXNDArraySave}), as DJL's {@code Criteria} loads
 * it.
 */
final class MxModel {
    private static final long LIST = 0x112;
    private static final int ARRAY = 0xF993FAC9;
    private static final int DENSE = 0;

    private MxModel() {}

    /** Throws as {@link hocket.programs.execution.Lowering#model} does. */
    static Model of(Program program, Snapshot values) {
        Inference.requireModel(program);
        MxSymbolWriter symbol = new MxSymbolWriter(program, Set.of(), MxSymbolWriter.ANY_ROWS);
        MxSymbolWriter.Written written = symbol.written();
        Map<String, Tensor> arguments = new HashMap<>(symbol.constants);
        for (Use use : symbol.uses) {
            Tensor tensor = values.tensor(use.path().text());
            arguments.put(use.name(), use.padded() ? padded(tensor) : tensor);
        }
        Map<String, Tensor> auxiliary = new HashMap<>();
        symbol.statistics.forEach((name, path) -> auxiliary.put(name, values.tensor(path.text())));
        Map<String, Value> feeds = new HashMap<>();
        program.feeds().forEach(feed -> feeds.put(feed.path().text(), feed));

        List<String> names = new ArrayList<>();
        List<Tensor> tensors = new ArrayList<>();
        List<Value> inputs = new ArrayList<>();
        for (String name : written.variables()) {
            Value feed = feeds.get(name);
            if (feed != null) {
                inputs.add(feed);
            } else {
                boolean isArgument = arguments.containsKey(name);
                names.add((isArgument ? "arg:" : "aux:") + name);
                tensors.add(Objects.requireNonNull((isArgument ? arguments : auxiliary).get(name)));
            }
        }
        TreeMap<String, List<ByteBuffer>> files = new TreeMap<>();
        files.put("-symbol.json", List.of(ByteBuffer.wrap(written.json().getBytes(StandardCharsets.UTF_8))));
        files.put("-0000.params", params(names, tensors));
        return new Model(files, inputs, new DjlPage(inputs));
    }

    /** Returns a weight with a second output channel of zeros for each (input, output) pair, as the symbol expects. */
    private static Tensor padded(Tensor weight) {
        Shape shape = weight.shape().with(1, 2 * weight.shape().get(1));
        int pairs = weight.shape().get(0) * weight.shape().get(1);
        ByteBuffer from = weight.buffer();
        int bytes = from.limit() / pairs;
        ByteBuffer to = ByteBuffer.allocate(2 * from.limit()).order(ByteOrder.nativeOrder());
        for (int i = 0; i < pairs; i++) {
            to.put(2 * i * bytes, from, i * bytes, bytes);
        }
        return Tensor.copyOf(shape, weight.type(), to);
    }

    /** The list: its type, the arrays, their names. All numbers are little-endian. */
    private static List<ByteBuffer> params(List<String> names, List<Tensor> tensors) {
        List<ByteBuffer> parts = new ArrayList<>();
        parts.add(little(3 * Long.BYTES)
                .putLong(LIST)
                .putLong(0)
                .putLong(tensors.size())
                .flip());
        for (Tensor tensor : tensors) {
            int[] extents = MxArray.nativeExtents(tensor.shape());
            ByteBuffer head = little(6 * Integer.BYTES + extents.length * Long.BYTES);
            head.putInt(ARRAY).putInt(DENSE).putInt(extents.length);
            for (int extent : extents) {
                head.putLong(extent);
            }
            head.putInt(Mx.CPU).putInt(0).putInt(MxArray.code(tensor.type()));
            parts.add(head.flip());
            parts.add(tensor.littleEndian());
        }
        parts.add(little(Long.BYTES).putLong(names.size()).flip());
        for (String name : names) {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            parts.add(little(Long.BYTES + text.length)
                    .putLong(text.length)
                    .put(text)
                    .flip());
        }
        return parts;
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
