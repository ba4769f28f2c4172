package hocket.examples;

import static hocket.programs.Graph.Opening.REUSE;
import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.relu;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.tanh;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.scopes.Parameters;
import hocket.scopes.Scope;
import hocket.scopes.Selection;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;

/**
 * Scopes and names: nested scopes, references across them, a scope opened again, a network that is called twice.
 *
 * <p>{@code examples/run ScopeGuards}: prints the store and some values, in a second.
 */
public final class ScopeGuards {
    private ScopeGuards() {}

    public static void main(String[] args) {
        Graph graph = build();
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(7));
                Session session = Session.over(graph, parameters)) {
            System.out.println(parameters);
            Tensor x = Tensor.of(Shape.of(2, 3), 1f, 2f, 3f, 4f, 5f, 6f);
            // Any value is accessible by its path; further calls of a network have a number.
            for (String path : new String[] {"encoder/deep/second", "judge#1/score", "judge#2/score", "gap"}) {
                Tensor value = session.run(path, Feeds.of("x", x));
                System.out.println(path + " = " + java.util.Arrays.toString(value.floats()));
            }
            Selection weights = Selection.of("**/weight", "!judge/**");
            System.out.println(weights + " selects "
                    + weights.of(parameters.declarations()).keySet());
        }
    }

    /** The example's graph. */
    static Graph build() {
        Graph graph = new Graph();
        Value x = graph.input("x", Shape.of(3));
        Scope<Value> deep;
        try (Scope<Value> encoder = graph.module("encoder")) {
            Value h = relu(dense("first", x, 4)); // parameters encoder/first/weight and encoder/first/bias
            try (Scope<Value> scope = graph.scope("deep")) {
                dense("second", h, 4); // encoder/deep/second/…
                deep = scope;
            }
            try (Scope<Value> again = graph.scope("deep", REUSE)) {
                // The same parameters with another input; the values' paths begin with encoder/deep#2.
                dense("second", tanh(h), 4);
            }
        }
        // A closed guard is still a reference: other scopes use its values as Java variables or by name.
        Value second = deep.value("second");
        Value reused = graph.value("encoder/deep#2/second");

        Network<Value, Value> judge = graph.module("judge", in -> dense("score", in, 1));
        Value one = judge.apply(second);
        Value two = judge.apply(reused);
        graph.name("gap", mean(square(subtract(one, scale(add(one, two), 0.5)))));
        return graph;
    }
}
