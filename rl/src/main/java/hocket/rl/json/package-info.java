/** Reads JSON of other programs. This is the only package of the module that names the JSON library. */
@NullMarked
package hocket.rl.json;

import org.jspecify.annotations.NullMarked;
