/** States as folders on disk, which are written under a temporary name and moved into place. */
@NullMarked
package hocket.schedulers.checkpoint;

import org.jspecify.annotations.NullMarked;
