package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ScopesTest {
    private final Scopes<String> scopes = new Scopes<>(Scopes.class);

    private static int line() {
        return StackWalker.getInstance()
                .walk(frames -> frames.skip(1).findFirst().orElseThrow().getLineNumber());
    }

    @Nested
    class Opening {
        @Test
        void namesAreMadeUnderTheOpenScopes() {
            assertThat(scopes.name("noise", "z")).isEqualTo(Path.of("noise"));
            try (Scope<String> generator = scopes.open("generator")) {
                assertThat(generator.path()).isEqualTo(Path.of("generator"));
                try (Scope<String> up = scopes.open("up")) {
                    assertThat(up).hasToString("generator/up");
                    assertThat(scopes.name("conv1", "h")).isEqualTo(Path.of("generator/up/conv1"));
                    assertThat(scopes.parameter("conv1/weight")).isEqualTo(Path.of("generator/up/conv1/weight"));
                }
                assertThat(scopes.name("image", "x")).isEqualTo(Path.of("generator/image"));
            }
            assertThat(scopes.current()).isEmpty();
        }

        @Test
        void aScopeOpenedTwiceIsAnErrorThatNamesBothPlaces() {
            int first = line() + 1;
            scopes.open("generator").close();
            int second = line() + 1;
            assertThatThrownBy(() -> scopes.open("generator"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "scope generator was opened already at ScopesTest.java:" + first,
                            "and again at ScopesTest.java:" + second,
                            "REUSE");
            assertThat(scopes.current()).isEmpty();
        }

        @Test
        void theSameNameMayBeOpenedInDifferentScopes() {
            try (Scope<String> generator = scopes.open("generator")) {
                scopes.open("up").close();
            }
            try (Scope<String> discriminator = scopes.open("discriminator")) {
                assertThatCode(() -> scopes.open("up").close()).doesNotThrowAnyException();
            }
        }

        @Test
        void aParameterNeedsAnOpenScope() {
            assertThatThrownBy(() -> scopes.parameter("weight"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("parameter weight at ScopesTest.java:")
                    .hasMessageContaining("has no module");
        }

        @Test
        void aNumberSignIsNotForNames() {
            scopes.open("up").close();
            assertThatThrownBy(() -> scopes.open("up#2"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("\"up#2\" at ScopesTest.java:");
            assertThatThrownBy(() -> scopes.reopen("up#2")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> scopes.name("relu#1", "v")).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void aNameThatIsNoPathIsRefusedAndOpensNothing() {
            assertThatThrownBy(() -> scopes.open("my generator")).hasMessageContaining("\"my generator\"");
            assertThat(scopes.current()).isEmpty();
        }
    }

    @Nested
    class Closing {
        @Test
        void closingOutOfOrderNamesBothPlacesAndClosesNothing() {
            int first = line() + 1;
            Scope<String> generator = scopes.open("generator");
            Scope<String> up = scopes.open("up");
            assertThatThrownBy(() -> generator.close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "scope generator, opened at ScopesTest.java:" + first,
                            "is closed out of order: generator/up, opened inside it at ScopesTest.java:" + (first + 1),
                            "is still open");
            assertThat(scopes.current()).containsSame(up);
            up.close();
            generator.close();
            assertThat(scopes.current()).isEmpty();
        }

        @Test
        void closingTwiceDoesNothing() {
            Scope<String> generator = scopes.open("generator");
            Scope<String> up = scopes.open("up");
            up.close();
            up.close();
            assertThat(scopes.current()).containsSame(generator);
        }

        @Test
        void aClosedScopeStaysAReference() {
            Scope<String> generator = scopes.open("generator");
            scopes.name("image", "fake");
            scopes.open("up");
            scopes.name("conv1", "h");
            scopes.current().orElseThrow().close();
            generator.close();
            assertThat(generator.value("image")).isEqualTo("fake");
            assertThat(generator.value("up/conv1")).isEqualTo("h");
            assertThatThrownBy(() -> generator.value("imag"))
                    .hasMessage("no value is called generator/imag; did you mean generator/image?");
        }
    }

    @Nested
    class Reopening {
        @Test
        void valuesGetANumberAndParametersKeepTheirPath() {
            try (Scope<String> generator = scopes.open("generator")) {
                scopes.open("up").close();
                try (Scope<String> again = scopes.reopen("up")) {
                    assertThat(again.path()).isEqualTo(Path.of("generator/up#2"));
                    assertThat(again.parameters()).isEqualTo(Path.of("generator/up"));
                    assertThat(scopes.name("conv1", "h")).isEqualTo(Path.of("generator/up#2/conv1"));
                    assertThat(scopes.parameter("conv1/weight")).isEqualTo(Path.of("generator/up/conv1/weight"));
                }
                try (Scope<String> third = scopes.reopen("up")) {
                    assertThat(third.path()).isEqualTo(Path.of("generator/up#3"));
                }
            }
        }

        @Test
        void scopesInsideShareTooWithoutSayingSo() {
            try (Scope<String> up = scopes.open("up")) {
                scopes.open("block").close();
            }
            try (Scope<String> again = scopes.reopen("up");
                    Scope<String> block = scopes.open("block")) {
                assertThat(block.path()).isEqualTo(Path.of("up#2/block"));
                assertThat(block.parameters()).isEqualTo(Path.of("up/block"));
            }
        }

        @Test
        void whatWasNeverOpenedCannotBeReused() {
            scopes.open("generator").close();
            assertThatThrownBy(() -> scopes.reopen("generatr"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("scope generatr cannot be reused at ScopesTest.java:")
                    .hasMessageEndingWith("it was never opened; did you mean generator?");
            assertThat(scopes.current()).isEmpty();
        }
    }

    @Nested
    class Calling {
        @Test
        void eachCallOfAModuleHasANumberWhoeverCalls() {
            scopes.claim(Path.of("trunk"));
            try (Scope<String> actor = scopes.open("actor");
                    Scope<String> call = scopes.call(Path.of("trunk"))) {
                assertThat(call.path()).isEqualTo(Path.of("trunk#1"));
                assertThat(call.parameters()).isEqualTo(Path.of("trunk"));
            }
            try (Scope<String> call = scopes.call(Path.of("trunk"))) {
                assertThat(call.path()).isEqualTo(Path.of("trunk#2"));
            }
        }

        @Test
        void aScopeInsideAModuleIsOpenedByEveryCall() {
            scopes.claim(Path.of("discriminator"));
            for (int call = 1; call <= 2; call++) {
                try (Scope<String> module = scopes.call(Path.of("discriminator"));
                        Scope<String> block = scopes.open("block")) {
                    assertThat(scopes.name("conv", "h" + call))
                            .isEqualTo(Path.of("discriminator#" + call + "/block/conv"));
                    assertThat(scopes.parameter("conv/weight")).isEqualTo(Path.of("discriminator/block/conv/weight"));
                }
            }
        }

        @Test
        void withinOneCallAScopeIsStillOpenedOnce() {
            try (Scope<String> call = scopes.call(Path.of("discriminator"))) {
                scopes.open("block").close();
                assertThatThrownBy(() -> scopes.open("block"))
                        .hasMessageStartingWith("scope discriminator/block was opened already at");
            }
        }

        @Test
        void aModuleDefinedTwiceIsAnErrorThatNamesBothPlaces() {
            int first = line() + 1;
            scopes.claim(Path.of("critic"));
            int second = line() + 1;
            assertThatThrownBy(() -> scopes.claim(Path.of("critic")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "module critic was defined already at ScopesTest.java:" + first,
                            "and again at ScopesTest.java:" + second);
            assertThatThrownBy(() -> scopes.open("critic")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Nested
    class Naming {
        @Test
        void twoValuesOfOneNameAreAnErrorThatNamesBothPlaces() {
            int first = line() + 1;
            scopes.name("image", "real");
            int second = line() + 1;
            assertThatThrownBy(() -> scopes.name("image", "fake"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "two values are called image: one at ScopesTest.java:" + first,
                            "one at ScopesTest.java:" + second);
            assertThat(scopes.value("image")).isEqualTo("real");
        }

        @Test
        void aParameterIsFoundAndItsPathTakenAsAnyOther() {
            try (Scope<String> generator = scopes.open("generator")) {
                scopes.declare(scopes.parameter("project/weight"), "w");
                assertThat(generator.value("project/weight")).isEqualTo("w");
                assertThatThrownBy(() -> scopes.name("project/weight", "v"))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("two values are called generator/project/weight: one at ScopesTest");
            }
        }

        @Test
        void whatIsNotNamedIsNumberedFromTheSecondOnInItsScope() {
            assertThat(scopes.number("relu", "a")).isEqualTo(Path.of("relu"));
            assertThat(scopes.number("relu", "b")).isEqualTo(Path.of("relu_2"));
            assertThat(scopes.number("tanh", "c")).isEqualTo(Path.of("tanh"));
            try (Scope<String> generator = scopes.open("generator")) {
                assertThat(scopes.number("relu", "d")).isEqualTo(Path.of("generator/relu"));
            }
            assertThat(scopes.number("relu", "e")).isEqualTo(Path.of("relu_3"));
        }

        @Test
        void numbersGoRoundNamesThatAreTaken() {
            scopes.name("relu", "mine");
            scopes.name("relu_3", "mine too");
            assertThat(scopes.number("relu", "a")).isEqualTo(Path.of("relu_2"));
            assertThat(scopes.number("relu", "b")).isEqualTo(Path.of("relu_4"));
            assertThat(scopes.value("relu")).isEqualTo("mine");
        }
    }

    @Nested
    class Finding {
        @Test
        void theNumberOfACallMayBeLeftOutWhereThereIsOne() {
            try (Scope<String> call = scopes.call(Path.of("critic"))) {
                scopes.name("q", "only");
            }
            assertThat(scopes.value("critic/q")).isEqualTo("only");
            assertThat(scopes.value("critic#1/q")).isEqualTo("only");
        }

        @Test
        void anAmbiguousPathListsTheCandidates() {
            for (int i = 1; i <= 2; i++) {
                try (Scope<String> call = scopes.call(Path.of("critic"))) {
                    scopes.name("q", "call " + i);
                }
            }
            assertThatThrownBy(() -> scopes.value("critic/q"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("critic/q is ambiguous, it can be critic#1/q or critic#2/q");
            assertThat(scopes.value("critic#2/q")).isEqualTo("call 2");
        }

        @Test
        void theFirstOfAReopenedScopeIsMeantByItsOwnName() {
            try (Scope<String> up = scopes.open("up")) {
                scopes.name("conv1", "first");
            }
            try (Scope<String> again = scopes.reopen("up")) {
                scopes.name("conv1", "second");
                assertThat(again.value("conv1")).isEqualTo("second");
            }
            assertThat(scopes.value("up/conv1")).isEqualTo("first");
            assertThat(scopes.value("up#2/conv1")).isEqualTo("second");
        }

        @Test
        void aPathThatIsNotThereSaysWhatIsNear() {
            scopes.name("generator-image", "x");
            assertThatThrownBy(() -> scopes.value("generator-imag"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no value is called generator-imag; did you mean generator-image?");
        }
    }
}
