package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EngineExceptionTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "MXNetError: Check failed: is_valid: bad index",
                "MXNetError: Check failed: is_valid: bad index\nStack trace:\n  File \"../src/a/b.cc\", line 358",
                "Traceback (most recent call last):\n  File \"../src/a/b.cc\", line 3\nMXNetError: Check failed: is_valid: "
                        + "bad index",
                "[09:29:44] ../src/a/b.cc:73: Check failed: is_valid: bad index\nStack trace:\n  [bt] (0) /x/libmxnet.so",
            })
    void theSentenceHasNeitherPlaceNorStack(String detail) {
        assertThat(EngineException.sentence(detail)).isEqualTo("Check failed: is_valid: bad index");
    }

    @Test
    void anEmptyTextStillGivesASentence() {
        assertThat(EngineException.sentence("")).isEqualTo("no reason given");
    }
}
