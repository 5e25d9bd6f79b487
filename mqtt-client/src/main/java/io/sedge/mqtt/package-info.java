/**
 * A client of MQTT brokers (5 and 3.1.1) for connectors. Read {@link io.sedge.mqtt.Connection}
 * first, then {@link io.sedge.mqtt.Client} and {@link io.sedge.mqtt.BrokerOptions}. A connection
 * has one thread of its own, on which messages arrive and its listener is told.
 */
@NullMarked
package io.sedge.mqtt;

import org.jspecify.annotations.NullMarked;
