/**
 * A whole MQTT broker inside this process, for tours, tests and sites without one. Read {@link
 * io.sedge.broker.EmbeddedBroker} first, then {@link io.sedge.broker.BrokerTls}. The broker runs on
 * threads of its own.
 */
@NullMarked
package io.sedge.broker;

import org.jspecify.annotations.NullMarked;
