package hocket.rl.settings;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Mode;
import hocket.programs.Program;
import hocket.programs.Value;
import hocket.rl.losses.SoftActorCritic.TemperatureLoss;
import hocket.rl.networks.Temperature;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The weight of the policy's entropy in soft actor-critic, learned or fixed. */
public record TemperatureSettings(
        @Setting(
                usually = "1",
                least = 1e-9,
                most = 1e9,
                help = "weight of the policy's entropy: the first one, or all along if it is not learned")
        double temperature,

        @Setting(usually = "true", help = "whether the temperature is learned, for a target entropy")
        boolean learnTemperature,

        @Setting(usually = "of-logarithm", help = "the loss of the temperature")
        TemperatureLoss temperatureLoss)
        implements TemperatureSettingsCopies {

    /** Makes the temperature: a parameter if it is learned, else a constant. */
    public Temperature of(Graph graph) {
        return learnTemperature ? Temperature.of(graph, temperature) : Temperature.fixed(graph, temperature);
    }

    /**
     * Returns the turn {@code temperature}, which learns it; empty if it is fixed.
     *
     * @param logProbability of actions drawn by the actor, or minus its entropy
     * @param targetEntropy in nats
     */
    public Optional<Turn.Descend> learning(
            Temperature alpha, Value logProbability, double targetEntropy, UpdateRule rule) {
        return alpha.logarithm().map(logarithm -> {
            Value loss = temperatureLoss.loss(logarithm, logProbability, targetEntropy);
            Program program =
                    Program.compile("temperature", Mode.TRAIN, Loss.of(loss).metric("temperature", alpha.value()));
            return Turn.of("temperature", program).updates("temperature/**", rule);
        });
    }

    /**
     * Returns the turns of an update in their order: {@code critics}, {@code actor}, {@code temperature} and {@code target}.
     *
     * @param critics updates the critics
     * @param temperature of {@link #learning}
     * @param targetDecay share of the target's own weights that an update keeps
     */
    public static List<Turn> update(
            Turn.Descend critics,
            Program actor,
            Optional<Turn.Descend> temperature,
            UpdateRule rule,
            double targetDecay) {
        List<Turn> turns = new ArrayList<>();
        turns.add(critics);
        turns.add(Turn.of("actor", actor).updates("actor/**", rule));
        temperature.ifPresent(turns::add);
        turns.add(Turn.follow("target", "critic/**", "target/critic/**", targetDecay));
        return turns;
    }
}
