package hocket.programs.jvm.dense;

import hocket.programs.execution.ThreadTeam;
import java.util.ArrayList;
import java.util.List;

/** Transfers between buffers and the arrays of the steps, all in one phase: each thread copies a slice of each. */
final class Transfers {
    /** The number of elements from which on threads share a phase. */
    private static final long WORTH_SHARING = 50_000;

    /** A transfer from a buffer to an array, or back. */
    interface Transfer {
        /** Number of elements. */
        int size();

        /** Looks up its source if that is an array of the store, on the thread that owns the store. */
        default void locate() {}

        /** Returns whether it has changed since the last transfer. */
        default boolean due() {
            return true;
        }

        /** Copies a slice; the slices of all parts are the whole. */
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

    /** Runs the transfers that are due. */
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
