package hocket.gan.parts;

import hocket.programs.Value;
import java.util.function.UnaryOperator;

/**
 * The noise of generated rows, and the generator that makes them, for terms that generate further rows.
 *
 * @param noise (latent), or (pack · latent) of packs of rows
 * @param generator makes rows, or packs of rows, of other noise, with the same parameters and condition
 */
public record Latents(Value noise, UnaryOperator<Value> generator) {}
