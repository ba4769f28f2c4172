package hocket.distributed.launch;

import hocket.distributed.actors.ActorRun;
import hocket.distributed.actors.Actors;
import hocket.distributed.actors.Invitation;
import hocket.distributed.actors.LearnerAddress;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.terminal.Terminal;
import hocket.workbench.training.ProcessRole;
import hocket.workbench.training.StopRequest;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The role of an actor, and the options of a run that learns from actors in processes of their own. */
public final class ActorRole implements ProcessRole {
    @Option(
            names = "--actors",
            paramLabel = "N",
            description = "number of actor processes, each with one thread, for IMPALA experiments; a lost one is"
                    + " replaced. The learner takes trajectories in the order of arrival, so the run is not"
                    + " reproducible")
    private @Nullable Integer actors;

    @Option(
            names = "--actors-at",
            paramLabel = "ADDRESS:PORT",
            description = "address at which further actors may connect, started by TRAINING_ROLE=ACTOR"
                    + " HOCKET_LEARNER=ADDRESS:PORT HOCKET_RANK=N HOCKET_TOKEN=... hocket run NAME. The token is"
                    + " HOCKET_TOKEN, or a printed one; it is sent unencrypted")
    private @Nullable String at;

    @Override
    public Set<String> variables() {
        return Invitation.VARIABLES;
    }

    @Override
    public OptionalInt run(Order order) {
        Optional<Invitation> invitation = Invitation.of(order.environment());
        if (invitation.isEmpty()) {
            return OptionalInt.empty();
        }
        Terminal terminal = order.workplace().terminal();
        new ActorRun(
                        SelectedExperiment.of(order.named()),
                        invitation.get(),
                        order.quiet() ? line -> {} : terminal::remark)
                .run();
        return OptionalInt.of(0);
    }

    @Override
    public Optional<String> option() {
        return actors == null && at == null ? Optional.empty() : Optional.of("--actors");
    }

    @Override
    public List<String> asked() {
        return option().map(given -> wanted("", List.of()).text()).stream().toList();
    }

    @Override
    public Optional<Observer> observer(Order order, StopRequest stopRequest) {
        return option().map(given -> new Actors(
                wanted(order.environment().getOrDefault(Invitation.TOKEN, ""), order.jars()),
                stopRequest::isRequested,
                order.workplace().terminal()::remark,
                order.workplace().here()));
    }

    private Actors.Wanted wanted(String token, List<String> jars) {
        return new Actors.Wanted(
                actors == null ? 0 : actors,
                Optional.ofNullable(at).map(text -> LearnerAddress.of("--actors-at", text)),
                token,
                jars);
    }
}
