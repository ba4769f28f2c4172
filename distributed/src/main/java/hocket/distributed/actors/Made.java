package hocket.distributed.actors;

import hocket.rl.replay.TrajectoryBatch;
import hocket.schedulers.feeds.DataFingerprint;
import hocket.workbench.runs.SelectedExperiment;
import hocket.workbench.runs.Version;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a process is made of that a learner and its actors must have in common: the version, the settings of the
 * algorithm, and the programs that act.
 *
 * @param name of the experiment
 * @param settings by their names
 * @param digest SHA-256 over all of it
 */
record Made(String name, SortedMap<String, String> settings, String digest) {
    static Made of(SelectedExperiment selectedExperiment, TrajectoryBatch batch) {
        SortedMap<String, String> settings =
                new TreeMap<>(selectedExperiment.file().algorithm());
        settings.put("hocket", Version.number());
        String text = Letters.lines(settings)
                + batch.actorSettings().policy().program()
                + "\n"
                + batch.actorSettings().behaviour()
                + "\n"
                + batch.actorSettings().steps()
                + " steps of "
                + batch.environments().count() + " worlds\n"
                + batch.environments().observationSpace()
                + "\n" + batch.environments().actionSpace();
        return new Made(
                selectedExperiment.name(),
                settings,
                DataFingerprint.of("", Letters.bytes(text)).sha256());
    }

    /** In what another differs, in words that name both. */
    String difference(Made other) {
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            String theirs = other.settings.get(setting.getKey());
            if (!setting.getValue().equals(theirs)) {
                return setting.getKey() + " is " + setting.getValue() + " at the learner and "
                        + (theirs == null ? "not there" : theirs) + " at the actor";
            }
        }
        for (Map.Entry<String, String> setting : other.settings.entrySet()) {
            if (!settings.containsKey(setting.getKey())) {
                return setting.getKey() + " is not there at the learner and " + setting.getValue() + " at the actor";
            }
        }
        return "their programs differ";
    }

    /** For people: {@code cartpole-impala (3f2a91c0)}. */
    String title() {
        return name + " (" + digest.substring(0, 8) + ")";
    }
}
