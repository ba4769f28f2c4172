package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.Operators.sum;

import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.Scored;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Setting;

/**
 * The mutual information of an InfoGAN (Chen et al. 2016, equation 5), up to constants and with the sign changed: {@code
 * weight · mean CE(Q(x), c) + numbersWeight · mean ‖Q(x) - u‖²/2}, where c is the category and u the numbers of the code of a
 * generated row x. Q are the discriminator's heads {@code category}, logits, and {@code numbers}, the mean of a normal with
 * deviation 1. It is part of both losses: Q learns in the discriminator's turn, the generator in its own.
 *
 * @param weight usually 1, at least 0
 * @param numbersWeight usually 0.1, at least 0
 */
public record Information(
        @Setting(usually = "1", least = 0, help = "weight of the category's cross entropy")
        double weight,

        @Setting(usually = "0.1", least = 0, help = "weight of the numbers' squared error")
        double numbersWeight)
        implements Term, InformationCopies {
    /** @throws IllegalArgumentException if a weight is not finite and at least 0 */
    public Information {
        InformationCopies.check(weight, numbersWeight);
    }

    /** @throws IllegalArgumentException if there is no code, or the discriminator lacks a head */
    @Override
    public Value of(Pass pass) {
        Scored q = pass.onFake();
        RowCondition.Code code = pass.ofFake().requireCode("term " + key());
        Value all = scale(
                mean(softmaxCrossEntropy(q.head("category", code.categories(), "term " + key()), code.category())),
                weight);
        return code.numbers()
                .map(numbers -> {
                    Value error = sum(
                            square(subtract(q.head("numbers", numbers.shape().size(), "term " + key()), numbers)), 0);
                    return add(all, scale(mean(error), numbersWeight / 2));
                })
                .orElse(all);
    }

    @Override
    public Side side() {
        return Side.BOTH;
    }
}
