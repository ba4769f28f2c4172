package hocket.workbench.commands;

import hocket.workbench.actors.PolicyServers;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Keeps the policy of a learner for its actors: what {@link PolicyServers} starts. */
@Command(name = PolicyServers.COMMAND, header = "Keeps a learner's policy for its actors.", hidden = true)
public final class PoliciesCommand implements Callable<Integer> {
    private final Map<String, String> environment;

    public PoliciesCommand(Map<String, String> environment) {
        this.environment = environment;
    }

    @Parameters(index = "0", paramLabel = "ROLE", description = "SERVER or SCHEDULER")
    private String role = "";

    @Parameters(index = "1", paramLabel = "PLACE", description = "PORT/WORKERS/SERVERS")
    private String place = "";

    @Override
    public Integer call() {
        PolicyServers.serve(role, place, environment);
        return 0;
    }
}
