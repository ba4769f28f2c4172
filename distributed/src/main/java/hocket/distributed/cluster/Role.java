package hocket.distributed.cluster;

import hocket.programs.execution.KeyValueStore;

/** The role of a process in a multi-process run, in the words of cluster tools for {@code TRAINING_ROLE}. */
public enum Role {
    /** Trains on its share of the rows. */
    TRAINER("worker", KeyValueStore.Role.WORKER),
    /** Adds up the workers' gradients; trains nothing, opens no data. */
    PSERVER("server", KeyValueStore.Role.SERVER),
    /** Connects the others and watches them; trains nothing, opens no data. */
    SCHEDULER("scheduler", KeyValueStore.Role.SCHEDULER);

    private final String word;
    final KeyValueStore.Role role;

    Role(String word, KeyValueStore.Role role) {
        this.word = word;
        this.role = role;
    }

    /** Returns the name for people: {@code worker 1}. */
    String called(int rank) {
        return this == SCHEDULER ? "the scheduler" : word + " " + rank;
    }
}
