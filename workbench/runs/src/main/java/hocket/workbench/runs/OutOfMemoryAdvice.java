package hocket.workbench.runs;

import hocket.scopes.Heap;
import hocket.workbench.terminal.MachineInfo;
import hocket.workbench.terminal.NumberFormats;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Advises a person on a lack of memory. */
public final class OutOfMemoryAdvice {
    /** The variable by which a person sets JVM options. */
    private static final String OPTIONS = "HOCKET_JAVA_OPTIONS";

    /** The JVM's message about memory outside of its heap. */
    private static final Pattern DIRECT = Pattern.compile(
            "Cannot reserve (\\d+) bytes of direct buffer memory \\(allocated: (\\d+), limit: (\\d+)\\)");

    private OutOfMemoryAdvice() {}

    /** Returns a line on the required memory, if the JVM names it, the available memory, and how to raise the limit. */
    public static String line(OutOfMemoryError error) {
        String message = String.valueOf(error.getMessage());
        Matcher direct = DIRECT.matcher(message);
        if (direct.matches()) {
            return "out of memory outside of the Java heap: " + bytes(direct.group(1)) + " more were required, and "
                    + bytes(direct.group(2)) + " of at most " + bytes(direct.group(3)) + " are in use; "
                    + more("-XX:MaxDirectMemorySize");
        }
        String heap = NumberFormats.bytes(Heap.most());
        return message.equals("Java heap space") || message.equals("GC overhead limit exceeded")
                ? "out of memory: more than the Java heap of " + heap + " was required; " + more("-Xmx")
                : "out of memory: " + message + "; the Java heap has " + heap + "; " + more("-Xmx");
    }

    private static String bytes(String count) {
        return NumberFormats.bytes(Long.parseLong(count));
    }

    private static String more(String option) {
        String equals = option.startsWith("-XX") ? "=" : "";
        return OPTIONS + "=" + option + equals + "8g gives it 8 GB; this machine has "
                + NumberFormats.bytes(MachineInfo.memory()) + "; or use a smaller batch, network or replay";
    }
}
