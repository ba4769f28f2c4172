package hocket.rl.envs.minatar;

import hocket.rl.envs.Canvas;
import hocket.rl.envs.minatar.Swimmers.Swimmer;
import hocket.schedulers.state.State;
import java.awt.Color;
import java.util.List;

/**
 * A submarine that shoots enemies and rescues divers before its oxygen ends: MinAtar's {@code Seaquest}.
 *
 * <p>Channels: the submarine's front, its back, its bullets, trail (the cells behind fish, enemy submarines and divers),
 * enemy bullets, fish, enemy submarines, a gauge of oxygen, a gauge of divers, divers. Minimal actions: all six. Reward
 * 1 an enemy that is shot, and at the surface with six divers one for each 20 of the oxygen left. Surfacing takes one
 * diver and fills the oxygen; with ramping enemies appear and move faster after it. The episode terminates when an enemy
 * or its bullet meets the submarine, without oxygen, and at the surface without divers.
 */
public final class Seaquest extends MinAtarGame {
    private static final List<Channel> CHANNELS = List.of(
            new Channel('A', Canvas.AGENT),
            new Channel('a', new Color(0xe58b84)),
            new Channel('-', Canvas.INK),
            new Channel('+', new Color(0xcfcfd8)),
            new Channel('*', new Color(0xe0762e)),
            new Channel('f', new Color(0x5fa05a)),
            new Channel('S', Canvas.METAL),
            new Channel('O', new Color(0x8fb0e8)),
            new Channel('D', Canvas.GOAL),
            new Channel('d', Canvas.GOAL));
    private static final int TRAIL = 3;
    private static final int OXYGEN = 200;
    private static final int DIVERS = 6;
    private static final int DIVER_INTERVAL = 30;
    private static final int DIVER_MOVES = 5;
    private static final int RELOAD = 5;

    private final boolean ramping;
    private final Swimmers shots = new Swimmers();
    private final Swimmers divers = new Swimmers();
    private final SeaquestEnemies enemies = new SeaquestEnemies(this);
    private int x;
    private int y;
    private boolean right;
    private int oxygen;

    /** The divers aboard; -1 after surfacing with six. */
    private int aboard;

    private boolean isSurfaced;
    private int reload;
    private int diverTimer;

    public Seaquest() {
        this(true, STICKY, true);
    }

    /**
     * @param minimal whether there are only the actions that the game uses: all, here
     * @param stickyProbability the probability of repeating the last action
     * @param ramping whether the game becomes harder
     * @throws IllegalArgumentException if the probability is not in [0, 1]
     */
    public Seaquest(boolean minimal, double stickyProbability, boolean ramping) {
        super("Seaquest", CHANNELS, minimal, stickyProbability, 0, LEFT, UP, RIGHT, DOWN, FIRE);
        this.ramping = ramping;
    }

    @Override
    protected void begin() {
        shots.clear();
        divers.clear();
        enemies.begin();
        x = 5;
        y = 0;
        right = false;
        oxygen = OXYGEN;
        aboard = 0;
        isSurfaced = true;
        reload = 0;
        diverTimer = DIVER_INTERVAL;
    }

    @Override
    int play(int action) {
        enemies.spawn(twister());
        spawnDiver();
        steer(action);
        int reward = moveShots();
        moveDivers();
        reward += enemies.move(shots);
        return reward + breathe();
    }

    private void spawnDiver() {
        if (diverTimer == 0) {
            boolean fromLeft = twister().random() < 0.5;
            divers.add(fromLeft ? 0 : LAST, twister().integers(1, LAST), fromLeft, DIVER_MOVES, 0);
            diverTimer = DIVER_INTERVAL;
        }
        diverTimer--;
    }

    private void steer(int action) {
        switch (action) {
            case LEFT, RIGHT -> {
                right = action == RIGHT;
                x = onBoard(x + (right ? 1 : -1));
            }
            case UP -> y = Math.max(y - 1, 0);
            case DOWN -> y = Math.min(y + 1, LAST - 1);
            case FIRE -> {
                if (reload == 0) {
                    shots.add(x, y, right, 0, 0);
                    reload = RELOAD;
                }
            }
            default -> {}
        }
        reload = Math.max(reload - 1, 0);
    }

