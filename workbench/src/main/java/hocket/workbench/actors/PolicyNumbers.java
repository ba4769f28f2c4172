package hocket.workbench.actors;

import hocket.programs.Program;
import hocket.rl.replay.PolicyCopy;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import hocket.workbench.terminal.Refusal;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;

/**
 * A policy as one FLOAT32 array, so that nobody gets half of one and half of the next: its parameters in the order of their
 * paths, then its version.
 */
final class PolicyNumbers {
    /** A version takes two numbers, as FLOAT32 holds whole numbers up to 2^24. */
    static final int OF_VERSION = 2;

    private static final long LOW = 1 << 24;

    private final TreeMap<Path, Shape> shapes = new TreeMap<>();
    private final int version;

    /**
     * For the policies of a program.
     *
     * @throws Refusal if its numbers are not FLOAT32, or too many
     */
    PolicyNumbers(Program program) {
        long bytes = OF_VERSION * Float.BYTES;
        for (var parameter : program.parameters().entrySet()) {
            if (parameter.getValue().type() != ElementType.FLOAT32) {
                throw new Refusal("--policy-servers: keep " + ElementType.FLOAT32 + " numbers, and those of "
                        + parameter.getKey() + " are " + parameter.getValue().type() + "; leave it out");
            }
            shapes.put(parameter.getKey(), parameter.getValue().shape());
            bytes += parameter.getValue().shape().bytes(ElementType.FLOAT32);
        }
        if (bytes > Integer.MAX_VALUE) {
            throw new Refusal("--policy-servers: keep a policy of up to " + Integer.MAX_VALUE + " bytes, was " + bytes);
        }
        version = (int) bytes / Float.BYTES - OF_VERSION;
    }

    /** How many numbers there are. */
    int count() {
        return version + OF_VERSION;
    }

    /** @param to so many FLOAT32 numbers in native order */
    void put(PolicyCopy policy, ByteBuffer to) {
        Map<Path, Tensor> tensors = policy.parameters().tensors();
        if (!tensors.keySet().equals(shapes.keySet())) {
            throw new IllegalArgumentException("a policy of " + tensors.keySet() + " in place of " + shapes.keySet());
        }
        int at = 0;
        for (Tensor tensor : tensors.values()) {
            ByteBuffer from = tensor.buffer();
            to.put(at, from, from.position(), from.remaining());
            at += from.remaining();
        }
        putVersion(policy.version(), to);
    }

    PolicyCopy get(ByteBuffer from) {
        TreeMap<Path, Tensor> tensors = new TreeMap<>();
        int at = 0;
        for (Map.Entry<Path, Shape> parameter : shapes.entrySet()) {
            int bytes = parameter.getValue().bytes(ElementType.FLOAT32);
            tensors.put(
                    parameter.getKey(),
                    Tensor.copyOf(
                            parameter.getValue(),
                            ElementType.FLOAT32,
                            from.slice(at, bytes).order(from.order())));
            at += bytes;
        }
        return new PolicyCopy(version(from), new Snapshot(tensors));
    }

    /** Writes a version into the last two numbers. */
    static void putVersion(long version, ByteBuffer to) {
        int at = to.capacity() - OF_VERSION * Float.BYTES;
        to.putFloat(at, Math.floorDiv(version, LOW)).putFloat(at + Float.BYTES, Math.floorMod(version, LOW));
    }

    /** The version in the last two numbers. */
    static long version(ByteBuffer from) {
        int at = from.capacity() - OF_VERSION * Float.BYTES;
        return (long) from.getFloat(at) * LOW + (long) from.getFloat(at + Float.BYTES);
    }
}
