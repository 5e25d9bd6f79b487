/**
 * Messages from a broker to results. Read {@link io.sedge.bench.mqtt.MqttBenchmark} first, then
 * {@link io.sedge.bench.mqtt.MqttConsumer}. Publisher, broker and consumer are processes of their
 * own.
 */
@NullMarked
package io.sedge.bench.mqtt;

import org.jspecify.annotations.NullMarked;
