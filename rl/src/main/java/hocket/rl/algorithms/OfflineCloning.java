package hocket.rl.algorithms;

import static hocket.programs.Operators.mean;

import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.envs.Environment;
import hocket.rl.losses.BehaviourCloningLoss;
import hocket.rl.networks.Actor;
import hocket.rl.offline.OfflineData;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.NetworkSettings;
import hocket.rl.settings.OfflineSettings;
import hocket.rl.settings.RateSettings;
import hocket.schedulers.Budget;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.settings.Networks;
import hocket.schedulers.settings.SettingGroup;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Behaviour cloning (Pomerleau 1991) of recorded steps: the floor of methods that learn from data. {@link BehaviourCloning}
 * imitates an expert in Java.
 *
 * <p>A round is {@code clone}.
 */
public record OfflineCloning(
        @SettingGroup OfflineSettings task,

        @SettingGroup RateSettings rates,

        @SettingGroup(usually = {"hidden: [256, 256]", "activation: relu", "weights: uniform"})
        NetworkSettings network)
        implements EnvironmentDefinition, OfflineCloningCopies {
    /** Returns the default settings. */
    public static OfflineCloning usual(String environment, Path data) {
        return OfflineCloningCopies.usual(environment, data);
    }

    @Override
    public Setup in(Supplier<? extends Environment> world) {
        AlgorithmSettings.check(this);
        TrainingEnvironments all = task.open(world);
        OfflineData steps = task.steps(all, false);
        Actor actor = Actor.of(network.body(all.observationSpace()), all.actionSpace());
        Loss loss = Loss.of(BehaviourCloningLoss.loss(actor.policy(), actor.action()))
                .metric("entropy", mean(actor.entropy()));
        Program program = Program.compile("clone", Mode.TRAIN, loss);
        Setup setup = Setup.of(
                        Networks.of(actor.graph(), program, actor.best().program()),
                        Turn.of("clone", program).updates("actor/**", rates.adam(updates(), RateUnit.ROUND)),
                        Budget.rounds(updates()))
                .feed(steps, Resample.EACH_TURN);
        return task.evaluated(setup, world, actor.best(), actor.acting(), all, steps);
    }
}
