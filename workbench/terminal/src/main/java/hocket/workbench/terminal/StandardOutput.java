package hocket.workbench.terminal;

import hocket.schedulers.checkpoint.FileWork;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;

/** The standard output of this process, which reports write errors; {@code System.out} ignores them. */
final class StandardOutput extends OutputStream {
    /** What Linux and macOS say of a pipe without a reader. */
    private static final String BROKEN = "Broken pipe";

    private final OutputStream out;

    StandardOutput(OutputStream out) {
        this.out = out;
    }

    /** Returns the output, which throws {@link UncheckedIOException} if a disk is full, and {@link ReaderGoneException}. */
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
        FileWork.run("standard output could not be written", () -> {
            try {
                out.write(bytes, from, count);
            } catch (IOException e) {
                if (BROKEN.equals(e.getMessage())) {
                    throw new ReaderGoneException(e);
                }
                throw e;
            }
        });
    }
}
