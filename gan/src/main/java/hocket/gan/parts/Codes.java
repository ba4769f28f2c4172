package hocket.gan.parts;

import hocket.programs.Graph;
import hocket.programs.Value;
import hocket.programs.operators.Leaf.Distribution;
import hocket.programs.operators.Leaf.Redraw;
import hocket.schedulers.Columns;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;
import java.util.Collections;
import java.util.Optional;

/**
 * A code that the generator reads besides its noise, for an InfoGAN (Chen et al. 2016): a category, each equally often, and
 * uniform numbers in -1..1. The discriminator does not read it; the term {@code information} makes it recognise it. Noise
 * {@code category} and {@code numbers}.
 *
 * @param categories number of categories
 * @param numbers number of further numbers
 */
public record Codes(
        @Setting(usually = "10", least = 2, help = "number of categories")
        int categories,

        @Setting(usually = "2", least = 0, help = "number of further numbers, uniform in -1..1")
        int numbers)
        implements ConditionDefinition, CodesCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public Codes {
        CodesCopies.check(categories, numbers);
    }

    @Override
    public Conditions of(Graph graph, Columns columns, Redraw noise) {
        Value category = Categories.drawn(graph, "category", Collections.nCopies(categories, 1.0), noise);
        Optional<Value> uniform = numbers == 0
                ? Optional.empty()
                : Optional.of(graph.noise("numbers", Shape.of(numbers), new Distribution.Uniform(-1, 1), noise));
        RowCondition fake = RowCondition.of(new RowCondition.Code(category, categories, uniform));
        return new Conditions(RowCondition.none(), fake, fake);
    }
}
