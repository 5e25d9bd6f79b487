/**
 * The connector {@code mqtt}: streams from and to an MQTT broker (5 and 3.1.1). Read {@link
 * io.sedge.connector.mqtt.MqttConnector} first; then, in {@code internal}, {@code MqttReader} and
 * {@code MqttSink}. Each open table has a connection and one thread for it; rows are made and taken
 * on the task's thread.
 */
@NullMarked
package io.sedge.connector.mqtt;

import org.jspecify.annotations.NullMarked;
