package hocket.rl.envs.minatar;

import hocket.rl.envs.Canvas;
import hocket.schedulers.state.State;
import java.awt.Color;
import java.util.Arrays;
import java.util.List;

/**
 * A cannon that shoots at descending aliens: MinAtar's {@code SpaceInvaders}.
 *
 * <p>Channels: cannon, aliens, aliens that move left, aliens that move right, the cannon's bullets, the aliens' bullets.
 * Minimal actions: none, left, right, fire. At an edge the aliens move down and turn; fewer aliens move faster. Reward 1
 * an alien; the next wave appears when none is left, with ramping a faster one. The episode terminates when a bullet or
 * an alien reaches the cannon, or aliens in the bottom row reach an edge.
 */
public final class SpaceInvaders extends MinAtarGame {
    private static final List<Channel> CHANNELS = List.of(
            new Channel('A', Canvas.AGENT),
            new Channel('W', Canvas.METAL),
            new Channel('<', Canvas.METAL),
            new Channel('>', Canvas.METAL),
            new Channel('\'', Canvas.INK),
            new Channel('!', new Color(0xe0762e)));
    private static final int WAVE_ROWS = 4;
    private static final int WAVE_ROW = 0b0011111100;
    private static final int SLOWEST = 12;
    private static final int FASTEST = 6;
    private static final int RELOAD = 5;
    private static final int ALIEN_RELOAD = 10;

    private final boolean ramping;

    /** The boards: bit x of row y. */
    private final int[] aliens = new int[SIZE];

    private final int[] shots = new int[SIZE];
    private final int[] bombs = new int[SIZE];
    private int cannon;
    private int direction = 1;
    private int reload;
    private int alienReload;
    private int moveInterval;
    private int moveTimer;

    public SpaceInvaders() {
        this(true, STICKY, true);
    }

    /**
     * @param minimal whether there are only the actions that the game uses
     * @param stickyProbability the probability of repeating the last action
     * @param ramping whether the game becomes harder
     * @throws IllegalArgumentException if the probability is not in [0, 1]
     */
    public SpaceInvaders(boolean minimal, double stickyProbability, boolean ramping) {
        super("SpaceInvaders", CHANNELS, minimal, stickyProbability, 0, LEFT, RIGHT, FIRE);
        this.ramping = ramping;
    }

    @Override
    protected void begin() {
        Arrays.fill(aliens, 0);
        Arrays.fill(shots, 0);
        Arrays.fill(bombs, 0);
        Arrays.fill(aliens, 0, WAVE_ROWS, WAVE_ROW);
        cannon = 5;
        direction = -1;
        reload = 0;
        alienReload = ALIEN_RELOAD;
        moveInterval = SLOWEST;
        moveTimer = moveInterval;
    }

    @Override
    int play(int action) {
        if (action == FIRE && reload == 0) {
            shots[LAST] |= 1 << cannon;
            reload = RELOAD;
        } else if (action == LEFT || action == RIGHT) {
            cannon = onBoard(cannon + (action == LEFT ? -1 : 1));
        }
        System.arraycopy(shots, 1, shots, 0, LAST);
        shots[LAST] = 0;
        System.arraycopy(bombs, 0, bombs, 1, LAST);
        bombs[0] = 0;
        endIfAtCannon(bombs);
        endIfAtCannon(aliens);
        if (moveTimer == 0) {
            moveTimer = Math.min(count(), moveInterval);
            moveAliens();
            endIfAtCannon(aliens);
        }
        if (alienReload == 0) {
            alienReload = ALIEN_RELOAD;
            dropBomb();
        }
        int reward = hits();
        reload = Math.max(reload - 1, 0);
        moveTimer--;
        alienReload--;
        if (count() == 0) {
            moveInterval -= ramping && moveInterval > FASTEST ? 1 : 0;
            Arrays.fill(aliens, 0, WAVE_ROWS, WAVE_ROW);
        }
        return reward;
    }

    private void endIfAtCannon(int[] board) {
        if ((board[LAST] >> cannon & 1) == 1) {
            end();
        }
    }

    private int count() {
        int count = 0;
        for (int row : aliens) {
            count += Integer.bitCount(row);
        }
        return count;
    }

    private void moveAliens() {
        if (lowest(direction < 0 ? 0 : LAST) >= 0) {
            direction = -direction;
            int bottom = aliens[LAST];
            if (bottom != 0) {
                end();
            }
            System.arraycopy(aliens, 0, aliens, 1, LAST);
            aliens[0] = bottom;
        } else {
            for (int y = 0; y < SIZE; y++) {
                aliens[y] = direction < 0 ? aliens[y] >> 1 : aliens[y] << 1;
            }
        }
    }

    /** The row of the lowest alien of a column, or -1. */
    private int lowest(int x) {
        int y = LAST;
        while (y >= 0 && (aliens[y] >> x & 1) == 0) {
            y--;
        }
        return y;
    }

    /** Drops a bomb from the lowest alien of the column nearest to the cannon, of two the left one. */
    private void dropBomb() {
        for (int distance = 0; distance < SIZE; distance++) {
            if (dropsBomb(cannon - distance) || dropsBomb(cannon + distance)) {
                return;
            }
        }
    }

    private boolean dropsBomb(int x) {
        int y = x < 0 || x > LAST ? -1 : lowest(x);
        if (y >= 0) {
            bombs[y] |= 1 << x;
        }
        return y >= 0;
    }

    /** Removes the aliens that are hit, and the shots, and returns their number. */
    private int hits() {
        int count = 0;
        for (int y = 0; y < SIZE; y++) {
            int hit = aliens[y] & shots[y];
            aliens[y] &= ~hit;
            shots[y] &= ~hit;
            count += Integer.bitCount(hit);
        }
        return count;
    }

    @Override
    void paint() {
        mark(0, cannon, LAST);
        mark(1, aliens);
        mark(direction < 0 ? 2 : 3, aliens);
        mark(4, shots);
        mark(5, bombs);
    }

    @Override
    State saveGame() {
        return State.empty()
                .with("cannon", cannon)
                .with("shots", tensor(shots))
                .with("bombs", tensor(bombs))
                .with("aliens", tensor(aliens))
                .with("direction", direction)
                .with("moveInterval", moveInterval)
                .with("moveTimer", moveTimer)
                .with("alienReload", alienReload)
                .with("reload", reload);
    }

    @Override
    void restoreGame(State state) {
        cannon = whole(state, "cannon", 0, LAST);
        readRows(state, "shots", shots);
        readRows(state, "bombs", bombs);
        readRows(state, "aliens", aliens);
        direction = whole(state, "direction", -1, 1);
        moveInterval = whole(state, "moveInterval", 0, LARGEST);
        moveTimer = whole(state, "moveTimer", 0, LARGEST);
        alienReload = whole(state, "alienReload", 0, LARGEST);
        reload = whole(state, "reload", 0, LARGEST);
    }
}
