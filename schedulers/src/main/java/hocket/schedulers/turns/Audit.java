package hocket.schedulers.turns;

import hocket.schedulers.Scheduler;
import hocket.schedulers.settings.Limits;
import hocket.scopes.Declaration;
import hocket.scopes.Parameters;
import hocket.scopes.Path;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Proves that turns change what the plan says and nothing else, by digests of every array before and after: parameters,
 * running statistics, averages, and optimizer slots. The digest is CRC-32C, which detects every change of up to 32 bits
 * in a row and misses others with a chance of one in four billion.
 */
public final class Audit {
    /**
     * An array that is watched.
     *
     * @param path of the parameter; null for a turn's slot
     * @param owner the turn of the slot; null for parameters
     */
    private record Watched(
            String name, @Nullable Path path, @Nullable BoundTurn owner, Supplier<ByteBuffer> buffer) {}

    private static final long[] NOTHING = new long[0];

    private final Parameters parameters;
    private final BoundTurns turns;
    private final List<Watched> watched = new ArrayList<>();
    private final CRC32C crc = new CRC32C();
    private long[] digests = NOTHING;
    private long every;
    private int bound;
    private long lastRound = -1;
    private Scheduler.Audited audited = new Scheduler.Audited(0, 0);

    public Audit(Parameters parameters, BoundTurns turns) {
        this.parameters = parameters;
        this.turns = turns;
    }

    /** Sets the period: an audit runs in the first of every {@code rounds} rounds. */
    public void every(long rounds) {
        Limits.atLeast(1, "audit", rounds);
        every = rounds;
    }

    /** Returns whether the turns of a round are audited. */
    public boolean covers(long round) {
        return every > 0 && round % every == 0;
    }

    /** Records the digests of all arrays, if none are recorded. */
    public void begin() {
        if (digests.length == 0 || bound != turns.count()) {
            watched.clear();
            bound = turns.count();
            for (Declaration declaration : parameters.declarations()) {
                if (declaration.kind() != Declaration.Kind.SETTING) { // which anyone may set between turns
                    Parameters.Cell cell = parameters.cell(declaration.path());
                    watched.add(new Watched(declaration.path().text(), declaration.path(), null, cell::buffer));
                }
            }
            for (BoundTurn turn : turns.all()) {
                turn.arrays().forEach((slot, array) -> {
                    String name = "what turn " + turn.turn().name() + " keeps as " + slot;
                    watched.add(new Watched(name, null, turn, array::buffer));
                });
            }
            digests = digest();
        }
    }

    /** Discards the digests: changes before the next {@link #begin} are not checked. */
    public void forget() {
        digests = NOTHING;
    }

    /** Discards the list of arrays, too. */
    public void release() {
        forget();
        watched.clear();
        bound = -1;
    }

    private long[] digest() {
        long[] now = new long[watched.size()];
        parameters.enter();
        try {
            for (int i = 0; i < now.length; i++) {
                ByteBuffer buffer = watched.get(i).buffer().get().duplicate();
                crc.reset();
                crc.update(buffer.clear());
                now[i] = crc.getValue();
            }
        } finally {
            parameters.leave();
        }
        return now;
    }

    /**
     * Checks the changes since {@link #begin} or the last check.
     *
     * @param taken the turns that were taken, which may have changed what they write
     * @throws AuditException if anything else was changed, naming path, turn and program
     */
    public void check(Collection<BoundTurn> taken, String at) {
        long[] now = digest();
        Set<Path> allowed = new HashSet<>();
        Set<BoundTurn> keepers = new HashSet<>();
        for (BoundTurn turn : taken) {
            keepers.add(turn.keeper());
            allowed.addAll(turns.writes().paths(turn.turn().name()));
        }
        for (int i = 0; i < now.length; i++) {
            Watched array = watched.get(i);
            boolean may = array.path() != null ? allowed.contains(array.path()) : keepers.contains(array.owner());
            if (now[i] != digests[i] && !may) {
                throw new AuditException(message(array, taken, at));
            }
        }
        digests = now;
    }

    /** Counts a verified turn. */
    public void passed(long round) {
        audited = new Scheduler.Audited(audited.rounds() + (round == lastRound ? 0 : 1), audited.turns() + 1);
        lastRound = round;
    }

    public Scheduler.Audited audited() {
        return audited;
    }

    private String message(Watched array, Collection<BoundTurn> taken, String at) {
        List<String> names = taken.stream().map(Audit::described).toList();
        List<String> writers =
                array.path() == null ? List.of() : turns.writes().byPath().getOrDefault(array.path(), List.of());
        return "audit, " + at + ": " + array.name() + " was changed by "
                + (names.isEmpty() ? "no turn" : String.join(" and ", names)) + ", which may not write it; "
                + (array.path() == null
                        ? "it is another turn's"
                        : writers.isEmpty()
                                ? "the plan says that nothing does"
                                : "the plan says that " + String.join(" and ", writers) + " does");
    }

    private static String described(BoundTurn bound) {
        return "turn " + bound.turn().name()
                + bound.turn()
                        .descend()
                        .map(turn -> " (program " + turn.program().name() + ")")
                        .orElse("");
    }
}
