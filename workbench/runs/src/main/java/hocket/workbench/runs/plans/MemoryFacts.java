package hocket.workbench.runs.plans;

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
 * Memory for training, in bytes, counted and not measured: an engine's own memory and its reuse of memory are unknown
 * before a run. The copies of a plan that tries turns and takes them back are not counted.
 *
 * @param parameters bytes of the store
 * @param optimizers bytes of the optimizers' state
 * @param gradients bytes of the gradients that each turn computes
 * @param values bytes of the programs' values at their batches; twice if gradients pass through them, and if a turn
 *     measures after its update
 * @param data bytes of rows that feeds hold, on Java's heap
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

    /** Returns warnings about memory that this machine lacks, a sentence each. */
    List<String> warnings() {
        return warnings(Heap.most(), MachineInfo.memory());
    }

    /** Returns these warnings for a given size of Java's heap and of the machine's memory. */
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
