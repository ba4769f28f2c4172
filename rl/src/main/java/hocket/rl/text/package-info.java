/**
 * Language models as agents: networks over characters, continuations that a policy writes, rules that prefer one
 * continuation to another, and the rows that a reward model, a policy and a critic learn from.
 */
@NullMarked
package hocket.rl.text;

import org.jspecify.annotations.NullMarked;
