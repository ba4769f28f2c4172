package hocket.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import hocket.workbench.command.Hocket;
import hocket.workbench.runs.CommandContext;
import hocket.workbench.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs commands of {@code hocket} that a script of bash calls, in this process: it starts once for all of them. Runs that are
 * served are processes of their own, as is all that the script starts in other ways.
 */
final class CommandServer implements AutoCloseable {
    private static final int COLUMNS = 80;

    private final ServerSocket socket;

    private CommandServer(ServerSocket socket) {
        this.socket = socket;
    }

    /** Starts a server on a free port of this machine. */
    static CommandServer start() throws IOException {
        CommandServer server = new CommandServer(new ServerSocket(0, 0, InetAddress.getLoopbackAddress()));
        Thread thread = new Thread(server::serve, "commands");
        thread.setDaemon(true);
        thread.start();
        return server;
    }

    /**
     * Returns a function {@code hocket} for bash, which asks this server. A request is folder, number of arguments, and arguments, each
     * with a zero byte after it; the answer is the status, the length of standard output, both outputs.
     */
    String shellFunction() {
        return """
                hocket() {
                  local server status length
                  case " $* " in
                    ' classpath '* | ' serve '* | *' --serve '*) command hocket "$@"; return ;;
                  esac
                  exec {server}<>/dev/tcp/127.0.0.1/%d
                  printf '%%s\\0' "$PWD" "$#" "$@" >&"$server"
                  read -r status length <&"$server"
                  head -c "$length" <&"$server"
                  cat <&"$server" >&2
                  exec {server}>&-
                  return "$status"
                }
                """.formatted(socket.getLocalPort());
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket shell = socket.accept()) {
                answer(shell.getInputStream(), shell.getOutputStream());
            } catch (IOException e) {
                // The server is closed, or the shell sees that its request has no answer.
            }
        }
    }

    private static void answer(InputStream request, OutputStream answer) throws IOException {
        Path folder = Path.of(word(request));
        List<String> arguments = new ArrayList<>();
        int count = Integer.parseInt(word(request));
        for (int i = 0; i < count; i++) {
            arguments.add(word(request));
        }
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Terminal terminal = new Terminal(new PrintWriter(out), new PrintWriter(err), UTF_8, false, COLUMNS);
        int status = new Hocket(new CommandContext(terminal, folder)).execute(arguments.toArray(String[]::new));
        byte[] printed = out.toString().getBytes(UTF_8);
        answer.write((status + " " + printed.length + "\n").getBytes(UTF_8));
        answer.write(printed);
        answer.write(err.toString().getBytes(UTF_8));
    }

    /** Reads the bytes before the next zero byte. */
    private static String word(InputStream in) throws IOException {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        for (int next = in.read(); next > 0; next = in.read()) {
            word.write(next);
        }
        return word.toString(UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
