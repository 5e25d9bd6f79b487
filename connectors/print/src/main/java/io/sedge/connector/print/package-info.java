/**
 * The connector {@code print}: a sink that writes rows to standard output. Read {@link
 * io.sedge.connector.print.PrintConnector}, then {@code RowText}; its sinks run on their task's
 * thread.
 */
@NullMarked
package io.sedge.connector.print;

import org.jspecify.annotations.NullMarked;
