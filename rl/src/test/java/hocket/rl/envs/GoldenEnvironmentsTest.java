package hocket.rl.envs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.rl.Golden;
import hocket.rl.envs.classic.Acrobot;
import hocket.rl.envs.classic.Pendulum;
import hocket.rl.envs.tabular.TabularEnvironment;
import hocket.rl.envs.tabular.TransitionOutcome;
import hocket.rl.envs.tabular.TransitionTable;
import hocket.rl.envs.wrappers.TimeLimit;
import hocket.rl.random.GoldenGeneratorTest;
import hocket.rl.random.Pcg64;
import hocket.rl.random.SeedSequence;
import hocket.rl.spaces.Box;
import hocket.rl.spaces.Discrete;
import hocket.rl.spaces.MultiDiscrete;
import hocket.rl.spaces.Space;
import hocket.schedulers.state.State;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares environments with Gymnasium's: seeds, actions, states, observations, rewards, ends and generators. */
@Tag("golden")
class GoldenEnvironmentsTest {
    /** The tolerance of free-running states: the growth of a last-bit error of a sine, with a wide margin. */
    private static final double FREE_RUNNING = 1e-9;

    /**
     * The same where Acrobot has swung for long: from some seeds (8, 987654321) a change of 1e-16 at the start was seen
     * to move the end of 500 steps by 2e-8, in Gymnasium itself.
     */
    private static final double FREE_RUNNING_LONG = 1e-6;

    private static final int LONG = 100;

    private static final double ONE_STEP = 1e-12;

    /** The tolerance of a lander's first observation: Box2D has computed a hundred iterations in single precision. */
    private static final double SINGLE_PRECISION = 1e-4;

    private static final int EPISODES_AT_RANDOM = 300;

