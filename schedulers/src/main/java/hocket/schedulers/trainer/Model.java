package hocket.schedulers.trainer;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.settings.Networks;
import java.util.ArrayList;
import java.util.List;

/**
 * The model of a trainer: one objective, or several that are descended in turn, such as a discriminator's and a
 * generator's, and the outputs for inference. It makes programs for training, testing and inference, each in its mode;
 * dropout and batch norms are in training mode in the first alone.
 *
 * @param objectives in the order in which they are descended
 * @param outputs outputs of inference; empty without inference
 */
public record Model(List<Objective> objectives, List<Value> outputs) {
    /**
     * An objective.
     *
     * @param name of its turn, in events and outcomes
     * @param selection the weights that it updates: a glob such as {@code discriminator/**}
     * @param loss the loss to descend: one number, with metrics
     */
    public record Objective(String name, String selection, Loss loss) {}

    /** A recipe that makes the same model each time. */
    @FunctionalInterface
    public interface Definition {
        /** Makes the model on a new graph. Trains nothing. */
        Model model();
    }

    /** @throws IllegalArgumentException if there is no objective, two have one name, or values are of several graphs */
    public Model {
        objectives = List.copyOf(objectives);
        outputs = List.copyOf(outputs);
        if (objectives.isEmpty()) {
            throw new IllegalArgumentException("a model needs at least one objective");
        }
        List<String> names = objectives.stream().map(Objective::name).toList();
        if (names.stream().distinct().count() < names.size()) {
            throw new IllegalArgumentException("two objectives have one name: " + names);
        }
        Graph graph = objectives.get(0).loss().value().graph();
        for (Value output : outputs) {
            if (output.graph() != graph) {
                throw new IllegalArgumentException("output " + output + " is of another graph than the objectives");
            }
        }
    }

    /** A model with one objective, called {@code train}, that updates all weights. */
    public static Model minimise(Loss loss) {
        return minimise("train", "**", loss);
    }

    /** A model with one objective that updates some weights. */
    public static Model minimise(String name, String selection, Loss loss) {
        return new Model(List.of(new Objective(name, selection, loss)), List.of());
    }

    /** Adds an objective, which is descended after earlier ones. */
    public Model and(String name, String selection, Loss loss) {
        List<Objective> more = new ArrayList<>(objectives);
        more.add(new Objective(name, selection, loss));
        return new Model(more, outputs);
    }

    /** Adds the outputs of inference, in this order. */
    public Model infers(Value... values) {
        return new Model(objectives, List.of(values));
    }

    Graph graph() {
        return objectives.get(0).loss().value().graph();
    }

    /** Returns the program that descends an objective. */
    static Program training(Objective objective) {
        return Program.compile(objective.name(), Mode.TRAIN, objective.loss());
    }

    /** Returns all programs for training, and the one for inference. */
    Networks networks() {
        List<Program> programs = new ArrayList<>();
        objectives.forEach(objective -> programs.add(training(objective)));
        if (!outputs.isEmpty()) {
            programs.add(inference());
        }
        return Networks.of(graph(), programs.toArray(Program[]::new));
    }

    /**
     * Returns the program that gives the outputs.
     *
     * @throws IllegalStateException if there are no outputs
     */
    public Program inference() {
        if (outputs.isEmpty()) {
            throw new IllegalStateException("the model has no outputs: call infers(value)");
        }
        return Program.compile("infer", Mode.EVAL, outputs.toArray(Value[]::new));
    }
}
