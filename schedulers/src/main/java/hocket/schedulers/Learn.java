package hocket.schedulers;

/**
 * The innermost ring of every scheduler, which lets turns update parameters. Without this ring the same rings run
 * inference: descending turns run as EVAL programs on the same sources, with dropout off and running statistics, and
 * emit their events. The store is not written, and turns that average or act are skipped.
 *
 * <p>For example:
 *
 * <pre>{@code
 * scheduler.without(Learn.NAME); // the same rings without updates
 * }</pre>
 */
public record Learn() implements Ring {
    /** The name of this ring. */
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
