package hocket.rl.replay;

import hocket.schedulers.state.Saved;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The rows that a replay saves. */
final class SavedRows {
    private SavedRows() {}

    /** The numbers of all rows, one after the other; none of them is kept as a byte. */
    static float[] floats(Saved.Rows rows) {
        float[] numbers = new float[rows.count() * rows.width() / Float.BYTES];
        ByteBuffer.wrap(rows.values())
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(numbers);
        return numbers;
    }
}
