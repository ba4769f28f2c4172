package hocket.distributed.actors;

import hocket.rl.replay.TrajectoryBatch;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Version;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The properties that a learner and its actors must share: the version, the settings of the algorithm, and the programs
 * that act.
 *
 * @param name of the experiment
 * @param settings settings by name
 * @param digest SHA-256 over all of it
 */
record BuildInfo(String name, SortedMap<String, String> settings, String digest) {
    static BuildInfo of(SelectedExperiment selectedExperiment, TrajectoryBatch batch) {
        SortedMap<String, String> settings =
                new TreeMap<>(selectedExperiment.file().algorithm());
        settings.put("hocket", Version.number());
        String text = Codec.lines(settings)
                + batch.actorSettings().policy().program()
                + "\n"
                + batch.actorSettings().behaviour()
                + "\n"
                + batch.actorSettings().steps()
                + " steps of "
                + batch.environments().count() + " environments\n"
                + batch.environments().observationSpace()
                + "\n" + batch.environments().actionSpace();
        return new BuildInfo(
                selectedExperiment.name(),
                settings,
                DataFingerprint.of("", Codec.bytes(text)).sha256());
    }

    /** Returns the difference from another, in words that name both. */
    String difference(BuildInfo other) {
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String theirs = other.settings.get(setting.getKey());
            if (!setting.getValue().equals(theirs)) {
                return setting.getKey() + " is " + setting.getValue() + " at the learner and "
                        + (theirs == null ? "not there" : theirs) + " at the actor";
            }
        }
        for (Map.Entry<String, String> setting : other.settings.entrySet()) {
            if (!settings.containsKey(setting.getKey())) {
                return setting.getKey() + " is missing at the learner and " + setting.getValue() + " at the actor";
            }
        }
        return "their programs differ";
    }

    /** Returns the name for people: {@code cartpole-impala (3f2a91c0)}. */
    String title() {
        return name + " (" + digest.substring(0, 8) + ")";
    }
}
