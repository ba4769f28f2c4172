package hocket.distributed.cluster;

import hocket.programs.json.ProgramJson;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.Checksums;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.workbench.experiment.ExperimentFile;
import hocket.workbench.plans.Engines;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** By which processes see that they run the same: SHA-256 digests. */
public final class Fingerprint {
    private Fingerprint() {}

    /** What an experiment says, usual settings too. */
    public static String of(ExperimentFile file) {
        return sum(file.text());
    }

    /** What is computed, who moves what by which rule, and what runs it here. */
    static String of(Setup setup) {
        StringBuilder text = new StringBuilder();
        setup.turnsByName().forEach((name, turn) -> {
            text.append(name).append('\n');
            text.append(turn.fold(
                    descend -> ProgramJson.write(descend.program()) + "\n" + descend.updates(),
                    Turn::toString,
                    act -> ""));
        });
        return sum(text.append(engine(setup)).toString());
    }

    /** What runs programs and optimizers here. */
    private static String engine(Setup setup) {
        return Engines.of(setup) + ", " + Kernels.best().name() + " kernels";
    }

    private static String sum(String text) {
        MessageDigest digest = Checksums.digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return Checksums.hex(digest);
    }
}
