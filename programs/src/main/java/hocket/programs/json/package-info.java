/** Programs as JSON text: the one package here that names the library. */
@NullMarked
package hocket.programs.json;

import org.jspecify.annotations.NullMarked;
