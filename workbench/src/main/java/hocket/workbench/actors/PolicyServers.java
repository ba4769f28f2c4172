package hocket.workbench.actors;

import hocket.programs.KeyValueStore;
import hocket.programs.KeyValueStore.Role;
import hocket.rl.replay.PolicyCopy;
import hocket.rl.replay.PolicyOutlet;
import hocket.workbench.cluster.Cluster;
import hocket.workbench.cluster.Halt;
import hocket.workbench.cluster.Place;
import hocket.workbench.cluster.Store;
import hocket.workbench.processes.Launch;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import sun.misc.Signal;

/**
 * Servers that keep the learner's policy for its first actors, and the scheduler that brings them together: processes of the
 * learner, which gives them each new policy on a thread of its own. The store lets a lost member's place be taken once, and
 * then its scheduler aborts; so no place is taken, and who comes later asks the learner. When one of these processes is lost
 * all ask the learner.
 */
public final class PolicyServers implements PolicyOutlet, AutoCloseable {
    /** What starts one of the processes. */
    public static final String COMMAND = "policies";

    private static final int FAILED = 1;

    private final PolicyPlace place;
    private final PolicyNumbers numbers;
    private final KeptPolicy kept;
    private final OwnProcesses processes;
    private final Consumer<String> loss;
    private @Nullable PolicyCopy newest;
    private volatile boolean isLost;
    private volatile boolean areAllThere;

    /**
     * As yet there is none.
     *
     * @param here where they run
     * @param loss hears, once, why nobody gets policies here any more
     */
    PolicyServers(PolicyPlace place, PolicyNumbers numbers, File here, Consumer<String> loss) {
        this.place = place;
        this.numbers = numbers;
        this.loss = loss;
        kept = new KeptPolicy(place, numbers);
        processes = new OwnProcesses(
                PolicyServers::name,
                this::command,
                each -> Map.of(
                        Place.LAUNCHER, Long.toString(ProcessHandle.current().pid())),
                here,
                this::ended);
    }

    private static String name(int process) {
        return process == 0 ? "the scheduler of policies" : "policy server " + (process - 1);
    }

    private List<String> command(int process) {
        Role role = process == 0 ? Role.SCHEDULER : Role.SERVER;
        return Launch.onOneCore(List.of(COMMAND, role.name(), place.toString()));
    }

    /**
     * Loads the key-value store's engine, then starts the processes. The engine changes the environment of this process as it is
     * loaded, which the system reads whenever a process is started: so neither happens during the other.
     *
     * @throws IllegalStateException if there is no key-value store on this machine, saying why
     * @throws java.io.UncheckedIOException if the system refuses
     */
    void start() {
        KeyValueStore.unavailable().ifPresent(why -> {
            throw new IllegalStateException(why);
        });
        for (int process = 0; process <= place.servers(); process++) {
            processes.start(process);
        }
    }

    /** Joins the store and gives its servers each new policy, on a thread of its own. Called once all actors are started. */
    void startGiving() {
        Thread giving = new Thread(this::give, "policies");
        giving.setDaemon(true);
        giving.start();
    }

    private void ended(int process, String how, String lastWords) {
        lose(name(process) + " is lost (" + how + (lastWords.isEmpty() ? "" : "; its last words: " + lastWords) + ")");
    }

    private void lose(String why) {
        if (endsNow()) {
            kept.store().lose(why);
            loss.accept(why);
            processes.kill();
        }
    }

    /** Gives whether it was not over before; from now on it is. */
    private synchronized boolean endsNow() {
        boolean goesOn = !isLost;
        isLost = true;
        notifyAll();
        return goesOn;
    }

    /** An actor is lost: the others, and the learner, wait for it where not all have come. */
    void lost(int actor) {
        if (!areAllThere) {
            lose("actor " + actor + " is lost before all had come to the policy servers");
        }
    }

    /** Where an actor gets its policy; empty where it is to ask the learner. */
    Optional<PolicyPlace> place() {
        return isLost ? Optional.empty() : Optional.of(place);
    }

    @Override
    public synchronized void publish(PolicyCopy policy) {
        newest = policy;
        notifyAll();
    }

    /** Gives the servers what is newest, until they are lost; what came between is left out. */
    private void give() {
        try {
            kept.join();
            areAllThere = true;
            for (PolicyCopy policy = next(); policy != null; policy = next()) {
                for (int server = 0; server < place.servers(); server++) {
                    KeptPolicy.Copy copy = kept.copy(server);
                    numbers.put(policy, copy.policy().numbers());
                    kept.store().give("policy", copy.policy());
                    PolicyNumbers.putVersion(policy.version(), copy.version().numbers());
                    kept.store().give("version", copy.version());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            lose(String.valueOf(e.getMessage()));
        }
    }

    private synchronized @Nullable PolicyCopy next() throws InterruptedException {
        while (newest == null && !isLost) {
            wait();
        }
        PolicyCopy next = newest;
        newest = null;
        return next;
    }

    /** Ends all at once; nobody is told. */
    @Override
    public void close() {
        endsNow();
        kept.store().lose("the run has ended");
        processes.kill();
    }

    /**
     * What one of the processes does, until it is ended or the one that started it has.
     *
     * @param role {@code SERVER} or {@code SCHEDULER}
     * @param place as it is written
     * @param environment of this process
     */
    public static void serve(String role, String place, Map<String, String> environment) {
        Cluster.whenLauncherEnds(environment, () -> Halt.end(FAILED));
        Signal.handle(
                new Signal("TERM"),
                signal -> {}); // which cluster tools send to all: the learner ends, and then this does
        Store store = new Store(0);
        store.join(PolicyPlace.of(place).membership(Role.valueOf(role)), 0);
        store.serve((key, pushed, kept) -> {
            if (PolicyNumbers.version(pushed) > PolicyNumbers.version(kept)) {
                kept.put(0, pushed, 0, pushed.capacity());
            }
        });
    }
}
