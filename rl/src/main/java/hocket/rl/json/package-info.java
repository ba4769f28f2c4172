/** Reading JSON of other programs: the one package here that names the library. */
@NullMarked
package hocket.rl.json;

import org.jspecify.annotations.NullMarked;
