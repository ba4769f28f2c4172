package hocket.workbench.live.inference;

import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Joins and splits tensors of rows. */
final class RowTensors {
    private RowTensors() {}

    /** Concatenates rows; the last row is repeated up to this number. */
    static Tensor stacked(List<Tensor> parts, int rows) {
        Tensor first = parts.get(0);
        int width = first.buffer().remaining() / first.shape().get(0);
        ByteBuffer all = ByteBuffer.allocate(rows * width).order(ByteOrder.nativeOrder());
        parts.forEach(part -> all.put(part.buffer()));
        int last = all.position() - width;
        while (all.hasRemaining()) {
            all.put(all.duplicate().position(last).limit(last + width));
        }
        return Tensor.copyOf(first.shape().with(0, rows), first.type(), all.flip());
    }

    /** Returns some of the rows. */
    static Tensor cut(Tensor all, int first, int rows) {
        ByteBuffer bytes = all.buffer();
        int width = bytes.remaining() / all.shape().get(0);
        return Tensor.copyOf(
                all.shape().with(0, rows),
                all.type(),
                bytes.duplicate().position(first * width).limit((first + rows) * width));
    }
}
