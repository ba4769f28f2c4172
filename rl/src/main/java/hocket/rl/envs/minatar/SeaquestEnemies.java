package hocket.rl.envs.minatar;

import hocket.rl.envs.minatar.Swimmers.Swimmer;
import hocket.rl.random.Mt19937;
import hocket.schedulers.state.State;

/** The enemies of {@link Seaquest}: fish, submarines and their bullets, how often they appear and how fast they move. */
final class SeaquestEnemies {
    private static final int RELOAD = 10;
    private static final int FASTEST = 2;

    private final Seaquest game;
    private final Swimmers fish = new Swimmers();
    private final Swimmers submarines = new Swimmers();
    private final Swimmers bullets = new Swimmers();
    private int spawnInterval;
    private int spawnTimer;
    private int moveInterval;
    private int ramps;

    SeaquestEnemies(Seaquest game) {
        this.game = game;
    }

    Swimmers fish() {
        return fish;
    }

    Swimmers submarines() {
        return submarines;
    }

    Swimmers bullets() {
        return bullets;
    }

    void begin() {
        fish.clear();
        submarines.clear();
        bullets.clear();
        spawnInterval = 20;
        spawnTimer = spawnInterval;
        moveInterval = 5;
        ramps = 0;
    }

    /** Lets a fish or a submarine appear if it is time, unless its row has an enemy that swims towards it. */
    void spawn(Mt19937 random) {
        if (spawnTimer == 0) {
            boolean fromLeft = random.random() < 0.5;
            boolean isArmed = random.random() < 1 / 3.0;
            int y = random.integers(1, MinAtarGame.LAST);
            if (!submarines.isOpposed(y, fromLeft) && !fish.isOpposed(y, fromLeft)) {
                Swimmers kind = isArmed ? submarines : fish;
                kind.add(fromLeft ? 0 : MinAtarGame.LAST, y, fromLeft, moveInterval, isArmed ? RELOAD : 0);
            }
            spawnTimer = spawnInterval;
        }
        spawnTimer = Math.max(spawnTimer - 1, 0);
    }

    /** Removes the first fish at a place, or else submarine; returns whether there was one. */
    boolean removeAt(int x, int y) {
        return fish.removeAt(x, y) || submarines.removeAt(x, y);
    }

    /** Moves all and returns the number that swam into shots. */
    int move(Swimmers shots) {
        int hits = move(submarines, true, shots);
        moveBullets();
        return hits + move(fish, false, shots);
    }

    /** A submarine that is shot may still fire in the same step. */
    private int move(Swimmers group, boolean areArmed, Swimmers shots) {
        int hits = 0;
        for (int i = group.count() - 1; i >= 0; i--) {
            Swimmer enemy = group.get(i);
            game.endIfMet(enemy);
            if (enemy.moveTimer > 0) {
                enemy.moveTimer--;
            } else {
                enemy.moveTimer = moveInterval;
                enemy.move();
                if (enemy.isOutside()) {
                    group.remove(enemy);
                } else if (!game.endIfMet(enemy) && shots.removeAt(enemy.x, enemy.y)) {
                    group.remove(enemy);
                    hits++;
                }
            }
            if (areArmed) {
                fire(enemy);
            }
        }
        return hits;
    }

    private void fire(Swimmer submarine) {
        if (submarine.shotTimer > 0) {
            submarine.shotTimer--;
            return;
        }
        submarine.shotTimer = RELOAD;
        bullets.add(submarine.x, submarine.y, submarine.right, 0, 0);
    }

    private void moveBullets() {
        for (int i = bullets.count() - 1; i >= 0; i--) {
            Swimmer bullet = bullets.get(i);
            game.endIfMet(bullet);
            bullet.move();
            game.endIfMet(bullet);
            if (bullet.isOutside()) {
                bullets.remove(bullet);
            }
        }
    }

    /** Makes enemies appear more often, and at every second call move faster. */
    void ramp() {
        if (spawnInterval > 1 || moveInterval > FASTEST) {
            moveInterval -= moveInterval > FASTEST && ramps % 2 == 1 ? 1 : 0;
            spawnInterval = Math.max(spawnInterval - 1, 1);
            ramps++;
        }
    }

    State save() {
        return State.empty()
                .with("fish", fish.saved())
                .with("submarines", submarines.saved())
                .with("bullets", bullets.saved())
                .with("spawnInterval", spawnInterval)
                .with("spawnTimer", spawnTimer)
                .with("moveInterval", moveInterval)
                .with("ramps", ramps);
    }

    /** @throws IllegalArgumentException if it is another kind of state; part of it may be restored then */
    void restore(State state) {
        fish.restore(state.tensor("fish"));
        submarines.restore(state.tensor("submarines"));
        bullets.restore(state.tensor("bullets"));
        spawnInterval = game.whole(state, "spawnInterval", 0, MinAtarGame.LARGEST);
        spawnTimer = game.whole(state, "spawnTimer", 0, MinAtarGame.LARGEST);
        moveInterval = game.whole(state, "moveInterval", 0, MinAtarGame.LARGEST);
        ramps = game.whole(state, "ramps", 0, MinAtarGame.LARGEST);
    }
}
