package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PlaceTest {
    @Test
    void thePlaceOfACallerIsItsOwnLine() {
        int line = new Throwable().getStackTrace()[0].getLineNumber();
        SourceLocation sourceLocation = SourceLocation.ofCaller();
        assertThat(sourceLocation).hasToString("PlaceTest.java:" + (line + 1) + " (thePlaceOfACallerIsItsOwnLine)");
    }

    @Test
    void framesOfTheJavaPlatformAreLeftOut() {
        List<SourceLocation> sourceLocations =
                List.of(1).stream().map(one -> SourceLocation.ofCaller()).toList();
        assertThat(sourceLocations.get(0).text()).startsWith("PlaceTest.java:").contains("(lambda$framesOf");
    }

    @Test
    void theLibrariesGivenAreLeftOut() {
        // JUnit stands in for a library: what calls this test, and not the test, is then its user.
        assertThat(SourceLocation.ofCaller(PlaceTest.class).text()).doesNotContain("PlaceTest");
    }

    @Test
    void itLooksThroughThisLibrary() {
        Supplier<SourceLocation> throughScopes = new Scopes<String>(Scopes.class)::place;
        assertThat(throughScopes.get().text()).startsWith("PlaceTest.java:").contains("itLooksThroughThisLibrary");
    }
}
