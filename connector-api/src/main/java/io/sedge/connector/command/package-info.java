/**
 * What a sink stands on whose rows are commands: each is written to a device of the plant, which
 * takes it, refuses it, or does not answer. Read {@link io.sedge.connector.command.CommandSink}
 * first, then {@link io.sedge.connector.command.CommandQueue}, which its {@link
 * io.sedge.connector.command.CommandWriter} works off in a thread of its own. A connector
 * implements the writer, and the {@link io.sedge.connector.command.CommandMaker}.
 */
@NullMarked
package io.sedge.connector.command;

import org.jspecify.annotations.NullMarked;
