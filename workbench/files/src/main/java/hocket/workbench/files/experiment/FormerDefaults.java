package hocket.workbench.files.experiment;

import hocket.workbench.files.yaml.FileProblems;
import hocket.workbench.files.yaml.YamlNode;
import java.util.Map;
import java.util.Set;

/** Values that settings had in runs from before they could be set. */
final class FormerDefaults {
    private static final String UNCHECKED = "batch-unchecked";
    private static final Set<String> FORMERLY_BATCH_NORM =
            Set.of("hocket.gan.networks.Dcgan", "hocket.gan.networks.ConditionalDcgan");

    private FormerDefaults() {}

    /**
     * Adds the former default values of averages to the file of a run from before averages had these settings. Runs
     * write every setting, so a missing one did not exist.
     */
    static YamlNode.Keys added(YamlNode.Keys tree) {
        if (tree.get(ExperimentFile.RECORDED).isEmpty()
                || !(tree.get("turns").orElse(null) instanceof YamlNode.Keys turns)) {
            return tree;
        }
        YamlNode.Keys known = turns;
        for (Map.Entry<String, YamlNode.Entry> turn : turns.entries().entrySet()) {
            if (turn.getValue().value() instanceof YamlNode.Keys keys
                    && keys.get("follow").orElse(null) instanceof YamlNode.Keys follow) {
                YamlNode.Keys whole = follow;
                for (Map.Entry<String, String> former : TurnSpec.FollowSpec.FORMERLY.entrySet()) {
                    if (follow.get(former.getKey()).isEmpty()) {
                        whole = whole.with(
                                former.getKey(), new YamlNode.Scalar(follow.spot(), former.getValue(), false));
                    }
                }
                known = known.with(turn.getKey(), keys.with("follow", whole));
            }
        }
        return withFormerNorm(tree.with("turns", known));
    }

    /**
     * Penalties on each row's gradient over a batch norm were not rejected when networks had no setting for their norm.
     */
    private static YamlNode.Keys withFormerNorm(YamlNode.Keys tree) {
        return tree.get("network").orElse(null) instanceof YamlNode.Keys network
                        && FORMERLY_BATCH_NORM.contains(ExperimentFile.text(network, "class"))
                        && network.get("norm").isEmpty()
                        && network.get("terms").orElse(null) instanceof YamlNode.Items terms
                        && !terms.items().isEmpty()
                ? tree.with("network", network.with("norm", new YamlNode.Scalar(network.spot(), UNCHECKED, false)))
                : tree;
    }

    /** Only runs of that time may have a penalty on each row's gradient over a batch norm. */
    static void refuseUncheckedNorm(YamlNode.Keys tree, FileProblems fileProblems) {
        if (tree.get(ExperimentFile.RECORDED).isEmpty()
                && tree.get("network").orElse(null) instanceof YamlNode.Keys network
                && FORMERLY_BATCH_NORM.contains(ExperimentFile.text(network, "class"))
                && ExperimentFile.text(network, "norm").equals(UNCHECKED)) {
            fileProblems.add(
                    network.spotOf("norm"),
                    "network/norm",
                    "must be batch or layer or instance or spectral or none: " + UNCHECKED
                            + " is only for files of runs that were trained when penalties over batch norm were"
                            + " allowed");
        }
    }
}
