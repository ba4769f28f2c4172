package hocket.workbench.commands;

import hocket.workbench.actors.Actors;
import hocket.workbench.actors.Address;
import hocket.workbench.runs.Workplace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whether a run learns from actors in processes of their own. */
public final class ActorOptions {
    @Option(
            names = "--actors",
            paramLabel = "N",
            description = "learn from so many actors in processes of their own, one thread each, for experiments of"
                    + " IMPALA; one that is lost is replaced. Trajectories are learnt from as they arrive: such a run"
                    + " does not repeat to the bit")
    private @Nullable Integer actors;

    @Option(
            names = "--actors-at",
            paramLabel = "ADDRESS:PORT",
            description = "listen there for further actors, started elsewhere by TRAINING_ROLE=ACTOR"
                    + " HOCKET_LEARNER=ADDRESS:PORT HOCKET_RANK=N HOCKET_TOKEN=... hocket run NAME. The token is"
                    + " HOCKET_TOKEN, or one that is printed; it goes over the wire as it is")
    private @Nullable String at;

    boolean areWanted() {
        return actors != null || at != null;
    }

    /** What was asked for, for who reads of the run later. */
    List<String> asked(List<String> settings) {
        List<String> all = new ArrayList<>(settings);
        if (areWanted()) {
            all.add(wanted("", List.of()).text());
        }
        return all;
    }

    private Actors.Wanted wanted(String token, List<String> jars) {
        return new Actors.Wanted(
                actors == null ? 0 : actors,
                Optional.ofNullable(at).map(text -> Address.of("--actors-at", text)),
                token,
                jars);
    }

    Actors listening(ExperimentArguments selection, Workplace workplace, BooleanSupplier stop) {
        String token = selection.surroundings(workplace).environment().getOrDefault("HOCKET_TOKEN", "");
        return new Actors(wanted(token, selection.jars()), stop, workplace.terminal()::remark, workplace.here());
    }
}
