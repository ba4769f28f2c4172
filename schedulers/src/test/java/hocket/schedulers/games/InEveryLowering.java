package hocket.schedulers.games;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Lowered;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** A test of each game by each lowering that this machine has. */
final class InEveryLowering {
    private InEveryLowering() {}

    static Stream<DynamicTest> of(Stream<JsonNode> games, Function<JsonNode, String> name, Consumer<JsonNode> check) {
        List<JsonNode> all = games.toList();
        return ServiceLoader.load(Lowering.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(lowering -> lowering.unavailable().isEmpty())
                .map(Lowering::name)
                .flatMap(lowering -> all.stream()
                        .map(game -> DynamicTest.dynamicTest(
                                name.apply(game) + ", " + lowering,
                                () -> Lowered.by(lowering, () -> check.accept(game)))));
    }
}
