package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.operators.Leaf;
import hocket.programs.operators.Operator;
import hocket.programs.operators.Pooling;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RulesTest {
    /** What each rule computes, and its gradient, is checked in {@code OperatorGradientsTest} and the golden tests. */
    @Test
    void everyOperatorHasARuleButTheLeavesAndWhatAMaxPoolsGradientIsMadeOf() {
        assertThat(Rules.covered())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Operator.class.getPermittedSubclasses())
                        .filter(operator -> operator.getNestHost() != Leaf.class
                                && operator != Pooling.MaxPoolInput.class
                                && operator != Pooling.MaxPoolPick.class)
                        .<Class<? extends Operator>>map(operator -> operator.asSubclass(Operator.class))
                        .toList());
    }
}
