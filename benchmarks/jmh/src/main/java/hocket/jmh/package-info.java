/**
 * JMH benchmarks of pieces that {@code hocket bench} measures only together with others: products, random streams, selections,
 * compilation, returns and replay. What a user waits for is measured by {@code hocket bench} and {@code benchmarks/run}.
 */
@NullMarked
package hocket.jmh;

import org.jspecify.annotations.NullMarked;
