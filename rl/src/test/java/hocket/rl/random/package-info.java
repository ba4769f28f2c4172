/** Tests of NumPy's generators. */
@NullMarked
package hocket.rl.random;

import org.jspecify.annotations.NullMarked;
