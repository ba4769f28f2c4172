package hocket.programs.jvm.dense;

import hocket.programs.jvm.kernels.Scratch;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The memory of a program, shared by its executables for different numbers of rows: one of them runs at a time, and
 * nothing that a run leaves in an array is read by the next. Each executable requests arrays in an order of its own, and
 * its n-th request gets the arena's n-th array, which is replaced where it is too short. So the arena is as large as the
 * executable with the most rows needs, once those with shorter arrays are closed.
 */
final class DenseArena {
    private final List<float[]> floats = new ArrayList<>();
    private final List<Device.Array> handed = new ArrayList<>();
    private final Map<Read, DenseParameter> copies = new HashMap<>();
    private final Map<Path, DenseGatheringRules.TableGradient> tableGradients = new HashMap<>();
    private final List<Scratch> scratches = new ArrayList<>();

    /** How a program reads a parameter: another one, or another name of it in the same, may do so otherwise. */
    private record Read(Path path, boolean inPlace) {}

    /** The requests of one executable, in its order. */
    final class Requests {
        private final List<float[]> taken = new ArrayList<>();
        private List<float[]> formerFloats = List.copyOf(floats);
        private List<Device.Array> formerHanded = List.copyOf(handed);
        private int handedTaken;

        /** Ends the requests: forgets the arrays that it replaced. */
        void end() {
            formerFloats = List.of();
            formerHanded = List.of();
        }

        /** Returns the arena to what it was before these requests: after a failure, which keeps nothing. */
        void undo() {
            floats.clear();
            floats.addAll(formerFloats);
            handed.clear();
            handed.addAll(formerHanded);
        }

        /** Returns an array of at least some elements, of any content. */
        float[] floats(int length) {
            int index = taken.size();
            if (index == floats.size()) {
                floats.add(new float[length]);
            } else if (floats.get(index).length < length) {
                floats.set(index, new float[length]);
            }
            taken.add(floats.get(index));
            return floats.get(index);
        }

        /** Returns an array to fill or to hand out, of any content. */
        Device.Array array(Shape shape, ElementType type) {
            int index = handedTaken++;
            int bytes = shape.bytes(type);
            if (index == handed.size()) {
                handed.add(Device.jvm().allocate(shape, type));
            } else if (handed.get(index).buffer().capacity() < bytes) {
                handed.set(index, Device.jvm().allocate(shape, type));
            }
            return Device.over(handed.get(index).buffer().slice(0, bytes), shape, type);
        }

        /** Returns whether any of its arrays has been replaced by a longer one since. */
        @SuppressWarnings("ReferenceEquality")
        boolean outgrown() {
            return IntStream.range(0, taken.size()).anyMatch(i -> taken.get(i) != floats.get(i));
        }
    }

    Requests requests() {
        return new Requests();
    }

    /**
     * Returns the copy of a parameter, the same for any number of rows.
     *
     * @param inPlace whether it is read in place instead
     */
    DenseParameter copy(Parameters.Cell cell, boolean inPlace) {
        return copies.computeIfAbsent(
                new Read(cell.declaration().path(), inPlace), read -> new DenseParameter(cell, inPlace));
    }

    /** Returns the gradient of a table, the same for any number of rows, which clears what the run before left in it. */
    DenseGatheringRules.TableGradient tableGradient(Path path, Shape shape) {
        return tableGradients.computeIfAbsent(path, of -> new DenseGatheringRules.TableGradient(shape));
    }

    /** Returns the scratch memory of one of the threads. */
    Scratch scratch(int thread) {
        while (scratches.size() <= thread) {
            scratches.add(new Scratch());
        }
        return scratches.get(thread);
    }
}
