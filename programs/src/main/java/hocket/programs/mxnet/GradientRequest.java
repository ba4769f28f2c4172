package hocket.programs.mxnet;

/**
 * The destination of the gradient by one argument.
 *
 * @param array of the argument's shape and type
 * @param mode whether a backward pass replaces the array's content or adds to it
 */
record GradientRequest(MxArray array, Mode mode) {
    enum Mode {
        WRITE(1),
        ADD(3);

        /** The engine's number of the mode; 0 would request no gradient. */
        final int code;

        Mode(int code) {
            this.code = code;
        }
    }

    static GradientRequest write(MxArray array) {
        return new GradientRequest(array, Mode.WRITE);
    }

    static GradientRequest add(MxArray array) {
        return new GradientRequest(array, Mode.ADD);
    }
}
