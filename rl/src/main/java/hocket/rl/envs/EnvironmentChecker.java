package hocket.rl.envs;

import hocket.rl.random.Pcg64;
import hocket.rl.spaces.Space;
import hocket.schedulers.settings.UserCodeFailure;
import hocket.schedulers.state.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Checks that an environment keeps the promises of {@link Environment}: plays a few episodes with random actions and
 * lists each broken rule once, with the environment, the value, the episode and the step. Covers Gymnasium's {@code
 * check_env}, and also that a restored state continues bit for bit.
 */
public final class EnvironmentChecker {
    private static final int EPISODES = 3;
    private static final int STEPS = 200;
    private static final int GUARD = 2;

    private final Supplier<? extends Environment> made;
    private final List<Environment> all = new ArrayList<>();
    private String name = "the environment";
    private final Map<String, String> findings = new LinkedHashMap<>();
    private int episode;
    private int step;

    private EnvironmentChecker(Supplier<? extends Environment> made) {
        this.made = () -> {
            Environment one = made.get();
            all.add(one);
            return one;
        };
    }

    /**
     * Lists the mistakes of an environment; empty where none was found.
     *
     * @param environment makes a new environment at each call
     */
    public static List<String> check(Supplier<? extends Environment> environment) {
        return new EnvironmentChecker(environment).findings(true);
    }

    /** Checks like {@link #check}, but skips environments of which all code is Hocket's own, wrappers and games too. */
    public static List<String> checkUnlessBuiltIn(Supplier<? extends Environment> environment) {
        return new EnvironmentChecker(environment).findings(false);
    }

    private List<String> findings(boolean builtInToo) {
        try {
            Environment first = made.get();
            if (builtInToo || CheckedEnvironment.mayFail(first)) {
                check(first);
            }
        } catch (Throwable e) {
            UserCodeFailure.rethrowIfFatal(e);
            found("must work without exceptions", "threw " + e);
        } finally {
            all.forEach(EnvironmentChecks::close);
        }
        return List.copyOf(findings.values());
    }

    private void check(Environment first) {
        name = first.name();
        checkUnstarted(first);
        for (int seed = 0; seed < EPISODES; seed++) {
            episode = seed + 1;
            checkEpisode(seed);
        }
    }

    /**
     * Checks an environment and throws if anything is wrong.
     *
     * @throws IllegalArgumentException with all mistakes that were found
     */
    public static void require(Supplier<? extends Environment> environment) {
        List<String> findings = check(environment);
        if (!findings.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", findings));
        }
    }

    private void found(String rule, Object value) {
        findings.putIfAbsent(
                rule, name + ", episode " + episode + ", step " + step + ": it " + rule + ", but " + value);
    }

    private void checkUnstarted(Environment environment) {
        if (name.isBlank()) {
            found("must have a name", "it was \"" + name + "\"");
        }
        checkRefused(
                "a step before the first reset",
                "took it",
                IllegalStateException.class,
                () -> environment.step(sample(environment, Pcg64.of(0)), 0));
    }

    /**
     * Checks that an environment throws.
     *
     * @param what is refused
     * @param otherwise what an environment did that throws nothing
     */
    private void checkRefused(String what, String otherwise, Class<? extends RuntimeException> with, Runnable action) {
        String rule = "must refuse " + what + " with an " + with.getSimpleName();
        try {
            action.run();
            found(rule, otherwise);
        } catch (RuntimeException e) {
            if (!with.isInstance(e)) {
                found(rule, "threw " + e);
            }
        }
    }

    private static float[] sample(Environment environment, Pcg64 chooser) {
        return environment.actions().sample(chooser);
    }

    /** Plays the same episode in two environments, which must not differ. */
    private void checkEpisode(long seed) {
        Environment one = made.get();
        Environment other = made.get();
        Space observations = one.observations();
        Space actions = one.actions();
        if (!observations.equals(other.observations()) || !actions.equals(other.actions())) {
            found("must always have the same spaces", "had " + observations + " and " + other.observations());
        }
        step = 0;
        one.reset(Pcg64.of(seed));
        other.reset(Pcg64.of(seed));
        checkStart(one);
        checkSame("must start alike from the same seed", one, other);
        one.reset(Pcg64.of(seed));
        boolean isSame = checkSame("must start alike from the same seed, regardless of its history", one, other);
        Environment beside = made.get(); // goes along as long as all are the same: what differs then is how it reads
        beside.reset(Pcg64.of(seed));
        isSame = isSame && checkSame("must start alike from the same seed", one, beside);
        Pcg64 chooser = Pcg64.of(seed + 1000);
        Pcg64 neighbours = Pcg64.of(seed + 2000);
        while (step < STEPS && !one.terminated() && !one.truncated()) {
            if (step == 3 || step == 30) {
                checkSaved(one, chooser);
            }
            float[] action = AllowedActions.sample(one, chooser);
            float[] before = action.clone();
            step++;
            one.step(action, 0);
            other.step(before.clone(), 0);
            if (!Arrays.equals(action, before)) {
                found(
                        "must leave the action as it is",
                        "made " + Arrays.toString(before) + " " + Arrays.toString(action));
            }
            checkSeen(one);
            isSame &= checkSame("must continue alike by the same actions", one, other);
            if (isSame) {
                beside.step(between(sample(one, neighbours), before, sample(one, neighbours)), before.length);
                isSame = checkSame("must read its action at its offset in the array", beside, one);
            }
        }
        if (one.terminated() || one.truncated()) {
            checkEnded(one, chooser);
        }
        if (!observations.equals(one.observations()) || !actions.equals(one.actions())) {
            found("must always have the same spaces", "had " + observations + " and then " + one.observations());
        }
    }

