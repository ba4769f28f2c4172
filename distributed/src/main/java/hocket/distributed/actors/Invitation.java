package hocket.distributed.actors;

import hocket.workbench.terminal.UserError;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What makes a process an actor: the role that its environment gives it.
 *
 * @param host of the learner
 * @param port where it listens
 * @param rank which of its actors it is, from 0
 * @param token that the learner told those who may come
 */
public record Invitation(String host, int port, int rank, String token) {
    private static final String ROLE = "TRAINING_ROLE";
    private static final String ACTOR = "ACTOR";
    private static final String LEARNER = "HOCKET_LEARNER";
    private static final String RANK = "HOCKET_RANK";
    /** The secret that a learner shares with its actors. */
    public static final String TOKEN = "HOCKET_TOKEN";
    /** All that say that a process is an actor, and of which learner. */
    public static final Set<String> VARIABLES = Set.of(ROLE, LEARNER, RANK, TOKEN);

    private static final int MOST_PORT = 65_535;

    /**
     * That of an environment; empty where it gives no process the role of an actor.
     *
     * @throws UserError if it does, and something is missing or none
     */
    public static Optional<Invitation> of(Map<String, String> environment) {
        if (!ACTOR.equals(environment.get(ROLE))) {
            return Optional.empty();
        }
        Address at = Address.of(LEARNER, wanted(environment, LEARNER, "host:port of the learner"));
        if (at.port() == 0) {
            throw new UserError(LEARNER + ": a port must be 1 to " + MOST_PORT + ", was 0");
        }
        String rank = wanted(environment, RANK, "the number of this actor, from 0");
        if (!rank.matches("\\d{1,6}")) {
            throw new UserError(RANK + ": must be a whole number from 0 on, was " + rank);
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

    /** The environment of a process that is to be it. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put(ROLE, ACTOR);
        environment.put(LEARNER, new Address(host, port).toString());
        environment.put(RANK, Integer.toString(rank));
        environment.put(TOKEN, token);
        return environment;
    }
}
