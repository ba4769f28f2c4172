package hocket.rl.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import hocket.programs.Session;
import hocket.schedulers.text.Vocabulary;
import hocket.scopes.Parameters;
import hocket.scopes.Streams;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TextRolloutTest {
    private static final LanguageModels MODELS = LanguageModels.of(new CausalTransformer(8, 1, 2, 8), 2, 3, 4);
    private static final ContinuationWriter WRITER = new ContinuationWriter(MODELS, "write", MODELS.policy());

    @Test
    void theRuleCountsLettersOfTheContinuationAlone() {
        LetterRule rule = new LetterRule("bd", new Vocabulary("abcd"), 2, 5);
        long[] written = {1, 1, 0, 1, 3, 0, 0, 2, 2, 0};
        assertThat(rule.scores(written)).containsExactly(2, 0);
        assertThat(rule.mean(written)).isEqualTo(1);
        assertThat(rule.ofRandomCharacters()).isEqualTo(1.5);
        assertThatThrownBy(() -> new LetterRule("", new Vocabulary("abcd"), 2, 5))
                .hasMessage("letters must be at least one character, was \"\"");
    }

    @Test
    void aContinuationKeepsItsPromptAndDependsOnSeedAndCounterAlone() {
        long[] prompts = {0, 1, 2, 3};
        long[] one = written(prompts, 0);
        assertThat(Arrays.copyOfRange(one, 0, 2)).containsExactly(0, 1);
        assertThat(Arrays.copyOfRange(one, 5, 7)).containsExactly(2, 3);
        assertThat(written(prompts, 0)).isEqualTo(one);
        assertThat(written(prompts, 1)).isNotEqualTo(one);
        assertThat(Arrays.copyOf(written(new long[] {0, 1, 0, 0}, 0), 5))
                .as("the rows are independent")
                .isEqualTo(Arrays.copyOf(one, 5));
    }

    @Test
    void charactersAreDrawnAsOftenAsTheirProbabilitiesSay() {
        int rows = 20_000;
        try (Parameters parameters = Parameters.initialise(MODELS.graph().declarations(), Streams.seed(3))) {
            parameters.set("policy/logits/bias", 0, 1, 2, -1);
            parameters.set("policy/logits/weight", new double[8 * 4]);
            long[] written;
            try (Session session = Session.over(parameters, 1)) {
                written = WRITER.write(
                        Forward.of(session), new long[2 * rows], Streams.seed(3).at("write"), 0);
            }
            double all = 1 + Math.E + Math.exp(2) + Math.exp(-1);
            double[] expected = {1 / all, Math.E / all, Math.exp(2) / all, Math.exp(-1) / all};
            for (int character = 0; character < 4; character++) {
                double count = 0;
                for (int row = 0; row < rows; row++) {
                    count += written[5 * row + 4] == character ? 1 : 0;
                }
                assertThat(count / rows).isCloseTo(expected[character], within(0.015)); // over four deviations
            }
        }
    }

    private static long[] written(long[] prompts, long counter) {
        try (Parameters parameters = Parameters.initialise(MODELS.graph().declarations(), Streams.seed(3));
                Session session = Session.over(parameters, 1)) {
            return WRITER.write(Forward.of(session), prompts, Streams.seed(3).at("write"), counter);
        }
    }
}
