package hocket.schedulers.turns;

import hocket.programs.execution.KeyValueStore;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.Declaration;
import hocket.scopes.Device;
import hocket.scopes.ElementType;
import hocket.scopes.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A parameter server's part of turns: it holds one optimizer and the weights of each turn and applies each worker's
 * gradient as it arrives. It runs no programs and opens no store.
 */
public final class ParameterServerTurns implements KeyValueStore.Updater, AutoCloseable {
    /** The exchange appends one number to each array: whether a worker was asked to stop. */
    static final int BEHIND = 1;

    private final TreeMap<Path, Declaration> declarations = new TreeMap<>();
    private final Map<Long, Turn.Descend> turns = new HashMap<>();

    /** The turns that it serves so far; with several servers, a part of all turns. */
    private final Map<Long, Served> byMark = new HashMap<>();

    private final Map<Integer, Served> byKey = new HashMap<>();
    private final KernelThreads kernelThreads = KernelThreads.of(1);
    private final int processes;
    private final int servers;

    /**
     * @param setup of the experiment, the same in all processes
     * @param processes number of workers
     * @param servers number of servers
     */
    public ParameterServerTurns(Setup setup, int processes, int servers) {
        this.processes = processes;
        this.servers = servers;
        setup.declarations().forEach(each -> declarations.put(each.path(), each));
        for (Turn.Descend turn : setup.descending()) {
            SortedSet<Path> weights = Writes.weights(turn, declarations.values());
            if (setup.division().chosen(turn.name(), weights).isServed()) {
                if (turns.put(StaleLayout.mark(turn.name()), turn) != null) {
                    throw new IllegalArgumentException(
                            "turn " + turn.name() + ": its name's sum is that of another; rename it");
                }
            }
        }
    }

    /**
     * Returns the key of an array that workers name. Servers divide keys modulo their number, and both arrays of a turn
     * belong to one server.
     *
     * @param array number of arrays named before
     */
    public static int key(int array, int servers) {
        int turn = array / 2;
        return turn / servers * 2 * servers + array % 2 * servers + turn % servers;
    }

    /** A turn's weights and optimizers. */
    private final class Served {
        private final List<Device.Array> weights = new ArrayList<>();
        private final List<Device.Array> gradients = new ArrayList<>();
        private final UpdatePlan updates;
        private final StaleLayout layout;
        private boolean begun;

        Served(Turn.Descend turn) {
            List<UpdatePlan.Group> groups = new ArrayList<>();
            for (Turn.Update update : turn.updates()) {
                List<Target> targets = new ArrayList<>();
                for (Path path : Writes.weights(turn, update, declarations.values())) {
                    Declaration of = java.util.Objects.requireNonNull(declarations.get(path));
                    Device.Array weight = Device.jvm().allocate(of.shape(), ElementType.FLOAT32);
                    Device.Array gradient = Device.jvm().allocate(of.shape(), ElementType.FLOAT32);
                    weights.add(weight);
                    gradients.add(gradient);
                    targets.add(Target.of(path.text(), of.shape(), Reals.of(weight), Reals.of(gradient)));
                }
                groups.add(new UpdatePlan.Group(update.rule(), targets));
            }
            updates = UpdatePlan.of(groups);
            layout = StaleLayout.of(updates, Math.toIntExact(updates.elements()), processes);
        }

        void push(ByteBuffer pushed, ByteBuffer kept) {
            if (!begun) {
                StaleLayout.get(kept, weights);
                begun = true;
            }
            if (layout.task(pushed) == StaleLayout.MOVE) {
                StaleLayout.get(pushed, gradients);
                updates.run(kernelThreads, layout.round(pushed), layout.epoch(pushed));
                StaleLayout.put(kept, weights);
            }
            for (int worker = 0; worker < layout.processes(); worker++) {
                long told = layout.taken(pushed, worker);
                boolean isAgain = layout.task(pushed) == StaleLayout.TAKE && told != StaleLayout.NOT_SAID;
                layout.taken(kept, worker, isAgain ? told : Math.max(layout.taken(kept, worker), told));
            }
        }

        void pushRules(ByteBuffer pushed, ByteBuffer kept) {
            if (layout.keptTask(pushed) == StaleLayout.TAKE) {
                layout.readRules(pushed, updates);
            }
            layout.writeRules(updates, kept);
        }
    }

    /** @throws IllegalArgumentException if no turn here has the array, or a rate is invalid */
    @Override
    public void update(int key, ByteBuffer pushed, ByteBuffer kept) {
        int last = pushed.capacity() / Float.BYTES - BEHIND;
        StaleLayout.put(kept, last, Math.max(StaleLayout.get(kept, last), StaleLayout.get(pushed, last)));
        boolean isOfRules = key / servers % 2 == 0;
        Served served = isOfRules ? served(StaleLayout.markIn(pushed, BEHIND)) : byKey.get(key);
        if (served == null) {
            throw new IllegalArgumentException("array " + key + " belongs to no turn whose weights are updated here");
        }
        if (isOfRules) {
            byKey.put(key + servers, served);
            served.pushRules(pushed, kept);
        } else {
            served.push(pushed, kept);
        }
    }

    private @Nullable Served served(long mark) {
        Turn.Descend turn = turns.get(mark);
        return turn == null ? null : byMark.computeIfAbsent(mark, first -> new Served(turn));
    }

    @Override
    public void close() {
        kernelThreads.close();
    }
}
