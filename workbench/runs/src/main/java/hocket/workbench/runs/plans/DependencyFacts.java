package hocket.workbench.runs.plans;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * A module's dependency on values of another module.
 *
 * @param module the module that reads the values
 * @param from whose
 * @param withGradient the programs in which a gradient flows back to weights
 * @param withoutGradient the programs in which none does
 */
public record DependencyFacts(String module, String from, List<String> withGradient, List<String> withoutGradient) {
    /** Returns all dependencies, in the order of the modules' names. */
    static List<DependencyFacts> of(List<ProgramUse> programUses, Modules modules) {
        TreeMap<String, TreeMap<String, DependencyFacts>> all = new TreeMap<>();
        for (ProgramUse programUse : programUses) {
            for (Modules.Taking taking : modules.takings(programUse.program())) {
                DependencyFacts dependency = all.computeIfAbsent(taking.module(), key -> new TreeMap<>())
                        .computeIfAbsent(
                                taking.from(),
                                from -> new DependencyFacts(
                                        taking.module(), from, new ArrayList<>(), new ArrayList<>()));
                (taking.gradient() ? dependency.withGradient : dependency.withoutGradient).add(programUse.label());
            }
        }
        return all.values().stream().flatMap(of -> of.values().stream()).toList();
    }
}
