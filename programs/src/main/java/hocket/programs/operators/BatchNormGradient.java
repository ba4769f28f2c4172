package hocket.programs.operators;

import static hocket.programs.Operators.divide;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.shift;
import static hocket.programs.Operators.sqrt;
import static hocket.programs.Operators.square;
import static hocket.programs.Operators.subtract;
import static hocket.programs.operators.BatchNorm.ofChannels;
import static hocket.programs.operators.BatchNorm.ofRows;
import static hocket.programs.operators.BatchNorm.perChannel;

import hocket.programs.Value;
import hocket.programs.operators.Reduction.How;
import java.util.List;

/** Gradients of a batch norm that normalises by the batch, whose moments depend on the input. */
public sealed interface BatchNormGradient extends Composed {
    /** Returns the number added to the variance. */
    double epsilon();

    /** Returns whether scale and shift are those of each row, by the inputs of a value of this operator. */
    boolean isOfEachRow(List<Value> inputs);

    /** That by the input: of x, scale (channels) of all rows or of each, and the upstream gradient. */
    record ByInput(double epsilon) implements BatchNormGradient {
        @Override
        public Arity arity() {
            return Arity.THREE;
        }

        @Override
        public boolean isOfEachRow(List<Value> inputs) {
            return inputs.get(1).batched();
        }

        @Override
        public Value composed(List<Value> inputs) {
            Value x = inputs.get(0);
            Value deviation = deviation(x, epsilon);
            Value normalised = normalised(x, deviation);
            Value scale = inputs.get(1);
            Value scaled = scale.batched() ? multiply(inputs.get(2), perChannel(scale, x)) : inputs.get(2);
            Value factor = divide(scale.batched() ? x.graph().constant(1) : scale, deviation);
            Value along = perChannel(ofChannels(multiply(scaled, normalised), How.MEAN), x);
            Value centred = subtract(scaled, perChannel(ofChannels(scaled, How.MEAN), x));
            return multiply(subtract(centred, multiply(normalised, along)), perChannel(factor, x));
        }
    }

    /** That by the scale (channels) of all rows: of x and the upstream gradient. */
    record ByScale(double epsilon) implements BatchNormGradient {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public boolean isOfEachRow(List<Value> inputs) {
            return false;
        }

        @Override
        public Value composed(List<Value> inputs) {
            return ofChannels(along(inputs, epsilon), How.SUM);
        }
    }

    /** That by the scale (channels) of each row: of x and the upstream gradient. */
    record ByRowScale(double epsilon) implements BatchNormGradient {
        @Override
        public Arity arity() {
            return Arity.TWO;
        }

        @Override
        public boolean isOfEachRow(List<Value> inputs) {
            return true;
        }

        @Override
        public Value composed(List<Value> inputs) {
            return ofRows(along(inputs, epsilon), How.SUM);
        }
    }

    private static Value along(List<Value> inputs, double epsilon) {
        Value x = inputs.get(0);
        return multiply(inputs.get(1), normalised(x, deviation(x, epsilon)));
    }

    private static Value deviation(Value x, double epsilon) {
        Value mean = ofChannels(x, How.MEAN);
        Value variance = ofChannels(square(subtract(x, perChannel(mean, x))), How.MEAN);
        return sqrt(shift(variance, epsilon));
    }

    private static Value normalised(Value x, Value deviation) {
        return divide(subtract(x, perChannel(ofChannels(x, How.MEAN), x)), perChannel(deviation, x));
    }
}
