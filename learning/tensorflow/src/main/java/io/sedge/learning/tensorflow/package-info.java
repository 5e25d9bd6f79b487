/**
 * Models of TensorFlow. {@link io.sedge.learning.tensorflow.TensorFlowProvider} is the entrance.
 * TensorFlow, which need not be there, is loaded when the first model is opened. The thread of a
 * script opens models, the thread of each task scores.
 */
@NullMarked
package io.sedge.learning.tensorflow;

import org.jspecify.annotations.NullMarked;
