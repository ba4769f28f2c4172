package hocket.workbench.runs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutOfMemoryTest {
    @Test
    void aFullHeapIsNamedWithWhatItHasAndHowItGetsMore() {
        assertThat(OutOfMemoryAdvice.line(new OutOfMemoryError("Java heap space")))
                .startsWith("out of memory: more than the Java heap of ")
                .contains(" was required; HOCKET_JAVA_OPTIONS=-Xmx8g gives it 8 GB; this machine has ");
        assertThat(OutOfMemoryAdvice.line(new OutOfMemoryError("Requested array size exceeds VM limit")))
                .startsWith("out of memory: Requested array size exceeds VM limit; the Java heap has ");
    }

    @Test
    void memoryOutsideOfTheHeapIsNamedWithWhatWasNeeded() {
        List<ByteBuffer> kept = new ArrayList<>();
        String line = "";
        try {
            while (true) {
                kept.add(ByteBuffer.allocateDirect(Integer.MAX_VALUE));
            }
        } catch (OutOfMemoryError e) {
            line = OutOfMemoryAdvice.line(e); // as this JVM words it
        }
        assertThat(line)
                .matches(
                        "out of memory outside of the Java heap: 2.15 GB more were required, and .* of at most .* are in use; "
                                + "HOCKET_JAVA_OPTIONS=-XX:MaxDirectMemorySize=8g gives it 8 GB; this machine has .*");
    }
}
