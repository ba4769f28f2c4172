/** Reading and writing JSON for what schedulers save: the one package here that names the library. */
@NullMarked
package hocket.schedulers.json;

import org.jspecify.annotations.NullMarked;
