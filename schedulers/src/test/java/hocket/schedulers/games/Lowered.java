package hocket.schedulers.games;

import hocket.programs.Lowering;

/** Runs something by one lowering. */
final class Lowered {
    private Lowered() {}

    static void by(String lowering, Runnable what) {
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
