/**
 * The command {@code sedge train}: a training described by a file, on a cluster of processes of
 * this machine or of several.
 *
 * <p>Read first: {@link io.sedge.tensor.training.command.TrainMain} (the program), {@link
 * io.sedge.tensor.training.command.TrainingFile} (what a file may say).
 */
@NullMarked
package io.sedge.tensor.training.command;

import org.jspecify.annotations.NullMarked;
