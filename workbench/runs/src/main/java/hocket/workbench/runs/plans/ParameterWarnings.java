package hocket.workbench.runs.plans;

import hocket.programs.Mode;
import hocket.programs.Value;
import hocket.programs.operators.BatchNorm;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Declaration;
import hocket.scopes.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Warnings on the updates of parameters, where a plan is allowed but looks wrong: a sentence each, which names the
 * thing and says what to do.
 */
record ParameterWarnings(
        Setup setup, Writes writes, List<ProgramUse> uses, List<ScopeFacts> scopes, List<String> warnings) {
    static List<String> of(Setup setup, Writes writes, List<ProgramUse> programUses, List<ScopeFacts> scopes) {
        ParameterWarnings found = new ParameterWarnings(setup, writes, programUses, scopes, new ArrayList<>());
        found.unmovedModules();
        found.stillFollowers();
        found.frozenNorms();
        found.unmovedStatistics();
        found.cautions();
        return found.warnings;
    }

    private void stillFollowers() {
        for (Turn.Follow turn : Turn.following(setup.turnsByName().values())) {
            if (turn.decay() == 1) {
                warnings.add("turn " + turn.name() + " keeps all of " + turn.to() + " at decay 1, so it never"
                        + " changes; set a decay below 1");
            }
        }
    }

    /** Returns whether a scope has nothing but settings, which no turn updates. */
    private boolean hasOnlySettings(ScopeFacts scope) {
        return setup.declarations().stream()
                .filter(declaration -> declaration.path().isUnder(Path.of(scope.scope())))
                .allMatch(declaration -> declaration.kind() == Declaration.Kind.SETTING);
    }

    private void unmovedModules() {
        Set<String> unmoved = new TreeSet<>();
        for (ScopeFacts scope : scopes) {
            if (!scope.writtenBy().isEmpty() || unmoved.contains(scope.parent()) || hasOnlySettings(scope)) {
                continue;
            }
            unmoved.add(scope.scope());
            boolean copied = setup.copies().keySet().stream().anyMatch(to -> to.equals(scope.scope() + "/**"));
            if (scope.readBy().isEmpty() && scope.readBeside().isEmpty()) {
                warnings.add(scope.scope() + ": no program reads it and no turn updates it; remove it");
            } else if (copied) {
                warnings.add(scope.scope() + ": no turn updates this copy, so it keeps its initial values; add a turn"
                        + " that follows into " + scope.scope() + "/**");
            } else {
                warnings.add(scope.scope() + ": no turn updates it, so it keeps its initial values; let a turn update "
                        + scope.scope() + "/**, unless that is intended");
            }
        }
    }

    /**
     * Warns of batch norms that use running statistics in a program that trains, while a turn updates their weights.
     */
    private void frozenNorms() {
        Map<String, Path> owners = new TreeMap<>();
        Map<String, Set<String>> byBatch = new TreeMap<>();
        Map<String, Set<String>> byRunning = new TreeMap<>();
        for (ProgramUse programUse : uses) {
            if (programUse.program().mode() == Mode.TRAIN) {
                for (Value value : programUse.program().values()) {
                    if (value.operator() instanceof BatchNorm norm) {
                        String name = parent(mean(programUse, value));
                        owners.put(
                                name, stored(programUse, BatchNorm.owners(value).get(0)));
                        (norm.usesBatch(Mode.TRAIN) ? byBatch : byRunning)
                                .computeIfAbsent(name, key -> new LinkedHashSet<>())
                                .add(programUse.label());
                    }
                }
            }
        }
        byRunning.forEach((norm, programs) -> {
            List<String> trainers = writes.byPath().getOrDefault(owners.get(norm), List.of());
            if (trainers.isEmpty()) {
                return;
            }
            String where = String.join(" and ", programs);
            if (byBatch.containsKey(norm)) {
                warnings.add(norm + ": normalises by the batch in " + String.join(" and ", byBatch.get(norm))
                        + " but by its own running values in " + where + ", so these train two different networks;"
                        + " use frozenStatistics() for all of its calls, or for none");
            } else {
                warnings.add(norm + ": turn " + String.join(" and ", trainers) + " trains it, but in " + where
                        + " it normalises by running statistics, which nothing updates; use frozenStatistics() only"
                        + " for modules that no turn trains");
            }
        });
    }

    /**
     * Warns of running statistics in trained modules that a sampling or validation program uses and no turn updates.
     */
    private void unmovedStatistics() {
        for (ProgramUse programUse : uses) {
            for (Value value : programUse.program().values()) {
                if (value.operator() instanceof BatchNorm norm
                        && !norm.usesBatch(programUse.program().mode())) {
                    Path mean = mean(programUse, value);
                    boolean trained = scopes.stream()
                            .anyMatch(scope -> mean.isUnder(Path.of(scope.scope()))
                                    && scope.parent().isEmpty()
                                    && !scope.writtenBy().isEmpty());
                    if (programUse.turns().isEmpty()
                            && trained
                            && !writes.byPath().containsKey(mean)) {
                        String owners = BatchNorm.owners(value).stream()
                                .map(owner -> stored(programUse, owner).name())
                                .collect(Collectors.joining(" and "));
                        warnings.add(parent(mean) + ": " + programUse.label()
                                + " normalises by its running statistics, which no turn updates; let the turn that"
                                + " trains the rest update its " + owners + ", too");
                    }
                }
            }
        }
    }

    /** Warns of demands of networks on the turns that these do not meet. */
    private void cautions() {
        setup.networks().cautions().stream()
                .filter(caution -> !caution.isMet().test(setup))
                .forEach(caution -> warnings.add(caution.warning()));
    }

    private static Path mean(ProgramUse programUse, Value norm) {
        return stored(programUse, norm.inputs().get(BatchNorm.MEAN));
    }

    private static Path stored(ProgramUse programUse, Value parameter) {
        return programUse.program().stored(parameter.path());
    }

    private static String parent(Path path) {
        return path.text().substring(0, path.text().lastIndexOf('/'));
    }
}
