package hocket.schedulers.optimizers;

import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.schedulers.optimizers.Optimizers.clipByGlobalNorm;
import static hocket.schedulers.optimizers.Optimizers.decay;
import static hocket.schedulers.optimizers.Optimizers.maximize;
import static hocket.schedulers.optimizers.Optimizers.rmsProp;
import static hocket.schedulers.optimizers.Optimizers.sgd;

import com.fasterxml.jackson.databind.JsonNode;
import hocket.schedulers.optimizers.kernels.Kernels;
import hocket.schedulers.optimizers.kernels.KernelsTest;
import hocket.schedulers.optimizers.kernels.Reals;
import hocket.schedulers.optimizers.rates.CosineRate;
import hocket.schedulers.optimizers.rates.ExponentialRate;
import hocket.schedulers.optimizers.rates.MultiStepRate;
import hocket.schedulers.optimizers.rates.OneCycleRate;
import hocket.schedulers.optimizers.rates.PiecewiseRate;
import hocket.schedulers.optimizers.rates.PolynomialRate;
import hocket.schedulers.optimizers.rates.Rate;
import hocket.schedulers.optimizers.rates.RateUnit;
import hocket.schedulers.optimizers.rates.StepRate;
import hocket.schedulers.optimizers.rates.WarmRestartsRate;
import hocket.schedulers.optimizers.rates.WarmUpRate;
import hocket.schedulers.optimizers.transforms.ClipByGlobalNorm;
import hocket.schedulers.optimizers.updates.Averaging;
import hocket.scopes.ElementType;
import java.util.ArrayList;
import java.util.List;

/** What {@code optimizers.json} names, as values of ours. Anything that it does not know, it refuses. */
final class GoldenForms {
    private GoldenForms() {}

    /** The arguments of a run or schedule. */
    private record Args(JsonNode node) {
        double real(String key, double usual) {
            return node.path(key).asDouble(usual);
        }

        boolean is(String key) {
            return node.path(key).asBoolean(false);
        }

        double beta(int index, double usual) {
            return node.path("betas").path(index).asDouble(usual);
        }

        double rate() {
            return node.has("lr") ? real("lr", 0) : real("learning_rate", 0);
        }
    }

