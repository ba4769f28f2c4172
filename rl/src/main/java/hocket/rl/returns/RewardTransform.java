package hocket.rl.returns;

/**
 * A change of rewards for learning: {@code scale·reward}, clipped at ± {@code clip}.
 *
 * @param scale the factor
 * @param clip the largest absolute value of scaled rewards; 0 for no limit
 */
public record RewardTransform(double scale, double clip) {
    /** Leaves rewards as they are. */
    public static final RewardTransform NONE = new RewardTransform(1, 0);

    /** Returns a changed reward. */
    public double of(double reward) {
        double scaled = scale * reward;
        return clip == 0 ? scaled : Math.min(Math.max(scaled, -clip), clip);
    }
}
