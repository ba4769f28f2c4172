package hocket.schedulers.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.schedulers.state.Saved;
import hocket.schedulers.state.State;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateJsonTest {
    private static State read(String json) throws IOException {
        return StateJson.read(json.getBytes(UTF_8), Map.of(), (width, count, blocks) -> {
            throw new IOException("no rows");
        });
    }

    @Test
    void eachKindOfItemIsReadAsWhatItIs() throws IOException {
        assertThat(read("{\"n\": -7, \"t\": \"text\", \"x\": {\"real\": \"NaN\"}, \"s\": {\"state\": {\"n\": 1}}}"))
                .isEqualTo(State.empty()
                        .with("n", -7)
                        .with("t", "text")
                        .with("x", Double.NaN)
                        .with("s", State.empty().with("n", 1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'bytes': 12     ; 12",
                "'width': 3      ; 12", // as before 2026-12: numbers of four bytes
                "'width': 2147483647; 2147483647",
                "'width': -1     ; -4",
                "'none': 1       ; 0"
            })
    void rowsHaveAWidthInBytes(String key, int bytes) throws IOException {
        String json = ("{'r': {'rows': {" + key + ", 'count': 7, 'blocks': []}}}").replace('\'', '"');
        StateJson.read(json.getBytes(UTF_8), Map.of(), (width, count, blocks) -> {
            assertThat(width).isEqualTo(bytes);
            assertThat(count).isEqualTo(7);
            return new Saved.Rows(new byte[0], 1, 0);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '@',
            value = {
                "{\"n\": 1, \"n\": 2}            ; Duplicate field 'n'",
                "{\"s\": {\"state\": 1, \"state\": {}}}; Duplicate field 'state'",
                "{\"n\": 1} {}                   ; Trailing token",
                "{\"x\": {\"real\": \"much\"}}   ; x: real must be a number, was \"much\"",
                "{\"w\": {\"tensor\": \"w\"}}    ; tensor w is missing",
                "{\"n\": 9223372036854775808}    ; n is neither a number, text, real, tensor, state nor rows",
                "[]                              ; it is not a JSON object",
            })
    void whatIsNoStateIsRefused(String json, String reason) {
        assertThatThrownBy(() -> read(json)).isInstanceOf(IOException.class).hasMessageContaining(reason);
    }
}
