/**
 * Models in jobs. Read {@link io.sedge.learning.ModelProvider} first, which is what a provider
 * implements, then {@link io.sedge.learning.Model}; and {@link io.sedge.learning.Detectors}, which
 * score without a model. A script's thread opens models; the thread of each task scores.
 */
@NullMarked
package io.sedge.learning;

import org.jspecify.annotations.NullMarked;
