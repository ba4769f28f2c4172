package hocket.workbench.live.peers;

import hocket.workbench.live.http.AllowedHosts;
import hocket.workbench.live.views.LiveAddress;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.ClientSSLOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run at another process of this machine, reached by the page's own API.
 *
 * @param origin such as {@code http://127.0.0.1:41233}
 * @param run its path there
 * @param certificate the only trusted certificate, in PEM; null without TLS
 */
public record Peer(
        URI origin, String run, String token, @Nullable String certificate) {
    private static final long CONNECT_MILLIS = 5000;

    /**
     * Returns the peer that serves a run; empty if it is not on this machine, so that a folder from elsewhere cannot
     * redirect requests.
     */
    static Optional<Peer> of(LiveAddress written) {
        try {
            URI origin = URI.create(written.address());
            boolean isTls = written.certificate() != null;
            boolean isPlain = written.address().equals(origin.getScheme() + "://" + origin.getAuthority())
                    && origin.getPort() > 0
                    && origin.getUserInfo() == null;
            if (!isPlain || !isTls == !"http".equals(origin.getScheme()) || !isHere(host(origin), isTls)) {
                return Optional.empty();
            }
            return Optional.of(new Peer(origin, written.path(), written.token(), written.certificate()));
        } catch (IllegalArgumentException | IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the host without brackets. */
    private static String host(URI origin) {
        return String.valueOf(origin.getHost()).replaceAll("[\\[\\]]", "");
    }

    /**
     * Without TLS the address must be numeric: a name would be resolved by the network, and the answering server is
     * unknown.
     */
    private static boolean isHere(String host, boolean isTls) throws IOException {
        return AllowedHosts.isLoopback(host)
                || isTls
                        && host.matches("[A-Za-z0-9.-]+|[0-9a-fA-F:]+")
                        && NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
    }

    /**
     * A request.
     *
     * @param rest the path after that of the run
     */
    RequestOptions request(HttpMethod method, String rest) {
        return with(new RequestOptions())
                .setMethod(method)
                .setURI(run + rest)
                .putHeader("Authorization", "Bearer " + token);
    }

    /** Sets the address of the peer. */
    <T extends RequestOptions> T with(T options) {
        options.setHost(host(origin))
                .setPort(origin.getPort())
                .setSsl(certificate != null)
                .setConnectTimeout(CONNECT_MILLIS)
                .putHeader("Host", origin.getAuthority());
        if (certificate != null) {
            options.setSslOptions(new ClientSSLOptions()
                    .setHostnameVerificationAlgorithm("") // no other certificate is accepted, whatever its name is
                    .setTrustOptions(new PinnedCertificate(certificate)));
        }
        return options;
    }
}
