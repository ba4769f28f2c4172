package hocket.programs.mxnet;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.LongByReference;
import com.sun.jna.ptr.PointerByReference;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.HostView;
import hocket.scopes.Shape;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An array in the engine's memory. Programs are bound to it, so they read writes through {@link #view} without a
 * copy.
 *
 * <p>The engine has no shape without axes here: a scalar is held as an array of one axis of extent 1.
 */
final class MxArray implements Device.Array {
    private final Shape shape;
    private final ElementType type;
    private final Handle handle;
    private final Memory cell = new Memory(Long.BYTES);
    private final long cellAddress = Pointer.nativeValue(cell);
    private long address;
    private @Nullable HostView view;
    private @Nullable Object reader;

    private MxArray(Shape shape, ElementType type, long handle) {
        this.shape = shape;
        this.type = type;
        this.handle = new Handle(this, handle, Mx::MXNDArrayFree);
    }

    /**
     * A new array of zeros.
     *
     * @throws IllegalArgumentException if the array has more bytes than a {@link ByteBuffer} can show
     * @throws IllegalStateException if the engine is not available
     * @throws EngineException if the engine has no memory for it
     */
    static MxArray create(Shape shape, ElementType type) {
        int bytes = shape.bytes(type);
        Engine.get();
        Handle.freeLost();
        int[] extents = nativeExtents(shape);
        LongByReference handle = new LongByReference();
        Mx.check(
                Mx.MXNDArrayCreateEx(extents, extents.length, Mx.CPU, 0, 0, code(type), handle),
                "allocate " + shape + " of " + type);
        MxArray array = new MxArray(shape, type, handle.getValue());
        new Pointer(array.data()).setMemory(0, bytes, (byte) 0);
        return array;
    }

    /** Takes over a handle that an executor gave, with the shape and type the engine reports for it. */
    static MxArray adopt(long handle) {
        IntByReference number = new IntByReference();
        PointerByReference extents = new PointerByReference();
        Mx.check(Mx.MXNDArrayGetShapeEx(handle, number, extents), "ask for an output's shape");
        Shape shape = Shape.of(
                number.getValue() == 0 ? new int[0] : extents.getValue().getIntArray(0, number.getValue()));
        Mx.check(Mx.MXNDArrayGetDType(handle, number), "ask for an output's type");
        return new MxArray(shape, type(number.getValue()), handle);
    }

    @Override
    public Device device() {
        return MxDevice.MEMORY;
    }

    @Override
    public Shape shape() {
        return shape;
    }

    @Override
    public ElementType type() {
        return type;
    }

    /** Returns the memory of the elements, in plain layout. */
    private long data() {
        // Asked at every access: convolution kernels leave their weights and outputs in a blocked layout, and this call
        // is what puts them back.
        Mx.check(Mx.MXNDArrayGetData(handle(), cellAddress), "read an array");
        return cell.getLong(0);
    }

    /** {@inheritDoc} The memory stays as long as the view's buffers, or views of them, can be reached, closed or not. */
    @Override
    public HostView view() {
        long now = data();
        HostView current = view;
        if (current == null || now != address) {
            ByteBuffer memory = new Pointer(now).getByteBuffer(0, (long) shape.size() * type.bytes());
            handle.sharedWith(memory);
            current = HostView.of(memory);
            address = now;
            view = current;
        }
        Reference.reachabilityFence(this);
        return current;
    }

    /**
     * Sets the executor that uses the array next.
     *
     * @param plain whether it must be in the plain layout unless the same one evaluated with it last
     */
    void claim(Object next, boolean plain) {
        if (reader != next) {
            if (plain) {
                data();
            }
            reader = next;
        }
    }

    /**
     * The engine's handle.
     *
     * @throws IllegalStateException if the array is closed
     */
    long handle() {
        if (!handle.isOpen()) {
            throw new IllegalStateException("array " + shape + " of " + type + " is closed");
        }
        return handle.value();
    }

    /** Executors bound to this array keep the memory for themselves until they are closed, too. */
    @Override
    public void close() {
        view = null;
        handle.free((long) shape.size() * type.bytes());
    }

    @Override
    public String toString() {
        return "array " + shape + " of " + type + (handle.isOpen() ? "" : ", closed");
    }

    /** The extents under which the engine knows an array of this shape. */
    static int[] nativeExtents(Shape shape) {
        return shape.rank() == 0 ? new int[] {1} : shape.extents();
    }

    /** The engine's number for a type. */
    static int code(ElementType type) {
        return switch (type) {
            case FLOAT32 -> 0;
            case FLOAT64 -> 1;
            case INT64 -> 6;
        };
    }

    private static ElementType type(int code) {
        return switch (code) {
            case 0 -> ElementType.FLOAT32;
            case 1 -> ElementType.FLOAT64;
            case 6 -> ElementType.INT64;
            default ->
                throw EngineException.of("an output has the engine's element type " + code
                        + ", must be 0 (float32), 1 (float64) or 6 (int64)");
        };
    }
}
