package hocket.workbench.plans;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a program computes.
 *
 * @param role {@code loss}, the name of a metric, or empty
 */
public record TargetFacts(String role, ValueFacts value) {
    /** All targets of a program. */
    static List<TargetFacts> of(Program program) {
        Map<Value, String> roles = new HashMap<>();
        program.metrics().forEach((metric, value) -> roles.putIfAbsent(value, metric));
        if (program.mode() == Mode.TRAIN) {
            roles.put(program.targets().get(0), "loss");
        }
        return program.targets().stream()
                .map(target -> new TargetFacts(roles.getOrDefault(target, ""), ValueFacts.of(target)))
                .toList();
    }

    String text() {
        return (role + " " + value.text()).strip();
    }
}
