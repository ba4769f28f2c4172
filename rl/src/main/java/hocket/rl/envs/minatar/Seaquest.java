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
    private static final int ENEMY_RELOAD = 10;
    private static final int FASTEST = 2;

    private final boolean ramping;
    private final Swimmers shots = new Swimmers();
    private final Swimmers bullets = new Swimmers();
    private final Swimmers fish = new Swimmers();
    private final Swimmers submarines = new Swimmers();
    private final Swimmers divers = new Swimmers();
    private int x;
    private int y;
    private boolean right;
    private int oxygen;

    /** The divers aboard; -1 after surfacing with six. */
    private int aboard;

    private boolean isSurfaced;
    private int reload;
    private int enemyInterval;
    private int enemyTimer;
    private int diverTimer;
    private int moveInterval;
    private int ramps;

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
        bullets.clear();
        fish.clear();
        submarines.clear();
        divers.clear();
        x = 5;
        y = 0;
        right = false;
        oxygen = OXYGEN;
        aboard = 0;
        isSurfaced = true;
        reload = 0;
        enemyInterval = 20;
        enemyTimer = enemyInterval;
        diverTimer = DIVER_INTERVAL;
        moveInterval = 5;
        ramps = 0;
    }

    @Override
    int play(int action) {
        spawn();
        steer(action);
        int reward = moveShots();
        moveDivers();
        reward += moveEnemies(submarines, true);
        moveBullets();
        reward += moveEnemies(fish, false);
        enemyTimer = Math.max(enemyTimer - 1, 0);
        diverTimer = Math.max(diverTimer - 1, 0);
        reload = Math.max(reload - 1, 0);
        return reward + breathe();
    }

    private void spawn() {
        if (enemyTimer == 0) {
            spawnEnemy();
            enemyTimer = enemyInterval;
        }
        if (diverTimer == 0) {
            boolean fromLeft = twister().random() < 0.5;
            divers.add(fromLeft ? 0 : LAST, twister().integers(1, LAST), fromLeft, DIVER_MOVES, 0);
            diverTimer = DIVER_INTERVAL;
        }
    }

    /** Lets a fish or a submarine appear, unless its row has an enemy that swims towards it. */
    private void spawnEnemy() {
        boolean fromLeft = twister().random() < 0.5;
        boolean isArmed = twister().random() < 1 / 3.0;
        int row = twister().integers(1, LAST);
        if (!submarines.isOpposed(row, fromLeft) && !fish.isOpposed(row, fromLeft)) {
            (isArmed ? submarines : fish)
                    .add(fromLeft ? 0 : LAST, row, fromLeft, moveInterval, isArmed ? ENEMY_RELOAD : 0);
        }
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
    }

    private int moveShots() {
        int reward = 0;
        for (int i = shots.count() - 1; i >= 0; i--) {
            Swimmer shot = shots.get(i);
            shot.move();
            if (shot.isOutside()) {
                shots.remove(shot);
            } else if (fish.removeAt(shot.x, shot.y) || submarines.removeAt(shot.x, shot.y)) {
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

    /** Moves fish or submarines; a submarine that is shot may still fire in the same step. */
    private int moveEnemies(Swimmers enemies, boolean areArmed) {
        int reward = 0;
        for (int i = enemies.count() - 1; i >= 0; i--) {
            Swimmer enemy = enemies.get(i);
            endIfAtFront(enemy);
            if (enemy.moveTimer > 0) {
                enemy.moveTimer--;
            } else {
                enemy.moveTimer = moveInterval;
                enemy.move();
                endIfAtFront(enemy);
                if (enemy.isOutside()) {
                    enemies.remove(enemy);
                } else if (!enemy.isAt(x, y) && shots.removeAt(enemy.x, enemy.y)) {
                    enemies.remove(enemy);
                    reward++;
                }
            }
            if (areArmed) {
                fire(enemy);
            }
        }
        return reward;
    }

    private void fire(Swimmer submarine) {
        if (submarine.shotTimer > 0) {
            submarine.shotTimer--;
            return;
        }
        submarine.shotTimer = ENEMY_RELOAD;
        bullets.add(submarine.x, submarine.y, submarine.right, 0, 0);
    }

    private void moveBullets() {
        for (int i = bullets.count() - 1; i >= 0; i--) {
            Swimmer bullet = bullets.get(i);
            endIfAtFront(bullet);
            bullet.move();
            endIfAtFront(bullet);
            if (bullet.isOutside()) {
                bullets.remove(bullet);
            }
        }
    }

    private void endIfAtFront(Swimmer danger) {
        if (danger.isAt(x, y)) {
            end();
        }
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
        if (ramping && (enemyInterval > 1 || moveInterval > FASTEST)) {
            moveInterval -= moveInterval > FASTEST && ramps % 2 == 1 ? 1 : 0;
            enemyInterval = Math.max(enemyInterval - 1, 1);
            ramps++;
        }
        return reward;
    }

    @Override
    void paint() {
        mark(0, x, y);
        mark(1, right ? x - 1 : x + 1, y);
        mark(2, shots, false);
        mark(4, bullets, false);
        mark(5, fish, true);
        mark(6, submarines, true);
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
                .with("enemyInterval", enemyInterval)
                .with("enemyTimer", enemyTimer)
                .with("diverTimer", diverTimer)
                .with("moveInterval", moveInterval)
                .with("ramps", ramps)
                .with("shots", shots.saved())
                .with("bullets", bullets.saved())
                .with("fish", fish.saved())
                .with("submarines", submarines.saved())
                .with("divers", divers.saved());
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
        enemyInterval = whole(state, "enemyInterval", 0, LARGEST);
        enemyTimer = whole(state, "enemyTimer", 0, LARGEST);
        diverTimer = whole(state, "diverTimer", 0, LARGEST);
        moveInterval = whole(state, "moveInterval", 0, LARGEST);
        ramps = whole(state, "ramps", 0, LARGEST);
        shots.restore(state.tensor("shots"));
        bullets.restore(state.tensor("bullets"));
        fish.restore(state.tensor("fish"));
        submarines.restore(state.tensor("submarines"));
        divers.restore(state.tensor("divers"));
    }
}
