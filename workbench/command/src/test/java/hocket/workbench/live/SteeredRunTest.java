package hocket.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import hocket.workbench.command.Ran;
import hocket.workbench.command.SameRun;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.RunRequest.Beginning;
import hocket.workbench.training.RunRequest.Replayed;
import hocket.workbench.training.RunRequest.ResumeCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a person does by {@code hocket send} to a run that is served, and that it is done again to the bit. */
@Tag("engine")
@Timeout(120)
class SteeredRunTest {
    @TempDir
    private Path here;

    /** Until it is there, rounds are slow: whatever the machine, the run goes on while commands are sent. */
    private Path gate() {
        return here.resolve("gate");
    }

    private CompletableFuture<Ran> begun(String... more) throws Exception {
        List<String> words = new java.util.ArrayList<>(List.of(
                "run",
                "gaussian-ring",
                "--set",
                "rounds=600",
                "--set",
                "network.width=16",
                "--set",
                "feeds.ring.batch=32",
                "--set",
                "evaluation.samples=200",
                "--set",
                "rings=[{class: hocket.workbench.testing.GateRing, file: " + gate() + "}]",
                "--threads",
                "1",
                "--out",
                "steered",
                "--serve",
                "0"));
        words.addAll(List.of(more));
        return begun("steered", words);
    }

    private CompletableFuture<Ran> begun(String folder, List<String> words) throws Exception {
        CompletableFuture<Ran> run =
                CompletableFuture.supplyAsync(() -> Ran.hocket(here, words.toArray(String[]::new)));
        while (!Files.exists(here.resolve(folder).resolve("live.json")) && !run.isDone()) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return run;
    }

    private String send(String... words) {
        Ran sent = Ran.hocket(here, words);
        assertThat(sent.status()).as(sent.err()).isZero();
        return sent.out().strip();
    }

    private void refused(String why, String... words) {
        Ran sent = Ran.hocket(here, words);
        assertThat(sent.status()).isEqualTo(2);
        assertThat(sent.err()).startsWith("hocket: ").contains(why).hasLineCount(1);
    }

    private void assertRepeats(String run, String again) throws IOException {
        Ran repeated = Ran.hocket(here, "run", run + "/experiment.yaml", "--replay", "--out", again, "--quiet");
        assertThat(repeated.status()).as(repeated.err()).isZero();
        assertThat(Ran.hocket(here, "digest", again, "--all").out())
                .isEqualTo(Ran.hocket(here, "digest", run, "--all").out())
                .isNotEmpty();
        SameRun.assertIsAs(here.resolve(run), here.resolve(again));
        assertThat(journal(again)).isEqualTo(journal(run));
    }

    /** Its own folder has only the commands that it has repeated so far. */
    @Test
    void aRepetitionThatIsStoppedGoesOnWithTheCommandsThatAreLeft() throws IOException {
        RunFolder folder = new RunFolder(here.resolve("again"));
        Optional<Replayed> of = Optional.of(new Replayed("run/experiment.yaml", List.of()));
        Beginning beginning = new Beginning(false, false, Optional.empty(), Optional.empty(), of);
        assertThat(ResumeCommand.of(folder, beginning).line())
                .endsWith(" run run/experiment.yaml --replay --out " + folder + " --resume");
        assertThat(ResumeCommand.of(folder, Beginning.of(false)).line()).endsWith(" run " + folder + " --resume");
        assertThat(Ran.hocket(here, "run", "gaussian-ring", "--set", "rounds=2", "--quiet", "--out", "run")
                        .status())
                .isZero();
        Files.writeString(here.resolve("run/journal.jsonl"), "");
        refused(
                "is the run that is resumed; name the experiment.yaml of the run",
                "run",
                "run",
                "--replay",
                "--resume");
    }

    /** Without the time of day. */
    private List<String> journal(String run) throws IOException {
        return Files.readAllLines(here.resolve(run).resolve("journal.jsonl")).stream()
                .map(line -> line.replaceAll(",\"time\":[^,}]*", ""))
                .toList();
    }

