package hocket.schedulers;

/**
 * The innermost ring, which every scheduler begins with: what lets turns learn. Without it the same onion infers: turns that
 * descend a loss are computed as EVAL programs on the same sources, with dropout off and running statistics, and heard as
 * ever; nothing of the store is written, and turns that average or act are left out.
 */
public record Learn() implements Ring {
    /** What it is called. */
    public static final String NAME = "learn";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int order() {
        return Integer.MAX_VALUE;
    }
}
