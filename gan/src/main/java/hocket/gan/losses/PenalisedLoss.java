package hocket.gan.losses;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.stopGradient;

import hocket.programs.Loss;
import hocket.programs.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A game whose discriminator pays penalties. */
record PenalisedLoss(GanLoss game, List<Penalty> penalties) implements GanLoss {
    @Override
    public GanLoss with(List<Penalty> more) {
        List<Penalty> all = new ArrayList<>(penalties);
        all.addAll(more);
        return new PenalisedLoss(game, List.copyOf(all));
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
    public double boundary() {
        return game.boundary();
    }

    @Override
    public boolean needsSmoothness() {
        return game.needsSmoothness() && penalties.stream().noneMatch(Penalty::smooths);
    }

    @Override
    public Loss discriminator(UnaryOperator<Value> discriminator, Value real, Value fake) {
        Loss loss = game.discriminator(discriminator, real, fake);
        Value sum = real.graph().constant(0);
        for (Penalty penalty : penalties) {
            sum = add(sum, penalty.of(discriminator, stopGradient(real), stopGradient(fake)));
        }
        Loss penalised = new Loss(add(loss.value(), sum), loss.metrics());
        return penalised.metric("penalty", sum);
    }
}
