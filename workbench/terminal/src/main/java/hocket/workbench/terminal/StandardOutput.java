package hocket.workbench.terminal;

import hocket.schedulers.checkpoint.FileWork;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;

/** The output of this process, which says when it cannot be written: the platform's own keeps silent. */
final class StandardOutput extends OutputStream {
    private final OutputStream out;

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    /** Its writers throw {@link UncheckedIOException} when a disk is full, or nobody reads any more. */
    static PrintWriter writer(Charset charset) {
        return writer(new FileOutputStream(FileDescriptor.out), charset);
    }

    static PrintWriter writer(OutputStream out, Charset charset) {
        return new PrintWriter(new OutputStreamWriter(new StandardOutput(out), charset), true);
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
        FileWork.run("standard output could not be written", () -> out.write(bytes, from, count));
    }
}
