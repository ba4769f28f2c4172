package hocket.schedulers;

import hocket.scopes.Tensor;

/** One item of a {@link State}: a leaf, or a state again. */
public sealed interface Saved permits Saved.Whole, Saved.Real, Saved.Text, Saved.Array, State {
    /** A whole number. */
    record Whole(long value) implements Saved {}

    /** A real number, any bits. */
    record Real(double value) implements Saved {}

    /** A text. */
    record Text(String value) implements Saved {}

    /** Numbers with a shape. */
    record Array(Tensor value) implements Saved {}
}