    private int moveShots() {
        int reward = 0;
        for (int i = shots.count() - 1; i >= 0; i--) {
            Swimmer shot = shots.get(i);
            shot.move();
            if (shot.isOutside()) {
                shots.remove(shot);
            } else if (enemies.removeAt(shot.x, shot.y)) {
                shots.remove(shot);
                reward++;
            }
        }
        return reward;
    }

    private void moveDivers() {
        for (int i = divers.count() - 1; i >= 0; i--) {
            Swimmer diver = divers.get(i);
            if (rescue(diver)) {
                continue;
            }
            if (diver.moveTimer > 0) {
                diver.moveTimer--;
                continue;
            }
            diver.moveTimer = DIVER_MOVES;
            diver.move();
            if (diver.isOutside()) {
                divers.remove(diver);
            } else {
                rescue(diver);
            }
        }
    }

    /** Takes a diver aboard where there is room; returns whether it was taken. */
    private boolean rescue(Swimmer diver) {
        if (aboard >= DIVERS || !diver.isAt(x, y)) {
            return false;
        }
        divers.remove(diver);
        aboard++;
        return true;
    }

    /** Ends the episode if an enemy or a bullet is at the submarine's front; returns whether it is. */
    boolean endIfMet(Swimmer danger) {
        boolean isMet = danger.isAt(x, y);
        if (isMet) {
            end();
        }
        return isMet;
    }

    private int breathe() {
        if (oxygen <= 0) {
            end();
        }
        if (y > 0) {
            oxygen--;
            isSurfaced = false;
            return 0;
        }
        if (isSurfaced) {
            return 0;
        }
        if (aboard == 0) {
            end();
            return 0;
        }
        return surface();
    }

    private int surface() {
        boolean isFull = aboard == DIVERS;
        int reward = isFull ? Math.floorDiv(oxygen * SIZE, OXYGEN) : 0;
        isSurfaced = true;
        oxygen = OXYGEN;
        aboard = (isFull ? 0 : aboard) - 1;
        if (ramping) {
            enemies.ramp();
        }
        return reward;
    }

    @Override
    void paint() {
        mark(0, x, y);
        mark(1, right ? x - 1 : x + 1, y);
        mark(2, shots, false);
        mark(4, enemies.bullets(), false);
        mark(5, enemies.fish(), true);
        mark(6, enemies.submarines(), true);
        for (int i = 0; i < oxygen * SIZE / OXYGEN; i++) {
            mark(7, i, LAST);
        }
        for (int i = 1; i <= aboard; i++) {
            mark(8, LAST - i, LAST);
        }
        mark(9, divers, true);
    }

    private void mark(int channel, Swimmers swimmers, boolean trail) {
        for (int i = 0; i < swimmers.count(); i++) {
            Swimmer one = swimmers.get(i);
            mark(channel, one.x, one.y);
            if (trail) {
                mark(TRAIL, one.behind(), one.y);
            }
        }
    }

    @Override
    State saveGame() {
        return State.empty()
                .with("x", x)
                .with("y", y)
                .with("right", right ? 1 : 0)
                .with("oxygen", oxygen)
                .with("aboard", aboard)
                .with("isSurfaced", isSurfaced ? 1 : 0)
                .with("reload", reload)
                .with("diverTimer", diverTimer)
                .with("shots", shots.saved())
                .with("divers", divers.saved())
                .with("enemies", enemies.save());
    }

    @Override
    void restoreGame(State state) {
        x = whole(state, "x", 0, LAST);
        y = whole(state, "y", 0, LAST);
        right = state.whole("right") == 1;
        oxygen = whole(state, "oxygen", -1, OXYGEN);
        aboard = whole(state, "aboard", -LARGEST, DIVERS);
        isSurfaced = state.whole("isSurfaced") == 1;
        reload = whole(state, "reload", 0, RELOAD);
        diverTimer = whole(state, "diverTimer", 0, DIVER_INTERVAL);
        shots.restore(state.tensor("shots"));
        divers.restore(state.tensor("divers"));
        enemies.restore(state.state("enemies"));
    }
}
