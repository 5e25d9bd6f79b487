/**
 * The console: one web page, and what it asks of a run or of a device. Read {@link
 * io.sedge.console.RunConsole} first, then {@link io.sedge.console.ConsolePages}. Requests are
 * answered on virtual threads; a thread named {@code sedge-console} prepares what is live.
 */
@NullMarked
package io.sedge.console;

import org.jspecify.annotations.NullMarked;
