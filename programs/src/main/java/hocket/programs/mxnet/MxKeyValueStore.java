package hocket.programs.mxnet;

import com.sun.jna.Callback;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import hocket.programs.KeyValueStore;
import hocket.programs.ProgramException;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The engine's own distributed key-value store (ps-lite; Li et al. 2014), its servers adding up what the workers push. The
 * engine that runs what it is asked for at once waits in each call until the servers have answered; so no array is touched
 * when a call is back, and programs run as they do without.
 */
final class MxKeyValueStore implements KeyValueStore {
    /** How the store is called whose servers wait for all workers and add up what these push. */
    private static final String KIND = "dist_sync";

    /** A command of a worker, which only stores with an optimizer on the servers are given. */
    private interface Controller extends Callback {
        void command(int head, Pointer body, Pointer handle);
    }

    /** For {@link java.util.ServiceLoader}. */
    public static final class Provided implements Provider {
        @Override
        public Optional<String> unavailable() {
            return Engine.unavailable();
        }

        @Override
        public KeyValueStore join(Membership membership) {
            try {
                return new MxKeyValueStore(membership);
            } catch (EngineException e) {
                throw new ProgramException("the key-value store: " + e.getMessage(), e, false);
            }
        }

        @Override
        public void end(int status) {
            ProcessEnvironment.exit(status);
        }
    }

    private final Role role;
    private final long handle;
    private final Controller controller = (head, body, of) -> {};
    private final List<Summed> arrays = new ArrayList<>();
    private boolean closed;

    private MxKeyValueStore(Membership membership) {
        Engine.get();
        role = membership.role();
        ProcessEnvironment.unset("PORT"); // where platforms set it, all processes would take the same
        Map<String, String> settings = new TreeMap<>(Map.of(
                "DMLC_ROLE", role.name().toLowerCase(Locale.ROOT),
                "DMLC_PS_ROOT_URI", membership.scheduler(),
                "DMLC_PS_ROOT_PORT", Integer.toString(membership.port()),
                "DMLC_NUM_WORKER", Integer.toString(membership.workers()),
                "DMLC_NUM_SERVER", Integer.toString(membership.servers()),
                "DMLC_NODE_HOST", membership.own()));
        settings.forEach(ProcessEnvironment::set); // the store asks whether it is distributed there
        Memory keys = Mx.texts(List.copyOf(settings.keySet()));
        Memory values = Mx.texts(List.copyOf(settings.values()));
        Mx.check(Mx.MXInitPSEnv(settings.size(), keys, values), "say who takes which part");
        LongByReference created = new LongByReference();
        Mx.check(Mx.MXKVStoreCreate(Mx.text(KIND), created), "join as " + role);
        handle = created.getValue();
    }

    /** An array of one axis under a key of its own. */
    private final class Summed implements Shared {
        private final MxArray array;
        private final ByteBuffer numbers;
        private final int[] key = {arrays.size()};
        private final long[] arrayHandle;

        Summed(int count) {
            array = MxArray.create(Shape.of(count), ElementType.FLOAT32);
            numbers = array.buffer();
            arrayHandle = new long[] {array.handle()};
            Mx.check(Mx.MXKVStoreInit(handle, 1, key, arrayHandle), "share an array of " + count + " numbers");
        }

        @Override
        public ByteBuffer numbers() {
            return numbers.clear();
        }

        @Override
        public void sum() {
            Mx.check(
                    Mx.MXKVStorePushPull(handle, 1, key, 1, key, arrayHandle, arrayHandle, 0),
                    "add up what the workers have");
        }
    }

    @Override
    public Shared share(int count) {
        if (role != Role.WORKER) {
            throw new IllegalStateException("a " + role + " shares no arrays");
        }
        Summed array = new Summed(count);
        arrays.add(array);
        return array;
    }

    @Override
    public void serve() {
        if (role == Role.WORKER) {
            throw new IllegalStateException("a worker serves nobody");
        }
        Mx.check(Mx.MXKVStoreRunServer(handle, controller, null), "serve");
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Mx.check(Mx.MXKVStoreFree(handle), "leave the key-value store");
            arrays.forEach(each -> each.array.close());
        }
    }
}
