package hocket.programs.mxnet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Loading the engine in a JVM where every way out is a trap that says so and throws. */
@Tag("engine")
class NoNetworkTest {
    private static final String CAUGHT = "network: ";

    static IOException caught(String what) {
        System.out.println(CAUGHT + what);
        return new IOException("no network here");
    }

    private static void setTraps() throws IOException {
        Socket.setSocketImplFactory(() -> {
            System.out.println(CAUGHT + "socket");
            throw new IllegalStateException("no network here");
        });
        URL.setURLStreamHandlerFactory(protocol -> protocol.startsWith("http") || protocol.equals("ftp") ? TRAP : null);
        ProxySelector.setDefault(new ProxySelector() {
            @Override
            public List<Proxy> select(URI uri) {
                System.out.println(CAUGHT + "proxy for " + uri);
                throw new IllegalStateException("no network here");
            }

            @Override
            public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
        });
    }

    private static final URLStreamHandler TRAP = new URLStreamHandler() {
        @Override
        protected URLConnection openConnection(URL url) throws IOException {
            throw caught(url.toString());
        }

        @Override
        protected URLConnection openConnection(URL url, Proxy proxy) throws IOException {
            throw caught(url.toString());
        }
    };

    /** The way of {@code java.net.http} and of NIO libraries. */
    public static final class Channels extends SelectorProvider {
        @Override
        public DatagramChannel openDatagramChannel() throws IOException {
            throw caught("datagram channel");
        }

        @Override
        public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
            throw caught("datagram channel");
        }

        @Override
        public Pipe openPipe() throws IOException {
            throw caught("pipe");
        }

        @Override
        public AbstractSelector openSelector() throws IOException {
            throw caught("selector");
        }

        @Override
        public ServerSocketChannel openServerSocketChannel() throws IOException {
            throw caught("server socket channel");
        }

        @Override
        public SocketChannel openSocketChannel() throws IOException {
            throw caught("socket channel");
        }
    }

    static final class Hocket {
        public static void main(String[] arguments) throws Exception {
            setTraps();
            System.out.println("unavailable: " + new MxLowering().unavailable().orElse("no"));
            Thread.sleep(500);
        }
    }

    /** What would happen without our hand: shows that the traps are where DJL goes. */
    static final class DjlAlone {
        public static void main(String[] arguments) throws Exception {
            setTraps();
            ai.djl.engine.Engine.getEngine("MXNet");
            Thread.sleep(500);
        }
    }

    private static Fork.Result run(Class<?> main) throws Exception {
        return Fork.run(
                main,
                List.of("-Djava.nio.channels.spi.SelectorProvider=" + Channels.class.getName()),
                Map.of(),
                entry -> true);
    }

    @Test
    void loadingTheEngineTouchesNoNetwork() throws Exception {
        Fork.Result result = run(Hocket.class);
        assertThat(result.output()).contains("unavailable: no").doesNotContain(CAUGHT);
    }

    @Test
    void theTrapsCatchWhatDjlDoesByItself() throws Exception {
        assertThat(run(DjlAlone.class).output()).contains(CAUGHT + "http");
    }
}
