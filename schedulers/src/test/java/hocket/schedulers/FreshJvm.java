package hocket.schedulers;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Measures memory in a JVM that has run nothing else, with a heap of 64 MB from its start to its end. Vectors are objects
 * until the JIT compiler has come round to their loops, and what it makes of them depends on all that the JVM ran before:
 * hundreds of other tests, with probes in them, are not what users run, and once in many runs left it with vectors that stayed
 * objects.
 */
public final class FreshJvm {
    private static final int JVMS = 3;
    private static final long SECONDS = 30;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private FreshJvm() {}

    /**
     * What a measure of bytes gives in a fresh JVM; where it is above the most, the least of three.
     *
     * @param measure has a constructor without arguments
     */
    public static long bytes(Class<? extends LongSupplier> measure, long most)
            throws IOException, InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < JVMS && least > most; i++) {
            least = Math.min(least, bytes(measure));
        }
        return least;
    }

    private static long bytes(Class<? extends LongSupplier> measure) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
            command.addAll(List.of("--add-modules", "jdk.incubator.vector"));
        }
        command.addAll(List.of("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(FreshJvm.class.getName(), measure.getName()));
        Path output = Files.createTempFile("bytes", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(6 * SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("it did not end well: " + Files.readString(output));
            }
            List<String> lines = Files.readAllLines(output);
            return Long.parseLong(lines.get(lines.size() - 1));
        } finally {
            process.destroyForcibly();
            Files.delete(output);
        }
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        LongSupplier measure = (LongSupplier)
                Class.forName(arguments[0]).getDeclaredConstructor().newInstance();
        System.out.println(measure.getAsLong());
    }

    /** The least bytes that this thread took in any of many stretches; given up where half a minute brings no fewer than the most. */
    public static long least(long most, Runnable stretch) {
        long least = Long.MAX_VALUE;
        long begun = System.nanoTime();
        while (least > most && System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(SECONDS)) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            stretch.run();
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
