package hocket.workbench.live.inference;

import hocket.scopes.Tensor;
import java.util.List;

/**
 * The outputs of a model.
 *
 * @param step turn of its parameters
 * @param outputs outputs of shape (rows, ...), in the order of {@link Servable#outputs}
 */
public record InferenceResult(long step, List<Tensor> outputs) {}
