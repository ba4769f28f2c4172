package hocket.workbench.training.flow;

import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.schedulers.Source;
import hocket.schedulers.checkpoint.FileWork;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Step;
import hocket.schedulers.flow.StepResult;
import hocket.schedulers.formats.Npy;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.files.experiment.ExperimentSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A runner for inference: it writes a program's first target for rows of a feed, or for noise, into a .npy file. Start
 * it from a trained run: {@code hocket run FILE --runner infer --from RUN}.
 *
 * @param program an EVAL program
 * @param feed the feed whose rows it reads, all of them once and in order; without one, it reads only noise
 * @param rows number of rows, if there is no feed
 * @param out the file; default: {@code PROGRAM.npy} in the run folder
 */
public record Infer(
        @Setting(help = "an EVAL program") String program,

        @Setting(help = "the rows it reads, all of them in order, as under feeds; without one, it reads only noise")
        Optional<ExperimentSpec.FeedSpec> feed,

        @Setting(usually = "1000", least = 1, most = 1e8, help = "number of rows, if there is no feed")
        int rows,

        @Setting(help = "a .npy file; default: PROGRAM.npy in the run folder")
        Optional<Path> out)
        implements Step, InferCopies {
    private static final int AT_ONCE = 500;

    public Infer {
        InferCopies.check(rows);
    }

    @Override
    public void take(FlowContext context) {
        Program chosen = context.networks().program(program);
        if (chosen.mode() != Mode.EVAL) {
            throw new IllegalArgumentException(
                    "program " + program + " is compiled for TRAIN; infer needs an EVAL program");
        }
        Path file = out.orElse(context.instance().folder().resolve(program + ".npy"));
        makeFolderOf(file);
        Batches batches = feed.isPresent()
                ? new Fed(
                        chosen,
                        feed.get().openRows("infer"),
                        feed.get().batch(),
                        context.instance().seed())
                : new Noise(rows);
        try (Session session =
                Session.over(context.parameters(), context.instance().threads())) {
            Results results = new Results(chosen, session);
            Supplier<Integer> drawing = () -> Npy.write(
                    file, results.count(batches), results.row(), written -> all(context, batches, results, written));
            // No turn was taken, so the store is as the other run saved it.
            int count = context.scheduler().position().step() == 0
                    ? drawing.get()
                    : context.scheduler().asSaved(drawing);
            context.say(String.format(Locale.ROOT, "wrote %,d rows of %s to %s", count, program, file));
            results.means()
                    .forEach((metric, mean) -> context.say(String.format(Locale.ROOT, "mean %s %.4f", metric, mean)));
        } catch (Stopped e) {
            context.say(String.format(
                    Locale.ROOT, "stopped after %,d of %,d rows: %s is not written", e.taken, batches.rows(), file));
        }
        context.status(StepResult.END);
    }

    private void all(FlowContext context, Batches batches, Results results, Consumer<float[]> written) {
        while (batches.isMore()) {
            if (context.stopRequested()) {
                throw new Stopped(results.fed);
            }
            written.accept(results.of(batches.next()));
            if (batches.rows() > 0) {
                context.done((double) results.fed / batches.rows());
            }
        }
    }

    private static void makeFolderOf(Path file) {
        FileWork.make(file + " could not be written", () -> {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
        });
    }

    /** A stop was requested; the incomplete file is deleted. */
    private static final class Stopped extends RuntimeException {
        private final long taken;

        Stopped(long taken) {
            this.taken = taken;
        }
    }

    /** The program's input rows, in batches. */
    private interface Batches {
        boolean isMore();

        Feeds next();

        /** Returns the total number of rows; 0 if unknown. */
        long rows();

        int atOnce();
    }

    /** A number of rows of noise. */
    private static final class Noise implements Batches {
        private final int rows;
        private int taken;

        Noise(int rows) {
            this.rows = rows;
        }

        @Override
        public boolean isMore() {
            return taken < rows;
        }

        @Override
        public Feeds next() {
            int some = Math.min(AT_ONCE, rows - taken);
            taken += some;
            return Feeds.rows(some);
        }

        @Override
        public long rows() {
            return rows;
        }

        @Override
        public int atOnce() {
            return AT_ONCE;
        }
    }

    /** An epoch of a source, or one batch of a source without epochs. */
    private static final class Fed implements Batches {
        private final Program program;
        private final Source source;
        private final Streams streams;
        private final int draws;
        private final OptionalLong all;
        private long taken;
        private double before = -1;

        Fed(Program program, Source source, int batch, long seed) {
            this.program = program;
            this.source = source;
            this.streams = Streams.seed(seed);
            this.draws = Math.max(1, batch / source.batch());
            this.all = source.drawsAnEpoch();
        }

        @Override
        public boolean isMore() {
            return all.isPresent() ? taken < all.getAsLong() : source.epoch() < 1 - 1e-9 && source.epoch() > before;
        }

        @Override
        public Feeds next() {
            before = source.epoch();
            int some = all.isPresent() ? (int) Math.min(draws, all.getAsLong() - taken) : 1;
            taken += some;
            return source.draw(program, streams, some);
        }

        @Override
        public long rows() {
            return all.orElse(0) * source.batch();
        }

        @Override
        public int atOnce() {
            return draws * source.batch();
        }
    }

    /** The results of a program: its first target, and the means of its metrics. */
    private static final class Results {
        private final Program program;
        private final Session session;
        private final Value target;
        private final Map<String, Double> sums = new TreeMap<>();
        private long fed;

        Results(Program program, Session session) {
            this.program = program;
            this.session = session;
            this.target = program.targets().get(0);
        }

        /** Returns the shape of a row. */
        int[] row() {
            return target.shape().extents();
        }

        /** Returns the total number of rows: one for each batch if the target has no batch axis. */
        int count(Batches batches) {
            long each = target.batched() ? 1 : batches.atOnce();
            return Math.toIntExact((batches.rows() + each - 1) / each);
        }

        float[] of(Feeds feeds) {
            List<Tensor> results = session.run(program, feeds);
            program.metrics()
                    .forEach((metric, value) -> sums.merge(
                            metric,
                            results.get(program.targets().indexOf(value)).scalar() * feeds.rows(),
                            Double::sum));
            fed += feeds.rows();
            return results.get(0).floats();
        }

        Map<String, Double> means() {
            Map<String, Double> means = new TreeMap<>();
            sums.forEach((metric, sum) -> means.put(metric, sum / fed));
            return means;
        }
    }
}
