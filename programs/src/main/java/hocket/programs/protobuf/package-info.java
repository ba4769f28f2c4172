/** The encoding of Protobuf, in which other programs' formats are written: ONNX models, TensorBoard's event files. */
@NullMarked
package hocket.programs.protobuf;

import org.jspecify.annotations.NullMarked;
