package hocket.rl.settings;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.losses.CategoricalAtoms;
import hocket.rl.losses.Symlog;
import hocket.rl.replay.Replay;
import hocket.rl.replay.Sequences;
import hocket.rl.sampling.Sampler;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;

/** The states of a world model, and the sequences that it learns from. */
public record WorldModelSettings(
        @Setting(usually = "16", least = 1, most = 1e6, help = "steps of a recorded sequence; divides batch")
        int sequence,

        @Setting(usually = "64", least = 1, most = 65536, help = "numbers of the model's memory")
        int memoryUnits,

        @Setting(usually = "8", least = 1, most = 4096, help = "choices of a latent")
        int choices,

        @Setting(usually = "8", least = 2, most = 4096, help = "classes of each choice of a latent")
        int classes,

        @Setting(usually = "0.01", least = 0, most = 1, help = "share of the uniform distribution in that of latents")
        double uniform,

        @Setting(usually = "41", least = 2, most = 1e5, help = "atoms of the distributions of rewards and values")
        int bins,

        @Setting(usually = "10", least = 1, most = 20, help = "symlog of the largest reward or return: log(1 + it)")
        double largestSymlog,

        @Setting(usually = "1e-3", least = 0, most = 1e3, help = "learning rate of the world model")
        double modelRate)
        implements WorldModelSettingsCopies {

    /** Returns the parts of a sequence. */
    public Sequences.Layout layout() {
        return new Sequences.Layout(0, sequence, 1);
    }

    /** Returns the atoms of rewards and values. */
    public CategoricalAtoms atoms() {
        return Symlog.atoms(largestSymlog, bins);
    }

    /** Makes an empty buffer of sequences, as {@link SequenceSettings}, with the model's memory before them. */
    public Replay buffer(ReplaySettings experience, TaskSettings task, TrainingEnvironments all) {
        return SequenceSettings.buffer(experience, task, all, layout(), Shape.of(memoryUnits), Sampler.uniform());
    }
}