    @Test
    void aSessionWithPauseRateChangePlanSwapAndForkRepeatsToTheBit() throws Exception {
        CompletableFuture<Ran> run = begun("--quiet");
        assertThat(send("send", "steered", "pause")).startsWith("paused in round ");
        assertThat(send("send", "steered", "step")).isEqualTo("takes one turn");
        refused("there is no setting d/rat; did you mean d/rate?", "send", "steered", "set", "d.rat=1");
        refused("turn d: beta1: must be", "send", "steered", "set", "d.beta1=7");
        assertThat(send("send", "steered", "set", "d.rate=2e-4")).startsWith("d/rate is 2e-4, was ");
        refused("there is no turn x", "send", "steered", "plan", "{sequence: [d, x]}");
        refused(
                "class java.lang.Runtime is not named",
                "send",
                "steered",
                "plan",
                "{sequence: [d, {class: java.lang.Runtime}]}");
        assertThat(send("send", "steered", "plan", "{sequence: [{repeat: 2, of: d}, g]}"))
                .contains("plan");
        assertThat(send("send", "steered", "fork", "other"))
                .contains("hocket run")
                .contains("other --resume");
        refused("exists and is not empty", "send", "steered", "fork", "other");
        assertThat(send("send", "steered", "resume")).startsWith("resumes in round ");
        Files.createFile(gate());
        Ran ended = run.get(60, TimeUnit.SECONDS);
        assertThat(ended.status()).as(ended.err()).isZero();
        assertThat(ended.err()).startsWith("page     http://127.0.0.1:");
        assertThat(here.resolve("steered/live.json")).doesNotExist();
        refused("is not served", "send", "steered", "pause");
        assertRepeats("steered", "again");
        assertThat(Ran.hocket(here, "verify", "steered").out()).contains("journal.jsonl", "whole, 6 commands");
        Path journal = here.resolve("again/journal.jsonl");
        Files.writeString(journal, Files.readString(journal).replace("2.0E-4", "3.0E-4"));
        assertThat(Ran.hocket(here, "verify", "again").out()).contains("DAMAGED: it was changed since the run ended");

        Ran other = Ran.hocket(here, "run", "other", "--resume", "--quiet");
        assertThat(other.status()).as(other.err()).isZero();
        assertThat(Ran.hocket(here, "digest", "other", "--all").out())
                .isEqualTo(Ran.hocket(here, "digest", "steered", "--all").out()); // nobody steered it after that
        assertRepeats("other", "other-again");
    }

    @Test
    void oneThatWasStoppedByCommandGoesOnAndRepeatsWhole() throws Exception {
        CompletableFuture<Ran> run = begun("--quiet");
        send("send", "steered", "set", "g.rate=2e-3");
        assertThat(send("send", "steered", "stop")).startsWith("stops in round ");
        Files.createFile(gate());
        assertThat(run.get(60, TimeUnit.SECONDS).status()).isZero();
        assertRepeats("steered", "until-there");
        Ran resumed = Ran.hocket(here, "run", "steered", "--resume", "--quiet");
        assertThat(resumed.status()).as(resumed.err()).isZero();
        assertRepeats("steered", "again");
        assertThat(journal("steered")).last().asString().contains("\"command\":\"start\"");
    }

    @Test
    void aCommandToAServerThatIsGoneFails() throws Exception {
        RunFolder gone = new RunFolder(Files.createDirectory(here.resolve("gone")));
        String address;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = "http://127.0.0.1:" + free.getLocalPort();
        }
        new LiveAddress(address, "token", "gone", ProcessHandle.current().pid(), null).write(gone);
        assertThat(Ran.ending(1, here, "send", "gone", "pause").err().strip())
                .isEqualTo("hocket: " + address + " refuses connections");
    }

    @Test
    void whatCannotBeServedRepeatedOrSentIsRefused() {
        refused("port: must be 0 to 65535, was 70000", "run", "gaussian-ring", "--serve", "70000");
        refused("--serve: is for one run", "run", "gaussian-ring", "--serve", "0", "--seeds", "2");
        refused("token unencrypted", "run", "gaussian-ring", "--serve", "0", "--host", "192.0.2.1");
        refused("TLS needs both", "run", "gaussian-ring", "--serve", "0", "--certificate", "a.pem");
        refused("--replay: needs the experiment.yaml of a run with commands", "run", "gaussian-ring", "--replay");
        refused("it has no live.json", "send", "nowhere", "pause");
        refused("there is no command paus; did you mean pause?", "send", "nowhere", "paus");
        refused("set: must be KEY=NUMBER", "send", "nowhere", "set", "d.rate");
        refused("step: must be turn or round, was back", "send", "nowhere", "step", "back");
        refused("there is no such folder", "serve", "nowhere");
        assertThat(here.toFile().list()).isEmpty();
    }
}
