package hocket.programs.mxnet;

import com.sun.jna.Callback;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.LongByReference;
import hocket.programs.execution.KeyValueStore;
import hocket.programs.execution.ProgramException;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The engine's own distributed key-value store (ps-lite; Li et al. 2014), whose servers add up the workers' pushes. A
 * synchronous engine waits in each call until the servers have answered; so no array is in use after a call, and
 * programs run as usual.
 */
final class MxKeyValueStore implements KeyValueStore {
    /** The name of the store whose servers wait for all workers and add up their pushes. */
    private static final String WAITING = "dist_sync";

    /** The name of the store whose servers call an updater for each push. */
    private static final String AT_ONCE = "dist_async";

    /** The command that servers hand to their controller; others are the store's own. */
    private static final int BEGIN = 0;

    /** Above keys of arrays that are kept; a server multiplies a key by 9,973 in 32 bits. */
    private static final int SUMS = 100_000;

    private static final int MOST_KEYS = 200_000;

    /** A command of a worker, which only stores with an updater on the servers are given. */
    private interface Controller extends Callback {
        void command(int head, Pointer body, Pointer handle);
    }

    /** The task of a server for a push. Both arrays are for it to free. */
    private interface Update extends Callback {
        void update(int key, Pointer pushed, Pointer kept, Pointer handle);
    }

    /** Used by {@link java.util.ServiceLoader}. */
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
    private final boolean answersAtOnce;
    private final int workers;
    private final List<MxArray> arrays = new ArrayList<>();
    private int sums = SUMS;
    private boolean closed;

    private MxKeyValueStore(Membership membership) {
        Engine.get();
        role = membership.role();
        answersAtOnce = membership.answersAtOnce();
        workers = membership.workers();
        ProcessEnvironment.unset("PORT"); // where platforms set it, all processes would take the same
        Map<String, String> settings = new TreeMap<>(Map.of(
                "DMLC_ROLE", role.name().toLowerCase(Locale.ROOT),
                "DMLC_PS_ROOT_URI", membership.scheduler(),
                "DMLC_PS_ROOT_PORT", Integer.toString(membership.port()),
                "DMLC_NUM_WORKER", Integer.toString(membership.workers()),
                "DMLC_NUM_SERVER", Integer.toString(membership.servers()),
                "DMLC_NODE_HOST", membership.own()));
        if (answersAtOnce) {
            // An array that is kept is changed as a whole, so it must not be cut into a part for each server.
            settings.put("MXNET_KVSTORE_BIGARRAY_BOUND", Integer.toString(Integer.MAX_VALUE));
        }
        settings.forEach(ProcessEnvironment::set); // the store asks whether it is distributed there
        Memory keys = Mx.texts(List.copyOf(settings.keySet()));
        Memory values = Mx.texts(List.copyOf(settings.values()));
        Mx.check(Mx.MXInitPSEnv(settings.size(), keys, values), "say who takes which part");
        LongByReference created = new LongByReference();
        Mx.check(Mx.MXKVStoreCreate(Mx.text(answersAtOnce ? AT_ONCE : WAITING), created), "join as " + role);
        handle = created.getValue();
        if (answersAtOnce && role == Role.WORKER) {
            Mx.check(Mx.MXKVStoreSendCommmandToServers(handle, BEGIN, Mx.text("")), "have servers update");
        }
    }

    /** An array of one axis, under separate keys. */
    private final class Summed implements Shared {
        private final ByteBuffer numbers;
        private final long[] arrayHandle;

        /** If servers answer at once, two arrays alternate: one is not restarted before all have read the other. */
        private final int[][] keys;

        private int next;

        Summed(int count) {
            MxArray array = array(count);
            numbers = array.buffer();
            arrayHandle = new long[] {array.handle()};
            keys = new int[answersAtOnce ? 2 : 1][];
            for (int i = 0; i < keys.length; i++) {
                keys[i] = new int[] {sums++};
                begin(keys[i], arrayHandle, count);
            }
        }

        @Override
        public ByteBuffer numbers() {
            return numbers.clear();
        }

