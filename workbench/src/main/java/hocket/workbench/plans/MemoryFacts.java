package hocket.workbench.plans;

import hocket.programs.execution.Cost;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.GradientTransformation;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Heap;
import hocket.scopes.Path;
import hocket.workbench.terminal.MachineInfo;
import hocket.workbench.terminal.NumberFormats;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory that training takes, in bytes, counted and not measured: what an engine needs besides, and what it spares by using
 * memory twice, is not known before. What a plan that tries turns copies to take them back is not counted.
 *
 * @param parameters the store
 * @param optimizers what rules keep beside the weights
 * @param gradients of the weights that turns move, for each turn
 * @param values of the program of each turn, and of those beside, at their batches; once more where gradients pass through
 *     them, and where a turn measures after its update
 * @param data rows that feeds hold, on Java's heap
 */
public record MemoryFacts(long parameters, long optimizers, long gradients, long values, long data) {
    static MemoryFacts of(Setup setup, List<ProgramUse> programUses) {
        Map<Path, Long> bytes = new HashMap<>();
        for (Declaration each : setup.declarations()) {
            bytes.put(each.path(), (long) each.shape().bytes(each.type()));
        }
        long optimizers = 0;
        for (Turn.Descend turn : setup.descending()) {
            for (Turn.Update update : turn.updates()) {
                List<Path> weights = update.selection().of(setup.declarations()).values().stream()
                        .filter(each -> each.kind() == Kind.WEIGHT)
                        .map(Declaration::path)
                        .toList();
                for (GradientTransformation gradientTransformation :
                        update.rule().links()) {
                    optimizers += gradientTransformation.slots().size()
                            * sum(
                                    bytes,
                                    weights.stream()
                                            .filter(gradientTransformation::touches)
                                            .toList());
                }
            }
        }
        long gradients = 0;
        long values = 0;
        for (ProgramUse programUse : programUses) {
            int turns = Math.max(1, programUse.turns().size()); // each has memory of its own
            long measured = setup.descending().stream()
                    .filter(turn -> turn.measuredAfter() && programUse.turns().contains(turn.name()))
                    .count();
            gradients += turns * sum(bytes, programUse.gradients());
            long once = Cost.of(programUse.program(), programUse.gradients())
                    .bytes()
                    .of(Math.max(1, programUse.rows()));
            values += (programUse.gradients().isEmpty() ? turns : 2 * turns) * once + measured * once;
        }
        long data =
                setup.feeds().stream().mapToLong(feed -> feed.source().bytes()).sum();
        return new MemoryFacts(sum(bytes, bytes.keySet()), optimizers, gradients, values, data);
    }

    private static long sum(Map<Path, Long> bytes, Collection<Path> paths) {
        return paths.stream().mapToLong(path -> bytes.getOrDefault(path, 0L)).sum();
    }

    /** What does not fit into this machine, a sentence each. */
    List<String> warnings() {
        return warnings(Heap.most(), MachineInfo.memory());
    }

    /** The same where Java's heap may have so many bytes, and the machine so many. */
    List<String> warnings(long heap, long machine) {
        List<String> warnings = new ArrayList<>();
        if (data > heap) {
            warnings.add("data: " + NumberFormats.bytes(data) + " are to lie on Java's heap, which has "
                    + NumberFormats.bytes(heap)
                    + "; HOCKET_JAVA_OPTIONS=-Xmx" + (data / 1_000_000_000 + 2)
                    + "g gives it more, or take fewer rows");
        }
        if (all() > machine) {
            warnings.add("memory: about " + NumberFormats.bytes(all()) + " are needed, and this machine has "
                    + NumberFormats.bytes(machine) + "; take a smaller batch or network");
        }
        return warnings;
    }

    long all() {
        return parameters + optimizers + gradients + values + data;
    }
}
