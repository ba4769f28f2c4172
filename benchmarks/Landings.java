import hocket.rl.envs.*;
import hocket.rl.random.Pcg64;
import java.util.Locale;

/** Returns of LunarLander in Hocket, at random and by a controller: benchmarks/lunarlander.py runs it beside Gymnasium. */
class Landings {
    private static final int FIRST_SEED = 20_000;

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

    /** Tilts against the way and the speed sideways, and brakes a fall that is faster than the height allows. */
    private static float[] controlled(float[] seen) {
        double fall = -0.12 - 0.4 * Math.max(seen[1], 0);
        double tilt = Math.max(-0.35, Math.min(0.35, 0.7 * seen[0] + 0.9 * seen[2]));
        double turn = 1.1 * (tilt - seen[4]) - 1.3 * seen[5];
        int action;
        if (seen[6] + seen[7] > 0) {
            action = seen[3] < -0.08 ? 2 : 0;
        } else if (seen[3] < fall && Math.abs(turn) < 0.35) {
            action = 2;
        } else {
            action = turn < -0.06 ? 3 : turn > 0.06 ? 1 : 0;
        }
        return new float[] {action};
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
