/**
 * Files of arrays that other programs read and write too: safetensors, and NumPy's .npy and .npz. What is read is
 * checked against the file before anything is allocated for it; a written file is complete or absent.
 */
@NullMarked
package hocket.schedulers.formats;

import org.jspecify.annotations.NullMarked;
