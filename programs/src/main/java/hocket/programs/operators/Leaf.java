package hocket.programs.operators;

import hocket.programs.Value;
import hocket.scopes.Declaration;
import hocket.scopes.Declaration.Kind;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;
import hocket.scopes.Stream;
import hocket.scopes.Tensor;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A leaf of a graph, which has no inputs. */
public sealed interface Leaf extends Primitive {
    @Override
    default Arity arity() {
        return Arity.NONE;
    }

    @Override
    default <R> @Nullable R rule(Rules<R> rules) {
        return rules.leaf(this);
    }

    /** Returns this leaf with values of a floating type; one of INT64 returns itself. */
    Leaf in(ElementType floatType);

    private static ElementType type(ElementType own, ElementType floatType) {
        return own.isFloating() ? floatType : own;
    }

    /** A fed input: a batch of rows, each of this shape and type. */
    record Input(Shape shape, ElementType type) implements Leaf {
        @Override
        public Input in(ElementType floatType) {
            return new Input(shape, Leaf.type(type, floatType));
        }

        @Override
        public Result check(List<Value> inputs) {
            return new Result(shape, true, type);
        }
    }

    /** Hocket's own noise: a batch of draws, keyed by seed, path and turn (or round). */
    record Noise(Shape shape, ElementType type, Distribution distribution, Redraw redraw) implements Leaf {
        /** @throws IllegalArgumentException if rows share noise of another size */
        public Noise {
            if (distribution instanceof Distribution.SharedNormal shared && shared.size() != shape.size()) {
                throw new IllegalArgumentException("noise that rows share must have the " + shape.size()
                        + " numbers of a row, has " + shared.size());
            }
        }

        @Override
        public Noise in(ElementType floatType) {
            return new Noise(shape, Leaf.type(type, floatType), distribution, redraw);
        }

        @Override
        public String settings() {
            return distribution.settings() + (redraw == Redraw.EACH_ROUND ? " each round" : "");
        }

        @Override
        public Result check(List<Value> inputs) {
            return new Result(shape, true, type);
        }
    }

    /** A parameter of the store. */
    record Variable(Declaration declaration) implements Leaf {
        @Override
        public Variable in(ElementType floatType) {
            return new Variable(declaration.in(Leaf.type(declaration.type(), floatType)));
        }

        @Override
        public String kind() {
            return "parameter";
        }

        @Override
        public Result check(List<Value> inputs) {
            return new Result(declaration.shape(), false, declaration.type());
        }
    }

    /** Numbers that never change, the same for every row. */
    record Constant(Tensor value) implements Leaf {
        @Override
        public Constant in(ElementType floatType) {
            return new Constant(value.in(Leaf.type(value.type(), floatType)));
        }

        @Override
        public String settings() {
            return value.shape().size() == 1 ? Double.toString(value.get(0)) : "";
        }

        @Override
        public Result check(List<Value> inputs) {
            return new Result(value.shape(), false, value.type());
        }
    }

    /** @throws IllegalArgumentException unless a value is a running statistic of the store */
    static void requireStatistic(Value value) {
        Operator.require(
                value.operator() instanceof Variable variable
                        && variable.declaration().kind() == Kind.RUNNING_STATISTIC,
                "needs a running statistic, got " + value);
    }

    /** The rule for resampling noise. */
    enum Redraw {
        /** New values in every turn. */
        EACH_TURN,
        /** Once a round, the same for all turns of it. */
        EACH_ROUND
    }

    /** The distribution of noise. */
    sealed interface Distribution {
        /** Returns its settings for people: {@code uniform from -1.0 to 1.0}. */
        String settings();

        /**
         * Writes samples.
         *
         * @param counter numbers the draw: of one stream and counter the samples are the same
         */
        void sample(Stream stream, long counter, ByteBuffer out, ElementType type, int count);

        /** Independent standard normals. */
        record Normal() implements Distribution {
            @Override
            public String settings() {
                return "normal";
            }

            @Override
            public void sample(Stream stream, long counter, ByteBuffer out, ElementType type, int count) {
                stream.normal(counter, out, type, count);
            }
        }

        /**
         * Independent standard normals that all rows share.
         *
         * @param size the numbers of a row
         */
        record SharedNormal(int size) implements Distribution {
            /** @throws IllegalArgumentException if a row has no numbers */
            public SharedNormal {
                if (size < 1) {
                    throw new IllegalArgumentException("numbers of a row must be at least 1, were " + size);
                }
            }

            @Override
            public String settings() {
                return "normal, the same in each row";
            }

            @Override
            public void sample(Stream stream, long counter, ByteBuffer out, ElementType type, int count) {
                stream.normal(counter, out, type, Math.min(size, count));
                int row = size * type.bytes();
                for (int at = row; at < count * type.bytes(); at += row) {
                    out.put(at, out, 0, row);
                }
            }
        }

        /** Independent uniforms in [low, high). */
        record Uniform(double low, double high) implements Distribution {
            /** @throws IllegalArgumentException unless low is below high and both are finite */
            public Uniform {
                if (!(low < high) || Double.isInfinite(low) || Double.isInfinite(high)) {
                    throw new IllegalArgumentException(
                            "uniform noise needs finite bounds, the lower first, got " + low + " and " + high);
                }
            }

            @Override
            public String settings() {
                return "uniform from " + low + " to " + high;
            }

            @Override
            public void sample(Stream stream, long counter, ByteBuffer out, ElementType type, int count) {
                stream.uniform(counter, low, high, out, type, count);
            }
        }

        /** A dropout mask: 0 with probability {@code rate}, else 1/(1 - rate). */
        record Mask(double rate) implements Distribution {
            /** @throws IllegalArgumentException if the rate is not in [0, 1) */
            public Mask {
                if (!(rate >= 0 && rate < 1)) {
                    throw new IllegalArgumentException("dropout: rate must be in [0, 1), was " + rate);
                }
            }

            @Override
            public String settings() {
                return "mask rate " + rate;
            }

            @Override
            public void sample(Stream stream, long counter, ByteBuffer out, ElementType type, int count) {
                stream.mask(counter, rate, out, type, count);
            }
        }

        /**
         * Not random: the group of each row as a one-hot vector (groups), where row r is in group {@code r mod groups}.
         *
         * @param groups the extent of a row
         */
        record RowGroup(int groups) implements Distribution {
            /** @throws IllegalArgumentException if there is no group */
            public RowGroup {
                if (groups < 1) {
                    throw new IllegalArgumentException("groups of rows must be at least 1, were " + groups);
                }
            }

            @Override
            public String settings() {
                return "group of the row, of " + groups;
            }

            @Override
            public void sample(Stream stream, long counter, ByteBuffer out, ElementType type, int count) {
                for (int i = 0; i < count; i++) {
                    int member = i / groups % groups == i % groups ? 1 : 0;
                    if (type == ElementType.FLOAT64) {
                        out.putDouble(i * Double.BYTES, member);
                    } else {
                        out.putFloat(i * Float.BYTES, member);
                    }
                }
            }
        }
    }
}
