package hocket.schedulers.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class VocabularyTest {
    private final Vocabulary vocabulary = Vocabulary.of("hocket\n𝄞 to hocket");

    @Test
    void charactersAreNumberedByCodePointAndDecodedAgain() {
        assertThat(vocabulary.characters()).isEqualTo("\n cehkot𝄞");
        assertThat(vocabulary.size()).isEqualTo(9);
        assertThat(vocabulary.encode("to 𝄞\n")).containsExactly(7, 6, 1, 8, 0);
        assertThat(vocabulary.decode(7, 6, 1, 8, 0)).isEqualTo("to 𝄞\n");
        assertThat(vocabulary).isEqualTo(Vocabulary.of("\n𝄞hocket hocket"));
    }

    @Test
    void anUnknownCharacterIsNamedWithItsPlace() {
        assertThatThrownBy(() -> vocabulary.encode("𝄞 hé"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("character é (U+00E9) at place 3 is not one of the vocabulary's 9");
        assertThatThrownBy(() -> vocabulary.decode(0, 9)).hasMessage("a vocabulary of 9 characters has no number 9");
    }

    @Test
    void aVocabularyIsSortedAndNotEmpty() {
        for (String wrong : new String[] {"", "ba", "aab"}) {
            assertThatThrownBy(() -> new Vocabulary(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("sorted by code point, got \"" + wrong + "\"");
        }
    }
}