    static UpdateRule rule(JsonNode run) {
        Args args = new Args(run.get("args"));
        List<GradientTransformation> gradientTransformations = new ArrayList<>();
        if (args.is("maximize")) {
            gradientTransformations.add(maximize());
        }
        switch (run.get("class").asText()) {
            case "SGD", "optax.sgd" ->
                gradientTransformations.add(new Sgd(
                        Rate.constant(args.rate()),
                        args.real("momentum", 0),
                        args.real("dampening", 0),
                        args.is("nesterov"),
                        args.real("weight_decay", 0)));
            case "Adam" -> {
                if (args.is("amsgrad")) {
                    gradientTransformations.add(Optimizers.amsGrad(args.rate())
                            .beta1(args.beta(0, 0.9))
                            .beta2(args.beta(1, 0.999)));
                } else {
                    gradientTransformations.add(torchAdam(args).weightDecay(args.real("weight_decay", 0)));
                }
            }
            case "AdamW" ->
                gradientTransformations.add(torchAdam(args).decoupledWeightDecay(args.real("weight_decay", 0.01)));
            case "RMSprop" ->
                gradientTransformations.add(rmsProp(args.rate())
                        .decay(args.real("alpha", 0.99))
                        .epsilon(args.real("eps", 1e-8))
                        .centered(args.is("centered"))
                        .momentum(args.real("momentum", 0)));
            case "Adagrad" ->
                gradientTransformations.add(Optimizers.adagrad(args.rate())
                        .epsilon(args.real("eps", 1e-10))
                        .rateDecay(args.real("lr_decay", 0))
                        .initial(args.real("initial_accumulator_value", 0)));
            case "Adadelta" ->
                gradientTransformations.add(Optimizers.adadelta(args.rate())
                        .decay(args.real("rho", 0.9))
                        .epsilon(args.real("eps", 1e-6)));
            case "Adamax" ->
                gradientTransformations.add(
                        Optimizers.adamax(args.rate()).beta1(args.beta(0, 0.9)).beta2(args.beta(1, 0.999)));
            case "NAdam" ->
                gradientTransformations.add(Optimizers.nAdam(args.rate())
                        .beta1(args.beta(0, 0.9))
                        .beta2(args.beta(1, 0.999))
                        .momentumDecay(args.real("momentum_decay", 4e-3)));
            case "RAdam" ->
                gradientTransformations.add(
                        Optimizers.rAdam(args.rate()).beta1(args.beta(0, 0.9)).beta2(args.beta(1, 0.999)));
            case "Rprop" -> gradientTransformations.add(Optimizers.rprop(args.rate()));
            case "Yogi" ->
                gradientTransformations.add(Optimizers.yogi(args.rate())
                        .beta1(args.beta(0, 0.9))
                        .beta2(args.beta(1, 0.999))
                        .epsilon(args.real("eps", 1e-3))
                        .initial(args.real("initial_accumulator", 1e-6)));
            case "Lamb" ->
                gradientTransformations.add(Optimizers.lamb(args.rate())
                        .weightDecay(args.real("weight_decay", 0))
                        .uncorrected(true)
                        .most(args.real("clamp_value", 10)));
            case "AdaBelief" ->
                gradientTransformations.add(Optimizers.adaBelief(args.rate())
                        .epsilon(args.real("eps", 1e-3))
                        .epsilonRoot(args.real("eps", 1e-3)));
            case "optax.adam", "optax.nadam" -> gradientTransformations.add(optaxAdam(args, args.rate()));
            case "optax.adamw" -> {
                gradientTransformations.add(optaxAdam(args, args.rate()));
                gradientTransformations.add(decay(args.real("weight_decay", 1e-4)));
            }
            case "optax.amsgrad" ->
                gradientTransformations.add(Optimizers.amsGrad(args.rate())
                        .beta1(args.real("b1", 0.9))
                        .beta2(args.real("b2", 0.999))
                        .epsilon(args.real("eps", 1e-8))
                        .epsilonRoot(args.real("eps_root", 0))
                        .as(Convention.OPTAX));
            case "optax.rmsprop" ->
                gradientTransformations.add(rmsProp(args.rate())
                        .decay(args.real("decay", 0.9))
                        .epsilon(args.real("eps", 1e-8))
                        .centered(args.is("centered"))
                        .momentum(args.real("momentum", 0))
                        .epsilonInside(args.is("eps_in_sqrt"))
                        .initial(args.real("initial_scale", 0)));
            case "optax.adagrad" ->
                gradientTransformations.add(Optimizers.adagrad(args.rate())
                        .epsilon(args.real("eps", 1e-7))
                        .initial(args.real("initial_accumulator_value", 0.1))
                        .epsilonInside(true));
            case "optax.adadelta" ->
                gradientTransformations.add(Optimizers.adadelta(args.rate())
                        .decay(args.real("rho", 0.9))
                        .epsilon(args.real("eps", 1e-6)));
            case "optax.adamax" ->
                gradientTransformations.add(Optimizers.adamax(args.rate())
                        .beta1(args.real("b1", 0.9))
                        .beta2(args.real("b2", 0.999))
                        .epsilon(args.real("eps", 1e-8)));
            case "optax.radam" ->
                gradientTransformations.add(Optimizers.rAdam(args.rate())
                        .beta1(args.real("b1", 0.9))
                        .beta2(args.real("b2", 0.999))
                        .epsilon(args.real("eps", 1e-8))
                        .as(Convention.OPTAX));
            case "optax.lion" -> {
                gradientTransformations.add(
                        Optimizers.lion(args.rate()).beta1(args.real("b1", 0.9)).beta2(args.real("b2", 0.99)));
                gradientTransformations.add(decay(args.real("weight_decay", 0)));
            }
            case "optax.yogi" ->
                gradientTransformations.add(Optimizers.yogi(args.rate())
                        .beta1(args.real("b1", 0.9))
                        .beta2(args.real("b2", 0.999))
                        .epsilon(args.real("eps", 1e-3)));
            case "optax.lamb" ->
                gradientTransformations.add(Optimizers.lamb(args.rate())
                        .beta1(args.real("b1", 0.9))
                        .beta2(args.real("b2", 0.999))
                        .epsilon(args.real("eps", 1e-6))
                        .weightDecay(args.real("weight_decay", 0)));
            case "optax.adabelief" ->
                gradientTransformations.add(Optimizers.adaBelief(args.rate())
                        .beta1(args.real("b1", 0.9))
                        .beta2(args.real("b2", 0.999))
                        .epsilon(args.real("eps", 1e-16))
                        .epsilonRoot(args.real("eps_root", 1e-16)));
            case "optax.adan" ->
                gradientTransformations.add(Optimizers.adan(args.rate())
                        .beta1(args.real("b1", 0.98))
                        .beta2(args.real("b2", 0.92))
                        .beta3(args.real("b3", 0.99))
                        .epsilon(args.real("eps", 1e-8))
                        .epsilonRoot(args.real("eps_root", 1e-8)));
            case "optax.optimistic_gradient_descent" -> {
                gradientTransformations.add(
                        Optimizers.optimistic().alpha(args.real("alpha", 1)).beta(args.real("beta", 1)));
                gradientTransformations.add(sgd(args.rate()));
            }
            case "optax.optimistic_adam" -> {
                gradientTransformations.add(optaxAdam(args, 1));
                gradientTransformations.add(
                        Optimizers.optimistic().alpha(args.rate()).beta(args.real("optimism", args.rate())));
            }
            case "optax.optimistic_adam_v2" -> {
                gradientTransformations.add(optaxAdam(args, 1));
                gradientTransformations.add(
                        Optimizers.optimistic().alpha(args.real("alpha", 1)).beta(args.real("beta", 1)));
                gradientTransformations.add(Optimizers.scale(args.rate()));
            }
            case "optax.lookahead" -> {
                String fast = run.get("args").get("fast_optimizer").asText();
                double rate = Double.parseDouble(fast.substring(fast.indexOf('(') + 1, fast.indexOf(')')));
                gradientTransformations.add(
                        switch (fast.substring(0, fast.indexOf('('))) {
                            case "sgd" -> sgd(rate);
                            case "adam" -> adam(rate);
                            default -> throw new IllegalArgumentException("no form for the fast optimizer " + fast);
                        });
                gradientTransformations.add(Optimizers.lookahead(
                        run.get("args").get("sync_period").asInt(), args.real("slow_step_size", 0.5)));
            }
            default ->
                throw new IllegalArgumentException(
                        "run " + run.get("name") + ": no form for class " + run.get("class"));
        }
        return new Chain(gradientTransformations);
    }

