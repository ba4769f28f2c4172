package hocket.schedulers;

import hocket.programs.Lowering;

/** Runs something by one lowering. */
public final class Lowered {
    private Lowered() {}

    public static void by(String lowering, Runnable what) {
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
