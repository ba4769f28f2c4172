/**
 * Update rules: how a weight changes, given its gradient. A rule is an immutable value that knows nothing of networks,
 * selections or turns; {@link hocket.schedulers.optimizers.UpdatePlan} binds rules to arrays once, and
 * {@link hocket.schedulers.optimizers.Workers} runs a plan on some threads. When to update, and what, is decided
 * elsewhere.
 *
 * <p>Every rule is computed by {@link hocket.schedulers.optimizers.Kernels}: by the Vector API where the JVM was started
 * with it, by plain loops otherwise. Both give the same bits, for any number of threads.
 */
@NullMarked
package hocket.schedulers.optimizers;

import org.jspecify.annotations.NullMarked;
