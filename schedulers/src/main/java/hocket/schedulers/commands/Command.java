package hocket.schedulers.commands;

import hocket.schedulers.Run;
import hocket.schedulers.Scheduler;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.OptionalLong;

/**
 * A request of a person, or of a program, to a run that is under way; see {@link Steering}. A command is defined here and nowhere
 * else: {@link CommandForm} describes its name, help and arguments to whatever reads, writes or shows commands.
 */
public sealed interface Command {
    /** Describes a command. */
    @Retention(RetentionPolicy.RUNTIME)
    @java.lang.annotation.Target(ElementType.TYPE)
    @interface Named {
        /** Its name in files, requests and on the command line. */
        String value();

        /** What it does, in a few words for people. */
        String help();

        /** How its arguments are written on the command line: {@code KEY=VALUE}; empty where it has none. */
        String usage() default "";

        /** Whether only a run of one process takes it: other processes of the run would not know of it. */
        boolean ofOneProcess();

        /** Whether a replay of a journal does it again: it changes what the run comes to, or what it leaves. */
        boolean isReplayed();

        /** Why it stands in journals only, and nobody can ask for it; empty for all others. */
        String onlyJournalled() default "";
    }

    /** Describes a component of a command. */
    @Retention(RetentionPolicy.RUNTIME)
    @java.lang.annotation.Target(ElementType.RECORD_COMPONENT)
    @interface Argument {
        /** What it means, in a few words for people. */
        String value();

        /** Whether it may be left out of a request. */
        boolean optional() default false;

        /** Whether a request may give any JSON value, which is kept as its text. */
        boolean anyValue() default false;

        /** The regular expression that a text must match in a request; empty where any may come. */
        String pattern() default "";

        /** Why it stands in journals only; empty for all others. */
        String onlyJournalled() default "";

        /** Whether it stands in requests only. */
        boolean onlyAsked() default false;
    }

    /** A run as a command finds it between two turns; used by the thread that trains. */
    interface Target {
        boolean isPaused();

        /** Where the run is in its round, in words. */
        String place();

        /** Makes the run wait. */
        void pause();

        /** Ends the wait. */
        void resume();

        /** Ends the wait for a turn or a round. */
        void resumeFor(Unit unit);

        /**
         * Changes a setting, as {@link Run#set}.
         *
         * @return its value before
         */
        double set(String setting, double value);

        /**
         * Sets the plan of the phase from the next round on.
         *
         * @return a message for people
         */
        String replan(String plan);

        /**
         * Writes a checkpoint and waits until it is on the disk.
         *
         * @return the number of turns so far
         */
        long save();

        /**
         * Ends the run after this turn.
         *
         * @return a message for people
         */
        String stop();
    }

    /**
     * Does it.
     *
     * @return a message for people
     * @throws IllegalArgumentException or {@link IllegalStateException} if the run refuses it; then nothing has changed
     */
    String applyTo(Target run);

    /**
     * Whether a replay of a journal does it again, rather than only writing it down.
     *
     * @param later the commands after it
     */
    default boolean isReplayed(List<Command> later) {
        return CommandForm.of(this).isReplayed();
    }

    /** Waits between turns until {@link Resume} or {@link Step}. */
    @Named(value = "pause", help = "wait, until resume or step", ofOneProcess = true, isReplayed = false)
    record Pause() implements Command {
        @Override
        public String applyTo(Target run) {
            if (run.isPaused()) {
                throw new IllegalStateException("the run is paused already");
            }
            run.pause();
            return "paused in " + run.place();
        }
    }

    /** Goes on after a pause. */
    @Named(value = "resume", help = "go on", ofOneProcess = true, isReplayed = false)
    record Resume() implements Command {
        @Override
        public String applyTo(Target run) {
            if (!run.isPaused()) {
                throw new IllegalStateException("the run is not paused");
            }
            run.resume();
            return "goes on in " + run.place();
        }
    }

    /** How far {@link Step} goes. */
    enum Unit {
        /** A turn, or several that are taken together; a trial is taken whole. */
        TURN,
        /** To the end of the round that the run is in, or of the next one where it is between two. */
        ROUND
    }

    /** Goes on for one turn or round, and pauses then. */
    @Named(
            value = "step",
            help = "take one turn, or the rest of the round, and pause",
            usage = "[round]",
            ofOneProcess = true,
            isReplayed = false)
    record Step(@Argument("how far to go") Unit unit) implements Command {
        @Override
        public String applyTo(Target run) {
            run.resumeFor(unit);
            return unit == Unit.TURN ? "takes one turn" : "takes one round";
        }
    }

    /** Writes a checkpoint, and waits until it is on the disk. */
    @Named(value = "save", help = "write a checkpoint", ofOneProcess = false, isReplayed = true)
    record Save() implements Command {
        @Override
        public String applyTo(Target run) {
            return "saved turn " + run.save();
        }
    }

    /** Ends the run with this turn; it can go on from there. */
    @Named(
            value = "stop",
            help = "end with this turn, saved; --resume goes on",
            ofOneProcess = false,
            isReplayed = true)
    record Stop() implements Command {
        @Override
        public String applyTo(Target run) {
            return run.stop();
        }

        @Override
        public boolean isReplayed(List<Command> later) {
            return later.stream().noneMatch(Start.class::isInstance);
        }
    }

    /** Notes that a run that was stopped by {@link Stop} goes on: it was not the end. */
    @Named(
            value = "start",
            help = "go on after a stop",
            ofOneProcess = false,
            isReplayed = false,
            onlyJournalled = "resume goes on after a pause, hocket run --resume after a stop")
    record Start() implements Command {
        @Override
        public String applyTo(Target run) {
            return "goes on";
        }
    }

    /**
     * Changes a setting of a turn's rules from the turn's next time on, as {@link Run#set}.
     *
     * @param setting such as {@code d/rate}; a point stands for a slash
     */
    @Named(
            value = "set",
            help = "change a setting of a turn's rules, such as d.rate=1e-4",
            usage = "KEY=VALUE",
            ofOneProcess = true,
            isReplayed = true)
    record Change(
            @Argument("such as d/rate") String setting,
            @Argument("from the turn's next time on") double value) implements Command {
        public Change {
            setting = setting.replace('.', '/');
        }

        @Override
        public String applyTo(Target run) {
            double before = run.set(setting, value);
            return setting + " is " + shown(value) + ", was " + shown(before);
        }

        /** A number as in a file: 5e-4, 0.001, 16. */
        private static String shown(double value) {
            String text = Double.toString(value).replace(".0E", "e").replace("E", "e");
            return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
        }
    }

    /**
     * Sets another plan of the phase that the run is in, from the next round on. Its turns are those of the run.
     *
     * @param plan as it is written; who reads it is said by {@link Scheduler#plansReadBy}
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
        public String applyTo(Target run) {
            return run.replan(plan);
        }
    }

    /**
     * Saves, so that another run can begin here; copying it is the business of who asks.
     *
     * @param into the other run, for the journal
     * @param name of the other run, as it was asked for; empty where one is to be found for it
     * @param checkpoint turns of the checkpoint to begin at; empty for where the run is
     * @param start whether the other run is to be trained at once
     */
    @Named(
            value = "fork",
            help = "another run folder that goes on from here",
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

        /** A fork as a journal has it. */
        public Fork(String into) {
            this(into, "", OptionalLong.empty(), false);
        }

        @Override
        public String applyTo(Target run) {
            return "saved turn " + run.save();
        }
    }
}
