package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import org.junit.jupiter.api.Test;

class DeclarationTest {
    private static Declaration declaration(Shape shape, ElementType type) {
        return new Declaration(Path.of("a/w"), shape, type, Initialiser.he(), new Fan(3, 4), Kind.WEIGHT);
    }

    @Test
    void aParameterIsFloating() {
        assertThatThrownBy(() -> declaration(Shape.of(2), ElementType.INT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a/w: a parameter is FLOAT32 or FLOAT64, not INT64");
    }

    @Test
    void anArrayBeyondTheLimitIsRefusedByName() {
        assertThatThrownBy(() -> declaration(Shape.of(1 << 15, 1 << 14), ElementType.FLOAT64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a/w: (32768,16384) of FLOAT64 has 4294967296 bytes; an array may have at most 2147483647");
    }

    @Test
    void elsewhereItIsTheSameUnderAnotherName() {
        Declaration here = declaration(Shape.of(2), ElementType.FLOAT32);
        Declaration there = here.at(Path.of("b/w"));
        assertThat(there.path()).isEqualTo(Path.of("b/w"));
        assertThat(there.at(Path.of("a/w"))).isEqualTo(here);
    }

    @Test
    void aFanIsAtLeastOne() {
        assertThatThrownBy(() -> new Fan(0, 3)).hasMessage("a fan is at least 1 in and 1 out, got 0 and 3");
        assertThatThrownBy(() -> new Fan(3, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
