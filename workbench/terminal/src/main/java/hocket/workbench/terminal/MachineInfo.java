package hocket.workbench.terminal;

import com.sun.management.OperatingSystemMXBean;
import hocket.scopes.Heap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Information on this machine. */
public final class MachineInfo {
    private MachineInfo() {}

    /** Returns the name of its processor; its architecture if the system does not name it. */
    public static String processor() {
        Path linux = Path.of("/proc/cpuinfo");
        if (Files.isReadable(linux)) {
            try (Stream<String> lines = Files.lines(linux, StandardCharsets.ISO_8859_1)) {
                Optional<String> name = lines.filter(line -> line.startsWith("model name"))
                        .map(line -> line.substring(line.indexOf(':') + 1).strip())
                        .filter(text -> !text.isEmpty())
                        .findFirst();
                if (name.isPresent()) {
                    return name.get();
                }
            } catch (IOException | UncheckedIOException e) {
                // the system does not name the processor
            }
        }
        return System.getProperty("os.arch");
    }

    /** Returns the machine's memory in bytes, or this process's limit. */
    public static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Heap.most();
    }
}
