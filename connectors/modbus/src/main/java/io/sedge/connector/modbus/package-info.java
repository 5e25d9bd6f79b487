/**
 * The connector {@code modbus}: registers of Modbus devices as a table, and writes to them as
 * commands. Read {@link io.sedge.connector.modbus.ModbusConnector} first, then {@code ModbusReader}
 * and {@code LinePoller}.
 *
 * <p>Each reader and each sink has one thread of its own, {@code sedge-modbus-TABLE}, which does
 * all that has to do with the network: it asks, waits and connects. Tasks meet it in a bounded
 * queue.
 */
@NullMarked
package io.sedge.connector.modbus;

import org.jspecify.annotations.NullMarked;
