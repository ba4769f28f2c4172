package hocket.distributed.cluster;

import hocket.programs.json.ProgramJson;
import hocket.schedulers.Setup;
import hocket.schedulers.Turn;
import hocket.schedulers.checkpoint.Checksums;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.workbench.files.experiment.ExperimentFile;
import hocket.workbench.runs.plans.Engines;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** SHA-256 digests by which processes check that they run the same experiment. */
public final class RunFingerprint {
    private RunFingerprint() {}

    /** Returns the digest of an experiment's settings, including defaults. */
    public static String of(ExperimentFile file) {
        return sum(file.text());
    }

    /** Returns the digest of programs, turns, optimizers, and their implementations here. */
    static String of(Setup setup) {
        StringBuilder text = new StringBuilder();
        setup.turnsByName().forEach((name, turn) -> {
            text.append(name).append('\n');
            text.append(turn.fold(
                    descend -> ProgramJson.write(descend.program()) + "\n" + descend.updates()
                            + descend.optimizerOf()
                                    .map(owner -> "\noptimizer of " + owner.name())
                                    .orElse(""),
                    Turn::toString,
                    act -> ""));
        });
        return sum(text.append(engine(setup)).toString());
    }

    /** Returns the implementations of programs and optimizers here. */
    private static String engine(Setup setup) {
        return Engines.of(setup) + ", " + Kernels.best().name() + " kernels";
    }

    private static String sum(String text) {
        MessageDigest digest = Checksums.digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return Checksums.hex(digest);
    }
}
