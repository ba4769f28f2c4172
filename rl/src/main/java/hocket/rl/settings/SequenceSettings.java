package hocket.rl.settings;

import hocket.rl.actors.TrainingEnvironments;
import hocket.rl.networks.Memory;
import hocket.rl.networks.NetworkBody;
import hocket.rl.networks.RecurrentBody;
import hocket.rl.replay.Replay;
import hocket.rl.replay.Sequences;
import hocket.rl.sampling.Sampler;
import hocket.schedulers.settings.Keys;
import hocket.schedulers.settings.Setting;
import hocket.scopes.Shape;

/** The memory of an off-policy agent, and the sequences of steps that it learns from. */
public record SequenceSettings(
        @Setting(
                usually = "lstm",
                help = "layers with a state from step to step, after the encoder: {lstm: {units: 64}}, gru, …")
        Memory memory,

        @Setting(usually = "16", least = 1, most = 1e6, help = "steps of a sequence that are learnt; divides batch")
        int sequence,

        @Setting(usually = "8", least = 0, most = 1e6, help = "steps before them that only warm the memory up")
        int burnIn)
        implements SequenceSettingsCopies {

    /** Returns the parts of a sequence. */
    public Sequences.Layout layout(int nSteps) {
        return new Sequences.Layout(burnIn, sequence, nSteps);
    }

    /** Returns the layers of a network with this memory. */
    public RecurrentBody body(NetworkBody layers) {
        return new RecurrentBody(layers, memory);
    }

    /**
     * Makes an empty buffer; its capacity and its batches hold as many steps that are learnt as the settings say
     * transitions.
     *
     * @throws IllegalArgumentException if there is no memory, batches are not of whole sequences, or the buffer has none
     *     when learning begins, or episodes are too short
     */
    public Replay buffer(
            ReplaySettings experience,
            TaskSettings task,
            TrainingEnvironments all,
            Sequences.Layout layout,
            Sampler sampler) {
        if (!memory.remembers()) {
            throw new IllegalArgumentException("memory must have a state, was "
                    + Keys.of(memory.getClass(), Memory.class) + "; Dqn learns without one");
        }
        return buffer(experience, task, all, layout, memory.stateShape(), sampler);
    }

    /**
     * Makes an empty buffer of sequences with a state, as {@link #buffer}.
     *
     * @param state the shape of the state before a sequence
     */
    public static Replay buffer(
            ReplaySettings experience,
            TaskSettings task,
            TrainingEnvironments all,
            Sequences.Layout layout,
            Shape state,
            Sampler sampler) {
        int sequence = layout.learnt();
        if (experience.batch() % sequence != 0) {
            throw new IllegalArgumentException(
                    "batch must be a multiple of sequence, were " + experience.batch() + " and " + sequence);
        }
        int limit = all.maxEpisodeSteps().orElse(Integer.MAX_VALUE);
        if (limit <= layout.nSteps()) {
            throw new IllegalArgumentException(
                    "n_steps must be less than the " + limit + " steps after which an episode is truncated, was "
                            + layout.nSteps() + ": the last n_steps are not learnt");
        }
        long first = experience.firstSteps(all.count());
        if (first < layout.steps()) {
            throw new IllegalArgumentException("learning_starts must let each environment take the " + layout.steps()
                    + " steps of a sequence (burn_in, sequence and n_steps) before the first update, it takes "
                    + first);
        }
        Replay buffer = Sequences.replay(
                all.observationSpace(),
                all.actionSpace(),
                all.isMasked(),
                state,
                layout,
                (experience.replay() - 1) / sequence + 1,
                experience.batch() / sequence,
                sampler);
        buffer.expect(StepBudgets.rounds(task.totalSteps(), sequence));
        return buffer;
    }
}
