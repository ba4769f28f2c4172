package hocket.distributed.cluster;

import hocket.programs.execution.KeyValueStore;

/** What a process does in a run of several, by the words that cluster tools hand out as {@code TRAINING_ROLE}. */
public enum Part {
    /** Trains on its share of the rows. */
    TRAINER("worker", KeyValueStore.Role.WORKER),
    /** Adds up what the workers have; trains nothing, opens no data. */
    PSERVER("server", KeyValueStore.Role.SERVER),
    /** Brings the others together and watches them; trains nothing, opens no data. */
    SCHEDULER("scheduler", KeyValueStore.Role.SCHEDULER);

    private final String word;
    private final KeyValueStore.Role role;

    Part(String word, KeyValueStore.Role role) {
        this.word = word;
        this.role = role;
    }

    KeyValueStore.Role role() {
        return role;
    }

    /** How people call it, and which of several: {@code worker 1}. */
    String called(int rank) {
        return this == SCHEDULER ? "the scheduler" : word + " " + rank;
    }
}
