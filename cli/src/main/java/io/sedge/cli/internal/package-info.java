/**
 * The commands. Read {@link io.sedge.cli.internal.SedgeCommand} first, then {@link
 * io.sedge.cli.internal.RunCommand}, then {@link io.sedge.cli.internal.Surroundings}, which is all
 * that a command sees of the process it runs in. Commands run in the main thread.
 */
@NullMarked
package io.sedge.cli.internal;

import org.jspecify.annotations.NullMarked;
