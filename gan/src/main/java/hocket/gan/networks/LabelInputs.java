package hocket.gan.networks;

import static hocket.programs.Layers.conditionalBatchNorm;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Operators.concat;
import static hocket.programs.Operators.flatten;
import static hocket.programs.Operators.oneHot;
import static hocket.programs.Operators.reshape;

import hocket.gan.parts.RowCondition;
import hocket.programs.Layers;
import hocket.programs.Value;
import hocket.scopes.Shape;

/** How networks read labels: by embeddings named {@code label} next to their inputs, or in batch norms; without labels, nothing. */
public final class LabelInputs {
    private LabelInputs() {}

    /** Joins a row (n), such as noise, and an embedding of its size; or a category of a table, one-hot. */
    static Value beside(Value row, RowCondition condition) {
        if (condition.table().isPresent()) {
            RowCondition.Table table = condition.table().get();
            return table.choice()
                    .map(choice ->
                            concat(0, row, flatten(oneHot(choice, table.layout().choices()))))
                    .orElse(row);
        }
        return condition
                .label()
                .map(label -> concat(
                        0,
                        row,
                        embedding(
                                "label", label, condition.classes(), row.shape().get(0))))
                .orElse(row);
    }

    /** Joins noise with what a generator reads besides: an embedding of the label, and a code. */
    public static Value ofGenerator(Value latent, RowCondition condition) {
        return withCode(beside(latent, condition), condition);
    }

    /** Joins a row (n) and a code: the category one-hot, and the numbers. */
    static Value withCode(Value labelled, RowCondition condition) {
        return condition
                .code()
                .map(code -> {
                    Value category = oneHot(code.category(), code.categories());
                    return code.numbers()
                            .map(numbers -> concat(0, labelled, category, numbers))
                            .orElseGet(() -> concat(0, labelled, category));
                })
                .orElse(labelled);
    }

    /** Joins an image (channels, height, width) and an embedding as a further channel. */
    static Value asChannel(Value image, RowCondition condition) {
        Shape plane = image.shape().with(0, 1);
        return condition
                .label()
                .map(label -> concat(
                        0,
                        image,
                        reshape(embedding("label", label, condition.classes(), plane.size()), plane.extents())))
                .orElse(image);
    }

    /** Normalises by the batch, with a gain and a bias for each class if there are labels. */
    static Value batchNorm(String name, Value x, RowCondition condition) {
        return condition
                .label()
                .map(label -> conditionalBatchNorm(name, x, label, condition.classes()))
                .orElseGet(() -> Layers.batchNorm(name, x));
    }
}
