package hocket.schedulers.optimizers;

/** Ascends: turns the gradient round, as PyTorch's {@code maximize}. First in a chain, or right behind clipping. */
public record Maximize() implements Link {
    @Override
    public void update(Chunk chunk) {
        Sums.scale(chunk.update(), chunk.length(), -1);
    }
}
