package hocket.schedulers;

import hocket.programs.BoundProgram;
import hocket.programs.Value;
import hocket.scopes.Nearest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A source on its way into programs: straight into their buffers, or over one batch that is kept for the round. */
final class Feeding {
    /** The columns of the source in one program's buffers. */
    private static final class Straight implements Source.Sink {
        final BoundProgram program;
        final int[] positions;

        Straight(BoundProgram program, int[] positions) {
            this.program = program;
            this.positions = positions;
        }

        @Override
        public @Nullable ByteBuffer column(int column, int rows) {
            return positions[column] < 0 ? null : program.feed(positions[column], rows);
        }
    }

    /** The batch of a round. */
    private static final class Kept implements Source.Sink {
        final List<Source.Column> columns;
        final ByteBuffer[] buffers;
        int rows;
        long round = -1;

        Kept(List<Source.Column> columns) {
            this.columns = columns;
            this.buffers = new ByteBuffer[columns.size()];
        }

        @Override
        public ByteBuffer column(int column, int count) {
            Source.Column of = columns.get(column);
            int bytes = Math.multiplyExact(of.shape().size() * of.type().bytes(), count);
            ByteBuffer buffer = buffers[column];
            if (buffer == null || buffer.capacity() < bytes) {
                buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
                buffers[column] = buffer;
            }
            return buffer.clear().limit(bytes);
        }
    }

    private final Source source;
    private final Draw draw;
    private final List<Source.Column> columns;
    private final Kept kept;
    private final Map<BoundDescend, Straight> sinks = new HashMap<>();

    Feeding(Source source, Draw draw) {
        this.source = source;
        this.draw = draw;
        this.columns = List.copyOf(source.columns());
        this.kept = new Kept(columns);
    }

    Source source() {
        return source;
    }

    /** Whether the source is called that, or has a column that is. */
    boolean isCalled(String name) {
        return source.name().equals(name)
                || columns.stream().anyMatch(column -> column.name().equals(name));
    }

    /** Fills the turn's buffers with rows; 0 where the turn reads none of the columns. */
    int feed(BoundDescend turn, Scheduler scheduler) {
        Straight sink = sinks.get(turn);
        if (sink == null) {
            sink = new Straight(turn.program(), positions(turn));
            sinks.put(turn, sink);
        }
        if (!reads(sink)) {
            return 0;
        }
        if (draw == Draw.EACH_TURN) {
            return drawInto(sink, scheduler);
        }
        long round = scheduler.position().round();
        if (kept.round != round) {
            kept.rows = drawInto(kept, scheduler);
            kept.round = round;
        }
        for (int column = 0; column < columns.size(); column++) {
            ByteBuffer out = sink.column(column, kept.rows);
            if (out != null) {
                out.put(0, kept.buffers[column], 0, out.limit());
            }
        }
        return kept.rows;
    }

    private int drawInto(Source.Sink sink, Scheduler scheduler) {
        double before = source.epoch();
        int rows = source.next(scheduler.parameters().streams(), sink);
        if (Math.floor(source.epoch()) > Math.floor(before)) {
            scheduler.epochEnded(source);
        }
        return rows;
    }

    private static boolean reads(Straight sink) {
        for (int position : sink.positions) {
            if (position >= 0) {
                return true;
            }
        }
        return false;
    }

    private int[] positions(BoundDescend turn) {
        int[] positions = new int[columns.size()];
        for (int i = 0; i < positions.length; i++) {
            Optional<Value> input =
                    turn.program().program().input(columns.get(i).name());
            positions[i] =
                    input.isPresent() ? turn.program().position(columns.get(i).name()) : -1;
        }
        return positions;
    }

    /**
     * Checks that every input of the turns is fed, by one source, with its shape and type, and that no source is read by
     * nobody.
     */
    static void check(Iterable<Turn.Descend> turns, List<Feeding> feeds) {
        TreeSet<String> read = new TreeSet<>();
        for (Turn.Descend turn : turns) {
            for (Value input : turn.program().inputs()) {
                read.add(input.path().text());
                check(turn, input, feeds);
            }
        }
        for (Feeding feed : feeds) {
            if (feed.columns.stream().noneMatch(column -> read.contains(column.name()))) {
                throw new IllegalArgumentException("source " + feed.source.name() + " feeds nobody: its columns are "
                        + feed.columns + ", the plan's turns read " + read);
            }
        }
    }

    private static void check(Turn.Descend turn, Value input, List<Feeding> feeds) {
        String name = input.path().text();
        List<Source.Column> given = feeds.stream()
                .flatMap(feed -> feed.columns.stream())
                .filter(column -> column.name().equals(name))
                .toList();
        if (given.isEmpty()) {
            List<String> known = feeds.stream()
                    .flatMap(feed -> feed.columns.stream())
                    .map(Source.Column::name)
                    .toList();
            throw new IllegalArgumentException("turn " + turn.name() + " reads input " + name
                    + ", which no source feeds" + Nearest.among(name, known));
        }
        if (given.size() > 1) {
            throw new IllegalArgumentException(
                    "turn " + turn.name() + " reads input " + name + ", which " + given.size() + " sources feed");
        }
        Source.Column column = given.get(0);
        if (column.type() != input.type()) {
            throw new IllegalArgumentException("turn " + turn.name() + ": input " + name + " is " + input.type()
                    + ", the source gives " + column.type());
        }
        if (!column.shape().equals(input.shape())) {
            throw new IllegalArgumentException("turn " + turn.name() + ": input " + name + " has rows " + input.shape()
                    + ", the source gives " + column.shape());
        }
    }
}
