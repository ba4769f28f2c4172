package hocket.workbench.command.bench;

import hocket.schedulers.Rows;
import hocket.schedulers.Source;
import hocket.schedulers.Source.Column;
import hocket.scopes.Streams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Draws shuffled batches of 28×28 images from more images than a processor's cache holds. */
final class Batches implements Work {
    private static final int IMAGES = 20_000;

    private final Streams streams = Streams.seed(0);
    private final Source source;
    private final int bytes;

    Batches(int rows) {
        source = Rows.of("image", Workload.uniform("image", IMAGES, 1, 28, 28)).batches(rows);
        Column image = source.columns().get(0);
        bytes = image.shape().prepend(rows).bytes(image.type());
    }

    @Override
    public void run(int times) {
        ByteBuffer batch = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        for (int i = 0; i < times; i++) {
            source.next(streams, (column, rows) -> batch.clear());
        }
    }

    @Override
    public void close() {}
}
