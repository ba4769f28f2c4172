package hocket.programs.mxnet;

import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;

/** Arrays in the engine's memory, so that programs run on the store itself. */
final class MxDevice implements Device {
    static final MxDevice MEMORY = new MxDevice();

    private MxDevice() {}

    @Override
    public String name() {
        return "mxnet";
    }

    @Override
    public Array allocate(Shape shape, ElementType type) {
        return MxArray.create(shape, type);
    }
}
