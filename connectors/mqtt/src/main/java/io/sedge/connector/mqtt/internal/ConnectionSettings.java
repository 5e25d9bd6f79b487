package io.sedge.connector.mqtt.internal;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a connection needs, whichever way messages go.
 *
 * @param table its name, for messages
 * @param version5 whether to speak MQTT 5, else 3.1.1
 * @param clientId given by the script or the site, whose session lasts; or null to make one up
 * @param keepAliveSeconds 0 for never
 */
record ConnectionSettings(
    String table,
    BrokerAddress broker,
    boolean version5,
    @Nullable String clientId,
    @Nullable String user,
    @Nullable String password,
    @Nullable Path passwordFile,
    @Nullable TlsSettings tls,
    int keepAliveSeconds,
    Duration timeout,
    Duration minDelay,
    Duration maxDelay) {

  /** The same with another client identifier. */
  ConnectionSettings withClientId(@Nullable String id) {
    return new ConnectionSettings(
        table,
        broker,
        version5,
        id,
        user,
        password,
        passwordFile,
        tls,
        keepAliveSeconds,
        timeout,
        minDelay,
        maxDelay);
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "ConnectionSettings[table=%s, broker=%s]".formatted(table, broker);
  }
}
