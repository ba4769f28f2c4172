package hocket.gan.data;

import hocket.schedulers.Source;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** What a source gives. */
final class Drawn {
    private Drawn() {}

    /** The FLOAT32 values of the first column of the next batch. */
    static float[] floats(Source source) {
        int row = source.columns().get(0).shape().size();
        ByteBuffer buffer =
                ByteBuffer.allocate(source.batch() * row * Float.BYTES).order(ByteOrder.nativeOrder());
        source.next(Streams.seed(3), (column, rows) -> column == 0 ? buffer : null);
        float[] values = new float[source.batch() * row];
        buffer.rewind().order(ByteOrder.nativeOrder()).asFloatBuffer().get(values);
        return values;
    }
}
