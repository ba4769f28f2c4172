/**
 * What people see of a run, whether it trains here or is read from its folder.
 */
@NullMarked
package hocket.workbench.live.views;

import org.jspecify.annotations.NullMarked;
