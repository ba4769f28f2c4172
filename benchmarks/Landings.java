import hocket.rl.envs.*;
import hocket.rl.random.Pcg64;
import java.util.Locale;

/** Returns of LunarLander in Hocket, at random and by a controller: benchmarks/lunarlander.py runs it beside Gymnasium. */
class Landings {
    private static final int FIRST_SEED = 10_000;

    public static void main(String[] arguments) {
        int count = Integer.parseInt(arguments[0]);
        play("LunarLander-v3", false, count);
        play("LunarLanderContinuous-v3", false, count);
        play("LunarLander-v3", true, count);
    }

    private static void play(String name, boolean isControlled, int count) {
        Environment environment = Environments.make(name);
        double[] returns = new double[count];
        double[] lengths = new double[count];
        int landed = 0;
        long start = System.nanoTime();
        for (int episode = 0; episode < count; episode++) {
            environment.reset(Pcg64.of(FIRST_SEED + episode));
            Pcg64 chooser = Pcg64.of(FIRST_SEED + episode);
            float[] seen = new float[8];
            while (!environment.terminated() && !environment.truncated()) {
                environment.observe(seen, 0);
                environment.step(isControlled ? controlled(seen) : environment.actions().sample(chooser), 0);
                returns[episode] += environment.reward();
                lengths[episode]++;
            }
            landed += environment.reward() == 100 ? 1 : 0;
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
                Locale.ROOT,
                "hocket %s %s return %.1f ± %.1f, length %.1f ± %.1f, landed %.3f, %.0f steps/s%n",
                name, isControlled ? "controlled" : "random", mean(returns), error(returns), mean(lengths), error(lengths),
                landed / (double) count, mean(lengths) * count / seconds);
    }

    private static float[] controlled(float[] seen) {
        double aim = Math.max(-0.4, Math.min(0.4, 0.5 * seen[0] + seen[2]));
        boolean onGround = seen[6] > 0 || seen[7] > 0;
        double turn = onGround ? 0 : (aim - seen[4]) * 0.5 - seen[5];
        double up = onGround ? -0.5 * seen[3] : (0.55 * Math.abs(seen[0]) - seen[1] - seen[3]) * 0.5;
        return new float[] {up > Math.abs(turn) && up > 0.05 ? 2 : turn < -0.05 ? 3 : turn > 0.05 ? 1 : 0};
    }

    private static double mean(double[] numbers) {
        double sum = 0;
        for (double number : numbers) {
            sum += number;
        }
        return sum / numbers.length;
    }

    private static double error(double[] numbers) {
        double mean = mean(numbers);
        double squares = 0;
        for (double number : numbers) {
            squares += (number - mean) * (number - mean);
        }
        return Math.sqrt(squares / (numbers.length - 1) / numbers.length);
    }
}
