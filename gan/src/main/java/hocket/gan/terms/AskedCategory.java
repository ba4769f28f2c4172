package hocket.gan.terms;

import static hocket.programs.Operators.add;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.scale;
import static hocket.programs.Operators.slice;

import hocket.gan.parts.Generated;
import hocket.gan.parts.Pass;
import hocket.gan.parts.RowCondition;
import hocket.gan.parts.RowLayout;
import hocket.gan.parts.RowLayout.Kind;
import hocket.gan.parts.Side;
import hocket.programs.Value;
import hocket.schedulers.settings.Keyed;
import hocket.schedulers.settings.Setting;
import java.util.Arrays;

/**
 * The generator loss of CTGAN (Xu et al. 2019, section 4.3): {@code weight · mean CE(l, c)}, where c is the category that is asked for and l are
 * the logits, the generator's head {@code logits}, of its column. In the public code as here, the logits are those before Gumbel noise.
 *
 * @param weight usually 1, at least 0
 */
@Keyed.Name("category")
public record AskedCategory(
        @Setting(usually = "1", least = 0, help = "weight of the cross entropy")
        double weight) implements Term, AskedCategoryCopies {
    /** @throws IllegalArgumentException if the weight is not finite and at least 0 */
    public AskedCategory {
        AskedCategoryCopies.check(weight);
    }

    /** @throws IllegalArgumentException if the rows are not of a table with categories, or the generator has no logits */
    @Override
    public Value of(Pass pass) {
        RowCondition.Table table = pass.ofFake().requireTable("term " + key());
        Value choice = table.choice()
                .orElseThrow(() -> new IllegalArgumentException(
                        "term " + key() + " needs a column of categories, and the table has none: remove the term"));
        Value logits = pass.requireLatents("term " + key()).head(Generated.LOGITS);
        int width = table.layout().size();
        int pack = logits.shape().size() / width;
        Value all = entropy(logits, choice, table.layout(), 0, pack);
        for (int row = 1; row < pack; row++) {
            all = add(all, entropy(logits, choice, table.layout(), row, pack));
        }
        return scale(mean(all), weight / pack);
    }

    /** The cross entropy of a row of a pack. */
    private static Value entropy(Value logits, Value choice, RowLayout layout, int row, int pack) {
        Value[] spans = Arrays.stream(layout.places(Kind.CATEGORY))
                .mapToObj(span -> {
                    int begin = row * layout.size() + layout.begin(span);
                    return logSoftmax(slice(
                            logits, 0, begin, begin + layout.spans().get(span).size()));
                })
                .toArray(Value[]::new);
        Value label = pack == 1 ? choice : reshape(slice(choice, 0, row, row + 1));
        return negate(pick(concat(0, spans), label));
    }

    @Override
    public Side side() {
        return Side.GENERATOR;
    }
}
