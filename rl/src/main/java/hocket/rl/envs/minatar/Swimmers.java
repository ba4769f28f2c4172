package hocket.rl.envs.minatar;

import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A list of what swims along the rows of {@link Seaquest}: fish, submarines, bullets, divers. A removed swimmer is kept
 * and used again by the next {@link #add}, so that steps allocate nothing.
 */
final class Swimmers {
    private static final int NUMBERS = 5;

    private Swimmer[] all = {};
    private int count;

    static final class Swimmer {
        int x;
        int y;
        boolean right;
        int moveTimer;
        int shotTimer;

        boolean isAt(int otherX, int otherY) {
            return x == otherX && y == otherY;
        }

        boolean isOutside() {
            return x < 0 || x > MinAtarGame.LAST;
        }

        void move() {
            x += right ? 1 : -1;
        }

        int behind() {
            return right ? x - 1 : x + 1;
        }

        private boolean isLike(Swimmer other) {
            return isAt(other.x, other.y)
                    && right == other.right
                    && moveTimer == other.moveTimer
                    && shotTimer == other.shotTimer;
        }
    }

    int count() {
        return count;
    }

    Swimmer get(int index) {
        return all[index];
    }

    void add(int x, int y, boolean right, int moveTimer, int shotTimer) {
        if (count == all.length) {
            all = Arrays.copyOf(all, count + 8);
            Arrays.setAll(all, i -> i < count ? all[i] : new Swimmer());
        }
        Swimmer added = all[count++];
        added.x = x;
        added.y = y;
        added.right = right;
        added.moveTimer = moveTimer;
        added.shotTimer = shotTimer;
    }

    void clear() {
        count = 0;
    }

    /** Removes the first swimmer that equals the given one, which may be another one. */
    void remove(Swimmer like) {
        int index = 0;
        while (!all[index].isLike(like)) {
            index++;
        }
        Swimmer removed = all[index];
        count--;
        System.arraycopy(all, index + 1, all, index, count - index);
        all[count] = removed;
    }

    /** Removes the first swimmer at a place; returns whether there was one. */
    boolean removeAt(int x, int y) {
        Swimmer found = firstAt(x, y);
        if (found != null) {
            remove(found);
        }
        return found != null;
    }

    private @Nullable Swimmer firstAt(int x, int y) {
        for (int i = 0; i < count; i++) {
            if (all[i].isAt(x, y)) {
                return all[i];
            }
        }
        return null;
    }

    /** Returns whether any swims along a row in the other direction. */
    boolean isOpposed(int y, boolean right) {
        for (int i = 0; i < count; i++) {
            if (all[i].y == y && all[i].right != right) {
                return true;
            }
        }
        return false;
    }

    /** The number of swimmers, then five numbers of each. */
    Tensor saved() {
        int[] numbers = new int[1 + count * NUMBERS];
        numbers[0] = count;
        for (int i = 0; i < count; i++) {
            Swimmer one = all[i];
            int at = 1 + i * NUMBERS;
            numbers[at] = one.x;
            numbers[at + 1] = one.y;
            numbers[at + 2] = one.right ? 1 : 0;
            numbers[at + 3] = one.moveTimer;
            numbers[at + 4] = one.shotTimer;
        }
        return MinAtarGame.tensor(numbers);
    }

    /** @throws IllegalArgumentException if the tensor holds no swimmers, or one outside of the board */
    void restore(Tensor saved) {
        int[] numbers =
                Arrays.stream(saved.doubles()).mapToInt(number -> (int) number).toArray();
        boolean isWhole = numbers[0] >= 0 && numbers.length == 1 + (long) numbers[0] * NUMBERS;
        boolean isInside = isWhole
                && IntStream.range(0, numbers[0] * NUMBERS)
                        .allMatch(i -> numbers[1 + i] >= 0 && (i % NUMBERS > 1 || numbers[1 + i] < MinAtarGame.SIZE));
        if (!isInside) {
            throw new IllegalArgumentException("saved swimmers must be a count and " + NUMBERS
                    + " numbers of each, inside of the board, were " + Arrays.toString(numbers));
        }
        clear();
        for (int at = 1; at < numbers.length; at += NUMBERS) {
            add(numbers[at], numbers[at + 1], numbers[at + 2] == 1, numbers[at + 3], numbers[at + 4]);
        }
    }
}
