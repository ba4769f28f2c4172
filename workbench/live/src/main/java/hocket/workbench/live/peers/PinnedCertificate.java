package hocket.workbench.live.peers;

import io.netty.handler.ssl.util.TrustManagerFactoryWrapper;
import io.vertx.core.Vertx;
import io.vertx.core.net.TrustOptions;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts only the server with one certificate, whatever its issuer and name are: the certificate was read from that
 * server.
 *
 * @param pem the server's certificate, the first of several
 */
record PinnedCertificate(String pem) implements TrustOptions {
    /** Trusts this certificate and no other. */
    SSLContext context() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {only()}, null);
        return context;
    }

    private Only only() throws CertificateException {
        return new Only(CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.ISO_8859_1))));
    }

    @Override
    public TrustOptions copy() {
        return this;
    }

    @Override
    public TrustManagerFactory getTrustManagerFactory(Vertx vertx) throws CertificateException {
        return new TrustManagerFactoryWrapper(only());
    }

    @Override
    public Function<String, TrustManager[]> trustManagerMapper(Vertx vertx) throws CertificateException {
        TrustManager[] one = {only()};
        return name -> one;
    }

    /** The JDK's trust managers also check the host name in the certificate, so none of them is used. */
    private static final class Only extends X509ExtendedTrustManager {
        private final Certificate certificate;

        Only(Certificate certificate) {
            this.certificate = certificate;
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
            if (chain.length == 0 || !chain[0].equals(certificate)) {
                throw new CertificateException("the server's certificate differs from the one in the run's live.json");
            }
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("client certificates are not accepted");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, type);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
