package hocket.workbench.online;

import static hocket.programs.Layers.dense;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.square;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import hocket.programs.Graph;
import hocket.programs.Mode;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.schedulers.Budget;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.CheckpointPolicy;
import hocket.schedulers.checkpoint.CheckpointPolicy.IfRefused;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.feeds.ForwardingSource;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.state.State;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Streams;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A process that trains on what its clients, threads of its own, append meanwhile; to be killed. It leaves what each client was
 * told ({@code acked-N}: the sequence numbers that it was to go on with), and which rows the run was trained on, in the lineage
 * of the checkpoint that it goes on from ({@code trained}).
 */
final class OnlineProcess {
    static final int BATCH = 32;
    static final int ROW_BYTES = 16;
    private static final int CAPACITY = 2000;
    private static final int SEGMENT_BYTES = 40_000;
    private static final int MOST_ROWS = 20;
    private static final int LOST = 3;

    private OnlineProcess() {}

    /** @param args the run's folder, how many clients, rows of each, whether writes are forced */
    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        int clients = Integer.parseInt(args[1]);
        long each = Long.parseLong(args[2]);
        OnlineSource online =
                new OnlineSource("stream", Numbered.FORMAT, BATCH, CAPACITY, Boolean.parseBoolean(args[3]));
        Graph graph = new Graph();
        Network<Value, Value> net = graph.module("net", x -> dense("out", x, 1));
        Program program = Program.compile("fit", Mode.TRAIN, mean(square(net.apply(graph.input("x", Shape.of(2))))));
        Turn.Descend turn = Turn.of("fit", program).updates("net/**", sgd(1e-12));
        Path checkpoints = folder.resolve("checkpoints");
        try (Parameters parameters = Parameters.initialise(graph.declarations(), Streams.seed(1));
                Scheduler scheduler = Scheduler.over(parameters, 1);
                Trained trained = new Trained(online, folder.resolve("trained"))) {
            scheduler
                    .plan(Plan.sequence(turn))
                    .feed(trained, Resample.EACH_TURN)
                    .saveTo(checkpoints, new CheckpointPolicy(2, 0, 0, true, IfRefused.STOP));
            if (!Checkpoints.numbers(checkpoints).isEmpty()) {
                scheduler.resumeFrom(checkpoints);
            } else {
                trained.restore(trained.save().with("trained", 0));
            }
            try (OnlineQueues queues = OnlineQueues.open(List.of(online), folder, RowsObserver.NOBODY, SEGMENT_BYTES)) {
                scheduler
                        .ring(queues)
                        .ring(TriggeredAction.save(Trigger.everyRounds(7)))
                        .ring(TriggeredAction.saveAtEnd());
                List<Thread> threads = new ArrayList<>();
                for (int client = 0; client < clients; client++) {
                    Client one = new Client(folder, client, each, queues.of("stream"));
                    threads.add(new Thread(one));
                }
                threads.forEach(Thread::start);
                scheduler.run(Budget.rounds(clients * each / BATCH));
                scheduler.settle();
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
    }

    /** Writes down which rows are drawn, and takes that back with the run. */
    private static final class Trained extends ForwardingSource implements AutoCloseable {
        private final RandomAccessFile file;

        Trained(OnlineSource source, Path file) throws IOException {
            super(source);
            this.file = new RandomAccessFile(file.toFile(), "rw");
        }

        @Override
        public int next(Streams streams, Sink sink) {
            ByteBuffer[] columns = new ByteBuffer[3];
            int rows = super.next(streams, (column, count) -> {
                ByteBuffer asked = sink.column(column, count);
                columns[column] = asked == null ? ByteBuffer.allocate(8 * count).order(ByteOrder.nativeOrder()) : asked;
                return columns[column];
            });
            ByteBuffer lines = ByteBuffer.allocate(rows * ROW_BYTES);
            for (int i = 0; i < rows; i++) {
                lines.putLong(columns[0].getLong(8 * i)).putLong(columns[2].getLong(8 * i));
            }
            try {
                file.write(lines.array());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return rows;
        }

        @Override
        public State save() {
            try {
                return super.save().with("trained", file.getFilePointer());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void restore(State state) {
            super.restore(state);
            try {
                file.setLength(state.whole("trained"));
                file.seek(state.whole("trained"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    /** Appends rows in batches of chance, from some before those that it was told of on. */
    private record Client(Path folder, int number, long rows, DurableQueue queue) implements Runnable {
        @Override
        public void run() {
            try (RandomAccessFile told =
                    new RandomAccessFile(acked(folder, number).toFile(), "rw")) {
                long acknowledged = acknowledged(folder, number);
                told.seek(told.length() / Long.BYTES * Long.BYTES);
                Random random = new Random(31L * number + acknowledged);
                if (queue.next("client-" + number) < acknowledged) {
                    System.err.println("client " + number + " was told " + acknowledged + ", the queue has "
                            + queue.next("client-" + number));
                    Runtime.getRuntime().halt(LOST);
                }
                long next = Math.max(0, acknowledged - random.nextInt(2 * MOST_ROWS));
                while (next < rows) {
                    int count = (int) Math.min(rows - next, 1 + random.nextInt(MOST_ROWS));
                    try {
                        next = queue.append("client-" + number, next, Numbered.rows(number, next, count))
                                .next();
                        told.writeLong(next);
                    } catch (NotStoredException.Full e) {
                        Thread.sleep(2);
                    }
                }
            } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(LOST);
            }
        }
    }

    static Path acked(Path folder, int client) {
        return folder.resolve("acked-" + client);
    }

    /** The sequence number that a client was told last to go on with. */
    static long acknowledged(Path folder, int client) throws IOException {
        Path file = acked(folder, client);
        if (!Files.exists(file)) {
            return 0;
        }
        byte[] all = Files.readAllBytes(file);
        int whole = all.length / Long.BYTES;
        return whole == 0 ? 0 : ByteBuffer.wrap(all).getLong((whole - 1) * Long.BYTES);
    }
}
