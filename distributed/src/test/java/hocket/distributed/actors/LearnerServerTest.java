package hocket.distributed.actors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import hocket.distributed.actors.LearnerServer.Patience;
import hocket.rl.replay.PolicyFeed;
import hocket.rl.replay.PolicySnapshot;
import hocket.rl.replay.Trajectory;
import hocket.rl.replay.TrajectoryActor;
import hocket.rl.replay.TrajectoryBatch;
import hocket.schedulers.feeds.WaitCancelledException;
import hocket.schedulers.feeds.WaitFailedException;
import hocket.scopes.Parameters;
import hocket.scopes.Selection;
import hocket.scopes.Snapshot;
import hocket.workbench.files.UserError;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.SelectedExperiment;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A learner and those who come to it, in one process; whatever they say, it goes on. */
@Timeout(60)
class LearnerServerTest {
    private static final LearnerAddress HERE = LearnerAddress.here();
    private static final Patience SHORT = new Patience(200, 50, 400);

    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> lost = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> delivered = new LinkedBlockingQueue<>();
    private final SelectedExperiment selectedExperiment = selected();
    private final TrajectoryBatch batch = Actors.batch(selectedExperiment);
    private final BuildInfo buildInfo = BuildInfo.of(selectedExperiment, batch);
    private LearnerServer server = new LearnerServer(HERE, Patience.USUAL);
    private TrajectoryQueue queue = open();

    private static SelectedExperiment selected(String... changes) {
        return SelectedExperiment.of(ExperimentFile.read(
                "cartpole-impala",
                List.of(changes),
                new ExperimentFile.Surroundings(Path.of(""), List.of(), Map.of())));
    }

