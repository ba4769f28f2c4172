package hocket.workbench.command.bench;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.schedulers.Source;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.Target;
import hocket.schedulers.optimizers.kernels.KernelThreads;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.updates.UpdatePlan;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The baseline for rounds of a scheduler: the same programs and optimizers without one. Inputs are written once, and
 * nothing is counted, reported or checked.
 */
final class BareLoop implements Work {
    private record Step(BoundProgram program, UpdatePlan updates, List<Parameters.Cell> written) {}

    private final Workload workload;
    private final Parameters parameters;
    private final KernelThreads kernelThreads;
    private final List<Step> steps = new ArrayList<>();
    private long count;

    BareLoop(Workload workload, int threads) {
        this.workload = workload;
        this.parameters = Parameters.initialise(workload.graph().declarations(), Streams.seed(0));
        this.kernelThreads = KernelThreads.of(threads);
        for (Turn.Descend turn : workload.turns()) {
            steps.add(bind(turn, threads));
        }
    }

    private Step bind(Turn.Descend turn, int threads) {
        Turn.Update update = turn.updates().get(0);
        SortedMap<Path, Declaration> selected = update.selection().of(parameters.declarations());
        SortedSet<Path> weights = new TreeSet<>();
        selected.values().stream()
                .filter(declaration -> declaration.kind() == Kind.WEIGHT)
                .forEach(declaration -> weights.add(declaration.path()));
        Lowering lowering = Lowering.of(turn.program(), weights);
        BoundProgram program = new BoundProgram(turn.program(), parameters, lowering, threads, weights, "");
        feed(program);
        program.run(workload.rows(), 0, 0);
        List<Path> order = List.copyOf(program.gradients());
        List<Target> targets = new ArrayList<>();
        List<Parameters.Cell> written = new ArrayList<>();
        for (Path path : weights) {
            Parameters.Cell cell = parameters.cell(path);
            Shape shape = cell.declaration().shape();
            int gradient = order.indexOf(path);
            written.add(cell);
            targets.add(
                    Target.of(path.text(), shape, Reals.of(cell::array), Reals.of(() -> program.gradient(gradient))));
        }
        return new Step(program, UpdatePlan.of(update.rule(), targets), written);
    }

    private void feed(BoundProgram program) {
        Source source = workload.source();
        List<Source.Column> columns = source.columns();
        source.next(parameters.streams(), (column, rows) -> {
            String name = columns.get(column).name();
            return program.program().input(name).isPresent() ? program.feed(program.position(name), rows) : null;
        });
    }

    @Override
    public void run(int times) {
        for (int i = 0; i < times; i++) {
            count++;
            for (int s = 0; s < steps.size(); s++) {
                Step step = steps.get(s);
                step.program().run(workload.rows(), count, count);
                parameters.write(step.written(), () -> step.updates().run(kernelThreads));
            }
        }
    }

    @Override
    public void close() {
        steps.forEach(step -> step.program().close());
        kernelThreads.close();
        parameters.close();
    }
}
