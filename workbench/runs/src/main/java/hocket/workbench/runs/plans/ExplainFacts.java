package hocket.workbench.runs.plans;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.Cost;
import hocket.programs.execution.Lowering;
import hocket.programs.execution.RowCost;
import hocket.programs.operators.Leaf;
import hocket.schedulers.Setup;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.turns.Writes;
import hocket.scopes.Path;
import hocket.scopes.SimilarNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The composition and cost of an experiment's programs, found without running them: facts, which {@link ExplainText}
 * prints for people and {@code --json} for programs.
 *
 * @param lowering the implementation of the programs here; null if there is none
 * @param unavailable why there is none; null if there is one
 * @param kernels the implementation of the optimizers
 * @param threads largest number of threads
 */
public record ExplainFacts(
        String name,
        String summary,
        @Nullable String lowering,
        @Nullable String unavailable,
        String kernels,
        int threads,
        List<ProgramFacts> programs) {
    /**
     * A program.
     *
     * @param name its name, with its purpose if two have the same
     * @param purpose its use, for people
     * @param turns turns that minimise it
     * @param gradients modules whose weights' gradients are computed
     * @param rows rows of a batch; 0 if unknown
     * @param from inputs and noises
     * @param to its outputs
     * @param operators one for each value that is not a parameter, in the order of creation
     * @param parameters numbers that it reads from the store
     * @param parameterBytes bytes of these numbers
     * @param forward floating-point operations of all operators
     * @param backward floating-point operations of the gradients
     * @param bytes of all values, if each is kept
     * @param lowering its implementation; null if there is none
     * @param lowered how that runs it; null if unknown
     */
    record ProgramFacts(
            String name,
            Mode mode,
            String purpose,
            List<String> turns,
            List<String> gradients,
            int rows,
            List<ValueFacts> from,
            List<TargetFacts> to,
            List<OperatorFacts> operators,
            long parameters,
            long parameterBytes,
            RowCost forward,
            RowCost backward,
            RowCost bytes,
            @Nullable String lowering,
            Lowering.@Nullable Outline lowered) {}

    /**
     * An operator.
     *
     * @param value its result
     * @param operator its kind
     * @param settings its settings; may be empty
     * @param inputs its operands, by path
     * @param parameters parameters that it reads, by path in the store
     * @param numbers in these
     * @param again how many of these an earlier operator has read
     * @param forward floating-point operations
     * @param backward those of the gradients by its inputs that are needed
     * @param bytes of the value
     */
    record OperatorFacts(
            ValueFacts value,
            String operator,
            String settings,
            List<String> inputs,
            List<String> parameters,
            long numbers,
            long again,
            RowCost forward,
            RowCost backward,
            RowCost bytes) {}

    /**
     * Returns the facts of all programs, or of those of one name.
     *
     * @throws IllegalArgumentException if the plan is invalid, or there is no program of that name, naming the nearest
     */
    public static ExplainFacts of(String name, String summary, Setup setup, Optional<String> only, int threads) {
        return of(name, summary, setup, List.of(), only, threads);
    }

    /** Returns these facts, with programs that Java turns may run. */
    public static ExplainFacts of(
            String name, String summary, Setup setup, Collection<Program> further, Optional<String> only, int threads) {
        Writes writes = Writes.of(setup.turnsByName().values(), setup.declarations());
        List<ProgramUse> programUses = ProgramUse.of(setup, writes, further);
        Collection<String> names = programUses.stream()
                .map(programUse -> programUse.program().name())
                .distinct()
                .toList();
        only.filter(wanted -> !names.contains(wanted)).ifPresent(wanted -> {
            throw new IllegalArgumentException("there is no program " + wanted + SimilarNames.among(wanted, names));
        });
        Modules modules =
                new Modules(setup, programUses.stream().map(ProgramUse::program).toList());
        List<ProgramUse> shown = programUses.stream()
                .filter(programUse ->
                        only.isEmpty() || only.get().equals(programUse.program().name()))
                .toList();
        @Nullable String lowering = null;
        @Nullable String unavailable = null;
        try {
            lowering = Engines.of(shown.stream().map(ProgramUse::program).toList());
        } catch (IllegalStateException e) {
            unavailable = e.getMessage();
        }
        List<ProgramFacts> programs = new ArrayList<>();
        for (ProgramUse programUse : shown) {
            programs.add(
                    program(programUse, modules, lowering == null ? null : Lowering.of(programUse.program()), threads));
        }
        return new ExplainFacts(
                name, summary, lowering, unavailable, Kernels.best().name(), threads, programs);
    }

    private static ProgramFacts program(
            ProgramUse programUse, Modules modules, @Nullable Lowering lowering, int threads) {
        Program program = programUse.program();
        Cost cost = Cost.of(program, programUse.gradients());
        Set<Path> read = new HashSet<>();
        List<OperatorFacts> operators = new ArrayList<>();
        cost.lines().forEach(line -> operators.add(operator(program, line, read)));
        return new ProgramFacts(
                programUse.label(),
                program.mode(),
                programUse.purpose(),
                programUse.turns(),
                programUse.gradients().stream()
                        .flatMap(path -> modules.of(path).stream())
                        .distinct()
                        .toList(),
                programUse.rows(),
                program.feeds().stream().map(ValueFacts::of).toList(),
                TargetFacts.of(program),
                operators,
                cost.parameters(),
                cost.parameterBytes(),
                cost.forward(),
                cost.backward(),
                cost.bytes(),
                lowering == null ? null : lowering.title(),
                lowering == null
                        ? null
                        : lowering.outline(program, programUse.gradients(), Math.max(1, programUse.rows()), threads)
                                .orElse(null));
    }

    /** @param read the parameters that earlier operators read; this one's are added */
    private static OperatorFacts operator(Program program, Cost.Line line, Set<Path> read) {
        List<Value> inputs = program.inputsOf(line.value());
        List<String> parameters = new ArrayList<>();
        long numbers = 0;
        long again = 0;
        for (Value input : inputs) {
            if (input.operator() instanceof Leaf.Variable) {
                Path path = program.stored(input.path());
                parameters.add(path.text());
                numbers += input.shape().size();
                again += read.add(path) ? 0 : input.shape().size();
            }
        }
        return new OperatorFacts(
                ValueFacts.of(line.value()),
                line.value().operator().kind(),
                line.value().operator().settings(),
                inputs.stream()
                        .filter(input -> !(input.operator() instanceof Leaf.Variable))
                        .map(input -> input.path().text())
                        .toList(),
                parameters,
                numbers,
                again,
                line.forward(),
                line.backward(),
                line.bytes());
    }
}
