package hocket.rl.envs.games;

import hocket.rl.random.Pcg64;

/** The players that a {@link Seat} meets, one of them in each episode. */
public interface Opponents {
    /** Draws the number of the player of an episode. */
    int draw(Pcg64 random);

    /** Returns the player of a number. */
    GamePlayer player(int number);

    /** Draws how many steps of an episode's beginning all agents take at random. */
    default int opening(Pcg64 random) {
        return 0;
    }

    /** Returns a single player. */
    static Opponents only(GamePlayer player) {
        return new Opponents() {
            @Override
            public int draw(Pcg64 random) {
                return 0;
            }

            @Override
            public GamePlayer player(int number) {
                return player;
            }
        };
    }
}