    private static Adam torchAdam(Args args) {
        return adam(args.rate())
                .beta1(args.beta(0, 0.9))
                .beta2(args.beta(1, 0.999))
                .epsilon(args.real("eps", 1e-8));
    }

    private static Adam optaxAdam(Args args, double rate) {
        return adam(rate)
                .beta1(args.real("b1", 0.9))
                .beta2(args.real("b2", 0.999))
                .epsilon(args.real("eps", 1e-8))
                .epsilonRoot(args.real("eps_root", 0))
                .nesterov(args.is("nesterov"));
    }

    static Rate rate(JsonNode schedule) {
        JsonNode a = schedule.get("args");
        Args args = new Args(a);
        double base = schedule.path("base_lr").asDouble(args.real("init_value", 0));
        return switch (a.get("class").asText()) {
            case "ConstantLR" ->
                new PiecewiseRate(
                        List.of(base * args.real("factor", 1), base),
                        List.of(a.get("total_iters").asLong()),
                        RateUnit.UPDATE);
            case "LinearLR" ->
                Rate.linear(
                        base * args.real("start_factor", 1),
                        base * args.real("end_factor", 1),
                        0,
                        a.get("total_iters").asLong());
            case "CosineAnnealingLR" ->
                new CosineRate(base, args.real("eta_min", 0), a.get("T_max").asLong(), 0, 1, true, RateUnit.UPDATE);
            case "CosineAnnealingWarmRestarts" ->
                new WarmRestartsRate(
                        base,
                        args.real("eta_min", 0),
                        a.get("T_0").asLong(),
                        a.path("T_mult").asInt(1),
                        RateUnit.UPDATE);
            case "StepLR" -> new StepRate(base, a.get("step_size").asLong(), args.real("gamma", 0.1), RateUnit.UPDATE);
            case "MultiStepLR" -> {
                List<Long> at = new ArrayList<>();
                a.get("milestones").forEach(each -> at.add(each.asLong()));
                yield new MultiStepRate(base, at, args.real("gamma", 0.1), RateUnit.UPDATE);
            }
            case "ExponentialLR" -> new ExponentialRate(base, args.real("gamma", 1), 1, 0, false, 0, RateUnit.UPDATE);
            case "PolynomialLR" ->
                new PolynomialRate(base, 0, a.get("total_iters").asLong(), 0, args.real("power", 1), RateUnit.UPDATE);
            case "OneCycleLR" ->
                new OneCycleRate(
                        args.real("max_lr", 0),
                        a.get("total_steps").asLong(),
                        args.real("pct_start", 0.3),
                        a.path("anneal_strategy").asText("cos").equals("linear"),
                        args.is("three_phase"),
                        0.85,
                        args.real("div_factor", 25),
                        args.real("final_div_factor", 1e4),
                        Convention.PYTORCH,
                        RateUnit.UPDATE);
            case "constant_schedule" -> Rate.constant(args.real("value", 0));
            case "linear_schedule" ->
                Rate.linear(
                        base,
                        args.real("end_value", 0),
                        a.path("transition_begin").asLong(0),
                        a.get("transition_steps").asLong());
            case "cosine_decay_schedule" ->
                new CosineRate(
                        base,
                        base * args.real("alpha", 0),
                        a.get("decay_steps").asLong(),
                        0,
                        args.real("exponent", 1),
                        false,
                        RateUnit.UPDATE);
            case "exponential_decay" ->
                new ExponentialRate(
                        base,
                        args.real("decay_rate", 1),
                        a.get("transition_steps").asLong(),
                        a.path("transition_begin").asLong(0),
                        args.is("staircase"),
                        args.real("end_value", 0),
                        RateUnit.UPDATE);
            case "polynomial_schedule" ->
                new PolynomialRate(
                        base,
                        args.real("end_value", 0),
                        a.get("transition_steps").asLong(),
                        a.path("transition_begin").asLong(0),
                        args.real("power", 1),
                        RateUnit.UPDATE);
            case "cosine_onecycle_schedule", "linear_onecycle_schedule" -> {
                boolean linear = a.get("class").asText().startsWith("linear");
                yield new OneCycleRate(
                        args.real("peak_value", 0),
                        a.get("transition_steps").asLong(),
                        args.real("pct_start", 0.3),
                        linear,
                        linear,
                        args.real("pct_final", 0.85),
                        args.real("div_factor", 25),
                        args.real("final_div_factor", 1e4),
                        Convention.OPTAX,
                        RateUnit.UPDATE);
            }
            case "warmup_cosine_decay_schedule" -> {
                long warm = a.get("warmup_steps").asLong();
                double peak = args.real("peak_value", 0);
                Rate then = new CosineRate(
                        peak,
                        args.real("end_value", 0),
                        a.get("decay_steps").asLong() - warm,
                        0,
                        args.real("exponent", 1),
                        false,
                        RateUnit.UPDATE);
                yield new WarmUpRate(warm, then, base, RateUnit.UPDATE);
            }
            case "piecewise_constant_schedule" -> {
                List<Double> rates = new ArrayList<>(List.of(base));
                List<Long> at = new ArrayList<>();
                for (var scale : a.get("boundaries_and_scales").properties()) {
                    rates.add(rates.get(rates.size() - 1) * scale.getValue().asDouble());
                    at.add(Long.parseLong(scale.getKey()));
                }
                yield new PiecewiseRate(rates, at, RateUnit.UPDATE);
            }
            default ->
                throw new IllegalArgumentException(
                        "schedule " + schedule.get("name") + ": no form for " + a.get("class"));
        };
    }

