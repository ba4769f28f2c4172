package hocket.programs;

import static hocket.programs.Fixture.random;
import static hocket.programs.Fixture.store;
import static hocket.programs.Layers.batchNorm;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.dropout;
import static hocket.programs.Operators.relu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Session.Feeds;
import hocket.programs.execution.BoundProgram;
import hocket.scopes.ElementType;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engine")
class SessionTest {
    private final Graph graph = new Graph();
    private final Value x = graph.input("x", Shape.of(3));
    private final Value z = graph.noise("z", Shape.of(3));
    private final Parameters parameters;
    private final Session session;

    SessionTest() {
        Network<Value, Value> critic = graph.module("critic", v -> dense("logit", v, 1));
        try (var module = graph.module("m")) {
            Value h = dropout("drop", relu(batchNorm("norm", dense("layer", add(x, z), 4))), 0.5);
            critic.apply(dense("last", h, 3));
        }
        critic.apply(x);
        parameters = store(graph);
        session = Session.over(graph, parameters);
    }

    @AfterEach
    void close() {
        session.close();
        parameters.close();
    }

    private static Feeds rows(int rows) {
        return Feeds.of("x", random(Shape.of(rows, 3), ElementType.FLOAT32, rows));
    }

    @Test
    void anyValueCanBeAskedForByItsPath() {
        Program all = Program.compile("all", Mode.EVAL, graph.value("critic#1/logit"), graph.value("critic#2/logit"));
        for (Value value : all.values()) {
            boolean fed = !Program.compile("one", Mode.EVAL, value).inputs().isEmpty();
            Tensor tensor = session.run(value.path().text(), fed ? rows(4) : Feeds.rows(4));
            Shape shape = value.batched() ? value.shape().prepend(4) : value.shape();
            assertThat(tensor.shape()).as("%s", value).isEqualTo(shape);
        }
    }

    /** As a service does whose callers may ask for any paths. */
    @Test
    void programsThatWereNotAskedForLongAreCompiledAgain() {
        Tensor first = session.run("critic#2/logit", rows(4));
        for (int i = 1; i <= 200; i++) {
            session.run(Program.compile("p" + i, Mode.EVAL, graph.value("critic#2/logit")), rows(4));
        }
        assertThat(session.run("critic#2/logit", rows(4))).isEqualTo(first);
    }

    @Test
    void severalValuesAreComputedTogetherInTheirOrder() {
        List<Tensor> together = session.run(List.of("critic#2/logit", "m/layer/weight", "x"), rows(4));
        assertThat(together.get(0)).isEqualTo(session.run("critic#2/logit", rows(4)));
        assertThat(together.get(1)).isEqualTo(parameters.tensor("m/layer/weight"));
        assertThat(together.get(2)).isEqualTo(rows(4).tensors().get("x"));
    }

    @Test
    void theNumberedPathOfACallStaysWhatItWasWhenTheNetworkIsCalledOnceMore() {
        Graph other = new Graph();
        Value in = other.input("x", Shape.of(3));
        Network<Value, Value> judge = other.module("judge", v -> dense("logit", v, 1));
        judge.apply(in);
        try (Parameters store = store(other);
                Session asked = Session.over(other, store)) {
            Tensor before = asked.run("judge#1/logit", rows(2));
            assertThat(asked.run("judge/logit", rows(2))).isEqualTo(before);
            judge.apply(add(in, in));
            refused(() -> Session.over(other, store).run("judge/logit", rows(2)), "judge#1/logit or judge#2/logit");
            assertThat(asked.run("judge#1/logit", rows(2))).isEqualTo(before);
        }
    }

