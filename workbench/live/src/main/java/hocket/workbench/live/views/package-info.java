/**
 * Views of runs for people: of runs that train here, and of runs that are read from their folders.
 */
@NullMarked
package hocket.workbench.live.views;

import org.jspecify.annotations.NullMarked;
