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
 * What a trainer trains: one objective, or several that are descended in turn, such as a discriminator's and a generator's;
 * and what it is asked for afterwards. Programs to train, to test and to infer are all made of it, each in its mode: dropout and
 * batch norms are those of training in the first alone.
 *
 * @param objectives in the order in which they are descended
 * @param outputs what inference gives; empty where nothing is to be inferred
 */
public record Model(List<Objective> objectives, List<Value> outputs) {
    /**
     * An objective.
     *
     * @param name of its turn, in events and outcomes
     * @param selection the weights that it moves: a glob such as {@code discriminator/**}
     * @param loss what is descended: one number, with metrics
     */
    public record Objective(String name, String selection, Loss loss) {}

    /** What makes a model: a recipe, which makes the same each time. */
    @FunctionalInterface
    public interface Definition {
        /** The model, on a graph of its own. Trains nothing. */
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

    /** A model with one objective, called {@code train}, that moves all weights. */
    public static Model minimise(Loss loss) {
        return minimise("train", "**", loss);
    }

    /** A model with one objective that moves some weights. */
    public static Model minimise(String name, String selection, Loss loss) {
        return new Model(List.of(new Objective(name, selection, loss)), List.of());
    }

    /** With one more objective, descended after those before. */
    public Model and(String name, String selection, Loss loss) {
        List<Objective> more = new ArrayList<>(objectives);
        more.add(new Objective(name, selection, loss));
        return new Model(more, outputs);
    }

    /** With what inference gives, in this order. */
    public Model infers(Value... values) {
        return new Model(objectives, List.of(values));
    }

    Graph graph() {
        return objectives.get(0).loss().value().graph();
    }

    /** The program that descends an objective. */
    static Program training(Objective objective) {
        return Program.compile(objective.name(), Mode.TRAIN, objective.loss());
    }

    /** All programs that train, and the one that infers. */
    Networks networks() {
        List<Program> programs = new ArrayList<>();
        objectives.forEach(objective -> programs.add(training(objective)));
        if (!outputs.isEmpty()) {
            programs.add(inference());
        }
        return Networks.of(graph(), programs.toArray(Program[]::new));
    }

    /**
     * The program that gives the outputs.
     *
     * @throws IllegalStateException if there is nothing to infer
     */
    public Program inference() {
        if (outputs.isEmpty()) {
            throw new IllegalStateException("the model does not say what it infers: call infers(value)");
        }
        return Program.compile("infer", Mode.EVAL, outputs.toArray(Value[]::new));
    }
}
