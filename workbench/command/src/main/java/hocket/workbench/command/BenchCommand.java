package hocket.workbench.command;

import hocket.scopes.SimilarNames;
import hocket.workbench.command.bench.Benchmarks;
import hocket.workbench.command.bench.Measurement;
import hocket.workbench.command.bench.RoundTrip;
import hocket.workbench.command.options.CompletedNames;
import hocket.workbench.files.UserError;
import hocket.workbench.files.json.JsonLines;
import hocket.workbench.runs.CommandFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures Hocket's speed on this machine. */
@Command(
        name = "bench",
        header = "Measures the speed of Hocket on this machine, the best of several rounds.",
        description = {
            "",
            "dcgan/16, dcgan/64, sngan/64: rounds a second of GANs on 28x28, batch 64, one turn each of"
                    + " discriminator and generator. batch/...: the draw of a batch of such images. step/...: a"
                    + " training step of a tanh network of these widths. infer/..., minatar/...: inference of"
                    + " these rows. lstm/..., gru/..., attention/..., embedding/...: layers of sequences."
                    + " adam/2000000: one update of two million numbers. rl/...: environment steps a second of"
                    + " an agent's training, updates included. overhead/...: what the scheduler adds to bare"
                    + " programs and optimizers, as a share, in time, and in bytes of Java heap a round."
                    + " audit/...: what an audit of every 50th round adds to a GAN's training. save/...,"
                    + " save-replay/...: a checkpoint, and what training waits for it. queue/append: rows that a"
                    + " queue acknowledges to eight clients. Most take 5 to 15 seconds each.",
            "",
            "With several threads, a line ends with how long one thread takes to answer another, measured after the"
                    + " benchmark. Above 200 ns they have no cache in common, and what they share is slower. In a"
                    + " virtual machine this may change from one process to the next.",
            ""
        },
        footer = {"", "For example:", "  hocket bench dcgan/16 dcgan/64 --threads 2"})
public final class BenchCommand extends WorkplaceCommand implements Runnable {
    @Parameters(
            paramLabel = "NAME",
            arity = "0..*",
            description = "names of benchmarks; default: all",
            completionCandidates = CompletedNames.OfBenchmarks.class)
    private List<String> names = new ArrayList<>();

    @Option(names = "--threads", paramLabel = "N", description = "number of threads; default: the number of cores")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(
            names = "--json",
            description =
                    "print a JSON object a line: name, value, unit, threads, and round_trip_ns, the time of an answer")
    private boolean json;

    @Override
    public void run() {
        List<String> known = Benchmarks.names();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new UserError("there is no benchmark " + name + SimilarNames.among(name, known));
            }
        }
        if (threads < 1) {
            throw new UserError("--threads must be at least 1, was " + threads);
        }
        for (String name : names.isEmpty() ? known : names) {
            List<Measurement> measurements = CommandFailure.unless(() -> Benchmarks.measure(name, threads));
            OptionalDouble roundTrip = RoundTrip.nanos(threads);
            measurements.forEach(measurement -> say(measurement, roundTrip));
        }
    }

    /** @param roundTrip of the threads, in nanoseconds */
    private void say(Measurement measurement, OptionalDouble roundTrip) {
        if (json) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("name", measurement.name());
            values.put("value", measurement.value());
            values.put("unit", measurement.unit());
            values.put("threads", measurement.threads());
            roundTrip.ifPresent(nanos -> values.put("round_trip_ns", nanos));
            workplace.terminal().say(JsonLines.line(values));
        } else {
            workplace
                    .terminal()
                    .say(String.format(
                            Locale.ROOT,
                            "%-32s %10.1f %-7s %d %s%s",
                            measurement.name(),
                            measurement.value(),
                            measurement.unit(),
                            measurement.threads(),
                            measurement.threads() == 1 ? "thread" : "threads",
                            roundTrip.isPresent()
                                    ? String.format(Locale.ROOT, ", %.0f ns", roundTrip.getAsDouble())
                                    : ""));
        }
    }
}
