package hocket.schedulers;

import hocket.programs.execution.Lowering;

/** Runs something by one lowering. */
public final class Lowered {
    private Lowered() {}

    /** What may throw. */
    public interface Task<E extends Exception> {
        void run() throws E;
    }

    public static <E extends Exception> void by(String lowering, Task<E> what) throws E {
        String before = System.getProperty(Lowering.PROPERTY);
        System.setProperty(Lowering.PROPERTY, lowering);
        try {
            what.run();
        } finally {
            if (before == null) {
                System.clearProperty(Lowering.PROPERTY);
            } else {
                System.setProperty(Lowering.PROPERTY, before);
            }
        }
    }
}
