package hocket.workbench.live.peers;

import hocket.schedulers.commands.Command;
import hocket.workbench.files.UserError;
import hocket.workbench.live.views.LiveAddress;
import hocket.workbench.runs.CommandFailure;
import hocket.workbench.runs.json.CommandLines;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.UUID;

/** Sends commands to a run that another process serves. */
public final class LiveClient {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private final LiveAddress to;

    public LiveClient(LiveAddress to) {
        this.to = to;
    }

    /**
     * Sends a command and waits until it is applied.
     *
     * @return its result, for people
     * @throws UserError if it is rejected
     * @throws CommandFailure if it is not answered
     */
    public String send(Command command) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(to.address() + to.path() + "/commands"))
                .timeout(LONGEST)
                .header("Authorization", "Bearer " + to.token())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        CommandLines.request(command, UUID.randomUUID().toString())))
                .build();
        try {
            HttpResponse<String> answer = client().send(request, HttpResponse.BodyHandlers.ofString());
            String message = CommandLines.message(answer.body());
            if (answer.statusCode() >= 500) {
                throw new CommandFailure(message);
            }
            if (answer.statusCode() >= 400) {
                throw new UserError(message);
            }
            return message;
        } catch (ConnectException e) { // without a message
            throw new CommandFailure(to.address() + " refuses connections", e);
        } catch (IOException e) {
            throw new CommandFailure("no answer from " + to.address() + ": " + CommandFailure.words(e), e);
        } catch (GeneralSecurityException e) {
            throw new UserError("the certificate of the run's live.json cannot be read: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("interrupted before an answer arrived", e);
        }
    }

    private HttpClient client() throws GeneralSecurityException {
        HttpClient.Builder client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        String certificate = to.certificate();
        return (certificate == null ? client : client.sslContext(new PinnedCertificate(certificate).context())).build();
    }
}
