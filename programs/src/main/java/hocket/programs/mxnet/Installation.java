package hocket.programs.mxnet;

import ai.djl.util.Utils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

/** The check for a native library for this machine, with a message if there is none. */
final class Installation {
    /** Set to {@code none}, this system property forbids native libraries; {@code auto} as usual. */
    private static final String PROPERTY = "native";

    private static final String DEPENDENCY = "ai.djl.mxnet:mxnet-native-mkl:1.9.1:";

    private Installation() {}

    /** Returns the obstacle to loading the engine, found without trying; empty if there is none. */
    static Optional<String> missing() {
        String wanted = System.getProperty(PROPERTY, "auto");
        if (wanted.equals("none")) {
            return Optional.of("native libraries are forbidden by -D" + PROPERTY + "=none");
        }
        if (!wanted.equals("auto")) {
            throw new IllegalArgumentException(PROPERTY + ": must be auto or none, was " + wanted);
        }
        String system = System.getProperty("os.name", "?");
        String processor = System.getProperty("os.arch", "?");
        Optional<String> classifier = classifier(system, processor);
        if (classifier.isEmpty()) {
            return Optional.of(
                    "the MXNet engine has a native library for Linux x86-64, macOS x86-64 and Windows x86-64, "
                            + "and this is " + system + " " + processor);
        }
        // DJL would take a library from this place instead of the class path.
        if (Utils.getEnvOrSystemProperty("MXNET_LIBRARY_PATH") != null || onClassPath(classifier.get())) {
            return Optional.empty();
        }
        return Optional.of(
                "the MXNet engine has a native library for Linux x86-64, macOS x86-64 and Windows x86-64, and "
                        + "the one for this machine (" + system + " " + processor
                        + ") is not on the class path: add the dependency "
                        + DEPENDENCY + classifier.get());
    }

    /** Returns whether the native library is in this process already; only Linux can tell. */
    static boolean loadedBefore() {
        try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
            return mappings.anyMatch(mapping -> mapping.endsWith("/" + System.mapLibraryName("mxnet")));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    /** Returns the folder to which DJL unpacks the native library, and whether it can be written. */
    static String home() {
        String given = System.getenv("ENGINE_CACHE_DIR");
        String djl = System.getenv("DJL_CACHE_DIR");
        Path folder = given != null
                ? Path.of(given)
                : djl != null ? Path.of(djl) : Path.of(System.getProperty("user.home", "."), ".djl.ai");
        Path there = folder;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        return folder
                + (Files.isWritable(there)
                        ? " can be written"
                        : " cannot be written, so the engine cannot unpack its library; set ENGINE_CACHE_DIR");
    }

    /** Returns a sentence about a failed attempt. */
    static String failed(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        String reason = String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
        String what = cause.getClass().getSimpleName() + ": " + reason;
        if (cause instanceof IOException) {
            return "the MXNet engine could not unpack its native library (177 MB, once) into "
                    + Utils.getEngineCacheDir("mxnet") + " (" + what
                    + "): set the environment variable ENGINE_CACHE_DIR to a folder that can be written";
        }
        return "the MXNet engine could not be loaded (" + what + ")";
    }

    /** The last part of the dependency's name on this kind of machine, if there is one. */
    static Optional<String> classifier(String system, String processor) {
        if (!processor.equals("amd64") && !processor.equals("x86_64")) {
            return Optional.empty();
        }
        String lower = system.toLowerCase(Locale.ROOT);
        if (lower.startsWith("linux")) {
            return Optional.of("linux-x86_64");
        }
        if (lower.startsWith("mac")) {
            return Optional.of("osx-x86_64");
        }
        return lower.startsWith("win") ? Optional.of("win-x86_64") : Optional.empty();
    }

    private static boolean onClassPath(String classifier) {
        try {
            ClassLoader context = Thread.currentThread().getContextClassLoader();
            ClassLoader loader = context == null ? Installation.class.getClassLoader() : context;
            for (URL url : Collections.list(loader.getResources("native/lib/mxnet.properties"))) {
                Properties properties = new Properties();
                try (InputStream in = url.openStream()) {
                    properties.load(in);
                }
                if (properties.getProperty("classifier", "").endsWith(classifier)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
