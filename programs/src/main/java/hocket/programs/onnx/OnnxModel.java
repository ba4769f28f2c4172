package hocket.programs.onnx;

import hocket.programs.Program;
import hocket.programs.execution.Inference;
import hocket.programs.execution.Lowering.Model;
import hocket.programs.operators.Leaf;
import hocket.programs.protobuf.Protobuf;
import hocket.scopes.ElementType;
import hocket.scopes.Snapshot;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.TreeMap;

/**
 * A program and its parameters as an ONNX model, one file {@code .onnx}. Inputs and outputs have the axis {@code batch}
 * in front where the program's values have one; initializers have the names of the parameters in the program.
 */
public final class OnnxModel {
    /** The version of the operators: that of ONNX 1.13 and ONNX Runtime 1.14. */
    public static final int OPSET = 18;

    /** The version of the format, the first with this opset. */
    private static final int IR = 8;

    private OnnxModel() {}

    /**
     * Writes a program.
     *
     * @param program in EVAL mode and FLOAT32, which draws nothing: all that it reads is an input
     * @param values of the parameters that it reads, by the paths in the store; others may be among them
     * @param version of Hocket
     * @throws IllegalArgumentException if ONNX has no operator for one of the program, naming it and its value; if the
     *     model would be larger than Protobuf allows; or if a parameter is missing among the values
     */
    public static Model of(Program program, Snapshot values, String version) {
        Inference.requireModel(program);
        if (program.floatType() != ElementType.FLOAT32) {
            throw new IllegalArgumentException("program " + program.name() + " computes in " + program.floatType()
                    + ", ONNX models are written in FLOAT32 only: few operators of ONNX Runtime know another type");
        }
        requireRoom(program.values().stream()
                .filter(value -> value.operator() instanceof Leaf.Variable)
                .mapToLong(value -> value.shape().bytes(value.type()))
                .sum());
        List<ByteBuffer> parts = new Protobuf()
                .whole(1, IR)
                .text(2, "hocket")
                .text(3, version)
                .message(7, new OnnxWriter(program, values).graph())
                .message(8, new Protobuf().text(1, "").whole(2, OPSET))
                .parts();
        requireRoom(Protobuf.size(parts));
        TreeMap<String, List<ByteBuffer>> files = new TreeMap<>();
        files.put(".onnx", parts);
        return new Model(files, program.inputs(), new OnnxPage(program.inputs()));
    }

    private static void requireRoom(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "an ONNX file may have at most " + Integer.MAX_VALUE + " bytes, would have " + bytes);
        }
    }
}
