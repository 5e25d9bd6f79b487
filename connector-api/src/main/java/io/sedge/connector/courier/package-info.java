/**
 * What a sink stands on whose far end is slow, may be away, and takes rows in larger pieces than
 * batches. Read {@link io.sedge.connector.courier.CourierSink} first, then {@link
 * io.sedge.connector.courier.Carrier} and {@link io.sedge.connector.courier.Shipment}, which a
 * connector implements. The sink is called by its task's thread; a thread of its own uses the
 * carrier.
 */
@NullMarked
package io.sedge.connector.courier;

import org.jspecify.annotations.NullMarked;
