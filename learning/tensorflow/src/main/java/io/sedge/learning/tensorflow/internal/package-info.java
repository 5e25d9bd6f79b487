/**
 * Models on TensorFlow. {@link io.sedge.learning.tensorflow.internal.TensorFlowModel} first, then
 * {@link io.sedge.learning.tensorflow.internal.ModelFiles}, which reads its files, {@link
 * io.sedge.learning.tensorflow.internal.Graph}, which reads what they say, and {@link
 * io.sedge.learning.tensorflow.internal.NativeSession}, which computes.
 */
@NullMarked
package io.sedge.learning.tensorflow.internal;

import org.jspecify.annotations.NullMarked;
