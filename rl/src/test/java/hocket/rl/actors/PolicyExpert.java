package hocket.rl.actors;

import hocket.programs.execution.BoundProgram;
import hocket.programs.execution.Lowering;
import hocket.rl.envs.wrappers.VectorNormalisation;
import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.scopes.Parameters;
import java.util.Optional;
import java.util.TreeSet;

/** A policy as an expert, with the current parameters of a store. Close it before the store. */
public final class PolicyExpert implements Expert, AutoCloseable {
    private final Policy policy;
    private final Space actions;
    private final Optional<VectorNormalisation> normalisation;
    private final BoundProgram bound;
    private long asked;

    /**
     * Makes an expert for the environments that a policy was trained in.
     *
     * @param actions the action space of the environments
     * @param normalisation of observations in training; not changed
     * @throws IllegalArgumentException if the store lacks a parameter of the policy
     */
    public PolicyExpert(
            Policy policy, Space actions, Optional<VectorNormalisation> normalisation, Parameters parameters) {
        this.policy = policy;
        this.actions = actions;
        this.normalisation = normalisation;
        bound = new BoundProgram(
                policy.program(), parameters, Lowering.of(policy.program()), 1, new TreeSet<>(), "expert/");
    }

    @Override
    public void act(float[] observation, Pcg64 random, float[] action) {
        float[] seen = observation.clone();
        normalisation.ifPresent(each -> each.normalise(seen));
        float[] chosen = new float[actions.width()];
        policy.act(bound, seen, 1, asked++, random, chosen);
        policy.transform().apply(actions, chosen, action, 1);
    }

    @Override
    public void close() {
        bound.close();
    }
}
