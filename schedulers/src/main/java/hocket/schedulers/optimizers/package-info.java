/**
 * Update rules: how a weight changes, given its gradient. A rule is an immutable value, a chain of links, that knows
 * nothing of networks or turns; {@link hocket.schedulers.optimizers.updates.UpdatePlan} binds rules to arrays once, and
 * {@link hocket.schedulers.optimizers.kernels.KernelThreads} runs a plan on some threads. When to update, and what, is decided
 * elsewhere.
 *
 * <p>What is common is computed by {@link hocket.schedulers.optimizers.kernels.Kernels} in one loop: by the Vector API where the JVM was started
 * with it, by plain loops otherwise. Both give the same bits. Every other
 * link computes in double on a {@link hocket.schedulers.optimizers.kernels.Chunk}. No result depends on the number of threads.
 */
@NullMarked
package hocket.schedulers.optimizers;

import org.jspecify.annotations.NullMarked;
