/**
 * The connector {@code history}: keeps what source tables read ({@code 'keep' = '7 d'}) in Apache
 * TsFile segments on this device, and reads them as a bounded table. Read {@link
 * io.sedge.connector.history.HistoryConnector}, then {@code Store} and {@code HistoryReader}. What
 * a task appends and reads runs on its thread; segments are made and deleted on one thread of the
 * connector's own.
 */
@NullMarked
package io.sedge.connector.history;

import org.jspecify.annotations.NullMarked;
