/**
 * The lowering of dense FLOAT32 programs: which operators are fused, where values are in memory, in which order steps run.
 */
@NullMarked
package hocket.programs.jvm.dense;

import org.jspecify.annotations.NullMarked;
