package hocket.rl.envs.minatar;

import hocket.rl.envs.Canvas;
import hocket.schedulers.state.State;
import java.awt.Color;
import java.util.Arrays;
import java.util.List;

/**
 * A ball that breaks bricks, held in play by a paddle: MinAtar's {@code Breakout}.
 *
 * <p>Channels: paddle, ball, trail (the ball's last cell), bricks. Minimal actions: none, left, right. The ball moves
 * diagonally and bounces off walls, bricks and paddle. Off the paddle it goes straight up where it was above it, and
 * back where it comes in from the side. Reward 1 a brick; three rows of bricks are put up when the last one is broken
 * and the ball is at the bottom. The episode terminates when the ball misses the paddle.
 */
public final class Breakout extends MinAtarGame {
    private static final List<Channel> CHANNELS = List.of(
            new Channel('=', Canvas.AGENT),
            new Channel('o', Canvas.INK),
            new Channel('+', new Color(0xb9b9c6)),
            new Channel('#', Canvas.WOOD));
    private static final int FIRST_BRICKS = 1;
    private static final int LAST_BRICKS = 3;

    private final int[] bricks = new int[SIZE];
    private int paddle;
    private int x;
    private int y;
    private int dx = 1;
    private int dy = 1;
    private int trailX;
    private int trailY;

    /** Whether the ball met a brick in the last step: a brick met in the next one neither breaks nor stops the ball. */
    private boolean hasStruck;

    public Breakout() {
        this(true, STICKY);
    }

    /**
     * @param minimal whether there are only the actions that the game uses
     * @param stickyProbability the probability of repeating the last action
     * @throws IllegalArgumentException if it is not in [0, 1]
     */
    public Breakout(boolean minimal, double stickyProbability) {
        super("Breakout", CHANNELS, minimal, stickyProbability, 0, LEFT, RIGHT);
    }

    @Override
    protected void begin() {
        boolean fromRight = twister().integers(0, 2) == 1;
        x = fromRight ? LAST : 0;
        y = LAST_BRICKS;
        dx = fromRight ? -1 : 1;
        dy = 1;
        trailX = x;
        trailY = y;
        paddle = 4;
        hasStruck = false;
        Arrays.fill(bricks, 0);
        build();
    }

    private void build() {
        for (int row = FIRST_BRICKS; row <= LAST_BRICKS; row++) {
            bricks[row] = FULL_ROW;
        }
    }

    @Override
    int play(int action) {
        if (action == LEFT || action == RIGHT) {
            paddle = onBoard(paddle + (action == LEFT ? -1 : 1));
        }
        trailX = x;
        trailY = y;
        int nextX = onBoard(x + dx);
        if (nextX != x + dx) {
            dx = -dx;
        }
        int nextY = y + dy;
        boolean isBrick = nextY >= 0 && (bricks[nextY] >> nextX & 1) == 1;
        boolean breaks = isBrick && !hasStruck;
        if (nextY < 0) {
            dy = -dy;
            nextY = 0;
        } else if (breaks) {
            bricks[nextY] &= ~(1 << nextX);
            dy = -dy;
            nextY = y;
        } else if (!isBrick && nextY == LAST) {
            nextY = atBottom(nextX);
        }
        hasStruck = isBrick;
        x = nextX;
        y = nextY;
        return breaks ? 1 : 0;
    }

    /** Bounces the ball off the paddle or ends the episode, and returns the ball's row. */
    private int atBottom(int nextX) {
        int left = 0;
        for (int row : bricks) {
            left |= row;
        }
        if (left == 0) {
            build();
        }
        if (paddle != x && paddle != nextX) {
            end();
            return LAST;
        }
        dx = paddle == x ? dx : -dx;
        dy = -dy;
        return y;
    }

    @Override
    void paint() {
        mark(0, paddle, LAST);
        mark(1, x, y);
        mark(2, trailX, trailY);
        mark(3, bricks);
    }

    @Override
    State saveGame() {
        return State.empty()
                .with("paddle", paddle)
                .with("x", x)
                .with("y", y)
                .with("right", dx > 0 ? 1 : 0)
                .with("down", dy > 0 ? 1 : 0)
                .with("trailX", trailX)
                .with("trailY", trailY)
                .with("bricks", tensor(bricks))
                .with("hasStruck", hasStruck ? 1 : 0);
    }

    @Override
    void restoreGame(State state) {
        paddle = whole(state, "paddle", 0, LAST);
        x = whole(state, "x", 0, LAST);
        y = whole(state, "y", 0, LAST);
        dx = state.whole("right") == 1 ? 1 : -1;
        dy = state.whole("down") == 1 ? 1 : -1;
        trailX = whole(state, "trailX", 0, LAST);
        trailY = whole(state, "trailY", 0, LAST);
        readRows(state, "bricks", bricks);
        hasStruck = state.whole("hasStruck") == 1;
    }
}
