package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.programs.Leaf;
import hocket.programs.Operator;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RulesTest {
    /** What each rule computes, and its gradient, is checked in {@code OperatorGradientsTest} and the golden tests. */
    @Test
    void everyOperatorHasARuleButTheLeaves() {
        assertThat(Rules.covered())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Operator.class.getPermittedSubclasses())
                        .filter(operator -> operator.getNestHost() != Leaf.class)
                        .<Class<? extends Operator>>map(operator -> operator.asSubclass(Operator.class))
                        .toList());
    }
}
