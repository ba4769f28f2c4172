package hocket.schedulers;

/** What a {@link Ring} is around: the rings inside it, and in their middle the thing itself. */
@FunctionalInterface
public interface Rest {
    /** Does it. What fails in there comes out here. */
    void go();
}
