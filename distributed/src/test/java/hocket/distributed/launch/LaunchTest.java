package hocket.distributed.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import hocket.distributed.CommandRun;
import hocket.distributed.ServedRun;
import hocket.schedulers.checkpoint.Checkpoints;
import hocket.schedulers.state.State;
import hocket.scopes.Path;
import hocket.scopes.Tensor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of several processes, as a person starts them. */
@Tag("engine")
@Tag("processes")
class LaunchTest {
    /** A GAN by plain gradient descent, without a batch norm: what workers compute together is what one computes. */
    private static final String RING = """
            include: gaussian-ring
            network: {width: 16}
            feeds: {ring: {batch: 30}}
            evaluation: {samples: 100}
            turns:
              d: {updates: {"discriminator/**": {sgd: {rate: 0.05}}}}
              g: {updates: {"generator/**": {sgd: {rate: 0.05}}}}
            budget: {rounds: %d}
            on: [{every: {rounds: 40}, do: [save]}]
            """;

    /** One collection and one update of PPO, of which Adam's first step divides each gradient by its size and 1e-5. */
    private static final String PPO = """
            include: cartpole-ppo
            threads: 1
            algorithm: {total_steps: 256, epochs: 1}
            """;

    private static final int KILLS = Integer.getInteger("hocket.kills", 20);
    private static final int LONG = 1_000_000;

    @TempDir
    private java.nio.file.Path here;

    private java.nio.file.Path said() {
        return here.resolve("said.txt");
    }

    private String text() throws IOException {
        return Files.exists(said()) ? Files.readString(said()) : "";
    }

    private int hocket(String... arguments) throws IOException, InterruptedException {
        Process process = CommandRun.start(here, said(), arguments);
        assertThat(process.waitFor(3, TimeUnit.MINUTES)).as(text()).isTrue();
        return process.exitValue();
    }

    private SortedMap<Path, Tensor> parameters(String run) throws IOException {
        State state = Checkpoints.readLatest(here.resolve(run).resolve("checkpoints"));
        return state.state("parameters").snapshot().tensors();
    }

    /**
     * The sum of gradients is rounded elsewhere: some 1e-7 of numbers about 1, ten times; Adam's first step of 1e-3
     * makes of a difference of 1e-9 in a gradient that is small 1e-7.
     */
    @Test
    void workersInSeveralProcessesTrainAsOneDoes() throws Exception {
        asOneDoes(RING.formatted(10), 2);
    }

    @Tag("slow")
    @Test
    void workersInSeveralProcessesTrainAnAgentAsOneDoes() throws Exception {
        asOneDoes(PPO, 2);
    }

    private void asOneDoes(String file, int workers) throws Exception {
        Files.writeString(here.resolve("own.yaml"), file);
        CommandRun alone = CommandRun.of(here, "run", "own.yaml", "--quiet", "--out", "one");
        assertThat(alone.status()).as(alone.err()).isZero();
        assertThat(hocket("launch", "--workers", "" + workers, "own.yaml", "--quiet", "--out", "several"))
                .as(text())
                .isZero();
        SortedMap<Path, Tensor> one = parameters("one");
        SortedMap<Path, Tensor> several = parameters("several");
        assertThat(several).hasSameSizeAs(one).isNotEmpty();
        one.forEach((path, tensor) -> assertThat(
                        Objects.requireNonNull(several.get(path)).doubles())
                .as(path.text())
                .containsExactly(tensor.doubles(), within(1e-6)));
        assertThat(norms("several")).isNotEmpty().hasSameSizeAs(norms("one"));
        for (int i = 0; i < norms("one").size(); i++) { // Adam, and clipping, would hide a gradient of another size
            assertThat(norms("several").get(i)).isCloseTo(norms("one").get(i), withinPercentage(1e-3));
        }
    }

