package hocket.workbench.flow;

import hocket.gan.data.Npy;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.schedulers.Setting;
import hocket.schedulers.Source;
import hocket.schedulers.flow.FlowContext;
import hocket.schedulers.flow.Status;
import hocket.schedulers.flow.Step;
import hocket.scopes.Streams;
import hocket.scopes.Tensor;
import hocket.workbench.experiment.ExperimentSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A runner that computes and changes nothing: a program's first target for rows of a feed, or for noise, into a .npy file.
 * Start it from a trained run: {@code hocket run FILE --runner infer --from RUN}.
 *
 * @param program an EVAL program
 * @param feed whose rows it reads, once and in their order; those that do not fill a last batch are left out, so let the
 *     batch divide their number; without a feed, it reads only noise
 * @param rows how many, where there is no feed
 * @param out the file; {@code PROGRAM.npy} in the run folder without
 */
public record Infer(
        @Setting(help = "an EVAL program") String program,

        @Setting(help = "the rows it reads, once and in order, as under feeds; without, it reads only noise")
        Optional<ExperimentSpec.FeedSpec> feed,

        @Setting(usually = "1000", least = 1, most = 1e8, help = "how many rows, where there is no feed")
        int rows,

        @Setting(help = "a .npy file; PROGRAM.npy in the run folder without")
        Optional<Path> out)
        implements Step {
    private static final int AT_ONCE = 500;

    @Override
    public void take(FlowContext context) {
        Program chosen = context.networks().program(program);
        if (chosen.mode() != Mode.EVAL) {
            throw new IllegalArgumentException(
                    "program " + program + " is compiled for TRAIN; infer takes an EVAL program");
        }
        Path file = out.orElse(context.instance().folder().resolve(program + ".npy"));
        Rows results = new Rows(chosen);
        try (Session session =
                Session.over(context.parameters(), context.instance().threads())) {
            if (feed.isPresent()) {
                Source source = feed.get().open("infer", true);
                Streams streams = Streams.seed(context.instance().seed());
                double before = -1;
                while (source.epoch() < 1 - 1e-9 && source.epoch() > before && !context.stopRequested()) {
                    before = source.epoch();
                    results.add(session, source.draw(chosen, streams));
                }
            } else {
                for (int from = 0; from < rows && !context.stopRequested(); from += AT_ONCE) {
                    results.add(session, Feeds.rows(Math.min(AT_ONCE, rows - from)));
                }
            }
        }
        results.write(file);
        context.say(String.format(Locale.ROOT, "wrote %,d rows of %s to %s", results.count, program, file));
        results.means()
                .forEach((metric, mean) -> context.say(String.format(Locale.ROOT, "mean %s %.4f", metric, mean)));
        context.status(Status.END);
    }

    /** What a program gave, row by row. */
    private static final class Rows {
        private final Program program;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final Map<String, Double> sums = new TreeMap<>();
        private int[] row = new int[0];
        private int count;
        private long fed;

        Rows(Program program) {
            this.program = program;
        }

        void add(Session session, Feeds feeds) {
            List<Tensor> results = session.run(program, feeds);
            Tensor first = results.get(0);
            boolean batched = program.targets().get(0).batched();
            int[] extents = first.shape().extents();
            row = batched ? Arrays.copyOfRange(extents, 1, extents.length) : extents;
            ByteBuffer values = ByteBuffer.allocate(first.shape().size() * Float.BYTES);
            values.asFloatBuffer().put(first.floats());
            bytes.writeBytes(values.array());
            count += batched ? feeds.rows() : 1;
            program.metrics()
                    .forEach((metric, value) -> sums.merge(
                            metric,
                            results.get(program.targets().indexOf(value)).scalar() * feeds.rows(),
                            Double::sum));
            fed += feeds.rows();
        }

        Map<String, Double> means() {
            Map<String, Double> means = new TreeMap<>();
            sums.forEach((metric, sum) -> means.put(metric, sum / fed));
            return means;
        }

        void write(Path file) {
            FloatBuffer values = ByteBuffer.wrap(bytes.toByteArray()).asFloatBuffer();
            float[] all = new float[values.remaining()];
            values.get(all);
            int[] shape =
                    IntStream.concat(IntStream.of(count), IntStream.of(row)).toArray();
            try {
                Path folder = file.toAbsolutePath().getParent();
                if (folder != null) {
                    Files.createDirectories(folder);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(file + " could not be written: " + e.getMessage(), e);
            }
            Npy.write(file, all, shape);
        }
    }
}