    static GradientTransformation clip(String name, double most) {
        return switch (name) {
            case "torch_clip_grad_norm_global" -> clipByGlobalNorm(most);
            case "torch_clip_grad_norm_per_tensor" -> Optimizers.clipByNorm(most);
            case "torch_clip_grad_value", "optax_clip" -> Optimizers.clipByValue(most);
            case "optax_clip_by_global_norm" -> new ClipByGlobalNorm(most, 0);
            case "optax_clip_by_block_rms" -> Optimizers.clipByBlockRms(most);
            default -> throw new IllegalArgumentException("no form for the clipping " + name);
        };
    }

    /** A way to average, and what it begins with. */
    record Average(Averaging averaging, double decay, double[] start) {
        void agree(Kernels kernels, String name, JsonNode expected) {
            for (ElementType type : KernelsTest.FLOATING) {
                Reals target = NativeArrays.of(type, start);
                Reals source = NativeArrays.zeros(type, start.length);
                JsonNode rows = expected.get("rows");
                for (int i = 0; i < rows.size(); i++) {
                    NativeArrays.set(source, GoldenOptimizersTest.gradient(i));
                    kernels.follow(averaging.kept(decay, i + 1), target, source, 0, start.length);
                    GoldenOptimizersTest.assertClose(
                            name + " row " + i,
                            type,
                            NativeArrays.values(target),
                            GoldenOptimizersTest.doubles(rows.get(i)));
                }
            }
        }
    }

    static Average average(String name, double[] initial) {
        double[] zeros = new double[initial.length];
        if (name.startsWith("sb3_polyak_update_tau_")) {
            double tau = Double.parseDouble(name.substring("sb3_polyak_update_tau_".length()));
            return new Average(Averaging.EXPONENTIAL, 1 - tau, initial);
        } else if (name.startsWith("optax_ema_")) {
            String[] parts = name.split("_", -1);
            boolean debias = name.endsWith("_true");
            return new Average(
                    debias ? Averaging.DEBIASED : Averaging.EXPONENTIAL, Double.parseDouble(parts[2]), zeros);
        } else if (name.startsWith("torch_averaged_model_ema_")) {
            double decay = Double.parseDouble(name.substring("torch_averaged_model_ema_".length()));
            return new Average(Averaging.FROM_FIRST, decay, initial);
        } else if (name.equals("torch_averaged_model_swa")) {
            return new Average(Averaging.UNIFORM, 0, initial);
        }
        throw new IllegalArgumentException("no form for the average " + name);
    }
}
