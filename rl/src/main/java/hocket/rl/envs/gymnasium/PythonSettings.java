package hocket.rl.envs.gymnasium;

import hocket.schedulers.settings.Setting;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How environments of Python run, in files under {@code environments: {python: …}}.
 *
 * @param processes that step the environments, which are dealt out to them; 0 for one a core, and at most one an environment
 * @param timeout the seconds within which an environment must answer
 * @param restarts the number of failures that a run survives: an exception, a process that ends or does not answer. The
 *     episode is truncated at the last observation, and the environment is made again
 */
public record PythonSettings(
        @Setting(usually = "0", least = 0, most = 1024, help = "processes that step the environments; 0 for one a core")
        int processes,

        @Setting(usually = "60", least = 1, most = 86400, help = "seconds within which an environment must answer")
        int timeout,

        @Setting(
                usually = "0",
                least = 0,
                most = 1e9,
                help = "failures of environments that are survived; each truncates its episode")
        int restarts)
        implements PythonSettingsCopies {
    /** @throws IllegalArgumentException if a setting is out of its range */
    public PythonSettings {
        PythonSettingsCopies.check(processes, timeout, restarts);
    }

    /** Returns the default settings. */
    public static PythonSettings usual() {
        return PythonSettingsCopies.usual();
    }

    /** Returns the settings that are not the default ones, such as {@code restarts 3}, for messages. */
    public String changed() {
        PythonSettings usual = usual();
        return Stream.of(
                        processes == usual.processes ? "" : "processes " + processes,
                        timeout == usual.timeout ? "" : "timeout " + timeout,
                        restarts == usual.restarts ? "" : "restarts " + restarts)
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
