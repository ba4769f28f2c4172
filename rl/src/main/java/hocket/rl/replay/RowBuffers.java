package hocket.rl.replay;

import hocket.scopes.ElementType;
import java.nio.ByteBuffer;

/** Writes floats into a program's input buffers, converting them to the input's type. */
final class RowBuffers {
    private RowBuffers() {}

    /** Writes values from element {@code at} on. */
    static void put(float[] from, int first, int count, ElementType type, ByteBuffer into, int at) {
        for (int i = 0; i < count; i++) {
            type.put(into, at + i, from[first + i]);
        }
    }
}
