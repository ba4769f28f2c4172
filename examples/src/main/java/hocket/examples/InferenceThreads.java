package hocket.examples;

import hocket.rl.envs.Environment;
import hocket.rl.envs.Environments;
import hocket.rl.random.Pcg64;
import hocket.schedulers.inference.Inferencer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Serves a trained agent to eight threads, each with CartPole environments of its own.
 *
 * <p>{@code ./hocket run cartpole-ppo} trains the agent in some seconds. {@code examples/run InferenceThreads
 * [EPISODES]} reads it from {@code runs/cartpole-ppo} and prints the lengths of the episodes: all 24 have 500 steps,
 * the maximum. The results do not depend on the number of threads.
 */
public final class InferenceThreads {
    private static final int THREADS = 8;

    private InferenceThreads() {}

    public static void main(String[] args) throws IOException, InterruptedException, ExecutionException {
        System.out.println(
                run(Path.of("runs/cartpole-ppo"), args.length > 0 ? Integer.parseInt(args[0]) : 24, THREADS));
    }

    /** The lengths of a number of episodes. */
    static List<Integer> run(Path folder, int episodes, int threads)
            throws IOException, InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try (Inferencer agent = Inferencer.load(folder)) {
            List<Future<Integer>> played = new ArrayList<>();
            for (int i = 0; i < episodes; i++) {
                int seed = i;
                played.add(pool.submit(() -> episode(agent, seed)));
            }
            List<Integer> lengths = new ArrayList<>();
            for (Future<Integer> each : played) {
                lengths.add(each.get());
            }
            return lengths;
        } finally {
            pool.shutdownNow();
        }
    }

    private static int episode(Inferencer agent, int seed) {
        Environment pole = Environments.make("CartPole-v1");
        float[] observation = new float[pole.observations().width()];
        int steps = 0;
        pole.reset(Pcg64.of(seed));
        while (!pole.terminated() && !pole.truncated()) {
            pole.observe(observation, 0);
            long action = agent.infer(observation).longs()[0];
            pole.step(new float[] {action}, 0);
            steps++;
        }
        return steps;
    }
}