    private List<Double> norms(String run) throws IOException {
        return Files.readAllLines(here.resolve(run).resolve("metrics.jsonl")).stream()
                .filter(line -> line.contains("\"gradient_norm\"") && !line.contains("\"interim\""))
                .map(line -> line.replaceAll(".*\"value\":([^,]+),.*", "$1"))
                .map(Double::valueOf)
                .toList();
    }

    /** All have the same at the end, or they would say so; whoever moves the weights, one process takes them over. */
    @Tag("slow")
    @Test
    void workersWhoseServersMoveWeightsEndWithTheSameAndOneGoesOn() throws Exception {
        Files.writeString(here.resolve("own.yaml"), RING.formatted(10) + """
                exchange:
                  "discriminator/**": {synchronous: {}}
                  "**": {stale: 2}
                """);
        assertThat(hocket("launch", "--workers", "2", "--servers", "2", "own.yaml", "--quiet", "--out", "apart"))
                .as(text())
                .isZero();
        assertThat(hocket("run", "apart", "--quiet", "--resume", "--set", "rounds=15"))
                .as(text())
                .isZero();
    }

    @Test
    void aHostThatCannotBeReachedIsNamedWithoutWhatTheJvmSaysOfEveryStart() throws Exception {
        Files.writeString(here.resolve("own.yaml"), RING.formatted(10));
        Files.writeString(here.resolve("hosts.txt"), "localhost\nnosuch.invalid\n");
        java.nio.file.Path ssh = Files.writeString(here.resolve("ssh"), """
                #!/bin/sh
                echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2
                exit 255
                """);
        assertThat(ssh.toFile().setExecutable(true)).isTrue();
        assertThat(hocket(
                        "launch",
                        "--workers",
                        "2",
                        "own.yaml",
                        "--quiet",
                        "--out",
                        "never",
                        "--hosts",
                        "hosts.txt",
                        "--address",
                        "127.0.0.1",
                        "--ssh",
                        ssh.toString()))
                .isEqualTo(1);
        assertThat(text().lines().filter(line -> line.startsWith("hocket: ")))
                .containsExactly("hocket: worker 1 (ssh nosuch.invalid) ended with status 255");
        assertThat(here.resolve("never")).doesNotExist();
    }