        @Override
        public void sum() {
            int[] key = keys[next];
            next = (next + 1) % keys.length;
            String doing = "add up what the workers have";
            if (answersAtOnce) {
                Mx.check(Mx.MXKVStorePush(handle, 1, key, arrayHandle, 0), doing);
                Mx.check(Mx.MXKVStoreBarrier(handle), doing);
                Mx.check(Mx.MXKVStorePull(handle, 1, key, arrayHandle, 0), doing);
            } else {
                Mx.check(Mx.MXKVStorePushPull(handle, 1, key, 1, key, arrayHandle, arrayHandle, 0), doing);
            }
        }
    }

    private MxArray array(int count) {
        if (role != Role.WORKER) {
            throw new IllegalStateException("a " + role + " shares no arrays");
        }
        MxArray array = MxArray.create(Shape.of(count), ElementType.FLOAT32);
        arrays.add(array);
        return array;
    }

    private void begin(int[] key, long[] arrayHandle, int count) {
        if (key[0] >= MOST_KEYS) {
            throw new IllegalStateException("a store has no more than " + (MOST_KEYS - SUMS) + " sums");
        }
        Mx.check(Mx.MXKVStoreInit(handle, 1, key, arrayHandle), "share an array of " + count + " numbers");
    }

    @Override
    public Shared share(int count) {
        return new Summed(count);
    }

    @Override
    public Kept keep(int key, ByteBuffer initial) {
        if (!answersAtOnce) {
            throw new IllegalStateException("servers that wait for all workers keep nothing");
        }
        if (key < 0 || key >= SUMS) {
            throw new IllegalArgumentException("key: must be from 0 to " + (SUMS - 1) + ", was " + key);
        }
        int count = initial.capacity() / Float.BYTES;
        MxArray array = array(count);
        ByteBuffer numbers = array.buffer();
        numbers.put(0, initial, 0, initial.capacity());
        int[] keys = {key};
        long[] arrayHandle = {array.handle()};
        begin(keys, arrayHandle, count);
        return new Kept() {
            @Override
            public ByteBuffer numbers() {
                return numbers.clear();
            }

            @Override
            public void push() {
                Mx.check(
                        Mx.MXKVStorePushPull(handle, 1, keys, 1, keys, arrayHandle, arrayHandle, 0),
                        "have an array updated");
            }
        };
    }

    @Override
    public void serve(Updater updater) {
        if (role == Role.WORKER) {
            throw new IllegalStateException("a worker cannot serve: only servers do");
        }
        Update update = new Serving(updater);
        boolean[] updates = {false};
        Controller controller = (head, body, of) -> {
            if (!updates[0]) { // each worker asks, so that it does before it pushes
                updates[0] = true;
                Mx.check(Mx.MXKVStoreSetUpdater(handle, update, null), "update");
            }
        };
        Mx.check(Mx.MXKVStoreRunServer(handle, controller, null), "serve");
        Reference.reachabilityFence(update);
    }

    /** Adds up sums, and delegates kept arrays to another handler. */
    private final class Serving implements Update {
        private final Updater updater;
        private final Map<Integer, Integer> pushes = new TreeMap<>();

        Serving(Updater updater) {
            this.updater = updater;
        }

        @Override
        public void update(int key, Pointer pushed, Pointer kept, Pointer of) {
            try (MxArray from = MxArray.adopt(Pointer.nativeValue(pushed));
                    MxArray to = MxArray.adopt(Pointer.nativeValue(kept))) {
                if (key < SUMS) {
                    updater.update(key, from.buffer(), to.buffer());
                } else {
                    add(from.buffer(), to.buffer(), pushes.merge(key, 1, Integer::sum) % workers == 1 % workers);
                }
            }
        }

        private static void add(ByteBuffer from, ByteBuffer to, boolean isFirst) {
            FloatBuffer in = from.asFloatBuffer();
            FloatBuffer out = to.asFloatBuffer();
            for (int i = 0; i < in.capacity(); i++) {
                out.put(i, isFirst ? in.get(i) : out.get(i) + in.get(i));
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Mx.check(Mx.MXKVStoreFree(handle), "leave the key-value store");
            arrays.forEach(MxArray::close);
        }
    }
}
