package hocket.distributed.actors;

import hocket.workbench.files.UserError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The environment variables that make a process an actor.
 *
 * @param host of the learner
 * @param port the learner's port
 * @param rank the actor's number, from 0
 * @param token the learner's token
 */
public record Invitation(String host, int port, int rank, String token) {
    private static final String ROLE = "TRAINING_ROLE";
    private static final String ACTOR = "ACTOR";
    private static final String LEARNER = "HOCKET_LEARNER";
    private static final String RANK = "HOCKET_RANK";
    /** The secret that a learner shares with its actors. */
    public static final String TOKEN = "HOCKET_TOKEN";
    /** All variables that make a process an actor of a learner. */
    public static final Set<String> VARIABLES = Set.of(ROLE, LEARNER, RANK, TOKEN);

    private static final int MOST_PORT = 65_535;

    /**
     * Reads an environment; empty if it does not make the process an actor.
     *
     * @throws UserError if it does, and a variable is missing or invalid
     */
    public static Optional<Invitation> of(Map<String, String> environment) {
        if (!ACTOR.equals(environment.get(ROLE))) {
            return Optional.empty();
        }
        LearnerAddress at = LearnerAddress.of(LEARNER, wanted(environment, LEARNER, "host:port of the learner"));
        if (at.port() == 0) {
            throw new UserError(LEARNER + ": a port must be 1 to " + MOST_PORT + ", was 0");
        }
        String rank = wanted(environment, RANK, "the number of this actor, from 0");
        if (!rank.matches("\\d{1,6}")) {
            throw new UserError(RANK + ": must be an integer of at least 0, was " + rank);
        }
        return Optional.of(new Invitation(
                at.host(), at.port(), Integer.parseInt(rank), wanted(environment, TOKEN, "what the learner printed")));
    }

    private static String wanted(Map<String, String> environment, String name, String what) {
        String value = environment.get(name);
        if (value == null || value.isBlank()) {
            throw new UserError(ROLE + "=" + ACTOR + ": needs " + name + ", " + what);
        }
        return value.strip();
    }

    /** Returns the environment of the actor's process. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(ROLE, ACTOR);
        environment.put(LEARNER, new LearnerAddress(host, port).toString());
        environment.put(RANK, Integer.toString(rank));
        environment.put(TOKEN, token);
        return environment;
    }
}
