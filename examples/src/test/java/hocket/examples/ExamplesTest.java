package hocket.examples;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Graph;
import hocket.scopes.Declaration;
import hocket.scopes.Shape;
import hocket.scopes.Tensor;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every example, on a small budget. */
@Tag("engine")
class ExamplesTest {
    @Test
    void digitsGanDrawsImagesInRange() {
        Tensor samples = DigitsGan.run(1, false);
        assertThat(samples.shape()).isEqualTo(Shape.of(64, 1, 8, 8));
        assertThat(Arrays.stream(samples.doubles()).allMatch(pixel -> pixel >= -1 && pixel <= 1))
                .isTrue();
    }

    @Test
    void scopeGuardsNameWhatTheyHold() {
        Graph graph = ScopeGuards.build();
        assertThat(graph.declarations().stream().map(Declaration::path).map(Object::toString))
                .containsExactly(
                        "encoder/deep/second/bias",
                        "encoder/deep/second/weight",
                        "encoder/first/bias",
                        "encoder/first/weight",
                        "judge/score/bias",
                        "judge/score/weight");
        ScopeGuards.main(new String[0]);
    }

    @Test
    void aTrunkSharedByTwoTurnsLearnsForBothAndADetachedHeadLearnsWorse() {
        SharedTrunk.Result shared = SharedTrunk.run(600, false);
        SharedTrunk.Result detached = SharedTrunk.run(600, true);
        assertThat(shared.sum()).isLessThan(0.02);
        assertThat(shared.product()).isLessThan(0.05);
        assertThat(detached.product()).isGreaterThan(shared.product());
        assertThat(detached.trunk()).isNotEqualTo(shared.trunk());
    }

    @Test
    void theBalancingScheduleGivesBothSidesTurnsAgainAndAgain() {
        CustomSchedule.Result result = CustomSchedule.run(1000);
        assertThat(result.discriminator() + result.generator()).isEqualTo(1000);
        assertThat(result.discriminator()).isGreaterThan(50);
        assertThat(result.generator()).isGreaterThan(50);
        assertThat(result.changes()).isGreaterThan(50);
    }

    @Test
    void theOwnLoopTakesTheTurnsItAsksFor() {
        OwnLoop.Result result = OwnLoop.run(40);
        assertThat(result.generator()).isEqualTo(40);
        assertThat(result.discriminator()).isBetween(40, 80);
        assertThat(result.pixel()).isBetween(-1.0, 1.0);
    }

    @Test
    void bothHalvesLearnFromTheirOwnSource() {
        LeftAndRightHalves.Result result = LeftAndRightHalves.run(400);
        assertThat(result.left()).isLessThan(0.15);
        assertThat(result.right()).isLessThan(0.15);
    }

    @Test
    void theClassifierLearnsOnAnEncoderThatStaysAsItIs() {
        InSeries.Result result = InSeries.run(500);
        assertThat(result.encoderKept()).isTrue();
        assertThat(result.reconstruction()).isLessThan(0.1);
        assertThat(result.errorRate()).isLessThan(0.2);
    }
}
