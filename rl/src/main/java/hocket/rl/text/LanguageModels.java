package hocket.rl.text;

import static hocket.programs.Operators.exp;
import static hocket.programs.Operators.logSoftmax;
import static hocket.programs.Operators.multiply;
import static hocket.programs.Operators.negate;
import static hocket.programs.Operators.pick;
import static hocket.programs.Operators.reshape;
import static hocket.programs.Operators.slice;
import static hocket.programs.Operators.sum;

import hocket.programs.Graph;
import hocket.programs.Network;
import hocket.programs.Value;
import hocket.scopes.ElementType;
import hocket.scopes.Shape;

/**
 * Four causal transformers over prompts and their continuations: the policy, the reference of the same function, the
 * critic {@code value} and the reward model. Each has all of its parameters to itself.
 *
 * @param policy characters (T) give logits (T, n)
 * @param reference the policy's function over parameters of its own
 * @param value characters (T) give the value (T) of each prefix
 * @param reward characters (T), a prompt and its continuation, give one number
 * @param prompt characters of a prompt
 * @param continuation characters of a continuation
 * @param characters n
 */
public record LanguageModels(
        Graph graph,
        Network<Value, Value> policy,
        Network<Value, Value> reference,
        Network<Value, Value> value,
        Network<Value, Value> reward,
        int prompt,
        int continuation,
        int characters) {
    /**
     * Makes the networks in a graph of their own.
     *
     * @throws IllegalArgumentException if the model's heads do not divide its width
     */
    public static LanguageModels of(CausalTransformer model, int prompt, int continuation, int characters) {
        if (model.width() % model.heads() != 0) {
            throw new IllegalArgumentException(
                    "model.heads must divide model.width, were " + model.heads() + " and " + model.width());
        }
        Graph graph = new Graph();
        int window = prompt + continuation;
        Network<Value, Value> policy =
                graph.module("policy", text -> model.apply(text, characters, window, "logits", characters));
        Network<Value, Value> value = graph.module(
                "value",
                text -> reshape(
                        model.apply(text, characters, window, "value", 1),
                        text.shape().get(0)));
        Network<Value, Value> reward = graph.module("reward", text -> {
            int last = text.shape().get(0) - 1;
            return reshape(slice(model.apply(text, characters, window, "score", 1), 0, last, last + 1));
        });
        return new LanguageModels(
                graph, policy, policy.at("reference"), value, reward, prompt, continuation, characters);
    }

    /** The characters of a prompt and its continuation, T. */
    public int window() {
        return prompt + continuation;
    }

    /** Makes an input of whole numbers. */
    public Value characters(String name, int length) {
        return graph.input(name, Shape.of(length), ElementType.INT64);
    }

    /** The logarithms of a model's probabilities of all characters in each place of a continuation, (C, n). */
    public Value logarithms(Network<Value, Value> model, Value written) {
        return logSoftmax(ofContinuation(model.apply(written)));
    }

    /** The log-probabilities of the characters that were written, (C), from {@link #logarithms}. */
    public Value logProbabilities(Value logarithms, Value written) {
        return pick(logarithms, slice(written, 0, prompt, window()));
    }

    /** The entropy of each place, (C) in nats, from {@link #logarithms}. */
    public Value entropies(Value logarithms) {
        return negate(sum(multiply(exp(logarithms), logarithms), 1));
    }

    /** The values before each character of a continuation, (C). */
    public Value values(Value written) {
        return ofContinuation(value.apply(written));
    }

    /** The outputs of a model before each character of a continuation: the places from the prompt's last to the last but one. */
    Value ofContinuation(Value all) {
        return slice(all, 0, prompt - 1, window() - 1);
    }
}
