package hocket.schedulers;

import hocket.programs.execution.Executable;
import hocket.scopes.Device;

/** An executable that passes everything on to another, but what a test overrides. */
public abstract class ForwardingExecutable implements Executable {
    protected final Executable inner;

    protected ForwardingExecutable(Executable inner) {
        this.inner = inner;
    }

    @Override
    public Device.Array feed(int index) {
        return inner.feed(index);
    }

    @Override
    public void prepare() {
        inner.prepare();
    }

    @Override
    public void run() {
        inner.run();
    }

    @Override
    public Device.Array target(int index) {
        return inner.target(index);
    }

    @Override
    public Device.Array gradient(int index) {
        return inner.gradient(index);
    }

    @Override
    public void close() {
        inner.close();
    }
}
