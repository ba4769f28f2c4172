package hocket.distributed.actors;

import hocket.rl.replay.Trajectory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Encodes a trajectory: its numbers in order, each list after its length. */
final class TrajectoryBytes {
    private TrajectoryBytes() {}

    static ProtocolFrame frame(Trajectory trajectory) {
        ByteBuffer payload = ProtocolFrame.room(length(trajectory));
        payload.putLong(trajectory.version()).putInt(trajectory.steps()).putInt(trajectory.environments());
        put(payload, trajectory.observations());
        put(payload, trajectory.actions());
        put(payload, trajectory.masks());
        put(payload, trajectory.logProbabilities());
        put(payload, trajectory.rewards());
        put(payload, trajectory.terminated());
        put(payload, trajectory.truncated());
        put(payload, trajectory.cutOff());
        payload.putInt(trajectory.episodes().size());
        trajectory
                .episodes()
                .forEach(episode -> payload.putDouble(episode.ret()).putInt(episode.length()));
        return new ProtocolFrame(ProtocolFrame.Kind.TRAJECTORY, payload.flip());
    }

    private static int length(Trajectory trajectory) {
        return length(
                trajectory.rows(),
                trajectory.observations().length
                        + trajectory.actions().length
                        + trajectory.masks().length
                        + trajectory.cutOff().length,
                trajectory.episodes().size());
    }

    private static int length(long rows, long others, long episodes) {
        return Math.toIntExact(Long.BYTES
                + 11L * Integer.BYTES
                + (2 * rows + others) * Float.BYTES
                + 2 * rows
                + episodes * (Double.BYTES + Integer.BYTES));
    }

    /** Returns the largest size in bytes of a trajectory with this number of rows. */
    static int longest(int steps, int environments, int observationWidth, int actionWidth, int maskWidth) {
        long rows = (long) steps * environments;
        return length(rows, (2 * rows + environments) * observationWidth + rows * (actionWidth + maskWidth), rows);
    }

    static Trajectory of(ProtocolFrame protocolFrame) {
        return Codec.read(
                protocolFrame,
                from -> new Trajectory(
                        from.getLong(),
                        from.getInt(),
                        from.getInt(),
                        floats(from),
                        floats(from),
                        floats(from),
                        floats(from),
                        floats(from),
                        flags(from),
                        flags(from),
                        floats(from),
                        episodes(from)));
    }

    private static void put(ByteBuffer into, float[] numbers) {
        into.putInt(numbers.length);
        for (float number : numbers) {
            into.putFloat(number);
        }
    }

    private static float[] floats(ByteBuffer from) {
        float[] numbers = new float[Codec.length(from, Float.BYTES)];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = from.getFloat();
        }
        return numbers;
    }

    private static void put(ByteBuffer into, boolean[] flags) {
        into.putInt(flags.length);
        for (boolean flag : flags) {
            into.put((byte) (flag ? 1 : 0));
        }
    }

    private static boolean[] flags(ByteBuffer from) {
        boolean[] flags = new boolean[Codec.length(from, 1)];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = from.get() != 0;
        }
        return flags;
    }

    private static List<Trajectory.Episode> episodes(ByteBuffer from) {
        int count = Codec.length(from, Double.BYTES + Integer.BYTES);
        List<Trajectory.Episode> episodes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            episodes.add(new Trajectory.Episode(from.getDouble(), from.getInt()));
        }
        return episodes;
    }
}
