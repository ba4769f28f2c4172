package hocket.programs.mxnet;

import com.sun.jna.Callback;
import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The engine's C functions, mapped directly. Handles are plain {@code long}s so that the functions called on every step
 * allocate nothing. All but the first return 0, or -1 with the reason in {@link #MXGetLastError}, which belongs to the
 * calling thread.
 *
 * <p>Works only after {@link Engine#get()}, which links the functions.
 */
final class Mx {
    /** Device type of arrays in main memory. */
    static final int CPU = 1;

    private Mx() {}

    static native long MXGetLastError();

    static native int MXGetVersion(IntByReference version);

    static native int MXSymbolCreateFromJSON(byte[] json, LongByReference symbol);

    static native int MXSymbolListArguments(long symbol, IntByReference count, PointerByReference names);

    static native int MXSymbolListAuxiliaryStates(long symbol, IntByReference count, PointerByReference names);

    static native int MXSymbolInferShapeEx(
            long symbol,
            int known,
            Pointer names,
            int[] starts,
            int[] extents,
            IntByReference argumentCount,
            PointerByReference argumentRanks,
            PointerByReference argumentExtents,
            IntByReference outputCount,
            PointerByReference outputRanks,
            PointerByReference outputExtents,
            IntByReference auxiliaryCount,
            PointerByReference auxiliaryRanks,
            PointerByReference auxiliaryExtents,
            IntByReference complete);

    static native int MXSymbolFree(long symbol);

    static native int MXNDArrayCreateEx(
            int[] extents, int rank, int deviceType, int deviceId, int delayed, int type, LongByReference array);

    static native int MXNDArrayGetShapeEx(long array, IntByReference rank, PointerByReference extents);

    static native int MXNDArrayGetDType(long array, IntByReference type);

    /** Lays the array out plainly if a kernel had not, and writes its address into an 8-byte cell. */
    static native int MXNDArrayGetData(long array, long cell);

    static native int MXNDArrayFree(long array);

    static native int MXNDArrayWaitAll();

    static native int MXExecutorBindEX(
            long symbol,
            int deviceType,
            int deviceId,
            int mapped,
            long mapKeys,
            long mapTypes,
            long mapIds,
            int argumentCount,
            long[] arguments,
            long[] gradients,
            int[] requests,
            int auxiliaryCount,
            long[] auxiliary,
            long pool,
            LongByReference executor);

    /** Makes new handles at every call, each of which must be freed: call it once. */
    static native int MXExecutorOutputs(long executor, IntByReference count, PointerByReference arrays);

    static native int MXExecutorForward(long executor, int train);

    static native int MXExecutorBackwardEx(long executor, int headCount, long heads, int train);

    static native int MXExecutorFree(long executor);

    static native int MXInitPSEnv(int count, Pointer keys, Pointer values);

    static native int MXKVStoreCreate(byte[] kind, LongByReference store);

    static native int MXKVStoreInit(long store, int count, int[] keys, long[] arrays);

    static native int MXKVStorePushPull(
            long store, int pushed, int[] pushKeys, int pulled, int[] pullKeys, long[] from, long[] to, int priority);

    static native int MXKVStorePush(long store, int count, int[] keys, long[] arrays, int priority);

    static native int MXKVStorePull(long store, int count, int[] keys, long[] arrays, int priority);

    static native int MXKVStoreBarrier(long store);

    static native int MXKVStoreSendCommmandToServers(long store, int command, byte[] body);

    static native int MXKVStoreSetUpdater(long store, Callback updater, @Nullable Pointer handle);

    static native int MXKVStoreRunServer(long store, @Nullable Callback controller, @Nullable Pointer handle);

    static native int MXKVStoreFree(long store);

    /** @throws EngineException if the status of a call says that it failed */
    static void check(int status, String doing) {
        if (status != 0) {
            throw EngineException.last(doing, false);
        }
    }

    /** A C string. Given as bytes because the default encoding of strings depends on the machine's locale. */
    static byte[] text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] terminated = new byte[bytes.length + 1];
        System.arraycopy(bytes, 0, terminated, 0, bytes.length);
        return terminated;
    }

    /** Returns a table of C strings and the strings, in a block that lives as long as the result is referenced. */
    static Memory texts(List<String> texts) {
        List<byte[]> encoded = new ArrayList<>();
        long size = (long) texts.size() * Long.BYTES;
        for (String text : texts) {
            byte[] bytes = text(text);
            encoded.add(bytes);
            size += bytes.length;
        }
        Memory block = new Memory(Math.max(Long.BYTES, size));
        long offset = (long) texts.size() * Long.BYTES;
        for (int i = 0; i < encoded.size(); i++) {
            block.setPointer((long) i * Long.BYTES, block.share(offset));
            block.write(offset, encoded.get(i), 0, encoded.get(i).length);
            offset += encoded.get(i).length;
        }
        return block;
    }

    /** Copies a table of C strings, which the engine overwrites at its next answer. */
    static List<String> texts(int count, @Nullable Pointer table) {
        List<String> texts = new ArrayList<>(count);
        for (int i = 0; i < count && table != null; i++) {
            texts.add(table.getPointer((long) i * Long.BYTES).getString(0, StandardCharsets.UTF_8.name()));
        }
        return List.copyOf(texts);
    }
}
