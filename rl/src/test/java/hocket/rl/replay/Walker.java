package hocket.rl.replay;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.reshape;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.actors.Policy;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Autoreset;
import hocket.rl.envs.VectorEnvironment;
import hocket.schedulers.Budget;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.util.Arrays;

/** A policy that walks right, with a critic that values an observation o at 2·o. */
record Walker(Graph graph, Policy policy, Program judge, TrainingEnvironments environments) {
    static Walker start() {
        Graph graph = new Graph();
        Value observation = graph.input(Policy.OBSERVATION, Shape.of(1));
        Value value;
        try (var critic = graph.module("critic")) {
            value = reshape(dense("out", observation, 1));
        }
        Program judge = Program.compile("judge", Mode.EVAL, value);
        Policy policy = new Policy(
                judge, // whatever it gives, the choice is to go on
                (gave, rows, random, actions) -> Arrays.fill(actions, 0, rows, 1),
                Policy.ActionTransform.SAME);
        VectorEnvironment environments = VectorEnvironment.of(Walk::limited, 1, Autoreset.SAME_STEP);
        return new Walker(graph, policy, judge, new TrainingEnvironments(environments));
    }

    /** Takes a turn a number of times. */
    void run(Turn.Action action, int times) {
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1)) {
            parameters.set("critic/out/weight", 2);
            parameters.set("critic/out/bias", 0);
            scheduler.plan(Turn.act("collect", action)).run(Budget.rounds(times));
        }
    }
}
