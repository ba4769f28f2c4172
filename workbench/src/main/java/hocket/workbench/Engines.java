package hocket.workbench;

import hocket.programs.Lowering;

/** What runs programs here, as people are told. */
final class Engines {
    private Engines() {}

    /**
     * Name and version of the lowering in use, for example {@code mxnet 1.9.0}. Loads the engine.
     *
     * @throws IllegalStateException if there is none, saying why
     */
    static String lowering() {
        return named(Lowering.best());
    }

    /** The same of one lowering. */
    static String named(Lowering lowering) {
        return (lowering.name() + " " + lowering.version()).strip();
    }
}
