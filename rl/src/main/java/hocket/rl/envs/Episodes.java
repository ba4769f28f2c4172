package hocket.rl.envs;

/** Hears of each episode that ends. */
@FunctionalInterface
public interface Episodes {
    /**
     * An episode has ended.
     *
     * @param environment which of the vector, from 0
     * @param ret the sum of its rewards as the environment gave them
     * @param length how many steps it took
     */
    void ended(int environment, double ret, int length);
}
