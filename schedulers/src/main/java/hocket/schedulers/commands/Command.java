package hocket.schedulers.commands;

import hocket.schedulers.Event;
import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.OptionalLong;

/**
 * A request of a person or a program to a running run; see {@link Steering}. Commands are defined only here; {@link
 * CommandForm} describes their names, help and arguments to code that reads, writes or shows them.
 */
public sealed interface Command {
    /** Describes a command. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE)
    @interface Named {
        /** Its name in files, requests and on the command line. */
        String value();

        /** Its effect, in a few words for people. */
        String help();

        /** The form of its arguments on the command line: {@code KEY=VALUE}; empty without arguments. */
        String usage() default "";

        /** Whether only a run of one process accepts it, since other processes would not receive it. */
        boolean ofOneProcess();

        /** Whether a replay of a journal repeats it, since it changes the run's result or files. */
        boolean isReplayed();

        /** The reason why it appears in journals only and cannot be requested; empty for all others. */
        String onlyJournalled() default "";
    }

    /** Describes a component of a command. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.RECORD_COMPONENT)
    @interface Argument {
        /** Its meaning, in a few words for people. */
        String value();

        /** Whether a request may omit it. */
        boolean optional() default false;

        /** Whether a request may give any JSON value, which is kept as its text. */
        boolean anyValue() default false;

        /** The regular expression that a text must match in a request; empty where any text is allowed. */
        String pattern() default "";

        /** The reason why it appears in journals only; empty for all others. */
        String onlyJournalled() default "";

        /** Whether it appears in requests only. */
        boolean onlyAsked() default false;
    }

    /**
     * Executes the command between two turns, on the training thread.
     *
     * @return a message for people
     * @throws IllegalArgumentException or {@link IllegalStateException} if the run refuses it; nothing has changed then
     */
    String applyTo(Scheduler run, Steering steering);

    /**
     * Returns whether a replay of a journal executes it again, rather than only recording it.
     *
     * @param later the commands after it
     */
    default boolean isReplayed(List<Command> later) {
        return CommandForm.of(this).isReplayed();
    }

    /** Waits between turns until {@link Resume} or {@link Step}. */
    @Named(value = "pause", help = "pause, until resume or step", ofOneProcess = true, isReplayed = false)
    record Pause() implements Command {
        @Override
        public String applyTo(Scheduler run, Steering steering) {
            if (steering.isPaused()) {
                throw new IllegalStateException("the run is paused already");
            }
            steering.pause(run);
            return "paused in " + run.place();
        }
    }

    /** Continues after a pause. */
    @Named(value = "resume", help = "continue", ofOneProcess = true, isReplayed = false)
    record Resume() implements Command {
        @Override
        public String applyTo(Scheduler run, Steering steering) {
            if (!steering.isPaused()) {
                throw new IllegalStateException("the run is not paused");
            }
            steering.continueUntil(run, Long.MAX_VALUE, Long.MAX_VALUE);
            return "resumes in " + run.place();
        }
    }

    /** The length of a {@link Step}. */
    enum Unit {
        /** A turn, or several that are taken together; a trial is taken as a whole. */
        TURN,
        /** Until the end of the current round, or of the next one if the run is between two. */
        ROUND
    }

    /** Continues for one turn or round, then pauses. */
    @Named(
            value = "step",
            help = "take one turn, or the rest of the round, and pause",
            usage = "[round]",
            ofOneProcess = true,
            isReplayed = false)
    record Step(@Argument("how far to go") Unit unit) implements Command {
        @Override
        public String applyTo(Scheduler run, Steering steering) {
            Event.Position here = run.position();
            if (unit == Unit.TURN) {
                steering.continueUntil(run, here.step() + 1, Long.MAX_VALUE);
                return "takes one turn";
            }
            steering.continueUntil(run, Long.MAX_VALUE, here.round() + 1);
            return "takes one round";
        }
    }

    /** Writes a checkpoint, and waits until it is on the disk. */
    @Named(value = "save", help = "write a checkpoint", ofOneProcess = false, isReplayed = true)
    record Save() implements Command {
        @Override
        public String applyTo(Scheduler run, Steering steering) {
            run.checkpoint();
            run.settle().ifPresent(why -> {
                throw new IllegalStateException(why);
            });
            return "saved turn " + run.position().step();
        }
    }

    /** Ends the run after this turn; it can resume from there. */
    @Named(
            value = "stop",
            help = "end after this turn, saved; --resume continues",
            ofOneProcess = false,
            isReplayed = true)
    record Stop() implements Command {
        @Override
        public String applyTo(Scheduler run, Steering steering) {
            return steering.stop(run);
        }

        @Override
        public boolean isReplayed(List<Command> later) {
            return later.stream().noneMatch(Start.class::isInstance);
        }
    }

    /** Notes that a run that {@link Stop} had stopped was resumed. */
    @Named(
            value = "start",
            help = "resume after a stop",
            ofOneProcess = false,
            isReplayed = false,
            onlyJournalled = "resume continues after a pause, hocket run --resume after a stop")
    record Start() implements Command {
        @Override
        public String applyTo(Scheduler run, Steering steering) {
            return "continues";
        }
    }

    /**
     * Changes an optimizer setting of a turn from its next time on, as {@link Run#set}.
     *
     * @param setting such as {@code d/rate}; a point stands for a slash
     */
    @Named(
            value = "set",
            help = "change an optimizer setting of a turn, such as d.rate=1e-4",
            usage = "KEY=VALUE",
            ofOneProcess = true,
            isReplayed = true)
    record Change(
            @Argument("such as d/rate") String setting,

            @Argument("its value from the turn's next time on")
            double value)
            implements Command {
        public Change {
            setting = setting.replace('.', '/');
        }

        @Override
        public String applyTo(Scheduler run, Steering steering) {
            double before = run.setting(setting);
            run.set(setting, value);
            return setting + " is " + shown(value) + ", was " + shown(before);
        }

        /** A number as in a file: 5e-4, 0.001, 16. */
        private static String shown(double value) {
            String text = Double.toString(value).replace(".0E", "e").replace("E", "e");
            return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        }
    }

    /**
     * Sets another plan of the current phase, from the next round on. Its turns are those of the run.
     *
     * @param plan its text, read by the reader that {@link Scheduler#plansReadBy} sets
     */
    @Named(
            value = "plan",
            help = "another plan from the next round on, as in the file",
            usage = "PLAN",
            ofOneProcess = true,
            isReplayed = true)
    record Replan(
            @Argument(value = "as in an experiment file", anyValue = true)
            String plan) implements Command {
        @Override
        public String applyTo(Scheduler run, Steering steering) {
            return run.swapPlan(plan);
        }
    }

    /**
     * Saves, so that another run can start here; the requester copies the checkpoint.
     *
     * @param into the other run, for the journal
     * @param name the requested name of the other run; empty to generate one
     * @param checkpoint turns of the checkpoint to start at; empty for the current position
     * @param start whether the other run is trained at once
     */
    @Named(
            value = "fork",
            help = "another run folder that continues from here",
            usage = "[NAME]",
            ofOneProcess = false,
            isReplayed = true)
    record Fork(
            @Argument(value = "the other run", optional = true, onlyJournalled = "a fork is given a name")
            String into,

            @Argument(
                    value = "of its folder; null, or empty, for one that is free",
                    optional = true,
                    pattern = "^(" + NAME + ")?$",
                    onlyAsked = true)
            String name,

            @Argument(value = "turns of a checkpoint to begin at; null for now", optional = true, onlyAsked = true)
            OptionalLong checkpoint,

            @Argument(
                    value = "whether it is trained at once, in a process of its own",
                    optional = true,
                    onlyAsked = true)
            boolean start)
            implements Command {
        /** The names that folders of runs may have, as a regular expression. */
        public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";

        /** A fork as a journal records it. */
        public Fork(String into) {
            this(into, "", OptionalLong.empty(), false);
        }

        @Override
        public String applyTo(Scheduler run, Steering steering) {
            return new Save().applyTo(run, steering);
        }
    }
}
