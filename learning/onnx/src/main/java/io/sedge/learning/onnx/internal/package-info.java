/**
 * Models on ONNX Runtime. {@link io.sedge.learning.onnx.internal.OnnxModel} first, then {@link
 * io.sedge.learning.onnx.internal.Computation}, which runs it.
 */
@NullMarked
package io.sedge.learning.onnx.internal;

import org.jspecify.annotations.NullMarked;
