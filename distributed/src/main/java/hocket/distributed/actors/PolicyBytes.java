package hocket.distributed.actors;

import hocket.programs.Program;
import hocket.rl.replay.PolicySnapshot;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.TreeMap;

/** Encodes a policy: its version, then for each parameter path, type, shape and numbers. */
final class PolicyBytes {
    private static final ElementType[] TYPES = ElementType.values();
    private static final int MOST_PATH_BYTES = 4 << 10;

    private PolicyBytes() {}

    /** The answer that there is no newer policy. */
    static ProtocolFrame none() {
        return Codec.whole(ProtocolFrame.Kind.POLICY, -1);
    }

    static ProtocolFrame frame(PolicySnapshot policy) {
        ByteBuffer payload = ProtocolFrame.room(
                Math.toIntExact(longest(policy.parameters().tensors().values())));
        payload.putLong(policy.version());
        policy.parameters().tensors().forEach((path, tensor) -> {
            Codec.put(payload, Codec.bytes(path.text()));
            payload.putInt(tensor.type().ordinal());
            int[] extents = tensor.shape().extents();
            payload.putInt(extents.length);
            for (int extent : extents) {
                payload.putInt(extent);
            }
            numbers(tensor, payload);
        });
        return new ProtocolFrame(ProtocolFrame.Kind.POLICY, payload.flip());
    }

    private static void numbers(Tensor tensor, ByteBuffer payload) {
        ByteBuffer from = tensor.buffer();
        while (from.hasRemaining()) {
            if (tensor.type().bytes() == Float.BYTES) {
                payload.putInt(from.getInt());
            } else {
                payload.putLong(from.getLong());
            }
        }
    }

    private static long longest(Collection<Tensor> parameters) {
        return Long.BYTES
                + parameters.stream()
                        .mapToLong(tensor -> MOST_PATH_BYTES + tensor.shape().bytes(tensor.type()))
                        .sum();
    }

    /**
     * Returns the largest size of a program's policy in bytes.
     *
     * @throws IllegalArgumentException if it is larger than a frame
     */
    static int longest(Program program) {
        long bytes = Long.BYTES
                + program.parameters().values().stream()
                        .mapToLong(value -> MOST_PATH_BYTES + value.shape().bytes(value.type()))
                        .sum();
        if (bytes > Integer.MAX_VALUE - ProtocolFrame.HEADER) {
            throw new IllegalArgumentException("program " + program.name() + ": its parameters are " + bytes
                    + " bytes, but a frame holds at most " + (Integer.MAX_VALUE - ProtocolFrame.HEADER));
        }
        return (int) bytes;
    }

    /** Reads a policy; version -1 stands for none. */
    static PolicySnapshot of(ProtocolFrame protocolFrame) {
        return Codec.read(protocolFrame, from -> {
            long version = from.getLong();
            TreeMap<Path, Tensor> tensors = new TreeMap<>();
            while (from.hasRemaining()) {
                Path path = Path.of(Codec.string(from));
                tensors.put(path, tensor(from));
            }
            return new PolicySnapshot(version, new Snapshot(tensors));
        });
    }

    private static Tensor tensor(ByteBuffer from) {
        int number = from.getInt();
        if (number < 0 || number >= TYPES.length) {
            throw new IllegalArgumentException("unknown element type " + number);
        }
        ElementType type = TYPES[number];
        int[] extents = new int[Codec.length(from, Integer.BYTES)];
        for (int i = 0; i < extents.length; i++) {
            extents[i] = from.getInt();
        }
        Shape shape = Shape.of(extents);
        int bytes = shape.bytes(type);
        if (bytes > from.remaining()) {
            throw new IllegalArgumentException("it is too short");
        }
        ByteBuffer numbers = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        for (int i = 0; i < shape.size(); i++) {
            if (type.bytes() == Float.BYTES) {
                numbers.putInt(from.getInt());
            } else {
                numbers.putLong(from.getLong());
            }
        }
        return Tensor.copyOf(shape, type, numbers.flip());
    }
}
