package hocket.workbench.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** A run that trains in a process of its own, side by side with others: how far it is, and how it is stopped. Any thread. */
final class Child {
    private static final int SIGNAL_STATUS = 128;

    private final SideBySide.Job job;
    private final Process process;
    private final long began = System.nanoTime();
    private volatile Parent.Told first = new Parent.Told(0, "starting");
    private volatile Parent.Told last = first;

    /** @param over is told when its process has ended, by another thread */
    Child(SideBySide.Job job, Process process, Consumer<Child> over) {
        this.job = job;
        this.process = process;
        Thread listening = new Thread(this::listen, job.name());
        listening.setDaemon(true);
        listening.start();
        process.onExit().thenRun(() -> over.accept(this));
    }

    private void listen() {
        boolean isFirst = true;
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                Parent.Told told = Parent.Told.of(line).orElse(last);
                first = isFirst ? told : first;
                last = told;
                isFirst = false;
            }
        } catch (IOException e) {
            // it has ended
        }
    }

    SideBySide.Job job() {
        return job;
    }

    /** What it last said. */
    String line() {
        return last.line();
    }

    /** How much of its run is done, from 0 to 1. */
    double done() {
        return last.done();
    }

    /** How much of it was done by this process. */
    double doneHere() {
        return last.done() - first.done();
    }

    double seconds() {
        return (System.nanoTime() - began) * 1e-9;
    }

    /** Has it save and end; a second time does nothing. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it has ended
        }
    }

    /** Ends it at once. */
    void kill() {
        process.destroyForcibly();
    }

    /** What came of it, once its process has ended. */
    SideBySide.Ended ended() {
        int status = process.exitValue();
        String reason = status == 0
                ? ""
                : status > SIGNAL_STATUS
                        ? "its process was ended by signal " + (status - SIGNAL_STATUS)
                        : Start.of(job.folder()).reason();
        job.folder().dropSaid();
        job.folder().dropStart();
        return new SideBySide.Ended(job, status, reason, seconds());
    }
}
