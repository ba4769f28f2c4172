package hocket.programs.mxnet;

import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Storage;

/** Arrays in the engine's memory, so that programs run on the store itself. */
final class MxStorage implements Storage {
    static final MxStorage MEMORY = new MxStorage();

    private MxStorage() {}

    @Override
    public String name() {
        return "mxnet";
    }

    @Override
    public Array allocate(Shape shape, ElementType type) {
        return MxArray.create(shape, type);
    }
}
