package hocket.scopes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.scopes.Declaration.Fan;
import hocket.scopes.Declaration.Kind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ParametersTest {
    private static final Declaration WEIGHT = declaration("generator/conv1/weight", Shape.of(2, 3));
    private static final Declaration BIAS = declaration("generator/conv1/bias", Shape.of(2));
    private static final Declaration LOGIT = declaration("discriminator/logit/weight", Shape.of(4));

    private final Parameters parameters = store(WEIGHT, BIAS, LOGIT);

    private static Declaration declaration(String path, Shape shape) {
        return declaration(path, shape, ElementType.FLOAT32);
    }

    private static Declaration declaration(String path, Shape shape, ElementType type) {
        return new Declaration(Path.of(path), shape, type, Initialiser.he(), Fan.NONE, Kind.WEIGHT);
    }

    private static Parameters store(Declaration... declarations) {
        return Parameters.initialise(List.of(declarations), Streams.seed(7), Device.jvm());
    }

    @AfterEach
    void close() {
        parameters.adopt();
        parameters.close();
    }

    /** Memory that knows what was not given back, and may be short. */
    private static final class CountingDevice implements Device {
        private final int arrays;
        private final List<Array> open = new ArrayList<>();
        private boolean updates;

        CountingDevice(int arrays) {
            this.arrays = arrays;
        }

        @Override
        public String name() {
            return "counting";
        }

        @Override
        public void update(Runnable update) {
            updates = true;
            try {
                update.run();
            } finally {
                updates = false;
            }
        }

        @Override
        public Array allocate(Shape shape, ElementType type) {
            if (open.size() == arrays) {
                throw new IllegalStateException("no memory left");
            }
            Array array = Device.jvm().allocate(shape, type);
            Array counted = new Array() {
                @Override
                public Device device() {
                    return CountingDevice.this;
                }

                @Override
                public Shape shape() {
                    return array.shape();
                }

                @Override
                public ElementType type() {
                    return array.type();
                }

                @Override
                public HostView view() {
                    return array.view();
                }

                @Override
                public void close() {
                    open.remove(this);
                    array.close();
                }
            };
            open.add(counted);
            return counted;
        }
    }

    @Nested
    class Initialising {
        @Test
        void theSameSeedAndPathGiveTheSameBitsWhateverElseIsDeclared() {
            try (Parameters same = store(LOGIT, WEIGHT, BIAS);
                    Parameters fewer = store(WEIGHT);
                    Parameters more = store(WEIGHT, declaration("generator/conv0/weight", Shape.of(9)), BIAS, LOGIT)) {
                assertThat(same.digest()).isEqualTo(parameters.digest());
                assertThat(fewer.tensor("generator/conv1/weight"))
                        .isEqualTo(parameters.tensor("generator/conv1/weight"))
                        .isEqualTo(more.tensor("generator/conv1/weight"));
            }
        }

        @Test
        void anotherSeedOrPathGivesOtherBits() {
            Declaration twin = declaration("generator/conv2/weight", Shape.of(2, 3));
            try (Parameters other = Parameters.initialise(List.of(WEIGHT, twin), Streams.seed(8), Device.jvm())) {
                assertThat(other.tensor("generator/conv1/weight"))
                        .isNotEqualTo(parameters.tensor("generator/conv1/weight"))
                        .isNotEqualTo(other.tensor("generator/conv2/weight"));
            }
        }

        @Test
        void float32IsFloat64Rounded() {
            try (Parameters twice = store(declaration("generator/conv1/weight", Shape.of(2, 3), ElementType.FLOAT64))) {
                assertThat(twice.tensor("generator/conv1/weight").floats())
                        .isEqualTo(parameters.tensor("generator/conv1/weight").floats());
            }
        }

        @Test
        void aPathDeclaredTwiceIsRefusedAndNothingIsLeftAllocated() {
            CountingDevice device = new CountingDevice(9);
            assertThatThrownBy(() -> Parameters.initialise(List.of(WEIGHT, BIAS, WEIGHT), Streams.seed(7), device))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("parameter generator/conv1/weight is declared twice");
            assertThat(device.open).isEmpty();
        }

        @Test
        void aDeviceThatFailsHalfwayGetsItsArraysBack() {
            CountingDevice device = new CountingDevice(2);
            assertThatThrownBy(() -> Parameters.initialise(List.of(WEIGHT, BIAS, LOGIT), Streams.seed(7), device))
                    .hasMessage("no memory left");
            assertThat(device.open).isEmpty();
        }

        @Test
        void theStreamsAreKept() {
            try (Parameters plain = Parameters.initialise(List.of(WEIGHT), Streams.seed(7))) {
                assertThat(plain.streams()).isEqualTo(Streams.seed(7));
            }
        }
    }

    @Nested
    class MovingToAnEngine {
        private final Path path = Path.of("generator/conv1/bias");
        private final Parameters.Cell cell = parameters.cell(path);

        @Test
        void aParameterKeepsItsValuesAndItsNumberOfWrites() {
            parameters.set(path.text(), 0.1, -2);
            String digest = parameters.digest();
            ByteBuffer before = cell.buffer();
            CountingDevice engine = new CountingDevice(9);
            Device.Array there = cell.array(engine);
            assertThat(parameters.digest()).isEqualTo(digest);
            assertThat(cell.version()).isEqualTo(1);
            cell.buffer().putFloat(0, 5);
            assertThat(there.buffer().getFloat(0)).isEqualTo(5);
            assertThat(before.getFloat(0)).isEqualTo(0.1f);
            assertThat(cell.array(engine)).isSameAs(there);
            assertThat(engine.open).containsExactly(there);
            parameters.close();
            assertThat(engine.open).isEmpty();
        }

        @Test
        void whatTheStoreBeganInIsGivenBack() {
            CountingDevice first = new CountingDevice(1);
            try (Parameters store = Parameters.initialise(List.of(BIAS), Streams.seed(7), first)) {
                store.cell(path).array(new CountingDevice(1));
                assertThat(first.open).isEmpty();
            }
        }

        @Test
        void aWriteIsAnUpdateOfEachDeviceThatHoldsParameters() {
            CountingDevice first = new CountingDevice(2);
            CountingDevice engine = new CountingDevice(1);
            try (Parameters store = Parameters.initialise(List.of(WEIGHT, BIAS), Streams.seed(7), first)) {
                Parameters.Cell moved = store.cell(path);
                List<Boolean> seen = new ArrayList<>();
                Runnable writing = () -> seen.addAll(List.of(first.updates, engine.updates));
                store.write(List.of(moved), writing);
                moved.array(engine);
                store.write(List.of(moved), writing);
                assertThat(seen).containsExactly(true, false, true, true);
                assertThat(first.updates || engine.updates).isFalse();
            }
        }

        @Test
        void anEngineWithoutMemoryLeavesTheParameterWhereItWas() {
            Tensor values = parameters.tensor(path.text());
            assertThatThrownBy(() -> cell.array(new CountingDevice(0))).hasMessage("no memory left");
            assertThat(parameters.tensor(path.text())).isEqualTo(values);
            cell.array(new CountingDevice(1));
            assertThat(parameters.tensor(path.text())).isEqualTo(values);
        }

        @Test
        void aSecondEngineIsRefused() {
            cell.array(new CountingDevice(1));
            assertThatThrownBy(() -> cell.array(new CountingDevice(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "generator/conv1/bias: is in memory of counting for another program, and this one needs it"
                                    + " in memory of counting");
        }
    }

    @Nested
    class Writing {
        @Test
        void whatIsSetIsReadAndCounted() {
            assertThat(parameters.version("generator/conv1/bias")).isZero();
            parameters.set("generator/conv1/bias", 0.1, -2);
            assertThat(parameters.tensor("generator/conv1/bias")).isEqualTo(Tensor.of(Shape.of(2), 0.1f, -2f));
            assertThat(parameters.version("generator/conv1/bias")).isEqualTo(1);
            assertThat(parameters.version("generator/conv1/weight")).isZero();
        }

        @Test
        void whatACellWritesIsSeenByAllAndCounted() {
            Parameters.Cell cell = parameters.cell(Path.of("generator/conv1/bias"));
            cell.buffer().putFloat(0, 5).putFloat(4, 6);
            cell.written();
            assertThat(parameters.tensor("generator/conv1/bias").floats()).containsExactly(5, 6);
            assertThat(parameters.version("generator/conv1/bias")).isEqualTo(1).isEqualTo(cell.version());
            assertThat(cell.declaration()).isEqualTo(BIAS);
            assertThat(parameters.cell(Path.of("generator/conv1/bias"))).isSameAs(cell);
        }

        @Test
        void whatIsWrittenCountsAlsoWhereWritingFailsHalfWay() {
            Parameters.Cell cell = parameters.cell(Path.of("generator/conv1/bias"));
            assertThatThrownBy(() -> parameters.write(List.of(cell), () -> {
                        cell.buffer().putFloat(0, 5);
                        throw new IllegalStateException("half-way");
                    }))
                    .hasMessage("half-way");
            assertThat(parameters.version("generator/conv1/bias")).isEqualTo(1);
            assertThat(parameters.version("generator/conv1/weight")).isZero();
            assertThat(parameters.writes()).isEqualTo(1);
            parameters.write(List.of(cell), () -> cell.buffer().putFloat(4, 6));
            assertThat(parameters.version("generator/conv1/bias")).isEqualTo(2);
        }

        @Test
        void theWrongNumberOfValuesIsRefusedAndNothingIsWritten() {
            String digest = parameters.digest();
            assertThatThrownBy(() -> parameters.set("generator/conv1/weight", 1, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("generator/conv1/weight: shape (2,3) needs 6 values, got 2");
            assertThat(parameters.digest()).isEqualTo(digest);
            assertThat(parameters.version("generator/conv1/weight")).isZero();
        }

        @Test
        void aPathThatIsNotThereSaysWhatIsNear() {
            String message = "there is no parameter generator/conv2/bias; did you mean generator/conv1/bias?";
            String path = "generator/conv2/bias";
            assertThatThrownBy(() -> parameters.tensor(path)).hasMessage(message);
            assertThatThrownBy(() -> parameters.set(path, 1, 2)).hasMessage(message);
            assertThatThrownBy(() -> parameters.version(path)).hasMessage(message);
            assertThatThrownBy(() -> parameters.declaration(Path.of(path))).hasMessage(message);
        }

        @Test
        void aTensorIsACopy() {
            Tensor before = parameters.tensor("generator/conv1/bias");
            Tensor copy = parameters.tensor("generator/conv1/bias");
            parameters.set("generator/conv1/bias", 8, 9);
            assertThat(copy).isEqualTo(before);
        }
    }

    @Nested
    class Copying {
        @Test
        void aTargetThatIsNotThereIsDeclaredWithTheValuesOfNow() {
            parameters.set("generator/conv1/bias", 3, 4);
            assertThat(parameters.copy("generator/**", "ema/generator/**")).isSameAs(parameters);
            assertThat(parameters.tensor("ema/generator/conv1/bias").floats()).containsExactly(3, 4);
            assertThat(parameters.declaration(Path.of("ema/generator/conv1/weight")))
                    .isEqualTo(WEIGHT.at(Path.of("ema/generator/conv1/weight")));
            assertThat(parameters.declarations()).hasSize(5);
            parameters.set("generator/conv1/bias", 5, 6);
            assertThat(parameters.tensor("ema/generator/conv1/bias").floats()).containsExactly(3, 4);
        }

        @Test
        void aTargetThatIsThereIsOverwrittenAndCounted() {
            parameters.copy("generator/**", "ema/generator/**");
            parameters.set("generator/conv1/bias", 5, 6);
            long version = parameters.version("ema/generator/conv1/bias");
            parameters.copy("generator/**", "ema/generator/**");
            assertThat(parameters.tensor("ema/generator/conv1/bias").floats()).containsExactly(5, 6);
            assertThat(parameters.version("ema/generator/conv1/bias")).isEqualTo(version + 1);
            assertThat(parameters.declarations()).hasSize(5);
        }

        @Test
        void copiesThatOverlapTakeTheValuesFromBefore() {
            try (Parameters store = store(
                    declaration("old/w", Shape.of(1)),
                    declaration("old/old/w", Shape.of(1)),
                    declaration("old/old/old/w", Shape.of(1)))) {
                store.set("old/w", 1);
                store.set("old/old/w", 2);
                store.set("old/old/old/w", 3);
                store.copy("old/old/**", "old/**");
                assertThat(store.tensor("old/w").scalar()).isEqualTo(2);
                assertThat(store.tensor("old/old/w").scalar()).isEqualTo(3);
                assertThat(store.tensor("old/old/old/w").scalar()).isEqualTo(3);
            }
        }

        @Test
        void aTargetOfAnotherShapeOrTypeIsRefusedAndNothingIsDeclaredOrWritten() {
            try (Parameters store = store(
                    WEIGHT,
                    BIAS,
                    declaration("ema/conv1/bias", Shape.of(2)),
                    declaration("ema/conv1/weight", Shape.of(3, 2)),
                    declaration("twice/conv1/weight", Shape.of(2, 3), ElementType.FLOAT64))) {
                String digest = store.digest();
                assertThatThrownBy(() -> store.copy("generator/**", "ema/**"))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage(
                                "ema/conv1/weight: is FLOAT32(3,2), and generator/conv1/weight to be copied there is"
                                        + " FLOAT32(2,3)");
                assertThatThrownBy(() -> store.copy("generator/**", "twice/**"))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("FLOAT64(2,3)");
                assertThat(store.digest()).isEqualTo(digest);
                assertThat(store.contains(Path.of("twice/conv1/bias"))).isFalse();
                assertThat(store.version("ema/conv1/bias")).isZero();
            }
        }

        @Test
        void aDeviceThatFailsHalfwayLeavesTheStoreAsItWas() {
            CountingDevice device = new CountingDevice(3);
            try (Parameters store = Parameters.initialise(List.of(WEIGHT, BIAS), Streams.seed(7), device)) {
                String digest = store.digest();
                assertThatThrownBy(() -> store.copy("generator/**", "ema/**")).hasMessage("no memory left");
                assertThat(store.digest()).isEqualTo(digest);
                assertThat(store.declarations()).containsExactly(BIAS, WEIGHT);
                assertThat(device.open).hasSize(2);
            }
            assertThat(device.open).isEmpty();
        }

        @Test
        void aSourceThatMatchesNothingSaysWhatIsNear() {
            assertThatThrownBy(() -> parameters.copy("generatr/**", "ema/**"))
                    .hasMessage("selection generatr/** matches no parameter; did you mean generator/**?");
        }
    }

    @Nested
    class Restoring {
        @Test
        void aSnapshotBringsBackEveryBitAndCountsAsAWrite() {
            String digest = parameters.digest();
            Snapshot snapshot = parameters.snapshot();
            parameters.set("generator/conv1/bias", 8, 9);
            parameters.set("discriminator/logit/weight", 1, 2, 3, 4);
            assertThat(parameters.digest()).isNotEqualTo(digest);
            parameters.restore(snapshot);
            assertThat(parameters.digest()).isEqualTo(digest).isEqualTo(snapshot.digest());
            assertThat(parameters.version("generator/conv1/bias")).isEqualTo(2);
        }

        @Test
        void whatASnapshotDoesNotHoldKeepsItsValues() {
            Snapshot snapshot = parameters.snapshot(Selection.of("generator/**"));
            assertThat(snapshot.tensors()).hasSize(2);
            parameters.set("discriminator/logit/weight", 1, 2, 3, 4);
            parameters.restore(snapshot);
            assertThat(parameters.tensor("discriminator/logit/weight").floats()).containsExactly(1, 2, 3, 4);
        }

        @Test
        void aWrongShapeTypeOrPathIsRefusedAndEverythingStaysAsItWas() {
            String digest = parameters.digest();
            refuse(
                    "generator/conv1/weight",
                    Tensor.of(Shape.of(3, 2), new float[6]),
                    "generator/conv1/weight: the store has FLOAT32(2,3), the snapshot FLOAT32(3,2)");
            refuse(
                    "generator/conv1/weight",
                    Tensor.of(Shape.of(2, 3), new double[6]),
                    "generator/conv1/weight: the store has FLOAT32(2,3), the snapshot FLOAT64(2,3)");
            refuse(
                    "generator/conv2/bias",
                    Tensor.of(Shape.of(2), new float[2]),
                    "there is no parameter generator/conv2/bias; did you mean generator/conv1/bias?");
            assertThat(parameters.digest()).isEqualTo(digest);
            assertThat(parameters.version("discriminator/logit/weight")).isZero();
        }

        private void refuse(String path, Tensor tensor, String message) {
            SortedMap<Path, Tensor> tensors = new TreeMap<>();
            tensors.put(Path.of("discriminator/logit/weight"), Tensor.of(Shape.of(4), 1f, 2f, 3f, 4f));
            tensors.put(Path.of(path), tensor);
            assertThatThrownBy(() -> parameters.restore(new Snapshot(tensors)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(message);
        }
    }

    @Nested
    class Digesting {
        @Test
        void oneBitChangesTheDigestOfTheSelectionsThatHoldItAndOfNoOther() {
            String all = parameters.digest();
            String generator = parameters.digest(Selection.of("generator/**"));
            String discriminator = parameters.digest(Selection.of("discriminator/**"));
            ByteBuffer buffer =
                    parameters.cell(Path.of("generator/conv1/weight")).buffer();
            buffer.put(20, (byte) (buffer.get(20) ^ 1));
            assertThat(parameters.digest()).isNotEqualTo(all);
            assertThat(parameters.digest(Selection.of("generator/**"))).isNotEqualTo(generator);
            assertThat(parameters.digest(Selection.of("discriminator/**"))).isEqualTo(discriminator);
            buffer.put(20, (byte) (buffer.get(20) ^ 1));
            assertThat(parameters.digest()).isEqualTo(all);
        }

        @Test
        void zerosOfEitherSignDiffer() {
            parameters.set("generator/conv1/bias", 0.0, 0.0);
            String digest = parameters.digest();
            parameters.set("generator/conv1/bias", 0.0, -0.0);
            assertThat(parameters.digest()).isNotEqualTo(digest);
        }

        @Test
        void theFirstValuesNeverChange() {
            assertThat(parameters.digest())
                    .isEqualTo("f9df138699849c1938d820ccf31bd557745da120000aa20d4b6d05257133b417");
        }
    }

    @Nested
    class Owning {
        @Test
        void anotherThreadIsRefusedWithBothNames() throws InterruptedException {
            Parameters.Cell cell = parameters.cell(Path.of("generator/conv1/bias"));
            List<ThrowingCallable> uses = List.of(
                    () -> parameters.tensor("generator/conv1/bias"),
                    () -> parameters.set("generator/conv1/bias", 1, 2),
                    parameters::snapshot,
                    parameters::digest,
                    () -> parameters.copy("generator/**", "ema/**"),
                    () -> parameters.restore(new Snapshot(new TreeMap<>())),
                    parameters::touch,
                    parameters::close,
                    cell::buffer,
                    () -> cell.array(new CountingDevice(1)),
                    cell::written);
            String owner = Thread.currentThread().getName();
            inThread("intruder", () -> {
                for (ThrowingCallable use : uses) {
                    assertThatThrownBy(use)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContainingAll("belong to thread " + owner, "thread intruder", "adopt()");
                }
                assertThat(parameters.declarations()).hasSize(3);
                assertThat(parameters.toString()).contains("generator/conv1/bias");
            });
            assertThat(parameters.version("generator/conv1/bias")).isZero();
        }

        @Test
        void aThreadThatAdoptsTheStoreOwnsItAndTheFormerOneNoLonger() throws InterruptedException {
            inThread("heir", () -> {
                parameters.adopt();
                parameters.set("generator/conv1/bias", 1, 2);
            });
            assertThatThrownBy(() -> parameters.tensor("generator/conv1/bias"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("belong to thread heir");
            parameters.adopt();
            assertThat(parameters.tensor("generator/conv1/bias").floats()).containsExactly(1, 2);
        }

        @Test
        void aSnapshotMayBeReadByAnyThread() throws InterruptedException {
            Snapshot snapshot = parameters.snapshot();
            String digest = parameters.digest();
            inThread("reader", () -> assertThat(snapshot.digest()).isEqualTo(digest));
        }

        private void inThread(String name, ThrowingCallable task) throws InterruptedException {
            AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            task.call();
                        } catch (Throwable e) {
                            thrown.set(e);
                        }
                    },
                    name);
            thread.start();
            thread.join();
            assertThat(thrown.get()).isNull();
        }
    }

    @Nested
    class Closing {
        @Test
        void everyArrayIsGivenBackOnce() {
            CountingDevice device = new CountingDevice(3);
            Parameters store = Parameters.initialise(List.of(WEIGHT, BIAS, LOGIT), Streams.seed(7), device);
            assertThat(device.open).hasSize(3);
            store.close();
            assertThat(device.open).isEmpty();
            assertThatCode(store::close).doesNotThrowAnyException();
        }

        @Test
        void whatIsUsedAfterwardsSaysSo() {
            Parameters.Cell cell = parameters.cell(Path.of("generator/conv1/bias"));
            parameters.close();
            for (ThrowingCallable use : List.<ThrowingCallable>of(
                    () -> parameters.tensor("generator/conv1/bias"),
                    () -> parameters.set("generator/conv1/bias", 1, 2),
                    parameters::snapshot,
                    () -> parameters.snapshot(Selection.of("**")),
                    parameters::digest,
                    () -> parameters.copy("generator/**", "ema/**"),
                    () -> parameters.restore(new Snapshot(new TreeMap<>())),
                    parameters::touch,
                    cell::buffer,
                    () -> cell.array(new CountingDevice(1)),
                    cell::written)) {
                assertThatThrownBy(use)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("the parameters are closed");
            }
        }

        @Test
        void anEmptyStoreClosedSaysSoToo() {
            Parameters empty = store();
            assertThat(empty.snapshot().tensors()).isEmpty();
            empty.close();
            assertThatThrownBy(empty::snapshot).hasMessage("the parameters are closed");
        }
    }
}
