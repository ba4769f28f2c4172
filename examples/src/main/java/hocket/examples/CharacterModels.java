package hocket.examples;

import static hocket.programs.Layers.dense;
import static hocket.programs.Layers.embedding;
import static hocket.programs.Layers.layerNorm;
import static hocket.programs.Mode.EVAL;
import static hocket.programs.Mode.TRAIN;
import static hocket.programs.Operators.mean;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.softmaxCrossEntropy;
import static hocket.schedulers.Budget.rounds;
import static hocket.schedulers.Resample.EACH_TURN;
import static hocket.schedulers.Trigger.everyRounds;
import static hocket.schedulers.optimizers.Optimizers.adam;
import static hocket.scopes.ElementType.INT64;
import static hocket.scopes.Streams.seed;

import hocket.programs.Graph;
import hocket.programs.Loss;
import hocket.programs.Network;
import hocket.programs.Program;
import hocket.programs.Session;
import hocket.programs.Session.Feeds;
import hocket.programs.Value;
import hocket.programs.layers.Positions;
import hocket.programs.layers.Recurrence;
import hocket.programs.layers.Recurrence.Unrolled;
import hocket.programs.layers.TransformerBlock;
import hocket.schedulers.Rows;
import hocket.schedulers.Scheduler;
import hocket.schedulers.Turn;
import hocket.schedulers.text.HocketPages;
import hocket.schedulers.text.Text;
import hocket.schedulers.text.Text.Part;
import hocket.scopes.Initialiser;
import hocket.scopes.Parameters;
import hocket.scopes.Shape;
import hocket.scopes.Stream;
import hocket.scopes.Tensor;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Two models of a text, character by character: an LSTM, which carries a state, and a causal transformer, which sees the
 * last 64 characters.
 *
 * <p>{@code examples/run CharacterModels [updates] [seed]}: with the default 1,000 updates, a minute or two each, the LSTM
 * needs 2.31 and the transformer 2.44 bits a character of the held-out part; frequencies of characters need 4.82, of
 * pairs 3.90.
 */
public final class CharacterModels {
    private static final int STEPS = 64;
    private static final int BATCH = 32;
    private static final double TEMPERATURE = 0.7;

    private CharacterModels() {}

    /** Bits a character of the held-out part, and a sample. */
    record Result(double bits, String sample) {}

    /** The LSTM's input and output: characters (T) and a state give logits (T, n) and the next state. */
    record Memory(Value values, Value state) {}

    public static void main(String[] args) {
        int updates = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
        long seed = args.length > 1 ? Long.parseLong(args[1]) : 7;
        Text text = HocketPages.load();
        System.out.printf(
                "%s%nheld-out bits a character of counted characters %.3f, pairs %.3f%n",
                text, countedBits(text, false), countedBits(text, true));
        System.out.println("LSTM");
        print(lstm(text, updates, seed, true));
        System.out.println("causal transformer");
        print(transformer(text, updates, seed, true));
    }

    private static void print(Result result) {
        System.out.printf("held-out bits a character %.4f; a sample:%n%s%n%n", result.bits(), result.sample());
    }

    static Result lstm(Text text, int updates, long seed, boolean say) {
        int n = text.vocabulary().size();
        Recurrence recurrence = Recurrence.lstm(128);
        Graph graph = new Graph();
        Network<Memory, Memory> model = graph.module("model", in -> {
            Value characters = embedding("characters", in.values(), n, 64);
            Unrolled all = recurrence.apply("lstm", characters, in.state(), null);
            return new Memory(dense("logits", all.outputs(), n), all.state());
        });
        Tensor zeros = Tensor.of(
                recurrence.stateShape(), new float[recurrence.stateShape().size()]);
        Value start = graph.constant(zeros);

        // A sample is drawn by a program of one step; the state goes from one run of it to the next.
        Memory next = model.apply(
                new Memory(graph.input("last", Shape.of(1), INT64), graph.input("state", recurrence.stateShape())));
        Program step = Program.compile("step", EVAL, next.values(), next.state());
        return train(graph, x -> model.apply(new Memory(x, start)).values(), text, updates, seed, say, session -> {
            int[] sample = text.vocabulary().encode("\n".repeat(300));
            Tensor state = zeros;
            for (int i = 1; i < sample.length; i++) {
                Feeds feeds = Feeds.rows(1)
                        .and("last", Tensor.of(Shape.of(1, 1), (long) sample[i - 1]))
                        .and("state", Tensor.of(recurrence.stateShape().prepend(1), state.floats()));
                var results = session.run(step, feeds);
                state = results.get(1);
                sample[i] = draw(results.get(0).doubles(), seed(seed).at("sample"), i);
            }
            return text.vocabulary().decode(sample);
        });
    }

