package hocket.gan.parts;

import hocket.programs.Value;
import java.util.function.UnaryOperator;

/**
 * The noise of generated rows, and the generator that makes them, for terms that generate further rows.
 *
 * @param noise (latent)
 * @param generator calls the generator again, with the same parameters and condition
 */
public record Latents(Value noise, UnaryOperator<Value> generator) {}
