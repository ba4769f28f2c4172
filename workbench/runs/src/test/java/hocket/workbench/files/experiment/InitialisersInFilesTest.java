package hocket.workbench.files.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Declaration;
import hocket.scopes.Initialiser;
import hocket.workbench.files.UserError;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file names the initialiser of a network's weights. */
class InitialisersInFilesTest {
    private static ExperimentFile file(String name, String... changes) {
        return ExperimentFile.read(
                name, List.of(changes), new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of()));
    }

    /** The initialisers of weights and of transposed ones, without biases, embeddings and norms. */
    private static Map<Initialiser, Long> initialisers(String name, String... changes) {
        return file(name, changes).definition(ExperimentFile.TRAIN).setup().graph().declarations().stream()
                .filter(declaration -> declaration.path().name().equals("weight"))
                .collect(Collectors.groupingBy(Declaration::initialiser, Collectors.counting()));
    }

    @ParameterizedTest
    @CsvSource({
        "digits-gan, normal(0.02), 6",
        "digits-conditional, normal(0.02), 6",
        "gaussian-ring, xavier_uniform, 6",
        "digits-autoencoder-classifier, xavier_uniform, 6",
        "half-and-half, xavier_uniform, 3"
    })
    void everyWeightOfABuiltInNetworkTakesTheInitialiserOfTheFileOrItsUsualOne(
            String name, String usual, long weights) {
        assertThat(initialisers(name)).isEqualTo(Map.of(Initialiser.named(usual), weights));
        assertThat(initialisers(name, "network.weights=kaiming_uniform"))
                .isEqualTo(Map.of(new Initialiser.HeUniform(1), weights));
        assertThat(initialisers(name, "network.weights=\"uniform(-0.1, 0.1)\""))
                .isEqualTo(Map.of(new Initialiser.Uniform(-0.1, 0.1), weights));
    }

    @Test
    void anUnknownInitialiserIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> file("digits-gan", "network.weights=orthogonl"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(
                        "must be an initialiser, such as orthogonal or normal(0.02): no initialiser is called"
                                + " orthogonl; there is: zeros, ones, constant, normal, uniform, xavier_uniform, xavier_normal,"
                                + " kaiming_uniform, kaiming_normal, orthogonal, glorot_uniform");
        assertThatThrownBy(() -> file("digits-gan", "network.weights=normal"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("initialiser normal takes 1 number, got 0");
    }
}