    static Result transformer(Text text, int updates, long seed, boolean say) {
        int n = text.vocabulary().size();
        TransformerBlock block = TransformerBlock.of(4, 256).causal();
        Graph graph = new Graph();
        Network<Value, Value> model = graph.module("model", characters -> {
            Value x = embedding("characters", characters, n, 64, Initialiser.normal(0.02));
            x = Positions.learned("places", x, STEPS);
            x = block.apply("block2", block.apply("block1", x));
            return dense("logits", layerNorm("norm", x), n);
        });

        // A sample is drawn by a program over the last characters; what comes after the one in question is hidden.
        Program seen = Program.compile("seen", EVAL, model.apply(graph.input("seen", Shape.of(STEPS), INT64)));
        return train(graph, model::apply, text, updates, seed, say, session -> {
            int[] sample = text.vocabulary().encode("\n".repeat(300));
            for (int i = 1; i < sample.length; i++) {
                int first = Math.max(0, i - STEPS);
                long[] context = Arrays.stream(sample, first, first + STEPS)
                        .asLongStream()
                        .toArray();
                double[] logits = session.run(seen, Feeds.rows(1).and("seen", Tensor.of(Shape.of(1, STEPS), context)))
                        .get(0)
                        .doubles();
                int last = i - 1 - first;
                sample[i] = draw(
                        Arrays.copyOfRange(logits, last * n, (last + 1) * n),
                        seed(seed).at("sample"),
                        i);
            }
            return text.vocabulary().decode(sample);
        });
    }

    /** Trains a model that takes characters (T) to logits (T, n), and evaluates it. */
    private static Result train(
            Graph graph,
            UnaryOperator<Value> model,
            Text text,
            int updates,
            long seed,
            boolean say,
            Function<Session, String> sample) {
        Value window = graph.input("text", Shape.of(STEPS + 1), INT64);
        Value logits = model.apply(slice(window, 0, 0, STEPS));
        Value nats = mean(softmaxCrossEntropy(logits, slice(window, 0, 1, STEPS + 1)));
        Program evaluate = Program.compile("evaluate", EVAL, nats);
        Turn.Descend learn =
                Turn.of("learn", Program.compile("learn", TRAIN, Loss.of(nats))).updates("model/**", adam(2e-3));
        Rows heldOut = text.part(Part.HELD_OUT).windows(STEPS);
        try (Parameters parameters = Parameters.initialise(graph.declarations(), seed(seed));
                Scheduler scheduler = Scheduler.over(parameters)) {
            scheduler
                    .plan(learn)
                    .feed(text.part(Part.TRAIN).batches("train", STEPS, BATCH), EACH_TURN)
                    .on(everyRounds(100), run -> {
                        if (say) {
                            System.out.printf(
                                    "update %5d  bits a character %.3f%n",
                                    run.position().round(),
                                    scheduler.average("learn/loss", 100).orElseThrow() / Math.log(2));
                        }
                    })
                    .run(rounds(updates));
            Session session = scheduler.now().session();
            Feeds all = heldOut.batchesInOrder("held-out", heldOut.count()).draw(evaluate, seed(seed));
            double bits = session.run(evaluate, all).get(0).scalar() / Math.log(2);
            return new Result(bits, sample.apply(session));
        }
    }

    /** Draws a character by the softmax of its logits over a temperature. */
    private static int draw(double[] logits, Stream stream, int count) {
        double most = Arrays.stream(logits).max().orElseThrow();
        double[] weights = Arrays.stream(logits)
                .map(logit -> Math.exp((logit - most) / TEMPERATURE))
                .toArray();
        double[] uniform = new double[1];
        stream.uniform(count, uniform);
        double left = uniform[0] * Arrays.stream(weights).sum();
        int drawn = 0;
        while (drawn + 1 < weights.length && left >= weights[drawn]) {
            left -= weights[drawn++];
        }
        return drawn;
    }

    /** Held-out bits a character of frequencies that are counted, plus one: of characters, or of each after another. */
    static double countedBits(Text text, boolean pairs) {
        int n = text.vocabulary().size();
        Text train = text.part(Part.TRAIN);
        Text heldOut = text.part(Part.HELD_OUT);
        double[][] counts = new double[pairs ? n : 1][n];
        for (int i = 1; i < train.length(); i++) {
            counts[pairs ? train.number(i - 1) : 0][train.number(i)]++;
        }
        double bits = 0;
        for (int i = 1; i < heldOut.length(); i++) {
            double[] after = counts[pairs ? heldOut.number(i - 1) : 0];
            bits -= Math.log(
                    (after[heldOut.number(i)] + 1) / (Arrays.stream(after).sum() + n));
        }
        return bits / Math.log(2) / (heldOut.length() - 1);
    }
}
