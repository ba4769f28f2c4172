package hocket.workbench.training.rings;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import hocket.schedulers.Event;
import hocket.schedulers.Next;
import hocket.schedulers.Ring;
import hocket.schedulers.Run;
import hocket.workbench.runs.FolderRecorder;
import hocket.workbench.runs.RunFolder;
import hocket.workbench.training.RunContext;
import hocket.workbench.training.RunRing;
import hocket.workbench.training.RunRingOrder;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Copies warnings that code below a run logs, such as those of Python's environments, to the run's log.txt: from before its
 * environments start until they are closed, at the ends of rounds. Where another library than Logback logs, nothing is copied.
 */
public final class LoggedWarningsRing implements RunRing {
    private static final String LOGBACK = "ch.qos.logback.classic.LoggerContext";

    /** The number of warnings after which no more are copied: code that warns in each step must not fill the disk. */
    private static final int MOST = 1000;

    private final Texts texts = new Texts();

    @Override
    public RunRingOrder layer() {
        return RunRingOrder.WARNINGS;
    }

    @Override
    public void run(RunContext run, Next next) {
        if (!LoggerFactory.getILoggerFactory().getClass().getName().equals(LOGBACK)) {
            next.proceed();
            return;
        }
        try (Attached attached = Attached.to(texts)) {
            next.proceed();
        } finally {
            run.find(RunFolder.class).ifPresent(texts::copyLast);
        }
    }

    @Override
    public void write(RunContext run, Next next) {
        texts.lastPosition = run.scheduler().position();
        run.scheduler().ring(new Copying(texts, run.get(FolderRecorder.class)));
        next.proceed();
    }

    private record Copying(Texts texts, FolderRecorder recorder) implements Ring {
        @Override
        public void round(Run run, Next next) {
            texts.copy(recorder, run.position()); // of actions after the last round
            try {
                next.proceed();
            } catch (Throwable e) {
                copyBeside(e, run);
                throw e;
            }
            texts.copy(recorder, run.position());
        }

        private void copyBeside(Throwable failure, Run run) {
            try {
                texts.copy(recorder, run.position());
            } catch (UncheckedIOException e) {
                failure.addSuppressed(e);
            }
        }
    }

    /** The texts that are not in log.txt yet. Any thread may log. */
    private static final class Texts {
        private final Queue<String> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicInteger count = new AtomicInteger();
        private Event.@Nullable Position lastPosition;

        void add(String text) {
            int number = count.incrementAndGet();
            if (number <= MOST) {
                waiting.add(text);
            } else if (number == MOST + 1) {
                waiting.add("further warnings are not copied to this file");
            }
        }

        void copy(FolderRecorder recorder, Event.Position at) {
            lastPosition = at;
            String text = waiting.poll();
            while (text != null) {
                recorder.text(at, "warning", text);
                text = waiting.poll();
            }
        }

        /** Copies what was logged while the run was closed. */
        void copyLast(RunFolder folder) {
            Event.Position at = lastPosition;
            if (waiting.isEmpty() || at == null) {
                return;
            }
            try (FolderRecorder recorder = new FolderRecorder(folder, InstantSource.system())) {
                copy(recorder, at);
            } catch (UncheckedIOException e) {
                waiting.clear(); // the terminal has them
            }
        }
    }

    /** The appender that Logback calls; a class of its own, which is loaded only where there is Logback. */
    private static final class Attached extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Texts texts;
        private final Logger root;

        private Attached(Texts texts, Logger root) {
            this.texts = texts;
            this.root = root;
        }

        static Attached to(Texts texts) {
            LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
            Attached attached = new Attached(texts, context.getLogger(Logger.ROOT_LOGGER_NAME));
            attached.setContext(context);
            attached.start();
            attached.root.addAppender(attached);
            return attached;
        }

        @Override
        protected void append(ILoggingEvent logged) {
            if (logged.getLevel().isGreaterOrEqual(Level.WARN)) {
                IThrowableProxy thrown = logged.getThrowableProxy();
                texts.add(logged.getFormattedMessage()
                        + (thrown == null ? "" : ": " + thrown.getClassName() + ": " + thrown.getMessage()));
            }
        }

        @Override
        public void close() {
            root.detachAppender(this);
            stop();
        }
    }
}