    /** An array of three actions, with the given one in the middle, as in a vector environment. */
    private static float[] between(float[] first, float[] action, float[] last) {
        float[] all = Arrays.copyOf(first, 3 * action.length);
        System.arraycopy(action, 0, all, action.length, action.length);
        System.arraycopy(last, 0, all, 2 * action.length, action.length);
        return all;
    }

    private void checkStart(Environment environment) {
        checkSeen(environment);
        if (environment.terminated() || environment.truncated()) {
            found("must not have ended after a reset", "it had");
        }
        if (environment.reward() != 0) {
            found("must have a reward of 0 after a reset", "it was " + environment.reward());
        }
        float[] wrong = wrongAction(environment.actions());
        checkRefused(
                "an action outside its space",
                "took " + Arrays.toString(wrong) + " for one of " + environment.actions(),
                IllegalArgumentException.class,
                () -> environment.step(wrong, 0));
    }

    /** An action of NaN, which no space contains. */
    private static float[] wrongAction(Space actions) {
        float[] wrong = new float[actions.width()];
        Arrays.fill(wrong, Float.NaN);
        return wrong;
    }

    private void checkSeen(Environment environment) {
        Space space = environment.observations();
        float[] seen = observed(environment);
        for (int i = 0; i < seen.length; i++) {
            if (!Float.isFinite(seen[i])) {
                found("must observe finite numbers", "number " + i + " was " + seen[i]);
            }
        }
        if (!space.contains(seen, 0)) {
            found("must observe a point of its space, " + space, "was " + space.text(seen, 0));
        }
        if (!Arrays.equals(seen, observed(environment))) {
            found("must observe the same until the next step", "it did not");
        }
        if (!Float.isFinite((float) environment.reward())) {
            found("must give rewards that are finite floats", "it was " + environment.reward());
        }
    }

    /** Observes into the middle of an array, to detect writes beyond the observation. */
    private float[] observed(Environment environment) {
        int width = environment.observations().width();
        float[] guarded = new float[width + 2 * GUARD];
        Arrays.fill(guarded, EnvironmentChecks.unwritten());
        environment.observe(guarded, GUARD);
        for (int i = 0; i < GUARD; i++) {
            if (!EnvironmentChecks.isUnwritten(guarded[i])
                    || !EnvironmentChecks.isUnwritten(guarded[GUARD + width + i])) {
                found("must write " + width + " numbers where it observes", "wrote beyond them");
            }
        }
        for (int i = 0; i < width; i++) {
            if (EnvironmentChecks.isUnwritten(guarded[GUARD + i])) {
                found("must write all " + width + " numbers each time it observes", "left number " + i + " as it was");
            }
        }
        return Arrays.copyOfRange(guarded, GUARD, GUARD + width);
    }

    private boolean checkSame(String rule, Environment one, Environment other) {
        String first = seen(one);
        String second = seen(other);
        if (!first.equals(second)) {
            found(rule, "was " + first + " and " + second);
        }
        return first.equals(second);
    }

    private String seen(Environment environment) {
        return "[observation " + environment.observations().text(observed(environment), 0) + ", reward "
                + environment.reward() + ", terminated " + environment.terminated() + ", truncated "
                + environment.truncated() + "]";
    }

    /** Saves, plays into the next episode, restores into a new environment and plays the same steps again. */
    private void checkSaved(Environment environment, Pcg64 chooser) {
        State saved = environment.save();
        State chooserSaved = chooser.save();
        String here = seen(environment);
        List<String> wanted = played(environment, chooser);
        Environment restored = made.get();
        restored.restore(saved);
        if (!restored.save().equals(saved)) {
            found("must save what was restored", "saved something else");
        }
        if (!seen(restored).equals(here)) {
            found("must show the same after restore as when it was saved", "was " + seen(restored) + " for " + here);
        }
        List<String> again = played(restored, Pcg64.of(chooserSaved));
        for (int i = 0; i < wanted.size(); i++) {
            if (!wanted.get(i).equals(again.get(i))) {
                found(
                        "must continue after restore as if nothing had happened",
                        "after " + (i + 1) + " more was " + again.get(i) + " for " + wanted.get(i));
            }
        }
        environment.restore(saved);
        chooser.restore(chooserSaved);
    }

    private List<String> played(Environment environment, Pcg64 chooser) {
        List<String> log = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            if (environment.terminated() || environment.truncated()) {
                environment.reset();
            } else {
                environment.step(AllowedActions.sample(environment, chooser), 0);
            }
            log.add(seen(environment));
        }
        environment.reset();
        log.add(seen(environment));
        return log;
    }

    private void checkEnded(Environment environment, Pcg64 chooser) {
        checkRefused(
                "a step after the end",
                "took it",
                IllegalStateException.class,
                () -> environment.step(sample(environment, chooser), 0));
        environment.reset();
        step = 0;
        checkStart(environment);
    }
}
