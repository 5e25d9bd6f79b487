/**
 * The inside of the connector {@code opc-ua}. Read {@code NodePattern} for which nodes are meant,
 * {@code Feeder} for how values come, {@code NodeCommandWriter} for how they are written.
 */
@NullMarked
package io.sedge.connector.opcua.internal;

import org.jspecify.annotations.NullMarked;
