/** JSON of the live server: its description, requests that start runs, results of inference. */
@NullMarked
package hocket.workbench.live.json;

import org.jspecify.annotations.NullMarked;
