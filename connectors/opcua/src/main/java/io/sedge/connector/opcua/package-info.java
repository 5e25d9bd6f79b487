/**
 * The connector {@code opc-ua}: nodes of an OPC UA server as a table, and writes to them as
 * commands. Read {@link io.sedge.connector.opcua.OpcUaConnector} first, then {@code OpcUaReader}
 * and {@code Feeder}.
 *
 * <p>Each reader and each sink has one thread of its own, {@code sedge-opcua-TABLE}, which
 * connects, asks and waits. Milo's answers come in threads of the connection. Tasks meet them in a
 * bounded queue.
 */
@NullMarked
package io.sedge.connector.opcua;

import org.jspecify.annotations.NullMarked;
