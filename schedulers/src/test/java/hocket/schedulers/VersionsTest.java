package hocket.schedulers;

import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Plan.sequence;
import static hocket.schedulers.Plan.simultaneous;
import static hocket.schedulers.Plan.trial;
import static hocket.schedulers.Resample.EACH_TURN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.Session;
import hocket.programs.execution.Lowering;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.schedulers.optimizers.kernels.Chunk;
import hocket.schedulers.state.State;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Snapshot;
import hocket.scopes.Tensor;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A parameter's version changes whenever its data does, so that nobody computes with a copy of what it was. */
@Tag("engine")
class VersionsTest {
    private static final AtomicInteger UPDATES = new AtomicInteger();

    /** A user's optimizer that fails at its third weight. */
    public record FailsHalfway() implements GradientTransformation {
        @Override
        public void update(Chunk chunk) {
            if (UPDATES.incrementAndGet() == 3) {
                throw new IllegalStateException("the user's optimizer fails");
            }
        }
    }

    private final Toy.Gan gan = Toy.gan();

    /** The reference and the fast kernels copy what they read. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "reference"})
    void aSessionSeesWhatAnOptimizerWroteBeforeItFailed(String lowering) {
        UPDATES.set(0);
        System.setProperty(Lowering.PROPERTY, lowering);
        Turn.Descend fails = Turn.of("g", gan.g().program()).updates("generator/**", new FailsHalfway());
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1);
                Session before = Session.over(gan.graph(), parameters);
                Session after = Session.over(gan.graph(), parameters)) {
            scheduler.batch(4);
            Tensor untouched = before.run("generator/image", Session.Feeds.rows(4));
            before.goOnFrom(0);
            assertThatThrownBy(() -> scheduler.step(fails)).hasStackTraceContaining("the user's optimizer fails");
            Tensor seen = before.run("generator/image", Session.Feeds.rows(4));
            assertThat(seen).isEqualTo(after.run("generator/image", Session.Feeds.rows(4)));
            assertThat(seen).isNotEqualTo(untouched);
        } finally {
            System.clearProperty(Lowering.PROPERTY);
        }
    }

    /** What was seen of each parameter last. */
    private final Map<String, Tensor> values = new TreeMap<>();

    private final Map<String, Long> versions = new TreeMap<>();

    private int look(Parameters parameters) {
        int changed = 0;
        for (Declaration declaration : parameters.declarations()) {
            String path = declaration.path().text();
            Tensor now = parameters.tensor(path);
            Tensor last = values.put(path, now);
            Long version = versions.put(path, parameters.version(path));
            if (last != null && !last.equals(now)) {
                assertThat(parameters.version(path)).as(path).isGreaterThan(version);
                changed++;
            }
        }
        return changed;
    }

    /** The look-ahead of a plan remembers what its own turns write, whatever the plan before it remembered. */
    @Test
    void theTrialOfAnotherPlanGoesBackByItself() {
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN);
            scheduler.plan(sequence(trial(gan.d(), 0), gan.g())).run(rounds(1));
            Snapshot before = parameters.snapshot();
            scheduler.plan(sequence(trial(gan.g(), 0), gan.d())).run(rounds(2));
            Snapshot after = parameters.snapshot();
            before.tensors().forEach((path, tensor) -> {
                if (path.text().startsWith("generator/")) {
                    assertThat(after.tensors().get(path)).as(path.text()).isEqualTo(tensor);
                }
            });
            assertThat(after.tensors()).isNotEqualTo(before.tensors());
        }
    }

    @Test
    void whateverWritesParametersChangesTheirVersions() {
        Plan plan = sequence(
                gan.d(),
                simultaneous(gan.d(), gan.g()),
                gan.ema(),
                trial(sequence(gan.d(), gan.g()), gan.d()),
                trial(sequence(gan.d(), gan.g()), 0.5));
        try (Parameters parameters = gan.parameters(7);
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            scheduler.plan(plan).feed(Toy.rows("image", 42, 4).batches(8), EACH_TURN);
            Snapshot first = parameters.snapshot();
            State start = scheduler.save();
            look(parameters);
            AtomicInteger seen = new AtomicInteger();
            scheduler.listen(event -> seen.addAndGet(look(parameters)));
            scheduler.run(rounds(2));
            assertThat(seen.get()).isGreaterThan(50);
            parameters.restore(first);
            assertThat(look(parameters)).isGreaterThan(5);
            scheduler.run(rounds(3));
            scheduler.restore(start);
            assertThat(look(parameters)).isGreaterThan(5);
            scheduler.run(rounds(1));
            parameters.copy("generator/**", "ema/generator/**");
            assertThat(look(parameters)).isGreaterThan(3);
        }
    }
}
