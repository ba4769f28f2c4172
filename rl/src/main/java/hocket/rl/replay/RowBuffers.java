package hocket.rl.replay;

import hocket.scopes.ElementType;
import java.nio.ByteBuffer;

/** Writes floats into a program's input buffers, converting them to the input's type. */
final class RowBuffers {
    private RowBuffers() {}

    /** Writes values from element {@code at} on. */
    static void put(float[] from, int first, int count, ElementType type, ByteBuffer into, int at) {
        for (int i = 0; i < count; i++) {
            put(from[first + i], type, into, at + i);
        }
    }

    private static void put(float value, ElementType type, ByteBuffer into, int at) {
        switch (type) {
            case FLOAT32 -> into.putFloat(at * Float.BYTES, value);
            case FLOAT64 -> into.putDouble(at * Double.BYTES, value);
            case INT64 -> into.putLong(at * Long.BYTES, (long) value);
        }
    }
}