    /** Starts a run that would take long, and waits until it has saved something. */
    private Process begun(String run, int workers, boolean resume, String... more)
            throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of("launch", "--workers", "" + workers, "own.yaml", "--quiet", "--out", run));
        arguments.addAll(List.of(more));
        if (resume) {
            arguments.add("--resume");
        }
        java.nio.file.Path latest = here.resolve(run).resolve("checkpoints/LATEST");
        String before = Files.exists(latest) ? Files.readString(latest) : "";
        Process process = CommandRun.start(here, said(), arguments.toArray(String[]::new));
        for (int i = 0; i < 1200; i++) {
            if (Files.exists(latest) && !Files.readString(latest).equals(before)) {
                return process;
            }
            assertThat(process.isAlive()).as(text()).isTrue();
            Thread.sleep(50);
        }
        throw new AssertionError("nothing was saved: " + text());
    }

    /** The process of a run that takes a part. */
    private static ProcessHandle part(Process launcher, String role, int rank) throws IOException {
        for (ProcessHandle each : launcher.descendants().toList()) {
            String environment = Files.readString(java.nio.file.Path.of("/proc/" + each.pid() + "/environ"));
            List<String> variables = List.of(environment.split("\0"));
            if (variables.contains("TRAINING_ROLE=" + role) && variables.contains("HOCKET_RANK=" + rank)) {
                return each;
            }
        }
        throw new AssertionError("no " + role + " " + rank);
    }

    private static final Map<String, String> CALLED =
            Map.of("TRAINER", "worker ", "PSERVER", "server ", "SCHEDULER", "the scheduler ");

    /**
     * What a server's optimizers keep is gone with it but for what was saved; the run goes on from the weights that
     * worker 0 had. Who meets in a million rounds only, does not wait for that to save.
     */
    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"stale: 3, PSERVER, 0", "average: 1000000, TRAINER, 1"})
    void whereWeightsMoveApartOneIsKilledAndTheRunGoesOn(String how, String role, int rank) throws Exception {
        assumeTrue(Files.isDirectory(java.nio.file.Path.of("/proc")), "which process is which is read in /proc");
        Files.writeString(here.resolve("own.yaml"), RING.formatted(LONG) + "exchange: {\"**\": {" + how + "}}\n");
        killed(begun("run", 2, false), role, rank);
        long turns = Checkpoints.newest(here.resolve("run/checkpoints")).number();
        assertThat(hocket(
                        "launch", "--workers", "2", "run", "--quiet", "--resume", "--set", "rounds=" + (turns / 2 + 2)))
                .as(text())
                .isZero();
    }

    private void killed(Process launcher, String role, int rank) throws Exception {
        List<ProcessHandle> all = launcher.descendants().toList();
        ProcessHandle part = part(launcher, role, rank);
        part.destroyForcibly();
        assertThat(launcher.waitFor(15, TimeUnit.SECONDS)).as(text()).isTrue();
        assertThat(launcher.exitValue()).isNotZero();
        assertThat(all).noneMatch(ProcessHandle::isAlive);
        String who = CALLED.get(role) + (role.equals("SCHEDULER") ? "" : rank + " ");
        assertThat(text()).contains("hocket: " + who + "(process " + part.pid() + ") was ended by signal 9");
    }

    @ParameterizedTest
    @CsvSource("TRAINER, 1")
    void whenAProcessIsKilledAllEndAndNothingIsLost(String role, int rank) throws Exception {
        assumeTrue(Files.isDirectory(java.nio.file.Path.of("/proc")), "which process is which is read in /proc");
        Files.writeString(here.resolve("own.yaml"), RING.formatted(LONG));
        killed(begun("run", 2, false), role, rank);
        assertThat(text()).contains(": connection lost");
        Files.writeString(here.resolve("own.yaml"), RING.formatted(1));
        long turns = Checkpoints.newest(here.resolve("run/checkpoints")).number();
        assertThat(hocket(
                        "launch", "--workers", "3", "run", "--quiet", "--resume", "--set", "rounds=" + (turns / 2 + 2)))
                .as(text())
                .isZero();
        assertThat(Checkpoints.newest(here.resolve("run/checkpoints")).number()).isEqualTo(2 * (turns / 2 + 2));
    }

    /** {@code mvn test -Pslow -Dtest=LaunchTest -Dhocket.kills=20}: any process, at any moment; then the same end. */
    @Tag("slow")
    @Test
    void killedAgainAndAgainItComesToTheSameEnd() throws Exception {
        Files.writeString(here.resolve("own.yaml"), RING.formatted(LONG));
        Random random = new Random(7);
        for (int kill = 0; kill < KILLS; kill++) {
            Process launcher = begun("killed", 2, kill > 0);
            Thread.sleep(random.nextInt(700));
            int which = random.nextInt(4);
            killed(launcher, which < 2 ? "TRAINER" : which == 2 ? "PSERVER" : "SCHEDULER", which < 2 ? which : 0);
        }
        long turns = Checkpoints.newest(here.resolve("killed/checkpoints")).number();
        String rounds = "rounds=" + (turns / 2 + 2);
        assertThat(hocket("launch", "--workers", "2", "killed", "--quiet", "--resume", "--set", rounds))
                .as(text())
                .isZero();
        assertThat(hocket("launch", "--workers", "2", "own.yaml", "--quiet", "--out", "whole", "--set", rounds))
                .as(text())
                .isZero();
        CommandRun.assertSame(here.resolve("whole"), here.resolve("killed"));
    }

    /** What reaches another host here gives those there a session of their own: no signal of this one reaches them. */
    @Tag("slow")
    @Test
    void whoTrainsOnOtherHostsIsAskedToSaveAndEnd() throws Exception {
        assumeTrue(Files.isExecutable(java.nio.file.Path.of("/usr/bin/setsid")), "there is no setsid here");
        Files.writeString(here.resolve("own.yaml"), RING.formatted(LONG));
        Files.writeString(here.resolve("hosts.txt"), "elsewhere\n");
        java.nio.file.Path shell = Files.writeString(
                here.resolve("shell"), "#!/bin/sh\nshift\nexec 3<&0\nsetsid /bin/sh -c \"$*\" <&3 &\nwait $!\n");
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        String java = String.join(" ", CommandRun.java());
        Process launcher = begun(
                "run",
                2,
                false,
                "--hosts",
                "hosts.txt",
                "--address",
                "127.0.0.1",
                "--ssh",
                shell.toString(),
                "--hocket",
                java);
        List<ProcessHandle> all = launcher.descendants().toList();
        launcher.destroy();
        assertThat(launcher.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(launcher.exitValue()).as(text()).isEqualTo(128 + 15);
        assertThat(text()).doesNotContain("is gone", "lost");
        assertThat(all).noneMatch(ProcessHandle::isAlive);
        assertThat(CommandRun.of(here, "verify", "run").out()).contains("run is whole");
    }

    /** The others, which would wait for it, are ended after a while. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"", "sleep 0.3;"})
    void aHostThatCannotBeReachedIsNamedWithWhatSshSaysOfIt(String late) throws Exception {
        Files.writeString(here.resolve("own.yaml"), RING.formatted(10));
        Files.writeString(here.resolve("hosts.txt"), "localhost\nnowhere\n");
        java.nio.file.Path shell = Files.writeString(
                here.resolve("shell"), "#!/bin/sh\n" + late + " echo \"$1: Connection refused\" >&2\nexit 255\n");
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        assertThat(hocket(
                        "launch",
                        "--workers",
                        "2",
                        "own.yaml",
                        "--hosts",
                        "hosts.txt",
                        "--address",
                        "127.0.0.1",
                        "--ssh",
                        shell.toString()))
                .isEqualTo(1);
        assertThat(text())
                .contains("hocket: worker 1 (ssh nowhere) ended with status 255: nowhere: Connection refused")
                .doesNotContain("Broken pipe");
        assertThat(here.resolve("runs")).doesNotExist();
    }

    private String ask(ServedRun run, String path, String body) throws IOException, InterruptedException {
        URI page = URI.create(run.page());
        HttpRequest.Builder request = HttpRequest.newBuilder(page.resolve("/api/runs/watched" + path))
                .header("Authorization", "Bearer " + page.getFragment().substring("token=".length()));
        if (!body.isEmpty()) {
            request.header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"id\": \"" + UUID.randomUUID() + "\", " + body + "}"));
        }
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The turns of both workers, once each has taken more than some, and its pace is known. */
    private List<Long> turns(ServedRun run, long more) throws IOException, InterruptedException {
        for (int i = 0; i < 1200; i++) {
            JsonNode workers = new ObjectMapper().readTree(ask(run, "", "")).path("workers");
            assertThat(workers.findValuesAsText("rank")).containsExactly("0", "1");
            if (workers.findValues("turns").stream().allMatch(turns -> turns.asLong() > more)
                    && workers.findValues("turns_per_second").stream().allMatch(JsonNode::isNumber)
                    && workers.findValues("waits").stream().allMatch(JsonNode::isNumber)
                    && workers.findValues("lag").stream().allMatch(JsonNode::isNumber)) {
                return workers.findValues("turns").stream()
                        .map(JsonNode::asLong)
                        .toList();
            }
            assertThat(run.process().isAlive()).isTrue();
            Thread.sleep(50);
        }
        throw new AssertionError("a worker stands still: " + ask(run, "", ""));
    }

    /** What reaches another host here is a shell of this one: worker 0, and so the page, is on it. */
    @Tag("slow")
    @Test
    void thePageShowsTheWorkersAndStopsThemAll() throws Exception {
        Files.writeString(here.resolve("own.yaml"), RING.formatted(LONG));
        Files.writeString(here.resolve("hosts.txt"), "elsewhere\nlocalhost\n");
        java.nio.file.Path shell =
                Files.writeString(here.resolve("shell"), "#!/bin/sh\nshift\nexec /bin/sh -c \"$*\"\n");
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        String java = String.join(" ", CommandRun.java());
        try (ServedRun run = ServedRun.start(
                here,
                "launch",
                "--workers",
                "2",
                "own.yaml",
                "--quiet",
                "--out",
                "watched",
                "--serve",
                "0",
                "--hosts",
                "hosts.txt",
                "--address",
                "127.0.0.1",
                "--ssh",
                shell.toString(),
                "--hocket",
                java)) {
            List<ProcessHandle> all = run.process().descendants().toList();
            int port = URI.create(run.page()).getPort();
            List<Long> first = turns(run, 0);
            List<Long> later = turns(run, Collections.max(first));
            assertThat(run.said()) // behind the address
                    .contains("on elsewhere: ssh -L " + port + ":127.0.0.1:" + port
                            + " elsewhere forwards it to this machine");
            assertThat(Collections.min(later)).isGreaterThan(Collections.max(first));
            for (String command : List.of(
                    "\"command\": \"pause\"",
                    "\"command\": \"set\", \"setting\": \"d/rate\", \"value\": 0.01",
                    "\"command\": \"plan\", \"plan\": \"g\"")) {
                assertThat(ask(run, "/commands", command))
                        .contains("only a run of one process can be paused or changed; this run has 2 workers and"
                                + " takes save, fork and stop");
            }
            assertThat(ask(run, "/commands", "\"command\": \"stop\""))
                    .contains("all processes of the run are asked to stop");
            assertThat(run.status()).as(run.said()).isZero();
            assertThat(all).noneMatch(ProcessHandle::isAlive);
            assertThat(Checkpoints.newest(here.resolve("watched/checkpoints")).number())
                    .isGreaterThanOrEqualTo(Collections.max(later));
            assertThat(CommandRun.of(here, "verify", "watched").out()).contains("watched is whole");
        }
    }

    @Test
    void aPageThatCannotBeServedIsRefusedBeforeAnythingBegins() throws Exception {
        Files.writeString(here.resolve("own.yaml"), RING.formatted(10));
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandRun refused = CommandRun.of(
                    here, "launch", "--workers", "2", "own.yaml", "--serve", Integer.toString(taken.getLocalPort()));
            assertThat(refused.status()).isEqualTo(2);
            assertThat(refused.err())
                    .startsWith("hocket: --serve: 127.0.0.1 port " + taken.getLocalPort() + " is not available: ")
                    .hasLineCount(1);
        }
        assertThat(here.resolve("runs")).doesNotExist();
    }

    @Test
    void theFolderOfARunIsNotTakenForAnExperimentToBeginAnew() throws IOException {
        java.nio.file.Path run = Files.createDirectories(here.resolve("mine"));
        Files.writeString(run.resolve("experiment.yaml"), "include: gaussian-ring\n");
        Files.writeString(run.resolve("lock"), "");
        CommandRun refused = CommandRun.of(here, "launch", "--workers", "2", "mine");
        assertThat(refused.err())
                .startsWith("hocket: ")
                .contains("hocket launch --workers 2 --servers 1 --resume mine resumes it");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err().lines()).hasSize(1);
        assertThat(here.resolve("runs")).doesNotExist();
    }

    @Test
    void aRunOfNoWorkersIsRefused() throws Exception {
        Files.writeString(here.resolve("own.yaml"), RING.formatted(10));
        assertThat(hocket("launch", "--workers", "0", "own.yaml")).isEqualTo(2);
        assertThat(text()).contains("hocket: --workers: must be from 1 to 1000, was 0");
    }
}
