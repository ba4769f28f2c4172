package hocket.workbench.runs.plans;

import hocket.schedulers.turns.Writes;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arrays that several turns write, as each of them declares. */
public record SharedFacts(List<String> turns, List<ParameterGlobs.Share> arrays) {
    static List<SharedFacts> of(Writes writes, ParameterGlobs parameterGlobs) {
        Map<List<String>, List<Path>> shared = new LinkedHashMap<>();
        writes.byPath().forEach((path, turns) -> {
            if (turns.size() > 1) {
                shared.computeIfAbsent(turns, key -> new ArrayList<>()).add(path);
            }
        });
        return shared.entrySet().stream()
                .map(entry -> new SharedFacts(entry.getKey(), parameterGlobs.summary(entry.getValue())))
                .toList();
    }
}
