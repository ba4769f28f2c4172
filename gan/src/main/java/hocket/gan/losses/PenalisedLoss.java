package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.stopGradient;

import hocket.programs.Loss;
import hocket.programs.Value;
import hocket.schedulers.settings.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A GAN loss with penalties on the discriminator.
 *
 * @param checked whether a discriminator that mixes the rows of a batch is refused where a penalty uses each row's
 *     gradient
 */
record PenalisedLoss(GanLoss game, List<Penalty> penalties, boolean checked) implements GanLoss {
    @Override
    public GanLoss with(List<Penalty> more) {
        List<Penalty> all = new ArrayList<>(penalties);
        all.addAll(more);
        return new PenalisedLoss(game, List.copyOf(all), checked);
    }

    @Override
    public Value discriminator(Value real, Value fake) {
        return game.discriminator(real, fake);
    }

    @Override
    public Value generator(Value fake) {
        return game.generator(fake);
    }

    @Override
    public double decisionThreshold() {
        return game.decisionThreshold();
    }

    @Override
    public boolean requiresLipschitz() {
        return game.requiresLipschitz() && penalties.stream().noneMatch(Penalty::constrainsLipschitz);
    }

    /** The discriminator, checked not to mix rows. */
    private UnaryOperator<Value> apart(Penalty penalty, UnaryOperator<Value> discriminator) {
        if (!checked || !penalty.usesPerSampleGradients()) {
            return discriminator;
        }
        return rows -> {
            Value output = discriminator.apply(rows);
            DiscriminatorGradients.batchNorm(rows, output).ifPresent(norm -> {
                throw new IllegalArgumentException(
                        "penalty " + Keys.of(penalty.getClass(), Penalty.class) + " takes the gradient of each"
                                + " row, and " + norm.path()
                                + " normalises by the batch, so that the gradient of a row depends on the other rows;"
                                + " normalise by layer or instance, by the spectral norm of the weights, or not at all"
                                + " (Dcgan and ConditionalDcgan: norm: layer); a network of your own that was trained so"
                                + " before this was refused still builds by GanLoss.withUnchecked in place of with");
            });
            return output;
        };
    }

    @Override
    public Loss discriminator(UnaryOperator<Value> discriminator, Value real, Value fake) {
        Loss loss = game.discriminator(discriminator, real, fake);
        Value sum = real.graph().constant(0);
        for (Penalty penalty : penalties) {
            sum = add(sum, penalty.of(apart(penalty, discriminator), stopGradient(real), stopGradient(fake)));
        }
        Loss penalised = new Loss(add(loss.value(), sum), loss.metrics());
        return penalised.metric("penalty", sum);
    }
}
