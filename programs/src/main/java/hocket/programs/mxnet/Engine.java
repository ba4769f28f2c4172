package hocket.programs.mxnet;

import ai.djl.mxnet.jna.LibUtils;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.ptr.IntByReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** The loaded engine. There is one in a process; a failure to load it is permanent. */
final class Engine {
    private record Attempt(@Nullable Engine engine, String failure) {}

    /** Loads once, at the first access by any thread. */
    private static final class Once {
        static final Attempt ATTEMPT = load();
    }

    /** Functions of the OpenMP library that the engine uses. */
    private static final class OpenMp {
        static native void omp_set_num_threads(int threads);
    }

    /**
     * The number of spins of OpenMP's threads before they sleep. The library's own 300,000 stall a process that shares
     * its cores: next to two compilers, a small GAN fell from 200 iterations a second to 0.4, and to 15 with this
     * number, which has no measurable cost on idle cores.
     */
    private static final String SPINS = "5000";

    /**
     * Settings of the engine before it starts: to run operators synchronously, and to add all gradients of a value in
     * one sum. From 8 on it would chain them, each added to the last in place, but the gradients of means and sums
     * write over what is there. It reads the number when it first differentiates.
     */
    private static final Map<String, String> BEFORE =
            new TreeMap<>(Map.of("MXNET_ENGINE_TYPE", "NaiveEngine", "MXNET_EXEC_INPLACE_GRAD_SUM_CAP", "1000000000"));

    private static final AtomicBoolean UNHEARD = new AtomicBoolean(true);

    private final boolean openMp;

    private Engine(boolean openMp) {
        this.openMp = openMp;
    }

    /**
     * The engine, loaded by the first call.
     *
     * @throws IllegalStateException if it is not available, with the sentence of {@link #unavailable}
     */
    static Engine get() {
        Attempt attempt = Once.ATTEMPT;
        if (attempt.engine() == null) {
            throw new IllegalStateException(attempt.failure());
        }
        return attempt.engine();
    }

    /** Why the engine cannot be used in this process, in one sentence; empty when it can. */
    static Optional<String> unavailable() {
        Attempt attempt = Once.ATTEMPT;
        return attempt.engine() == null ? Optional.of(attempt.failure()) : Optional.empty();
    }

    /**
     * Sets the number of threads of the kernels that this thread calls. Other threads are not affected.
     *
     * @return false if the engine's OpenMP library could not be reached, so that it uses one thread per core
     */
    boolean threads(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("an engine runs on at least 1 thread, got " + threads);
        }
        if (openMp) {
            OpenMp.omp_set_num_threads(threads);
        } else if (threads != Runtime.getRuntime().availableProcessors() && UNHEARD.getAndSet(false)) {
            LoggerFactory.getLogger(Engine.class)
                    .warn(
                            "the engine's OpenMP library cannot be reached: its kernels run on a thread a core, not on {}",
                            threads);
        }
        return openMp;
    }

    /** The version that the native library says it has; the library of 1.9.1 says 1.9.0. */
    String version() {
        IntByReference version = new IntByReference();
        Mx.check(Mx.MXGetVersion(version), "ask for the version");
        int number = version.getValue();
        return number / 10000 + "." + number / 100 % 100 + "." + number % 100;
    }

    private static Attempt load() {
        // DJL would report its start to an address outside, which either of these prevents, and download what it
        // misses, which the second prevents. It reads them as it starts.
        System.setProperty("OPT_OUT_TRACKING", "true");
        System.setProperty("ai.djl.offline", "true");
        try {
            Optional<String> missing = Installation.missing();
            if (missing.isPresent()) {
                return new Attempt(null, missing.get());
            }
            if (Installation.loadedBefore()) {
                List<String> unset = BEFORE.entrySet().stream()
                        .filter(each -> !each.getValue().equals(ProcessEnvironment.get(each.getKey())))
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toList();
                if (!unset.isEmpty()) {
                    return new Attempt(
                            null,
                            "the MXNet engine was loaded before by other code in this process, with settings that Hocket "
                                    + "cannot use: start the process with the environment variables "
                                    + String.join(" and ", unset));
                }
            }
            BEFORE.forEach(ProcessEnvironment::set);
            // By default the engine fuses layers of programs without gradients and keeps its own copy of their weights,
            // which goes stale when the weights are written here. This graph pass changes nothing instead, and unlike
            // "NONE" it does so without a line on standard error at every bind.
            ProcessEnvironment.set("MXNET_SUBGRAPH_BACKEND", "default");
            ProcessEnvironment.set("MXNET_SUBGRAPH_VERBOSE", "0");
            // As it is loaded, the engine times its elementwise kernels to decide which of them use threads. On 2 or 3
            // cores it decides that none does, whatever the times are: a DCGAN of width 16 lost 5 to 10 % of its
            // speed. 0 means that all do, and no stopwatch decides. The bits are the same.
            ProcessEnvironment.set("MXNET_USE_OPERATOR_TUNING", "0");
            // The engine lets omp_set_num_threads have a say only if this is set. The number itself is a maximum.
            ProcessEnvironment.set(
                    "OMP_NUM_THREADS", Integer.toString(Runtime.getRuntime().availableProcessors()));
            if (ProcessEnvironment.get("GOMP_SPINCOUNT") == null && ProcessEnvironment.get("OMP_WAIT_POLICY") == null) {
                ProcessEnvironment.set("GOMP_SPINCOUNT", SPINS);
            }
            claimJpeg();
            ai.djl.engine.Engine.getEngine("MXNet");
            NativeLibrary library = NativeLibrary.getInstance(LibUtils.getLibName());
            Native.register(Mx.class, library);
            // The engine starts at the first call that needs it, and says so in a line that nothing turns off.
            ProcessEnvironment.withoutStandardError(Mx::MXNDArrayWaitAll);
            return new Attempt(new Engine(linkOpenMp(library)), "");
        } catch (RuntimeException | LinkageError | AssertionError e) {
            return new Attempt(null, Installation.failed(e));
        }
    }

    /**
     * Loads the library of Java's JPEG reader first. The engine contains another version of it, whose functions would
     * be found otherwise, and this process could not read JPEG files any more.
     */
    private static void claimJpeg() {
        try {
            ImageIO.getImageReadersByFormatName("jpeg").forEachRemaining(ImageReader::dispose);
        } catch (RuntimeException | LinkageError e) {
            LoggerFactory.getLogger(Engine.class).debug("This Java reads no JPEG", e);
        }
    }

    /** Looks the functions up through the engine's library, which finds the OpenMP library that it is linked to. */
    private static boolean linkOpenMp(NativeLibrary library) {
        try {
            Native.register(OpenMp.class, library);
            return true;
        } catch (LinkageError e) {
            return false;
        }
    }
}
