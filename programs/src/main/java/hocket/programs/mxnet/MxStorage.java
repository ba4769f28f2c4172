package hocket.programs.mxnet;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Storage;
import java.util.Optional;

/** Arrays in the engine's memory, so that programs run on the store itself. */
public final class MxStorage implements Storage {
    /** Used by {@link java.util.ServiceLoader}. */
    public MxStorage() {}

    @Override
    public String name() {
        return "mxnet";
    }

    /** {@inheritDoc} The first call loads the engine, which takes about half a second, longer on a machine's first use. */
    @Override
    public Optional<String> unavailable() {
        return Engine.unavailable();
    }

    @Override
    public int preference() {
        return 100;
    }

    @Override
    public Array allocate(Shape shape, ElementType type) {
        return MxArray.create(shape, type);
    }
}