    /** The actions of scripted.json's policies, by their names there. */
    private static final Map<String, Function<float[], float[]>> POLICIES = Map.of(
            "1 if 0.05 x + 0.2 xdot + 3 theta + thetadot > 0 else 0 (float32 obs; action recorded)",
            o -> new float[] {0.05 * o[0] + 0.2 * o[1] + 3.0 * o[2] + o[3] > 0 ? 1 : 0},
            "always 1",
            o -> new float[] {1},
            "2 if velocity >= 0 else 0",
            o -> new float[] {o[1] >= 0 ? 2 : 0},
            "+1 if velocity >= 0 else -1",
            o -> new float[] {o[1] >= 0 ? 1 : -1},
            "2 if thetadot2 - thetadot1 >= 0 (float32 subtraction of the observations) else 0",
            o -> new float[] {o[5] - o[4] >= 0 ? 2 : 0},
            "+2 if thetadot >= 0 else -2",
            o -> new float[] {o[2] >= 0 ? 2 : -2},
            "hit below 17",
            o -> new float[] {o[0] < 17 ? 1 : 0});

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Acrobot-v1",
                "Blackjack-v1",
                "Blackjack-v1-natural",
                "CartPole-v1",
                "CliffWalking-v1",
                "CliffWalkingSlippery-v1",
                "FrozenLake-v1-4x4",
                "FrozenLake-v1-4x4-not-slippery",
                "FrozenLake8x8-v1",
                "MountainCar-v0",
                "MountainCarContinuous-v0",
                "Pendulum-v1",
                "Taxi-v4",
                "Taxi-v4-rainy-fickle"
            })
    void anEnvironmentFollowsGymnasiumFromEverySeed(String file) {
        JsonNode golden = Golden.read("env/" + file + ".json");
        Environment environment = made(golden);
        assertThat(environment.name()).isEqualTo(golden.get("env_id").asText());
        assertThat(environment.observations()).isEqualTo(space(golden.get("observation_space")));
        assertThat(environment.actions()).isEqualTo(space(golden.get("action_space")));
        JsonNode limit = golden.get("max_episode_steps");
        assertThat(environment instanceof TimeLimit limited ? limited.limit() : 0)
                .isEqualTo(limit.asInt());
        for (JsonNode episode : golden.get("episodes")) {
            follow(environment, episode, golden.get("generator_cap"));
        }
    }

    /** Plays a whole episode with the actions that the seeded action space samples. */
    private static void follow(Environment environment, JsonNode episode, JsonNode cap) {
        String what = environment.name() + " of seed " + episode.get("seed").asText();
        Pcg64 chooser = generator(episode);
        environment.reset(generator(episode));
        assertObserved(what + " reset", environment, episode.get("reset_obs"), 0);
        assertState(what + " reset", environment, episode.get("reset_state"), 0);
        assertGenerator(what + " reset", environment, episode.get("reset_rng"));
        JsonNode steps = episode.get("steps");
        double total = 0;
        int step = 0;
        boolean over = false;
        while (!over) {
            float[] action = environment.actions().sample(chooser);
            environment.step(action, 0);
            total += environment.reward();
            if (step < steps.size()) {
                JsonNode golden = steps.get(step);
                String where = what + " step " + (step + 1);
                assertThat(action).as(where).isEqualTo(floats(golden.get("action")));
                assertStep(where, environment, golden, step);
                assertState(where, environment, golden.get("state"), grown(environment, step));
            }
            step++;
            over = environment.terminated() || environment.truncated() || !cap.isNull() && step >= cap.asInt();
        }
        assertThat(step).as(what).isEqualTo(episode.get("total_steps").asInt());
        assertReward(what + " in all", environment, total, episode.get("total_reward"), step);
        assertThat(environment.terminated())
                .as(what)
                .isEqualTo(episode.get("end_terminated").asBoolean());
        assertThat(environment.truncated())
                .as(what)
                .isEqualTo(episode.get("end_truncated").asBoolean());
        assertObserved(what + " end", environment, episode.get("end_obs"), grown(environment, step));
        assertState(what + " end", environment, episode.get("end_state"), grown(environment, step));
        assertGenerator(what + " end", environment, episode.get("end_rng"));
    }

    @Test
    void scriptedPoliciesReachWhatTheyReachInGymnasium() {
        Golden.read("env/scripted.json").get("envs").fields().forEachRemaining(entry -> {
            JsonNode golden = entry.getValue();
            Environment environment = made(golden);
            Function<float[], float[]> policy =
                    POLICIES.get(golden.get("policy").asText());
            for (JsonNode episode : golden.get("episodes")) {
                scripted(entry.getKey(), environment, episode, policy);
            }
        });
    }

    private static void scripted(
            String name, Environment environment, JsonNode episode, @Nullable Function<float[], float[]> policy) {
        String what = name + " of seed " + episode.get("seed").asText();
        environment.reset(generator(episode));
        assertObserved(what + " reset", environment, episode.get("reset_obs"), 0);
        Map<Integer, JsonNode> recorded = new LinkedHashMap<>();
        episode.get("steps").forEach(step -> recorded.put(step.get("t").asInt(), step));
        int steps = episode.get("total_steps").asInt();
        double total = 0;
        for (int t = 1; t <= steps; t++) {
            JsonNode golden = recorded.get(t);
            float @Nullable [] wanted = golden == null ? null : floats(golden.get("action"));
            float @Nullable [] chosen = policy == null ? wanted : policy.apply(observed(environment));
            if (chosen == null) {
                return;
            }
            if (wanted != null) {
                assertThat(chosen).as("%s t %s", what, t).isEqualTo(wanted);
            }
            assertThat(environment.terminated() || environment.truncated())
                    .as("%s before t %s", what, t)
                    .isFalse();
            environment.step(chosen, 0);
            total += environment.reward();
            if (golden != null) {
                assertStep(what + " t " + t, environment, golden, t);
            }
        }
        assertThat(environment.terminated() || environment.truncated()).as(what).isTrue();
        assertReward(what + " in all", environment, total, episode.get("total_reward"), steps);
    }

    @Test
    void oneStepFromAnyStateIsGymnasiums() {
        Golden.read("env/one-step.json").get("envs").fields().forEachRemaining(entry -> {
            boolean single = entry.getValue().get("from_state_dtype").asText().equals("float32");
            Environment environment = Environments.make(entry.getKey()).unwrapped();
            for (JsonNode row : entry.getValue().get("rows")) {
                environment.reset(Pcg64.of(0));
                State now = environment.save();
                double[] from = doubles(row.get("from_state"));
                State world = now.state("world").with("state", Tensor.of(Shape.of(from.length), from));
                environment.restore(now.with("world", single ? world.with("single", 1) : world));
                environment.step(floats(row.get("action")), 0);
                String what = entry.getKey() + " from " + row.get("from_state");
                assertFloats(what, observed(environment), floats(row.get("obs")), 1, 0);
                if (single) {
                    assertFloats(what, toFloats(state(environment)), floats(row.get("state")), 1, 0);
                } else {
                    assertDoubles(what, state(environment), doubles(row.get("state")), ONE_STEP);
                }
                assertDoubles(what, new double[] {environment.reward()}, doubles(row.get("reward")), ONE_STEP);
                assertThat(environment.terminated())
                        .as(what)
                        .isEqualTo(row.get("terminated").asBoolean());
            }
        });
    }

    @Test
    void theTransitionTablesAreGymnasiums() {
        Golden.read("env/tabular-transitions.json").get("envs").fields().forEachRemaining(entry -> {
            TransitionTable table =
                    ((TabularEnvironment) tabular(entry.getKey()).unwrapped()).transitions();
            JsonNode golden = entry.getValue();
            assertThat(table.states()).isEqualTo(golden.get("n_states").asInt());
            assertThat(table.actions()).isEqualTo(golden.get("n_actions").asInt());
            double[] starts = new double[table.states()];
            for (JsonNode start : golden.get("initial_state_distrib_nonzero")) {
                starts[start.get(0).asInt()] = number(start.get(1));
            }
            for (int state = 0; state < table.states(); state++) {
                assertThat(table.start(state))
                        .as("%s starts in %s", entry.getKey(), state)
                        .isEqualTo(starts[state]);
                for (int action = 0; action < table.actions(); action++) {
                    JsonNode outcomes = golden.get("P").get(state).get(action);
                    assertThat(table.outcomes(state, action))
                            .as("%s in %s by %s", entry.getKey(), state, action)
                            .hasSize(outcomes.size())
                            .zipSatisfy(
                                    outcomes,
                                    (made, wanted) -> assertThat(made)
                                            .isEqualTo(new TransitionOutcome(
                                                    number(wanted.get(0)),
                                                    wanted.get(1).asInt(),
                                                    number(wanted.get(2)),
                                                    wanted.get(3).asBoolean())));
                }
            }
        });
    }

    /**
     * Box2D computes in single precision and dyn4j in double, so episodes part where something touches the ground: only starts
     * are compared one by one, returns and lengths by their means over other seeds.
     */
    @ParameterizedTest
    @ValueSource(strings = {"LunarLander-v3", "LunarLanderContinuous-v3"})
    void aLanderStartsAsInGymnasiumAndEarnsAsMuchAtRandom(String name) {
        JsonNode golden = Golden.read("env/" + name + "-scores.json");
        Environment environment = Environments.make(golden.get("env_id").asText());
        assertThat(environment.name()).isEqualTo(golden.get("env_id").asText());
        assertThat(environment.observations()).isEqualTo(space(golden.get("observation_space")));
        assertThat(environment.actions()).isEqualTo(space(golden.get("action_space")));
        assertThat(environment.maxEpisodeSteps())
                .hasValue(golden.get("max_episode_steps").asInt());
        List<Double> returns = new ArrayList<>();
        List<Double> lengths = new ArrayList<>();
        for (JsonNode episode : golden.get("episodes")) {
            environment.reset(generator(episode));
            assertFloats(
                    name + " of seed " + episode.get("seed").asText(),
                    observed(environment),
                    floats(episode.get("reset_obs")),
                    0,
                    SINGLE_PRECISION);
            returns.add(number(episode.get("total_reward")));
            lengths.add(episode.get("total_steps").asDouble());
        }
        List<Double> ourReturns = new ArrayList<>();
        List<Double> ourLengths = new ArrayList<>();
        for (int seed = 0; seed < EPISODES_AT_RANDOM; seed++) {
            Pcg64 chooser = Pcg64.of(1000 + seed);
            environment.reset(Pcg64.of(1000 + seed));
            double total = 0;
            int steps = 0;
            while (!environment.terminated() && !environment.truncated()) {
                environment.step(environment.actions().sample(chooser), 0);
                total += environment.reward();
                steps++;
            }
            ourReturns.add(total);
            ourLengths.add((double) steps);
        }
        assertSameMean(name + " return", ourReturns, returns);
        assertSameMean(name + " length", ourLengths, lengths);
    }

    /** Asserts that two means differ by at most three of their common standard errors. */
    private static void assertSameMean(String what, List<Double> ours, List<Double> golden) {
        double error = Math.sqrt(squaredError(ours) + squaredError(golden));
        assertThat(mean(ours)).as(what).isCloseTo(mean(golden), within(3 * error));
    }

    private static double squaredError(List<Double> numbers) {
        double mean = mean(numbers);
        double squares = numbers.stream()
                .mapToDouble(number -> (number - mean) * (number - mean))
                .sum();
        return squares / (numbers.size() - 1) / numbers.size();
    }

    private static double mean(List<Double> numbers) {
        return numbers.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    private static Pcg64 generator(JsonNode seeded) {
        return Pcg64.of(SeedSequence.of(new BigInteger(seeded.get("seed").asText())));
    }

    private static Environment tabular(String name) {
        return switch (name) {
            case "FrozenLake-v1-4x4" -> Environments.make("FrozenLake-v1");
            case "FrozenLake-v1-4x4-not-slippery" -> Environments.make("FrozenLake-v1", Map.of("is_slippery", false));
            default -> Environments.make(name);
        };
    }

    private static Environment made(JsonNode golden) {
        Map<String, Object> options = new LinkedHashMap<>();
        golden.get("kwargs")
                .fields()
                .forEachRemaining(option -> options.put(
                        option.getKey(),
                        option.getValue().isBoolean()
                                ? (Object) option.getValue().asBoolean()
                                : option.getValue().isNumber()
                                        ? option.getValue().asDouble()
                                        : option.getValue().asText()));
        return Environments.make(golden.get("env_id").asText(), options);
    }

    private static Space space(JsonNode golden) {
        return switch (golden.get("type").asText()) {
            case "Box" -> new Box(floats(golden.get("low")), floats(golden.get("high")));
            case "Discrete" ->
                new Discrete(golden.get("n").asInt(), golden.get("start").asInt());
            case "Tuple" ->
                new MultiDiscrete(golden.get("spaces").findValues("n").stream()
                        .map(JsonNode::asInt)
                        .toList());
            default -> throw new AssertionError("this test knows no space " + golden);
        };
    }

    private static void assertStep(String what, Environment environment, JsonNode golden, int step) {
        assertObserved(what, environment, golden.get("obs"), grown(environment, step));
        assertReward(what, environment, environment.reward(), golden.get("reward"), 1);
        assertThat(environment.terminated())
                .as(what)
                .isEqualTo(golden.get("terminated").asBoolean());
        assertThat(environment.truncated())
                .as(what)
                .isEqualTo(golden.get("truncated").asBoolean());
    }

    /** Exact, except for Pendulum's, which is a function of the state. */
    private static void assertReward(String what, Environment environment, double reward, JsonNode golden, int steps) {
        double tolerance = environment.unwrapped() instanceof Pendulum ? FREE_RUNNING * steps : 0;
        assertDoubles(what + " reward", new double[] {reward}, doubles(golden), tolerance);
    }

    /** The tolerance of a state after a number of steps. */
    private static double grown(Environment environment, int step) {
        return environment.unwrapped() instanceof Acrobot && step > LONG ? FREE_RUNNING_LONG : FREE_RUNNING;
    }

    private static void assertObserved(String what, Environment environment, JsonNode golden, double tolerance) {
        boolean whole = !(environment.observations() instanceof Box);
        assertFloats(
                what + " observation", observed(environment), floats(golden), whole ? 0 : 1, whole ? 0 : tolerance);
        assertThat(environment.observations().contains(observed(environment), 0))
                .as(what)
                .isTrue();
    }

    private static void assertState(String what, Environment environment, JsonNode golden, double tolerance) {
        State world = environment.unwrapped().save().state("world");
        if (golden.isObject()) {
            assertThat(cards(world, "player")).as(what).isEqualTo(doubles(golden.get("player")));
            assertThat(cards(world, "dealer")).as(what).isEqualTo(doubles(golden.get("dealer")));
        } else if (golden.isArray()) {
            assertDoubles(what + " state", state(environment), doubles(golden), tolerance);
        } else {
            assertThat(world.whole("state")).as(what).isEqualTo(golden.asLong());
        }
    }

    private static double[] cards(State world, String whose) {
        return Arrays.stream(world.tensor(whose).doubles())
                .filter(card -> card != 0)
                .toArray();
    }

    private static void assertGenerator(String what, Environment environment, JsonNode golden) {
        State random = environment.unwrapped().save().state("random");
        assertThat(GoldenGeneratorTest.wide(random, "high", "low"))
                .as(what)
                .isEqualTo(golden.get("state").asText());
        assertThat(GoldenGeneratorTest.wide(random, "incrementHigh", "incrementLow"))
                .as(what)
                .isEqualTo(golden.get("inc").asText());
        assertThat(random.whole("hasHalf"))
                .as(what)
                .isEqualTo(golden.get("has_uint32").asLong());
        assertThat(Integer.toUnsignedLong((int) random.whole("half")))
                .as(what)
                .isEqualTo(golden.get("uinteger").asLong());
    }

    private static double[] state(Environment environment) {
        return environment.unwrapped().save().state("world").tensor("state").doubles();
    }

    private static float[] observed(Environment environment) {
        float[] observation = new float[environment.observations().width()];
        environment.observe(observation, 0);
        return observation;
    }

    private static void assertFloats(String what, float[] actual, float[] golden, int ulps, double tolerance) {
        assertThat(actual).as(what).hasSameSizeAs(golden);
        for (int i = 0; i < golden.length; i++) {
            assertThat(Math.abs(actual[i] - golden[i]) <= Math.max(ulps * Math.ulp(golden[i]), tolerance))
                    .as("%s[%d] is %s, golden %s", what, i, actual[i], golden[i])
                    .isTrue();
        }
    }

    private static void assertDoubles(String what, double[] actual, double[] golden, double tolerance) {
        assertThat(actual).as(what).hasSameSizeAs(golden);
        for (int i = 0; i < golden.length; i++) {
            assertThat(Math.abs(actual[i] - golden[i]) <= tolerance)
                    .as("%s[%d] is %s, golden %s", what, i, actual[i], golden[i])
                    .isTrue();
        }
    }

    private static double number(JsonNode number) {
        return number.isTextual() ? Double.parseDouble(number.asText()) : number.asDouble();
    }

    private static double[] doubles(JsonNode numbers) {
        double[] all = new double[numbers.isArray() ? numbers.size() : 1];
        for (int i = 0; i < all.length; i++) {
            all[i] = number(numbers.isArray() ? numbers.get(i) : numbers);
        }
        return all;
    }

    private static float[] floats(JsonNode numbers) {
        return toFloats(doubles(numbers));
    }

    private static float[] toFloats(double[] numbers) {
        float[] all = new float[numbers.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = (float) numbers[i];
        }
        return all;
    }
}
