package io.sedge.mqtt;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.FileAccess;
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
public record ConnectionSettings(
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
  public ConnectionSettings withClientId(@Nullable String id) {
    return with(id, timeout);
  }

  /** The same for a connection beside, with a name of its own, that is given up sooner. */
  public ConnectionSettings beside(String suffix, Duration patience) {
    return with(
        clientId == null ? null : clientId + suffix,
        timeout.compareTo(patience) < 0 ? timeout : patience);
  }

  private ConnectionSettings with(@Nullable String id, Duration patience) {
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
        patience,
        minDelay,
        maxDelay);
  }

  /**
   * Returns if the files that it names may be read.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if one may not
   */
  public void checkFiles(ConnectorContext context) {
    check("password-file", passwordFile, context);
    if (tls != null) {
      check("tls.ca", tls.authorities(), context);
      check("tls.certificate", tls.certificate(), context);
      check("tls.key", tls.key(), context);
    }
  }

  private void check(String option, @Nullable Path file, ConnectorContext context) {
    if (file != null) {
      context
          .files()
          .check(
              "table %s: '%s'".formatted(table, option),
              context.directory().resolve(file),
              FileAccess.Use.READ);
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "ConnectionSettings[table=%s, broker=%s]".formatted(table, broker);
  }
}
