package hocket.programs.execution;

import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.operators.Products;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The readers of a parameter that may be the table of embeddings.
 *
 * @param indices at which embeddings look up its rows, each value once
 * @param others that read it otherwise, itself if it is a target
 */
public record TableReads(List<Value> indices, List<Value> others) {
    public TableReads {
        indices = List.copyOf(indices);
        others = List.copyOf(others);
    }

    /** Returns everything that reads a parameter of a program. */
    public static TableReads of(Program program, Value parameter) {
        return of(program, parameter, value -> true);
    }

    /** Returns what reads a parameter on the way to a program's first target, along which its gradient comes. */
    public static TableReads ofGradient(Program program, Value parameter) {
        Set<Value> reached = program.reachedValues();
        return of(program, parameter, reached::contains);
    }

    private static TableReads of(Program program, Value parameter, Predicate<Value> counts) {
        List<Value> indices = new ArrayList<>();
        List<Value> others = new ArrayList<>();
        if (program.targets().contains(parameter) && counts.test(parameter)) {
            others.add(parameter);
        }
        for (Value value : program.values()) {
            List<Value> inputs = program.inputsOf(value);
            if (!inputs.contains(parameter) || !counts.test(value)) {
                continue;
            }
            if (!(value.operator() instanceof Products.Embedding)) {
                others.add(value);
            } else if (!indices.contains(inputs.get(0))) {
                indices.add(inputs.get(0));
            }
        }
        return new TableReads(indices, others);
    }

    /** Returns whether embeddings read the parameter. */
    public boolean isTable() {
        return !indices.isEmpty();
    }

    /** Returns whether embeddings alone read the parameter, so that its gradient has the rows at the indices only. */
    public boolean isTableOnly() {
        return isTable() && others.isEmpty();
    }
}
