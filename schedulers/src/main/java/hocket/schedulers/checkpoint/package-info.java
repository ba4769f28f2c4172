/** States as folders on disk: written beside, then moved into place. */
@NullMarked
package hocket.schedulers.checkpoint;

import org.jspecify.annotations.NullMarked;
