package hocket.workbench.command;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.runs.CommandContext;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.StopRequest;
import hocket.workbench.training.processes.SideBySide;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that train runs one after the other: what they keep, and what they begin anew. */
@Tag("engine")
@Tag("processes")
@Timeout(180)
class SlotTest {
    private static final int RUNS = 5;
    /** Bytes that a run may leave: the JVM takes and gives back some as it likes. */
    private static final long LEFT = 4_000_000;

    private static final List<String> GAN = List.of("gan.yaml", "--threads", "1");

    private static final List<String> TOY = List.of("toy.yaml", "--threads", "1");

    @TempDir
    private Path here;

    @BeforeEach
    void writeGan() throws IOException {
        Files.writeString(here.resolve("gan.yaml"), """
                name: gan
                network: {class: hocket.gan.networks.Dcgan, latent: 16, width: 8}
                feeds: {digits: {class: hocket.gan.data.Optdigits, batch: 64, resample: each-turn}}
                turns:
                  d: {program: discriminator, updates: {"discriminator/**": {adam: {rate: 1e-3}}}}
                  g: {program: generator, updates: {"generator/**": {adam: {rate: 1e-3}}}}
                plan: {sequence: [d, g]}
                budget: {rounds: 8}
                """);
    }

    /**
     * The result of a run, and the resources of its process at its end.
     *
     * @param resident bytes of memory; 0 where the system does not say
     * @param files number of open files; 0 where the system does not say
     * @param threads number of threads; 0 where the system does not say
     */
    private record Seen(SideBySide.Ended ended, Set<Long> processes, long resident, long files, long threads) {}

    @Test
    void theLastRunOfAProcessIsAsItsFirstAndFindsNothingOfTheOthers() throws IOException {
        List<SideBySide.Job> jobs = new ArrayList<>();
        for (int i = 1; i <= RUNS; i++) {
            jobs.add(job("run " + i, GAN));
        }
        List<Seen> seen = train(jobs);
        assertThat(seen)
                .allMatch(each -> each.ended().status() == 0, "done well")
                .hasSize(RUNS);
        assertThat(seen).extracting(Seen::processes).containsOnly(seen.get(0).processes());
        assertThat(seen.get(0).processes()).hasSize(1);
        for (int i = 2; i <= RUNS; i++) {
            SameRun.assertIsAs(here.resolve("run 1"), here.resolve("run " + i));
        }
        Seen early = seen.get(1);
        Seen last = seen.get(RUNS - 1);
        int between = RUNS - 2;
        assertThat(last.files()).as("one that every run leaves open").isLessThan(early.files() + between);
        assertThat(last.threads()).as("one that every run leaves alive").isLessThan(early.threads() + between);
        assertThat(last.resident()).isLessThan(early.resident() + between * LEFT);
    }

    @Test
    void oneThatFailsIsNamedWithItsOwnReasonAndTheNextBeginsInANewProcess() throws IOException {
        writeToy("Quits, status: 0");
        List<Seen> seen = train(List.of(
                job("well", GAN),
                job("refused", List.of("gan.yaml", "--set", "width=-1")),
                job("quits", TOY),
                job("a b+c%20=", GAN)));
        assertThat(seen).extracting(each -> each.ended().status()).containsExactly(0, 2, 1, 0);
        assertThat(seen.get(0).ended().reason()).isEmpty();
        assertThat(seen.get(1).ended().reason()).contains("width").doesNotContain("\n");
        assertThat(seen.get(2).ended().reason()).startsWith("its process ended without a message");
        assertThat(seen.get(1).processes()).as("what failed has ended").isEmpty();
        assertThat(seen.get(3).processes())
                .hasSize(1)
                .doesNotContainAnyElementsOf(seen.get(0).processes());
        assertThat(here.resolve("refused")).doesNotExist();
        SameRun.assertIsAs(here.resolve("well"), here.resolve("a b+c%20="));
    }

    @Tag("slow")
    @Test
    void oneThatLeavesMuchInMemoryIsTheLastOfItsProcess() throws IOException {
        writeToy("Hoard, megabytes: 150");
        List<SideBySide.Job> jobs = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            jobs.add(job("run " + i, TOY));
        }
        List<Seen> seen = train(jobs);
        assertThat(seen).extracting(each -> each.ended().reason()).containsOnly("");
        Set<Long> first = seen.get(0).processes();
        assertThat(seen.get(1).processes()).as("two hold 300 MB of 1 GB").isSubsetOf(first);
        assertThat(seen.get(2).processes()).hasSize(1).doesNotContainAnyElementsOf(first);
    }

    private void writeToy(String ring) throws IOException {
        Files.writeString(here.resolve("toy.yaml"), """
                name: toy
                algorithm: {class: hocket.workbench.testing.ToyAgent, rounds: 3}
                rings: [{class: hocket.workbench.command.RING}]
                """.replace("RING", ring));
    }

    private SideBySide.Job job(String name, List<String> arguments) {
        RunFolder folder = new RunFolder(here.resolve(name));
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--out", folder.toString()));
        return new SideBySide.Job(name, folder, all);
    }

    /** Trains one at a time. */
    private List<Seen> train(List<SideBySide.Job> jobs) {
        List<Seen> seen = new ArrayList<>();
        CommandContext commandContext =
                new CommandContext(Ran.terminal(new StringWriter(), new StringWriter(), false), here);
        try (StopRequest stopRequest = new StopRequest();
                SideBySide beside = new SideBySide(commandContext, 1, stopRequest, true)) {
            beside.run("runs", jobs, false, ended -> {
                seen.add(seen(ended));
                return new SideBySide.Outcome(true, "");
            });
        }
        return seen;
    }

    private static Seen seen(SideBySide.Ended ended) {
        Set<Long> slots = new LinkedHashSet<>();
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .forEach(child -> slots.add(child.pid()));
        long pid = slots.stream().findFirst().orElse(0L);
        return new Seen(
                ended,
                slots,
                status(pid, "VmRSS:") << 10,
                entries(Path.of("/proc/" + pid + "/fd")),
                status(pid, "Threads:"));
    }

    private static long status(long process, String key) {
        Path status = Path.of("/proc/" + process + "/status");
        try (Stream<String> lines = Files.exists(status) ? Files.lines(status) : Stream.empty()) {
            return lines.filter(line -> line.startsWith(key))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long entries(Path folder) {
        try (Stream<Path> entries = Files.exists(folder) ? Files.list(folder) : Stream.empty()) {
            return entries.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
