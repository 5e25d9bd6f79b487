/**
 * Models on ONNX Runtime. {@link io.sedge.learning.onnx.internal.OnnxModel} first, then {@link
 * io.sedge.learning.onnx.internal.Binding}, which matches columns and tensors.
 */
@NullMarked
package io.sedge.learning.onnx.internal;

import org.jspecify.annotations.NullMarked;
