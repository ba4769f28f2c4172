package hocket.schedulers.optimizers;

/** The library whose form of an optimizer is used, where libraries differ. */
public enum Convention {
    /** PyTorch's {@code torch.optim}. */
    PYTORCH,
    /** DeepMind's Optax. */
    OPTAX
}
