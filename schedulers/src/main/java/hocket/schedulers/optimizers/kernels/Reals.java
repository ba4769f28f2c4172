package hocket.schedulers.optimizers.kernels;

import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.HostView;
import hocket.scopes.Shape;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.function.Supplier;

/** An array of FLOAT32 or FLOAT64 of a device, as kernels read and write it. It copies nothing. */
public final class Reals {
    private static final HostView NOTHING = HostView.of(ByteBuffer.allocateDirect(0));

    private final ElementType type;
    private final int length;
    private Supplier<? extends Device.Array> source;
    private HostView view;
    private Object memory;

    private Reals(Supplier<? extends Device.Array> source) {
        Device.Array array = source.get();
        if (!array.type().isFloating()) {
            throw new IllegalArgumentException(
                    "an array to be updated must be FLOAT32 or FLOAT64, was " + array.type());
        }
        this.type = array.type();
        this.length = array.shape().size();
        this.source = source;
        this.view = array.view();
        this.memory = VectorMemory.of(view.bytes());
    }

    /** @throws IllegalArgumentException if the type is not floating */
    public static Reals of(Device.Array array) {
        return of(() -> array);
    }

    /**
     * An array that may be another one at the next update: it is requested whenever a plan starts, on the thread that runs
     * the plan. Nothing is allocated while its view stays the same object.
     *
     * @throws IllegalArgumentException if the type is not floating
     */
    public static Reals of(Supplier<? extends Device.Array> array) {
        return new Reals(array);
    }

    /** A new array of zeros of as many elements, on the same device. */
    public Reals beside(ElementType of) {
        return of(array().device().allocate(Shape.of(length), of));
    }

    public ElementType type() {
        return type;
    }

    /** Number of elements. */
    public int length() {
        return length;
    }

    /** The array now. */
    public Device.Array array() {
        return source.get();
    }

    /** Requests the array from its source again. */
    @SuppressWarnings("ReferenceEquality") // another object is another place
    public void refresh() {
        Device.Array array = array();
        HostView now = array.view();
        if (now != view) {
            requireAlike("array after a move", of(array));
            view = now;
            memory = VectorMemory.of(now.bytes());
        }
    }

    /** Releases the memory; it cannot be read or written here any more. */
    public void release() {
        source = Reals::released;
        view = NOTHING;
        memory = VectorMemory.of(NOTHING.bytes());
    }

    /** Frees the array, too; a second call does nothing. */
    public void free() {
        if (view != NOTHING) {
            array().close();
            release();
        }
    }

    private static Device.Array released() {
        throw new IllegalStateException("an array that is updated was released: what updates it is closed");
    }

    /** Sets all elements to one value. */
    public void fill(double value) {
        array().device().update(() -> {
            ByteBuffer bytes = array().buffer();
            for (int i = 0; i < length; i++) {
                type.put(bytes, i, value);
            }
        });
    }

    public void requireAlike(String name, Reals other) {
        if (other.type != type || other.length != length) {
            throw new IllegalArgumentException(name + ": must be like the weight, " + this + ", was " + other);
        }
    }

    void requireRange(int from, int to) {
        if (from < 0 || to < from || to > length) {
            throw new IndexOutOfBoundsException("range " + from + ".." + to + " of " + this);
        }
    }

    /** The elements as they were placed when they were last {@link #refresh refreshed}. */
    public HostView view() {
        return view;
    }

    /** Returns the memory of the array, as {@link VectorMemory} takes it. */
    Object memory() {
        return memory;
    }

    /** The elements of a FLOAT32 array. */
    public FloatBuffer floats() {
        return view.floats();
    }

    /** The elements of a FLOAT64 array. */
    public DoubleBuffer doubles() {
        return view.doubles();
    }

    @Override
    public String toString() {
        return type + "[" + length + "]";
    }
}
