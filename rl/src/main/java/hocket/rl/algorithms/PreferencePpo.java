package hocket.rl.algorithms;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.chain;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;

import hocket.rl.returns.Gae;
import hocket.rl.returns.Truncation;
import hocket.rl.settings.AlgorithmSettings;
import hocket.rl.settings.StepBudgets;
import hocket.rl.text.ContinuationWriter;
import hocket.rl.text.LanguageModels;
import hocket.rl.text.LanguagePrograms;
import hocket.rl.text.LanguageSettings;
import hocket.rl.text.LetterRule;
import hocket.rl.text.PairCollector;
import hocket.rl.text.RewardModelSettings;
import hocket.rl.text.RewardScale;
import hocket.rl.text.TextRollout;
import hocket.rl.text.TextSamples;
import hocket.rl.text.TextScores;
import hocket.schedulers.Budget;
import hocket.schedulers.Definition;
import hocket.schedulers.Phase;
import hocket.schedulers.Plan;
import hocket.schedulers.Resample;
import hocket.schedulers.Setup;
import hocket.schedulers.Trigger;
import hocket.schedulers.Turn;
import hocket.schedulers.optimizers.UpdateRule;
import hocket.schedulers.rings.TriggeredAction;
import hocket.schedulers.settings.Setting;
import hocket.schedulers.settings.SettingGroup;
import hocket.schedulers.text.HocketPages;
import hocket.schedulers.text.Text;
import hocket.schedulers.triggers.AtRounds;
import java.util.List;

/**
 * A language model that learns from preferences (Ziegler et al. 2019, "Fine-tuning language models from human
 * preferences"; Stiennon et al. 2020): pretraining on a text, a reward model from comparisons of continuations (Bradley
 * and Terry 1952), and {@link Ppo} on characters with a penalty of the divergence from the pretrained model. A rule
 * stands for the people who compare: it prefers more of some letters.
 *
 * <p>Four networks in five phases. {@code pretrain} and {@code policy} share the policy; the turn {@code freeze} alone
 * writes the reference, and the turn {@code reward} the reward model, both before the last phase.
 */
public record PreferencePpo(
        @SettingGroup LanguageSettings language,

        @Setting(usually = "32", least = 1, most = 1e5, help = "rows of an update, in each phase")
        int batch,

        @Setting(usually = "1000", least = 1, most = 1e9, help = "updates of pretraining")
        int pretrainUpdates,

        @Setting(usually = "2e-3", least = 0, most = 1e3, help = "learning rate of pretraining")
        double pretrainRate,

        @SettingGroup RewardModelSettings rewardModel,

        @Setting(usually = "100", least = 1, most = 1e9, help = "rounds of PPO")
        int ppoRounds,

        @Setting(usually = "64", least = 1, most = 1e6, help = "continuations of a round of PPO; batch divides it")
        int episodes,

        @Setting(usually = "2", least = 1, most = 1e4, help = "passes over a round's continuations")
        int epochs,

        @Setting(usually = "3e-4", least = 0, most = 1e3, help = "learning rate of the policy")
        double policyRate,

        @Setting(usually = "1e-3", least = 0, most = 1e3, help = "learning rate of the critic")
        double valueRate,

        @Setting(usually = "0.1", least = 0, most = 1e6, help = "coefficient of the KL penalty; 0 for none")
        double kl,

        @Setting(usually = "1", least = 0, most = 1, help = "discount of a character")
        double gamma,

        @Setting(usually = "0.95", least = 0, most = 1, help = "lambda of the generalised advantages")
        double gaeLambda,

        @Setting(usually = "0.2", least = 1e-9, most = 1e3, help = "clip range of probability ratios")
        double clipRange,

        @Setting(usually = "1", least = 1e-9, most = 1e9, help = "largest norm of a turn's gradient, in PPO")
        double clipGradients)
        implements Definition, PreferencePpoCopies {
    private static final int SAMPLES = 4;

    /** Returns the default settings. */
    public static PreferencePpo usual() {
        return PreferencePpoCopies.usual();
    }

    @Override
    public Setup setup() {
        AlgorithmSettings.check(this);
        int rewardUpdates = rewardModel.updates(batch);
        int updates = StepBudgets.updates("epochs", epochs, "episodes", episodes, batch);
        Text all = HocketPages.load();
        Text train = all.part(Text.Part.TRAIN);
        Text heldOut = all.part(Text.Part.HELD_OUT);
        LanguageModels models = language.models(all.vocabulary());
        LanguagePrograms programs = new LanguagePrograms(models, clipRange);
        LetterRule rule = language.rule(all.vocabulary());
        ContinuationWriter writer = new ContinuationWriter(models, "write", models.policy());
        ContinuationWriter ofReference = new ContinuationWriter(models, "baseline", models.reference());
        PairCollector comparing = new PairCollector(models, writer, train, rule, pairs());
        RewardScale scale = new RewardScale(models, writer, programs.score(), train, rule, episodes);
        Gae gae = new Gae(gamma, gaeLambda, Truncation.END);
        TextRollout rollout = new TextRollout(models, writer, programs.read(), train, rule, scale, gae, kl, episodes);

        Turn.Descend pretrain = Turn.of("pretrain", programs.pretrain()).shares("policy/**", adam(pretrainRate));
        Turn.Follow freeze = Turn.follow("freeze", "policy/**", "reference/**", 0);
        Turn.Descend reward = Turn.of("reward", programs.reward()).updates("reward/**", adam(rewardRate()));
        Turn.Descend policy = Turn.of("policy", programs.policy()).shares("policy/**", clipped(policyRate));
        Turn.Descend value = Turn.of("value", programs.value()).updates("value/**", clipped(valueRate));
        Plan compared = Plan.sequence(Turn.act("compare", comparing), reward.times(rewardUpdates));
        Plan rewarded = Plan.sequence(
                Turn.act("write", rollout), Plan.sequence(policy, value).times(updates));

        TextSamples samples = new TextSamples(models, writer, heldOut, SAMPLES);
        return Setup.of(
                        programs.with(writer.program(), ofReference.program()),
                        List.of(
                                new Phase("pretrain", pretrain, Budget.rounds(pretrainUpdates)),
                                new Phase("freeze", freeze, Budget.rounds(1)),
                                new Phase("reward", compared, Budget.rounds(rewardRounds())),
                                new Phase("scale", Turn.act("scale", scale), Budget.rounds(1)),
                                new Phase("ppo", rewarded, Budget.rounds(ppoRounds))))
                .feed(train.batches("text", models.window(), batch), Resample.EACH_TURN)
                .feed(comparing.batches(batch), Resample.EACH_TURN)
                .feed(rollout.forPolicy(batch), Resample.EACH_TURN)
                .feed(rollout.forValue(batch), Resample.EACH_TURN)
                .evaluated(new TextScores(models, writer, ofReference, programs.read(), heldOut, rule, episodes))
                .ring(TriggeredAction.of("texts", new AtRounds(List.of((long) pretrainUpdates)), samples))
                .ring(TriggeredAction.of("texts", Trigger.atEnd(), samples));
    }

    private UpdateRule clipped(double rate) {
        return chain(clipByGlobalNorm(clipGradients), adam(rate));
    }
}
