package hocket.programs.jvm.dense;

import hocket.programs.execution.ThreadTeam;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes between buffers and the arrays of the steps, all that is due in one phase: each thread takes a slice of each.
 */
final class Transfers {
    /** From how many elements on a phase is shared by threads. */
    private static final long WORTH_SHARING = 50_000;

    /** Something that goes from a buffer to an array, or back. */
    interface Transfer {
        /** Number of elements. */
        int size();

        /** Looks up where it comes from, if that is an array of the store: on the thread that owns it. */
        default void locate() {}

        /** Whether it has changed since it last went. */
        default boolean due() {
            return true;
        }

        /** Takes a slice along; slices of all parts are the whole. */
        void slice(int part, int parts);
    }

    private final List<Transfer> all = new ArrayList<>();
    private final ThreadTeam threadTeam;
    private final ThreadTeam.Task task = this::slices;
    private boolean[] due = {};

    Transfers(ThreadTeam threadTeam) {
        this.threadTeam = threadTeam;
    }

    void add(Transfer transfer) {
        all.add(transfer);
        due = new boolean[all.size()];
    }

    /** Looks up the arrays of the store, so that a {@link #run} need not and any thread may do it. */
    void locate() {
        for (int i = 0; i < due.length; i++) {
            all.get(i).locate();
        }
    }

    /** Takes along what is due. */
    void run() {
        long elements = 0;
        for (int i = 0; i < due.length; i++) {
            due[i] = all.get(i).due();
            elements += due[i] ? all.get(i).size() : 0;
        }
        if (threadTeam.threads() == 1 || elements < WORTH_SHARING) {
            slices(0, 1);
        } else {
            threadTeam.run(task);
        }
    }

    private void slices(int part, int parts) {
        for (int i = 0; i < due.length; i++) {
            if (due[i]) {
                all.get(i).slice(part, parts);
            }
        }
    }
}
