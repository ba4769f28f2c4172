package hocket.workbench.live.peers;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import hocket.workbench.files.json.JsonDocument;
import hocket.workbench.live.Neighbourhood;
import hocket.workbench.live.Wire;
import hocket.workbench.live.http.JsonResponses;
import hocket.workbench.live.views.FolderRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

/** What is told to a run by a workbench, whatever becomes of the process that trains it. */
@Tag("engine")
@Timeout(60)
class RelayTest {
    private static final String COMMAND = "{\"id\":\"12345678\",\"command\":\"pause\"}";

    @TempDir
    Path here = Path.of("");

    @SuppressWarnings("NullAway.Init") // made before each test
    private Neighbourhood at;

    @BeforeEach
    void begins() throws IOException {
        at = new Neighbourhood(here.resolve("runs"), "ring", List.of());
    }

    @AfterEach
    void ends() {
        at.close();
    }

    /** What a process does with all that it is told. */
    private interface Fate {
        void befalls(HttpExchange told) throws IOException;
    }

    /** Serves the run well enough to be found. */
    private HttpServer neighbour(Fate fate) throws IOException {
        byte[] facts = JsonDocument.line(new FolderRun(Neighbourhood.workplace(here), at.run()).facts())
                .getBytes(StandardCharsets.UTF_8);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
        server.createContext("/", asked -> {
            if (asked.getRequestMethod().equals("GET")) {
                asked.getResponseHeaders().set("Content-Type", JsonResponses.JSON);
                asked.sendResponseHeaders(200, facts.length);
                asked.getResponseBody().write(facts);
            } else {
                asked.getRequestBody().readAllBytes();
                fate.befalls(asked);
            }
            asked.close();
        });
        server.start();
        at.write("http://127.0.0.1:" + server.getAddress().getPort(), "ring", null);
        return server;
    }

    private Wire.Answer told(String rest, String type, String body) throws IOException {
        return at.posted("/api/runs/ring/" + rest, at.token() + "Content-Type: " + type + "\r\n", body);
    }

    @ParameterizedTest
    @CsvSource({
        "commands, application/json, 409, its journal says whether the command was applied",
        "feeds/points/rows?client=me&sequence=7, application/x-ndjson, 503, with the same sequence number it is stored once",
        "infer/generator, application/x-ndjson, 503, ask again"
    })
    void whatARunTookAndDidNotAnswerIsSaidToBeSentAgainOrLookedUp(String rest, String type, int status, String how)
            throws IOException {
        HttpServer dies = neighbour(HttpExchange::close);
        try {
            Wire.Answer answer = told(rest, type, COMMAND);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
            assertThat(answer.body()).contains("the run did not answer: ", how);
            assertThat(answer.head().contains("Retry-After: ")).isEqualTo(status == 503);
        } finally {
            dies.stop(0);
        }
    }

    @Test
    void whatAnotherTookInThePlaceOfTheRunIsNotToldToItsFolder() throws IOException {
        HttpServer another = neighbour(told -> told.sendResponseHeaders(401, -1));
        try {
            Wire.Answer answer = told("commands", JsonResponses.JSON, COMMAND);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
            assertThat(answer.body()).contains("another process answered");
        } finally {
            another.stop(0);
        }
    }

    @Test
    void whoGoesAwayAmidAnAnswerEndsItAndIsNoError() throws Exception {
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        Logger server = (Logger) LoggerFactory.getLogger("io.vertx");
        server.addAppender(logged);
        CountDownLatch ended = new CountDownLatch(10);
        HttpServer talks = neighbour(told -> {
            told.getResponseHeaders().set("Content-Type", "application/x-ndjson");
            told.sendResponseHeaders(200, 0);
            byte[] some = "{}\n".repeat(20_000).getBytes(StandardCharsets.UTF_8);
            try {
                for (int i = 0; i < 2000; i++) {
                    told.getResponseBody().write(some);
                }
            } finally {
                ended.countDown();
            }
        });
        try {
            for (int asked = 0; asked < 10; asked++) {
                try (Wire wire = at.wire()) {
                    wire.send(at.head("POST /api/runs/ring/infer/draw")
                            + "Content-Type: application/x-ndjson\r\nContent-Length: 2\r\n\r\n{}");
                    for (int i = 0; i < 1000 * (asked + 1); i++) {
                        assertThat(wire.next()).isNotNegative();
                    }
                }
            }
            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(at.got("/api/runs/ring").status()).isEqualTo(200);
            assertThat(logged.list).isEmpty();
        } finally {
            server.detachAppender(logged);
            talks.stop(0);
        }
    }

    /** More than there are connections to the run. */
    @Test
    void whoDoesNotSendTheBodyThatItAnnouncedHoldsUpNobodyElse() throws Exception {
        at.write(null);
        List<Wire> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                silent.add(at.wire()
                        .send(at.head("POST /api/runs/ring/commands")
                                + "Content-Type: application/json\r\nContent-Length: 50\r\n\r\n"));
            }
            at.awaitForgotten();
            assertThat(at.got("/api/runs/ring").body()).contains(Neighbourhood.THERE);
            assertThat(told("commands", JsonResponses.JSON, COMMAND).status()).isEqualTo(409);
            assertThat(at.got("/api/runs/ring").body()).contains(Neighbourhood.THERE);
        } finally {
            for (Wire wire : silent) {
                wire.close();
            }
        }
    }

    @Test
    void whoAsksWhetherToGoOnWithItsBodyIsToldSo() throws IOException {
        at.write(null);
        try (Wire wire = at.wire()) {
            Wire.Answer first = wire.send(at.head("POST /api/runs/ring/commands")
                            + "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: "
                            + COMMAND.length() + "\r\n\r\n")
                    .answer();
            assertThat(first.status()).as(first.toString()).isEqualTo(100);
            Wire.Answer second = wire.send(COMMAND).answer();
            assertThat(second.body()).contains("it accepts no commands");
        }
    }
}
