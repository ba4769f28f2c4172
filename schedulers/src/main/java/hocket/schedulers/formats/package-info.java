/**
 * Files of arrays that other programs read and write too: safetensors, and NumPy's .npy and .npz. What is read is checked
 * against the file before anything is allocated for it; what is written is whole, or not there.
 */
@NullMarked
package hocket.schedulers.formats;

import org.jspecify.annotations.NullMarked;
