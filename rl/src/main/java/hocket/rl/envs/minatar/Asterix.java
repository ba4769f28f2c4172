package hocket.rl.envs.minatar;

import hocket.rl.envs.Canvas;
import hocket.schedulers.state.State;
import java.awt.Color;
import java.util.List;

/**
 * A player who collects gold and avoids enemies that cross the board: MinAtar's {@code Asterix}.
 *
 * <p>Channels: player, enemies, trail (the cells behind enemies and gold), gold. Minimal actions: none, left, up, right,
 * down. Each of the eight middle rows has at most one enemy or piece of gold. Reward 1 a piece of gold; the episode
 * terminates when the player meets an enemy. With ramping they appear and move faster and faster.
 */
public final class Asterix extends MinAtarGame {
    private static final List<Channel> CHANNELS = List.of(
            new Channel('A', Canvas.AGENT),
            new Channel('e', Canvas.METAL),
            new Channel('+', new Color(0xcfcfd8)),
            new Channel('$', Canvas.GOAL));
    private static final int LANES = 8;
    private static final int NOTHING = 0;
    private static final int ENEMY = 1;
    private static final int TRAIL = 2;
    private static final int GOLD = 3;
    private static final int RAMP_INTERVAL = 100;

    private final boolean ramping;

    /** The content of each lane: nothing, or the channel of an enemy or gold. */
    private final int[] kinds = new int[LANES];

    private final int[] xs = new int[LANES];
    private final int[] directions = new int[LANES];
    private int playerX;
    private int playerY = 1;
    private int spawnInterval;
    private int spawnTimer;
    private int moveInterval;
    private int moveTimer;
    private int rampTimer;
    private int ramps;

    public Asterix() {
        this(true, STICKY, true);
    }

    /**
     * @param minimal whether there are only the actions that the game uses
     * @param stickyProbability the probability of repeating the last action
     * @param ramping whether the game becomes harder
     * @throws IllegalArgumentException if the probability is not in [0, 1]
     */
    public Asterix(boolean minimal, double stickyProbability, boolean ramping) {
        super("Asterix", CHANNELS, minimal, stickyProbability, 0, LEFT, UP, RIGHT, DOWN);
        this.ramping = ramping;
    }

    @Override
    protected void begin() {
        for (int lane = 0; lane < LANES; lane++) {
            clear(lane);
        }
        playerX = 5;
        playerY = 5;
        spawnInterval = 10;
        spawnTimer = spawnInterval;
        moveInterval = 5;
        moveTimer = moveInterval;
        rampTimer = RAMP_INTERVAL;
        ramps = 0;
    }

    @Override
    int play(int action) {
        if (spawnTimer == 0) {
            spawn();
            spawnTimer = spawnInterval;
        }
        switch (action) {
            case LEFT -> playerX = onBoard(playerX - 1);
            case RIGHT -> playerX = onBoard(playerX + 1);
            case UP -> playerY = Math.max(playerY - 1, 1);
            case DOWN -> playerY = Math.min(playerY + 1, LANES);
            default -> {}
        }
        int reward = touch();
        if (moveTimer == 0) {
            moveTimer = moveInterval;
            moveAll();
            reward += touch();
        }
        spawnTimer--;
        moveTimer--;
        if (ramping && (spawnInterval > 1 || moveInterval > 1)) {
            ramp();
        }
        return reward;
    }

    /** Draws side and kind first, and a lane only if one is free. */
    private void spawn() {
        boolean fromLeft = twister().random() < 1 / 2.0;
        boolean isGold = twister().random() < 1 / 3.0;
        int free = 0;
        for (int kind : kinds) {
            free += kind == NOTHING ? 1 : 0;
        }
        if (free == 0) {
            return;
        }
        int lane = freeLane(twister().integers(0, free));
        kinds[lane] = isGold ? GOLD : ENEMY;
        xs[lane] = fromLeft ? 0 : LAST;
        directions[lane] = fromLeft ? 1 : -1;
    }

    /** The free lane with a number of free lanes above it. */
    private int freeLane(int above) {
        int lane = 0;
        for (int left = above; left > 0 || kinds[lane] != NOTHING; lane++) {
            left -= kinds[lane] == NOTHING ? 1 : 0;
        }
        return lane;
    }

    /** Takes the gold at the player's place and returns the reward, or ends the episode at an enemy. */
    private int touch() {
        int lane = playerY - 1;
        if (kinds[lane] == NOTHING || xs[lane] != playerX) {
            return 0;
        }
        if (kinds[lane] == ENEMY) {
            end();
            return 0;
        }
        clear(lane);
        return 1;
    }

    private void clear(int lane) {
        kinds[lane] = NOTHING;
        xs[lane] = 0;
        directions[lane] = 0;
    }

    private void moveAll() {
        for (int lane = 0; lane < LANES; lane++) {
            xs[lane] += directions[lane];
            if (xs[lane] < 0 || xs[lane] > LAST) {
                clear(lane);
            }
        }
    }

    private void ramp() {
        if (rampTimer >= 0) {
            rampTimer--;
            return;
        }
        if (moveInterval > 1 && ramps % 2 == 1) {
            moveInterval--;
        }
        spawnInterval = Math.max(spawnInterval - 1, 1);
        ramps++;
        rampTimer = RAMP_INTERVAL;
    }

    @Override
    void paint() {
        mark(0, playerX, playerY);
        for (int lane = 0; lane < LANES; lane++) {
            if (kinds[lane] != NOTHING) {
                mark(kinds[lane], xs[lane], lane + 1);
                mark(TRAIL, xs[lane] - directions[lane], lane + 1);
            }
        }
    }

    @Override
    State saveGame() {
        return State.empty()
                .with("playerX", playerX)
                .with("playerY", playerY)
                .with("kinds", tensor(kinds))
                .with("xs", tensor(xs))
                .with("directions", tensor(directions))
                .with("spawnInterval", spawnInterval)
                .with("spawnTimer", spawnTimer)
                .with("moveInterval", moveInterval)
                .with("moveTimer", moveTimer)
                .with("rampTimer", rampTimer)
                .with("ramps", ramps);
    }

    @Override
    void restoreGame(State state) {
        playerX = whole(state, "playerX", 0, LAST);
        playerY = whole(state, "playerY", 1, LANES);
        read(state, "kinds", NOTHING, GOLD, kinds);
        read(state, "xs", 0, LAST, xs);
        read(state, "directions", -1, 1, directions);
        spawnInterval = whole(state, "spawnInterval", 0, LARGEST);
        spawnTimer = whole(state, "spawnTimer", 0, LARGEST);
        moveInterval = whole(state, "moveInterval", 0, LARGEST);
        moveTimer = whole(state, "moveTimer", 0, LARGEST);
        rampTimer = whole(state, "rampTimer", -1, LARGEST);
        ramps = whole(state, "ramps", 0, LARGEST);
    }
}
