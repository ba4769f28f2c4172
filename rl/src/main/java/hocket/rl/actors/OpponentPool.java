package hocket.rl.actors;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.programs.execution.BoundProgram;
import hocket.rl.envs.games.GamePlayer;
import hocket.rl.envs.games.MultiAgentEnvironment;
import hocket.rl.envs.games.Opponents;
import hocket.rl.random.Pcg64;
import hocket.schedulers.Run;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opponents for self-play: the policy that learns, and frozen copies of it, which read parameters of their own. The policy
 * that learns is number 0, copy i is number i + 1.
 */
public final class OpponentPool implements Opponents {
    private final List<Policy> policies;
    private final double latest;
    private final int opening;
    private final List<PolicyPlayer> players = new ArrayList<>();

    /**
     * Makes a pool of copies that read {@code opponents/0/actor}, {@code opponents/1/actor}, … where the policy reads {@code actor}.
     *
     * @param policy without a memory
     * @param copies their number, at least 1
     * @param latest share of the episodes against the policy that learns
     * @param opening most steps at random that begin an episode
     */
    public OpponentPool(Policy policy, int copies, double latest, int opening) {
        policies = new ArrayList<>(List.of(policy));
        for (int copy = 0; copy < copies; copy++) {
            Value[] targets = policy.program().targets().toArray(Value[]::new);
            Program act =
                    Program.compile("opponent-" + copy, Mode.EVAL, targets).reading("actor/**", path(copy));
            policies.add(new Policy(act, policy.selection(), policy.transform()));
        }
        this.latest = latest;
        this.opening = opening;
        policies.forEach(each -> players.add(new PolicyPlayer(each)));
    }

    /** Returns the selection of a copy's parameters. */
    public static String path(int copy) {
        return "opponents/" + copy + "/actor/**";
    }

    /** Returns the policies: the one that learns, then the copies. */
    public List<Policy> policies() {
        return List.copyOf(policies);
    }

    /** Lets all play by the parameters of a run. */
    public void begin(Run run) {
        players.forEach(each -> each.bound = run.bind(each.policy.program()));
    }

    @Override
    public int draw(Pcg64 random) {
        return random.random() < latest ? 0 : 1 + random.choice(policies.size() - 1);
    }

    @Override
    public int opening(Pcg64 random) {
        return opening == 0 ? 0 : random.choice(opening + 1);
    }

    @Override
    public GamePlayer player(int number) {
        return players.get(number);
    }

    /** Draws actions of a policy, one observation at a time. */
    private static final class PolicyPlayer implements GamePlayer {
        private final Policy policy;
        private final float[] mask;
        private float[] observation = {};
        private float[] chosen = {};
        private @Nullable BoundProgram bound;

        PolicyPlayer(Policy policy) {
            this.policy = policy;
            mask = new float
                    [policy.program()
                            .input(Policy.MASK)
                            .map(input -> input.shape().size())
                            .orElse(0)];
        }

        @Override
        public void choose(MultiAgentEnvironment game, int agent, Pcg64 random, float[] action) {
            if (bound == null) {
                throw new IllegalStateException("opponents play in the turns of a run");
            }
            if (observation.length == 0) {
                observation = new float[game.observations(agent).width()];
                chosen = new float[action.length];
            }
            game.observe(agent, observation, 0);
            if (mask.length > 0) {
                game.mask(agent, mask, 0);
                policy.mask(bound, mask, 1);
            }
            policy.act(bound, observation, 1, 0, random, chosen);
            policy.transform().apply(game.actions(agent), chosen, action, 1);
        }
    }
}