    @Test
    void wrongPathsAndFeedsAreRefusedByName() {
        refused(
                () -> session.run("critic/logit", rows(2)),
                "critic/logit is ambiguous, it can be critic#1/logit or critic#2/logit");
        refused(() -> session.run("m/lyaer", rows(2)), "no value is called m/lyaer; did you mean m/layer?");
        refused(() -> session.run(List.of("x", "x"), rows(2)), "target x (batch,3) is asked for twice");
        refused(() -> session.run(List.of(), rows(2)), "needs at least one target");
        refused(
                () -> session.run("m/layer", Feeds.rows(2)),
                "input x is needed for [m/layer (batch,4)] and was not fed");
        Tensor row = Tensor.of(Shape.of(2, 1), 1f, 2f);
        refused(() -> session.run("m/layer", rows(2).and("y", row)), "reads no input y");
        refused(() -> rows(3).and("z", row), "input z has 2 rows, the others have 3");
        refused(() -> rows(2).and("x", row), "input x is fed twice");
        refused(() -> Feeds.of("x", Tensor.of(Shape.scalar(), 1f)), "input x needs a batch axis in front");
        refused(() -> session.run("m/layer", Feeds.of("x", row)), "input x needs rows (3)");
        assertThat(session.run("m/layer", rows(2)).shape()).isEqualTo(Shape.of(2, 4));
    }

    private static void refused(Runnable use, String message) {
        assertThatIllegalArgumentException().isThrownBy(use::run).withMessageContaining(message);
    }

    @Test
    void itUsesWhatIsInTheStoreNowAndChangesNothing() {
        String before = parameters.digest();
        Feeds feeds = rows(5);
        Tensor first = session.run("critic#2/logit", feeds);
        assertThat(session.run("critic#2/logit", feeds)).isEqualTo(first);
        try (Session training = Session.over(graph, parameters, Mode.TRAIN)) {
            training.run("critic#1/logit", feeds);
        }
        assertThat(parameters.digest()).isEqualTo(before);
        parameters.set("critic/logit/bias", 3);
        assertThat(session.run("critic#2/logit", feeds)).isNotEqualTo(first);
    }

    @Test
    void noiseIsDrawnAnewAtEachLookFromStreamsOfItsOwn() {
        Tensor first = session.run("z", Feeds.rows(4));
        assertThat(session.run("z", Feeds.rows(4))).isNotEqualTo(first);
        try (Session again = Session.over(graph, parameters)) {
            assertThat(again.run("z", Feeds.rows(4))).isEqualTo(first);
        }
        try (BoundProgram training = Fixture.bind(Program.compile("p", Mode.TRAIN, z), parameters, Fixture.none())) {
            training.run(4, 0, 0);
            assertThat(training.target(0)).isNotEqualTo(first);
        }
    }

    @Test
    void aProgramMayReadOtherParameters() {
        parameters.copy("critic/**", "target/critic/**");
        parameters.set("target/critic/logit/bias", 2);
        Program own = Program.compile("p", Mode.EVAL, graph.value("critic#2/logit"));
        Tensor of = session.run(own, rows(3)).get(0);
        Tensor target =
                session.run(own.reading("critic", "target/critic"), rows(3)).get(0);
        assertThat(target.get(0)).isCloseTo(of.get(0) + 2, within(1e-6));
        assertThat(session.run(own, rows(3)).get(0)).isEqualTo(of);
    }

    @Test
    void afterClosingItSaysSo() {
        session.run("m/layer", rows(2));
        session.close();
        session.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> session.run("m/layer", rows(2)))
                .withMessage("the session is closed");
        try (Session over = Session.over(graph, parameters)) {
            parameters.close();
            assertThatIllegalStateException()
                    .isThrownBy(() -> over.run("m/layer", rows(2)))
                    .withMessage("the parameters are closed");
        }
    }

    @Test
    void noiseThatWasFedWithARefusedRequestIsDrawnInTheNext() {
        Graph plain = new Graph();
        Value noise = plain.noise("a_noise", Shape.of(2));
        plain.name("y", add(noise, plain.input("x", Shape.of(2))));
        Tensor zeros = Tensor.of(Shape.of(1, 2), 0f, 0f);
        try (Parameters none = store(plain);
                Session one = Session.over(plain, none);
                Session other = Session.over(plain, none)) {
            Feeds refused = Feeds.of("a_noise", Tensor.of(Shape.of(1, 2), 100f, 100f))
                    .and("x", Tensor.of(Shape.of(1, 3), 0f, 0f, 0f));
            assertThatIllegalArgumentException().isThrownBy(() -> one.run("y", refused));
            assertThat(one.run("y", Feeds.of("x", zeros))).isEqualTo(other.run("y", Feeds.of("x", zeros)));
        }
    }
}
