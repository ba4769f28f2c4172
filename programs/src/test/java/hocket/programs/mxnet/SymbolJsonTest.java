package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.programs.mxnet.SymbolJson.Ref;
import hocket.scopes.Shape;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SymbolJsonTest {
    @Test
    void nodesArgumentsRowsAndHeadsAreWrittenInTheEnginesFormat() {
        SymbolJson json = new SymbolJson();
        int x = json.variable("x");
        int w = json.variable("w");
        int split = json.operator("split", "s", Map.of("num_outputs", "2", "axis", "1"), 2, Ref.of(x));
        int product = json.operator("dot", "p", Map.of(), 1, new Ref(split, 1), Ref.of(w));

        assertThat(json.json(Ref.of(product), new Ref(split, 0)))
                .isEqualTo("{\"nodes\":["
                        + "{\"op\":\"null\",\"name\":\"x\",\"inputs\":[]},"
                        + "{\"op\":\"null\",\"name\":\"w\",\"inputs\":[]},"
                        + "{\"op\":\"split\",\"name\":\"s\",\"attrs\":{\"axis\":\"1\",\"num_outputs\":\"2\"},"
                        + "\"inputs\":[[0,0,0]]},"
                        + "{\"op\":\"dot\",\"name\":\"p\",\"attrs\":{},\"inputs\":[[2,1,0],[1,0,0]]}"
                        + "],\"arg_nodes\":[0,1],\"node_row_ptr\":[0,1,2,4,5],\"heads\":[[3,0,0],[2,0,0]],"
                        + "\"attrs\":{\"mxnet_version\":[\"int\",10900]}}");
    }

    @Test
    void aVariableNameCannotComeTwice() {
        SymbolJson json = new SymbolJson();
        json.variable("x");
        assertThatThrownBy(() -> json.variable("x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'x'");
    }

    @Test
    void anOperatorReadsOnlyWhatIsThere() {
        SymbolJson json = new SymbolJson();
        int x = json.variable("x");
        assertThatThrownBy(() -> json.operator("tanh", "t", Map.of(), 1, Ref.of(x + 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> json.json(new Ref(x, 1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theCharacterThatEndsACStringIsRefused() {
        assertThatThrownBy(() -> new SymbolJson().variable("a\0b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Tag("engine")
    void theEngineReadsAnyNameBackAsItWas() {
        String name = "generator/conv1: \"weight\" C:\\new \t\r\n \u00e4\u6f22";
        SymbolJson json = new SymbolJson();
        int tanh = json.operator("tanh", "say \"tanh\"", Map.of(), 1, Ref.of(json.variable(name)));
        Engine.get();
        try (MxSymbol symbol = new MxSymbol(json.json(Ref.of(tanh)))) {
            assertThat(symbol.arguments).containsExactly(name);
        }
        MxExecutor.bind(json.json(Ref.of(tanh)), Map.of(name, Arrays.zeros(Shape.of(2))), Map.of(), Map.of(), null)
                .close();
    }
}
