package hocket.rl.algorithms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.rl.envs.Environment;
import hocket.rl.offline.OfflineData;
import hocket.rl.offline.StepArrays;
import hocket.rl.random.Pcg64;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Setup;
import hocket.schedulers.formats.Npz;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Tensor;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Agents learn from steps that were recorded at random. */
class OfflineTest {
    @TempDir
    Path folder;

    /** Records actions at random; a normalised score of 0 is theirs, of 100 the best. */
    private Path recorded(Supplier<Environment> world, int steps, double low, double high) {
        Environment environment = world.get();
        Pcg64 random = Pcg64.of(5);
        StepArrays arrays = new StepArrays(environment.observations(), environment.actions());
        environment.reset(Pcg64.of(3));
        for (int i = 0; i < steps; i++) {
            if (environment.terminated() || environment.truncated()) {
                environment.reset(random);
            }
            float[] seen = observed(environment);
            float[] action = environment.actions().sample(random);
            environment.step(action, 0);
            arrays.add(
                    seen,
                    action,
                    environment.reward(),
                    observed(environment),
                    environment.terminated(),
                    environment.truncated());
        }
        Path file = folder.resolve("steps.npz");
        SortedMap<String, Tensor> all = arrays.arrays(low, high);
        Npz.write(file, all);
        return file;
    }

    private static float[] observed(Environment environment) {
        float[] seen = new float[environment.observations().width()];
        environment.observe(seen, 0);
        return seen;
    }

    private static SortedMap<String, Double> scores(Setup setup) {
        try (Parameters parameters = setup.initialise(1);
                Scheduler scheduler = setup.schedule(parameters, 1)) {
            scheduler.run();
            return setup.evaluation().orElseThrow().over(20).scores(parameters);
        }
    }

    @Test
    void conservativeQLearningFindsTheLastDoorFromRandomSteps() {
        Path data = recorded(Hall::limited, 2000, -1.5, 0.5);
        SortedMap<String, Double> scores = scores(DiscreteCql.usual("Hall", data)
                .hidden(List.of(16))
                .conservative(0.1)
                .gamma(0.9)
                .rate(3e-3)
                .updates(2000)
                .setup(Hall::limited));
        assertThat(scores.get("return_mean")).isGreaterThan(0.4);
        assertThat(scores.get("normalised_score")).isBetween(95.0, 101.0);
    }

    @Test
    void implicitQLearningFindsTheLastDoorFromRandomStepsWhereImitationDoesNot() {
        Path data = recorded(Hall::limited, 2000, -1.5, 0.5);
        Iql learns = Iql.usual("Hall", data)
                .hidden(List.of(16))
                .expectile(0.9)
                .inverseTemperature(30)
                .gamma(0.9)
                .rate(3e-3)
                .updates(2000);
        assertThat(scores(learns.setup(Hall::limited)).get("return_mean")).isGreaterThan(0.4);
        OfflineCloning clones = OfflineCloning.usual("Hall", data)
                .hidden(List.of(16))
                .rate(3e-3)
                .updates(500);
        assertThat(scores(clones.setup(Hall::limited)).get("return_mean")).isLessThan(0.4);
    }

    @Test
    void implicitQLearningHitsTheMarkWithActionsOfABox() {
        Path data = recorded(Dart::new, 2000, -2.3, 0);
        SortedMap<String, Double> scores = scores(Iql.usual("Dart", data)
                .hidden(List.of(16))
                .inverseTemperature(10)
                .rate(3e-3)
                .updates(2000)
                .setup(Dart::new));
        assertThat(scores.get("return_mean")).isGreaterThan(-0.1); // the mean action of the data is 0, which returns -1
    }

    @Test
    void conservativeQLearningHitsTheMarkWithActionsOfABox() {
        Path data = recorded(Dart::new, 2000, -2.3, 0);
        SortedMap<String, Double> scores = scores(Cql.usual("Dart", data)
                .hidden(List.of(16))
                .samples(3)
                .conservative(0.1)
                .batch(64)
                .rate(3e-3)
                .updates(1500)
                .setup(Dart::new));
        assertThat(scores.get("return_mean")).isGreaterThan(-0.2);
    }

    @ParameterizedTest
    @MethodSource("offline")
    void aResumedRunEndsWithTheSameBits(Function<Path, EnvironmentDefinition> algorithm) {
        Path data = recorded(Dart::new, 300, -2.3, 0);
        State whole = Training.whole(algorithm.apply(data).setup(Dart::new), 7);
        for (int rounds : new int[] {1, 5}) {
            State stopped = Training.stopped(algorithm.apply(data).setup(Dart::new), 7, rounds);
            State resumed = Training.resumed(algorithm.apply(data).setup(Dart::new), 7, stopped);
            assertThat(resumed.equals(whole)).as("after %d rounds", rounds).isTrue();
        }
    }

    static Stream<Function<Path, EnvironmentDefinition>> offline() {
        List<Integer> small = List.of(4);
        return Stream.of(
                data -> OfflineCloning.usual("Dart", data)
                        .hidden(small)
                        .batch(8)
                        .updates(9),
                data -> Iql.usual("Dart", data).hidden(small).batch(8).updates(9),
                data -> Cql.usual("Dart", data)
                        .hidden(small)
                        .batch(8)
                        .samples(2)
                        .updates(9));
    }

    @Test
    void aRunIsInspectedAndEvaluatedWithoutItsData() {
        Setup setup =
                Iql.usual("Hall", folder.resolve("gone.npz")).hidden(List.of(4)).setup(Hall::limited);
        assertThat(setup.check().byPath()).isNotEmpty();
        assertThatThrownBy(() -> Training.whole(setup, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("gone.npz");
    }

    @Test
    void stepsOfAnotherEnvironmentAreRefused() {
        Path data = recorded(Dart::new, 300, -2.3, 0);
        OfflineData other = new OfflineData(data, new Hall().observations(), new Hall().actions(), 0.9, false, 8);
        assertThatThrownBy(other::open).hasMessageContaining("actions of").hasMessageContaining("must have shape");
    }
}
