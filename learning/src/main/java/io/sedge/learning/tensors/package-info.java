/**
 * How columns become tensors of a model and its tensors columns again, whichever runtime computes:
 * what providers of models in files share. {@link io.sedge.learning.tensors.Binding} matches a
 * declaration and a model, {@link io.sedge.learning.tensors.TensorScorer} scores by it, {@link
 * io.sedge.learning.tensors.OpenModels} has each model in memory once. The thread of a script
 * matches, the thread of each task scores.
 */
@NullMarked
package io.sedge.learning.tensors;

import org.jspecify.annotations.NullMarked;
