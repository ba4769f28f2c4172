package hocket.schedulers.optimizers;

/** Whose form of a rule that libraries write differently. */
public enum Convention {
    /** PyTorch's {@code torch.optim}. */
    PYTORCH,
    /** DeepMind's Optax. */
    OPTAX
}
