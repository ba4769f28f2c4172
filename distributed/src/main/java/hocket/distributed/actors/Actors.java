package hocket.distributed.actors;

import hocket.rl.actors.NumpySeed;
import hocket.rl.replay.TrajectoryBatch;
import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Run;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.commands.Steering;
import hocket.scopes.Streams;
import hocket.workbench.files.UserError;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.training.ProcessRole;
import hocket.workbench.training.processes.ProcessLauncher;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Observes a run that learns from actors in processes of their own: it starts some, replaces lost ones, and admits
 * others from elsewhere.
 */
public final class Actors implements ProcessRole.Observer {
    /** The number of times in a row that an actor without a trajectory is replaced. */
    private static final int MOST_LOSSES = 3;
    /** The limit of all actors' ranks. */
    private static final int MOST = 1024;

    private static final long PATIENCE_SECONDS = 10;
    private static final long REMINDER_SECONDS = 60;

    /**
     * The request of a person.
     *
     * @param own number of processes to start
     * @param at address to listen on; empty for a local one
     * @param token secret of other actors; empty to create one
     * @param jars added jars of classes
     */
    public record Wanted(int own, Optional<LearnerAddress> at, String token, List<String> jars) {
        /** @throws UserError if there are no actors, or too many */
        public Wanted {
            if (own < 0 || own >= MOST) {
                throw new UserError("--actors: must be 0 to " + (MOST - 1) + ", was " + own);
            }
            if (own == 0 && at.isEmpty()) {
                throw new UserError("--actors: must be at least 1 without --actors-at, was 0");
            }
        }

        /** Returns the text as typed. */
        public String text() {
            return "--actors " + own
                    + at.map(learnerAddress -> " --actors-at " + learnerAddress).orElse("")
                    + " (trajectories in the order of arrival: not reproducible)";
        }
    }

    private final Wanted wanted;
    private final BooleanSupplier stop;
    private final Consumer<String> remark;
    private final Path here;
    private final LearnerServer server;
    private @Nullable ActorProcesses processes;

    /**
     * Listens from now on, so that a port in use is reported before a run writes anything.
     *
     * @param stop whether the run was asked to end
     * @param remark receives lines for a person
     * @param here the folder to which relative paths are relative
     * @throws UserError if the address is in use
     */
    public Actors(Wanted wanted, BooleanSupplier stop, Consumer<String> remark, Path here) {
        this.wanted = wanted;
        this.stop = stop;
        this.remark = remark;
        this.here = here;
        server = new LearnerServer(wanted.at().orElseGet(LearnerAddress::here), LearnerServer.Patience.USUAL);
    }

    @Override
    public void require(SelectedExperiment selectedExperiment) {
        batch(selectedExperiment);
    }

    /**
     * Returns the turn that takes trajectories.
     *
     * @throws UserError if there is none
     */
    static TrajectoryBatch batch(SelectedExperiment selectedExperiment) {
        return batch(selectedExperiment.setup())
                .orElseThrow(() -> new UserError("--actors: experiment " + selectedExperiment.name()
                        + " has no turn that takes trajectories; cartpole-impala and acrobot-impala have"));
    }

    private static Optional<TrajectoryBatch> batch(Setup setup) {
        return Turn.acting(setup.turnsByName().values()).stream()
                .map(Turn.Act::action)
                .filter(TrajectoryBatch.class::isInstance)
                .map(TrajectoryBatch.class::cast)
                .findFirst();
    }

    @Override
    public Attendance observe(SelectedExperiment selectedExperiment, RunFolder folder, Steering steering) {
        TrajectoryBatch batch = batch(selectedExperiment);
        String ownToken = token();
        String token = wanted.token().isBlank() ? token() : wanted.token();
        String host = wanted.at().orElseGet(LearnerAddress::here).host();
        String reached =
                host.matches("0\\.0\\.0\\.0|[0:]+") ? LearnerAddress.here().host() : host;
        Watch watch = new Watch();
        ActorProcesses own = new ActorProcesses(
                command(folder),
                rank -> new Invitation(reached, server.port(), rank, ownToken).environment(),
                here.toAbsolutePath().toFile(),
                watch);
        TrajectoryQueue queue = new TrajectoryQueue(
                server,
                batch.actorSettings().policy().program().parameters().keySet(),
                watch,
                () -> stop.getAsBoolean() || steering.isAsked(),
                System::nanoTime);
        watch.of(own, queue);
        processes = own;
        batch.takeFrom(queue);
        server.open(new LearnerServer.Learner(
                new LearnerServer.Admission(wanted.own(), ownToken, wanted.at().isEmpty() ? wanted.own() : MOST, token),
                BuildInfo.of(selectedExperiment, batch),
                batch,
                NumpySeed.of(Streams.seed(selectedExperiment.seed())),
                queue,
                watch));
        announce(new LearnerAddress(host, server.port()), token);
        return started(own);
    }

