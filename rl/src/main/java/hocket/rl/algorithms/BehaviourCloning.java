package hocket.rl.algorithms;

import static hocket.rl.losses.BehaviourCloningLoss.loss;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.rl.actors.EpisodeFilm;
import hocket.rl.actors.EpisodeReturns;
import hocket.rl.actors.Expert;
import hocket.rl.actors.PolicyInference;
import hocket.rl.envs.Environment;
import hocket.rl.envs.EnvironmentChecker;
import hocket.rl.envs.EnvironmentChecks;
import hocket.rl.envs.wrappers.OneHotObservations;
import hocket.rl.networks.Actor;
import hocket.rl.replay.Demonstrations;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.EnvironmentSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.RateSettings;
import hocket.rl.settings.UserClass;
import hocket.rl.spaces.Space;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Behaviour cloning (Pomerleau 1991): a policy learns to predict an expert's actions from its observations, without
 * acting itself.
 *
 * <p>A round is {@code clone}, on a batch of the recorded steps.
 */
public record BehaviourCloning(
        @Setting(help = "the environment: a name such as CartPole-v1, or a user's class")
        String environment,

        @Setting(help = "the expert to imitate: a class that implements hocket.rl.actors.Expert")
        String expert,

        @Setting(usually = "10", least = 1, most = 1e6, help = "number of recorded episodes")
        int demonstrations,

        @Setting(usually = "0", least = 0, most = 9e15, help = "seed of these episodes")
        long demonstrationSeed,

        @Setting(usually = "20", least = 1, most = 1e9, help = "passes over the recorded steps")
        long epochs,

        @Setting(usually = "64", least = 1, most = 1e6, help = "steps of an update")
        int batch,

        @SettingGroup(usually = "rate: 1e-3") RateSettings rates,

        @SettingGroup NetworkSettings network,

        @Setting(
                usually = "true",
                help = "whether a user's class is checked for three episodes before training, and"
                        + " violations are reported")
        boolean checked)
        implements Definition, BehaviourCloningCopies {

    /** Returns the default settings. */
    public static BehaviourCloning usual(String environment, String expert) {
        return BehaviourCloningCopies.usual(environment, expert);
    }

    @Override
    public Setup setup() {
        AlgorithmSettings.check(this);
        Supplier<? extends Environment> world = EnvironmentSettings.named(environment);
        Expert imitated = UserClass.named("expert", expert, Expert.class).get();
        return in(world, Demonstrations.of(world, imitated, demonstrations, demonstrationSeed));
    }

    /**
     * Sets the algorithm up with given environments and demonstrations.
     *
     * @throws IllegalArgumentException also if {@code environment} is not their name
     */
    public Setup setup(Supplier<? extends Environment> world, Demonstrations recorded) {
        AlgorithmSettings.check(this);
        return in(EnvironmentSettings.own("environment", environment, world), recorded);
    }

    private Setup in(Supplier<? extends Environment> world, Demonstrations recorded) {
        Environment one = OneHotObservations.ofWholeNumbers(world.get());
        Space actions = one.actions();
        Actor actor;
        try {
            actor = Actor.of(network.body(one.observations()), actions, one.masks());
        } finally {
            EnvironmentChecks.close(one);
        }
        Program program = Program.compile("clone", Mode.TRAIN, Loss.of(loss(actor.policy(), actor.action())));
        Setup setup = Setup.of(
                        Networks.of(actor.graph(), program, actor.best().program()),
                        Turn.of("clone", program).updates("actor/**", rates.adam(epochs, RateUnit.EPOCH)),
                        Budget.epochs("demonstrations", epochs))
                .feed(recorded.batches(batch), Resample.EACH_TURN);
        Setup warned = checked ? setup.warnedBy(() -> EnvironmentChecker.checkUnlessBuiltIn(world)) : setup;
        return warned.evaluated(new EpisodeReturns(world, actor.best(), actor.acting(), Optional.empty(), 100))
                .filmed(new EpisodeFilm(world, actor.best(), Optional.empty()))
                .inferred(new PolicyInference(actor.best(), actor.acting(), actions, Optional.empty()));
    }
}
