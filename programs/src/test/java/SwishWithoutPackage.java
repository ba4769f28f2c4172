import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.sigmoid;

import hocket.programs.Value;
import hocket.programs.operators.Composed;
import java.util.List;

/** An operator as a newcomer's first file has it. */
record SwishWithoutPackage(double slope) implements Composed {
    @Override
    public Value composed(List<Value> inputs) {
        Value x = inputs.get(0);
        return multiply(x, sigmoid(scale(x, slope)));
    }
}