    private void announce(LearnerAddress at, String token) {
        if (wanted.own() > 0) {
            remark.accept(
                    "actors   " + wanted.own() + (wanted.own() == 1 ? " process" : " processes") + ", one thread each");
        }
        if (wanted.at().isPresent()) {
            Invitation invitation = new Invitation(at.host(), at.port(), wanted.own(), token);
            remark.accept("         others come by "
                    + invitation.environment().entrySet().stream()
                            .map(entry -> entry.getKey() + "=" + entry.getValue())
                            .collect(Collectors.joining(" "))
                    + " hocket run with the same experiment");
        }
    }

    private Attendance started(ActorProcesses own) {
        try {
            for (int rank = 0; rank < wanted.own(); rank++) {
                own.start(rank);
            }
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        return new Attendance() {
            @Override
            public void failed(String why) {}

            @Override
            public void close() {
                Actors.this.close();
            }
        };
    }

    /** Tells actors that the run is over, and ends its own processes that do not answer; a second call does nothing. */
    @Override
    public void close() {
        ActorProcesses own = processes;
        if (own != null) {
            own.expectEnds();
        }
        server.close();
        if (own != null) {
            own.close();
        }
    }

    /** Returns the command: the same Java and classes, with the experiment that this run has written. */
    private List<String> command(RunFolder folder) {
        List<String> words = new ArrayList<>(List.of("run", absolute(folder.experiment())));
        wanted.jars().forEach(jar -> words.addAll(List.of("--classpath", absolute(here.resolve(jar)))));
        words.add("--quiet");
        return ProcessLauncher.onOneCore(words);
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    private static String token() {
        return Stream.generate(UUID::randomUUID)
                .limit(2)
                .map(each -> each.toString().replace("-", ""))
                .collect(Collectors.joining());
    }

    /** After the last update, actors need not continue. */
    @Override
    public void run(Run run, Next next) {
        next.proceed();
        close();
    }

    @Override
    public void figure(Event.Position at, String series, double value) {}

    @Override
    public void picture(Event.Position at, String name) {}

    @Override
    public void line(String line) {}

    /** Replaces actors that are lost. */
    private final class Watch implements LearnerServer.Listener, ActorProcesses.Listener, TrajectoryQueue.Actors {
        private final int[] losses = new int[wanted.own()];
        private final @Nullable String[] whys = new String[wanted.own()];
        private @Nullable ActorProcesses processes;
        private @Nullable TrajectoryQueue queue;
        private long reminded;

        synchronized void of(ActorProcesses all, TrajectoryQueue into) {
            processes = all;
            queue = into;
        }

        @Override
        public synchronized void delivered(int rank) {
            if (rank < losses.length) {
                losses[rank] = 0;
            }
        }

        /** A process that lives and does not answer is ended, and then replaced like one that has ended. */
        @Override
        public synchronized void lost(int rank, String why) {
            if (rank >= losses.length) {
                remark.accept("hocket: actor " + rank + " is lost: " + why);
            } else if (processes != null) {
                whys[rank] = why;
                processes.kill(rank);
            }
        }

        @Override
        public synchronized void ended(int rank, String how, String lastWords) {
            ActorProcesses all = processes;
            TrajectoryQueue into = queue;
            if (all == null || into == null || stop.getAsBoolean()) {
                return;
            }
            String why = whys[rank];
            whys[rank] = null;
            String what = how
                    + (why == null || why.equals(Framing.CLOSED) ? "" : "; " + why)
                    + (lastWords.isEmpty() ? "" : "; its last words: " + lastWords);
            if (++losses[rank] > MOST_LOSSES) {
                into.fail("actor " + rank + " was lost " + losses[rank] + " times in a row without a trajectory: "
                        + what);
                return;
            }
            remark.accept("hocket: actor " + rank + " is lost (" + what + "), and replaced");
            server.drop(rank, () -> restart(all, into, rank));
        }

        private void restart(ActorProcesses all, TrajectoryQueue into, int rank) {
            try {
                all.start(rank);
            } catch (RuntimeException e) {
                into.fail(String.valueOf(e.getMessage()));
            }
        }

        @Override
        public void says(String line) {
            remark.accept("hocket: " + line);
        }

        @Override
        public int alive() {
            return server.alive();
        }

        @Override
        public int credits() {
            return alive() * LearnerServer.CREDITS;
        }

        @Override
        public void awaited(long seconds) {
            if (seconds < PATIENCE_SECONDS) {
                reminded = 0;
            } else if (seconds - reminded >= (reminded == 0 ? PATIENCE_SECONDS : REMINDER_SECONDS)) {
                reminded = seconds;
                remark.accept("waits    for trajectories: " + seconds + " s so far, " + alive() + " actors connected");
            }
        }
    }
}