    private TrajectoryQueue open() {
        TrajectoryQueue opened = new TrajectoryQueue(
                server,
                batch.actorSettings().policy().program().parameters().keySet(),
                new TrajectoryQueue.Actors() {
                    @Override
                    public int alive() {
                        return server.alive();
                    }

                    @Override
                    public int credits() {
                        return 2;
                    }

                    @Override
                    public void awaited(long seconds) {}
                },
                () -> false,
                System::nanoTime);
        server.open(new LearnerServer.Learner(
                new LearnerServer.Admission(2, "own", 4, "token"),
                buildInfo,
                batch,
                7,
                opened,
                new LearnerServer.Listener() {
                    @Override
                    public void delivered(int rank) {
                        delivered.add(rank);
                    }

                    @Override
                    public void lost(int rank, String why) {
                        lost.add(rank + ": " + why);
                    }

                    @Override
                    public void says(String line) {
                        said.add(line.replaceAll("127\\.0\\.0\\.1:\\d+", "there"));
                    }
                }));
        return opened;
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void withPatience(Patience patience) {
        server.close();
        server = new LearnerServer(HERE, patience);
        queue = open();
    }

    private void publish(long version) {
        server.publish(new PolicySnapshot(version, parameters()));
    }

    private Snapshot parameters() {
        try (Parameters store = selectedExperiment.setup().initialise(3)) {
            return store.snapshot(Selection.of("actor/**"));
        }
    }

    private ActorHandshake hello(int rank, String token, BuildInfo of) {
        return new ActorHandshake(token, rank, 1234, of);
    }

    private LearnerConnection connected(int rank, String token, Patience patience) {
        return new LearnerConnection(
                HERE.host(),
                server.port(),
                hello(rank, token, buildInfo),
                PolicyBytes.longest(batch.actorSettings().policy().program()),
                patience);
    }

    private LearnerConnection connected(int rank) {
        return connected(rank, "own", Patience.USUAL);
    }

    /** An actor from elsewhere plays and is learnt from, whatever happened before: the learner goes on. */
    private void stillLearns() throws InterruptedException {
        publish(0);
        SelectedExperiment other = selected();
        try (LearnerConnection learner = connected(0)) {
            try (TrajectoryActor actor = new TrajectoryActor(
                    other.setup(), Actors.batch(other), learner.welcome().seed())) {
                learner.send(actor.next(learner));
            }
            assertThat(queue.take().rows()).isEqualTo(5 * 8);
        }
        assertThat(lost.take()).startsWith("0: ");
    }

    @Test
    void whatAnActorHasDoneArrivesAsItWas() throws InterruptedException {
        publish(3);
        SelectedExperiment other = selected();
        try (LearnerConnection learner = connected(1);
                TrajectoryActor actor = new TrajectoryActor(
                        other.setup(), Actors.batch(other), learner.welcome().seed())) {
            Trajectory made = actor.next(learner);
            learner.send(made);
            Trajectory got = queue.take();
            assertThat(got).usingRecursiveComparison().isEqualTo(made);
            assertThat(got.version()).isEqualTo(3);
            assertThat(delivered.take()).isEqualTo(1);
            assertThat(learner.newerThan(3)).isEmpty();
            publish(4); // which the server's own thread takes over
            Optional<PolicySnapshot> newer = learner.newerThan(3);
            for (int i = 0; newer.isEmpty() && i < 1000; i++) {
                Thread.sleep(10);
                newer = learner.newerThan(3);
            }
            assertThat(newer.orElseThrow().version()).isEqualTo(4);
            assertThat(learner.newerThan(PolicyFeed.NONE).orElseThrow().parameters())
                    .isEqualTo(parameters());
        }
    }

    @Test
    void everyActorOfARankPlaysOtherEpisodes() {
        long[] seeds = new long[4];
        for (int i = 0; i < 2; i++) {
            for (int rank = 0; rank < 2; rank++) {
                try (LearnerConnection learner = connected(rank)) {
                    seeds[2 * i + rank] = learner.welcome().seed();
                }
            }
            server.drop(0, () -> {});
            server.drop(1, () -> {});
        }
        assertThat(Arrays.stream(seeds).distinct().count()).isEqualTo(4);
        assertThat(seeds[0]).isEqualTo(TrajectoryActor.seed(7, 0, 0, 0));
        assertThat(TrajectoryActor.seed(7, 0, 0, 1)).isNotEqualTo(seeds[0]); // a run that goes on
    }

    @Test
    void anActorThatIsAheadWaitsAndNothingIsBufferedBeyondItsCredit() throws Exception {
        publish(0);
        SelectedExperiment other = selected();
        try (LearnerConnection learner = connected(0)) {
            Trajectory[] one = new Trajectory[1];
            try (TrajectoryActor actor = new TrajectoryActor(
                    other.setup(), Actors.batch(other), learner.welcome().seed())) {
                one[0] = actor.next(learner);
            }
            BlockingQueue<Integer> sent = new LinkedBlockingQueue<>();
            Thread ahead = new Thread(() -> {
                try {
                    for (int i = 0; i < 50; i++) {
                        learner.send(one[0]);
                        sent.add(i);
                    }
                } catch (LearnerConnection.EndedException e) {
                    sent.add(-1);
                }
            });
            ahead.start();
            int most = 0;
            for (int taken = 0; taken < 50; taken++) {
                for (int i = 0; i < 1000 && queue.size() < LearnerServer.CREDITS && taken < 48; i++) {
                    Thread.sleep(1);
                }
                most = Math.max(most, queue.size());
                assertThat(sent.size()).isLessThanOrEqualTo(taken + LearnerServer.CREDITS);
                queue.take();
            }
            ahead.join();
            assertThat(most).isEqualTo(LearnerServer.CREDITS);
            assertThat(sent).hasSize(50).doesNotContain(-1);
        }
    }

    @Test
    void whoSendsMoreThanItsCreditIsRefused() throws Exception {
        publish(0);
        try (Wire wire = new Wire()) {
            wire.admitted(0);
            byte[] frame = TrajectoryBytes.frame(blank(0)).bytes();
            for (int i = 0; i <= LearnerServer.CREDITS; i++) {
                wire.send(frame);
            }
            assertThat(wire.refusal()).isEqualTo("a trajectory for which it had no credit");
            assertThat(lost.take()).isEqualTo("0: it was refused: a trajectory for which it had no credit");
            assertThat(queue.size()).isEqualTo(LearnerServer.CREDITS);
        }
        queue.take();
        queue.take();
        stillLearns();
    }

    private static Trajectory blank(long version) {
        return new Trajectory(
                version,
                5,
                8,
                new float[6 * 8 * 4],
                new float[40],
                new float[0],
                new float[40],
                new float[40],
                new boolean[40],
                new boolean[40],
                new float[0],
                List.of());
    }

    @Test
    void aTrajectoryOfAPolicyThatWasNeverGivenAwayIsRefused() throws Exception {
        publish(2);
        try (Wire wire = new Wire()) {
            wire.admitted(0);
            wire.send(TrajectoryBytes.frame(blank(3)).bytes());
            assertThat(wire.refusal()).isEqualTo("a trajectory of policy 3, which this learner never sent");
        }
        assertThat(lost.take()).startsWith("0: it was refused");
    }

    @Test
    void whoIsNotWantedIsToldWhyAndSoIsThePerson() throws Exception {
        publish(0);
        SelectedExperiment other = selected("algorithm.unroll=7");
        BuildInfo different = BuildInfo.of(other, Actors.batch(other));
        refused(hello(2, "wrong", buildInfo), "its token is not that of this learner");
        refused(hello(1, "token", buildInfo), "its rank must be 2 to 3, was 1");
        refused(hello(4, "token", buildInfo), "its rank must be 2 to 3, was 4");
        refused(
                hello(2, "token", different),
                "it runs cartpole-impala (" + different.digest().substring(0, 8)
                        + "), this learner runs cartpole-impala ("
                        + buildInfo.digest().substring(0, 8)
                        + "): unroll is 5 at the learner and 7 at the actor");
        try (LearnerConnection there = connected(3, "token", Patience.USUAL)) {
            assertThat(said.take()).isEqualTo("actor 3 connected, process 1234 at there");
            assertThat(there.welcome().credits()).isEqualTo(LearnerServer.CREDITS);
            refused(hello(3, "token", buildInfo), "actor 3 is already connected: process 1234 at there");
        }
        assertThat(lost.take()).startsWith("3: its connection was closed");
        stillLearns();
    }

    private void refused(ActorHandshake actorHandshake, String why) throws Exception {
        assertThatThrownBy(
                        () -> new LearnerConnection(HERE.host(), server.port(), actorHandshake, 1000, Patience.USUAL))
                .isInstanceOf(LearnerConnection.EndedException.class)
                .extracting(e -> String.valueOf(e.getMessage()).replaceAll("127\\.0\\.0\\.1:\\d+", "there"))
                .isEqualTo("the learner at there refuses this actor: " + why);
        assertThat(said.take()).isEqualTo("a process at there was refused: " + why);
    }

    @Test
    void whatIsNoFrameIsRefusedInALine() throws Exception {
        byte[] good = hello(0, "own", buildInfo).frame().bytes();
        byte[] damaged = good.clone();
        damaged[good.length - 1] ^= 1;
        byte[] later = good.clone();
        later[3] = '2';
        said(
                "GET / HTTP/1.1\r\nHost: here\r\n\r\n".getBytes("US-ASCII"),
                "something that is not a frame of this version of the protocol");
        said(later, "something that is not a frame of this version of the protocol");
        said(damaged, "a frame whose checksum is not that of its bytes");
        said(header(0, Integer.MAX_VALUE), "a frame HELLO of 2147483647 bytes; it may have at most 65536");
        said(header(0, -1), "a frame HELLO of -1 bytes; it may have at most 65536");
        said(header(77, 0), "a frame of kind 77, which is not allowed at this point");
        said(header(3, 10), "a frame TRAJECTORY, which is not allowed at this point"); // nobody knows who it is
        said(
                new ProtocolFrame(ProtocolFrame.Kind.HELLO, ProtocolFrame.room(3)).bytes(),
                "a frame HELLO that is too short");
        stillLearns();
    }

    private static byte[] header(int kind, int length) {
        return ProtocolFrame.room(ProtocolFrame.HEADER)
                .putInt(ProtocolFrame.MAGIC)
                .putInt(kind)
                .putInt(length)
                .putInt(0)
                .array();
    }

    private void said(byte[] bytes, String why) throws Exception {
        try (Wire wire = new Wire()) {
            wire.send(bytes);
            assertThat(wire.refusal()).isEqualTo(why);
            assertThat(said.take()).isEqualTo("a process at there was refused: " + why);
        }
    }

    @Test
    void whoSaysNothingOrStopsAmidAWordIsNotWaitedFor() throws Exception {
        withPatience(SHORT);
        try (Wire silent = new Wire()) {
            assertThat(silent.refusal()).isEqualTo("it sent no handshake within 200 ms");
        }
        byte[] good = hello(0, "own", buildInfo).frame().bytes();
        try (Wire slow = new Wire()) {
            slow.send(Arrays.copyOf(good, 30));
            assertThat(slow.refusal()).isEqualTo("it sent no handshake within 200 ms");
        }
        try (Wire gone = new Wire()) {
            gone.send(Arrays.copyOf(good, 30));
        }
        assertThat(said.take()).contains("sent no handshake");
        assertThat(said.take()).contains("sent no handshake");
        assertThat(said.take())
                .isEqualTo("a process at there sent no handshake: its connection was closed within a frame");
        try (Wire halfOpen = new Wire()) { // it was welcome, and is never heard of again
            halfOpen.admitted(1);
            assertThat(lost.take()).isEqualTo("1: it has been silent for 0 s");
        }
    }

    /** Those that have come wait with them; those that come say at once who they are. */
    @Test
    void howeverManyComeAndSayNothingAnActorIsLetIn() throws Exception {
        List<Wire> strangers = new ArrayList<>();
        try {
            for (int i = 0; i < 5 * LearnerServer.MOST_UNKNOWN; i++) {
                strangers.add(new Wire());
            }
            stillLearns();
            assertThat(strangers.get(0).in.read())
                    .as("who has waited longest has left")
                    .isEqualTo(-1);
        } finally {
            for (Wire stranger : strangers) {
                stranger.close();
            }
        }
    }

    @Test
    void anActorDoesNotWaitForALearnerThatAcceptsItAndDoesNotAnswer() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) { // nobody reads it
            assertThatThrownBy(() -> new LearnerConnection(
                            HERE.host(), silent.getLocalPort(), hello(0, "own", buildInfo), 1000, SHORT))
                    .isInstanceOf(LearnerConnection.EndedException.class)
                    .hasMessageContaining("does not answer");
        }
    }

    /** It is closed without a word where too many others came meanwhile, or with half of one where the learner ends. */
    @Test
    void anActorThatWasNotAnsweredComesAgain() throws Exception {
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Long> seed = CompletableFuture.supplyAsync(() -> {
                try (LearnerConnection learner = new LearnerConnection(
                        HERE.host(), busy.getLocalPort(), hello(0, "own", buildInfo), 1000, Patience.USUAL)) {
                    return learner.welcome().seed();
                }
            });
            busy.setSoTimeout(20_000);
            busy.accept().close();
            byte[] welcome = new LearnerHandshake(7, 1).frame().bytes();
            try (Socket ends = busy.accept()) {
                ends.getOutputStream().write(welcome, 0, welcome.length / 2);
                // a socket that is closed with bytes unread may lose those it wrote
                ends.getInputStream()
                        .readNBytes(hello(0, "own", buildInfo).frame().bytes().length);
            }
            try (Socket there = busy.accept()) {
                there.getOutputStream()
                        .write(new LearnerHandshake(77, 1).frame().bytes());
                assertThat(seed.get()).isEqualTo(77);
            }
        }
    }

    @Test
    void anActorHearsThatAllIsOverOrThatItsLearnerIsLost() throws Exception {
        LearnerConnection learner = connected(0);
        server.close();
        assertThat(learner.end.get().isGood()).isTrue();
        assertThat(learner.end.get().why()).endsWith(" has ended");
        learner.close();
        withPatience(new Patience(5000, 5000, 5000)); // it beats so rarely that it seems to be gone
        try (LearnerConnection deserted = connected(0, "own", SHORT)) {
            assertThat(deserted.end.get().isGood()).isFalse();
            assertThat(deserted.end.get().why()).endsWith(" is lost: it has been silent for 0 s");
            assertThatThrownBy(() -> deserted.newerThan(PolicyFeed.NONE)) // there is no policy, and nobody to wait for
                    .isInstanceOf(LearnerConnection.EndedException.class);
        }
    }

    @Test
    void aPortThatIsTakenIsRefused() {
        LearnerAddress taken = new LearnerAddress(HERE.host(), server.port());
        assertThatThrownBy(() -> new LearnerServer(taken, Patience.USUAL))
                .isInstanceOf(UserError.class)
                .hasMessageStartingWith("--actors-at: " + taken + " is not available: ");
    }

    @Test
    void aLearnerThatWaitsEndsWhenItIsAskedOrNobodyWillCome() {
        TrajectoryQueue asked = new TrajectoryQueue(
                policy -> {},
                batch.actorSettings().policy().program().parameters().keySet(),
                new TrajectoryQueue.Actors() {
                    @Override
                    public int alive() {
                        return 0;
                    }

                    @Override
                    public int credits() {
                        return 0;
                    }

                    @Override
                    public void awaited(long seconds) {}
                },
                () -> true,
                System::nanoTime);
        assertThatThrownBy(asked::take).isInstanceOf(WaitCancelledException.class);
        queue.fail("actor 0 was lost");
        assertThatThrownBy(queue::take).isInstanceOf(WaitFailedException.class).hasMessage("actor 0 was lost");
    }

    /** Says what it likes. */
    private final class Wire implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;

        Wire() throws IOException {
            socket = new Socket(HERE.host(), server.port());
            in = new DataInputStream(socket.getInputStream());
        }

        void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        void admitted(int rank) throws IOException {
            send(hello(rank, "own", buildInfo).frame().bytes());
            assertThat(next().kind()).isEqualTo(ProtocolFrame.Kind.WELCOME);
        }

        private ProtocolFrame next() throws IOException {
            ProtocolFrame[] got = new ProtocolFrame[1];
            Framing framing = new Framing(kind -> 1 << 20, protocolFrame -> got[0] = protocolFrame);
            while (got[0] == null) {
                framing.take(new byte[] {in.readByte()});
            }
            return got[0];
        }

        String refusal() throws IOException {
            ProtocolFrame protocolFrame = next();
            while (protocolFrame.kind() != ProtocolFrame.Kind.REFUSED) {
                protocolFrame = next();
            }
            ByteBuffer text = protocolFrame.payload();
            assertThat(in.read()).isEqualTo(-1); // and nothing comes behind it
            return Codec.shown(text);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
