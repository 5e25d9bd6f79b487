package io.sedge.broker.internal;

import io.sedge.broker.BrokerTls;

/** Writes a broker's settings as HiveMQ's {@code config.xml}. */
final class BrokerConfiguration {
  /** What MQTT adds to a payload at most, roughly: topic and properties. */
  private static final int HEADER_BYTES = 128 * 1024;

  private static final int MAX_PACKET_BYTES = 268_435_460;

  private BrokerConfiguration() {}

  /**
   * @param queued messages that may wait for a group of clients that share a subscription
   */
  static String xml(BrokerSettings settings, long queued) {
    return """
    <?xml version="1.0"?>
    <hivemq>
      <listeners>%s</listeners>
      <anonymous-usage-statistics><enabled>false</enabled></anonymous-usage-statistics>
      <persistence><mode>%s</mode></persistence>
      <mqtt>
        <queued-messages>
          <max-queue-size>%d</max-queue-size><strategy>discard</strategy>
        </queued-messages>
        <packets><max-packet-size>%d</max-packet-size></packets>
        <receive-maximum><server-receive-maximum>1000</server-receive-maximum></receive-maximum>
      </mqtt>
    </hivemq>
    """
        .formatted(
            listener(settings),
            settings.dataDirectory() == null ? "in-memory" : "file",
            queued,
            Math.min(MAX_PACKET_BYTES, (long) settings.maxPayloadBytes() + HEADER_BYTES));
  }

  private static String listener(BrokerSettings settings) {
    String where =
        "<port>%d</port><bind-address>%s</bind-address>"
            .formatted(settings.port(), settings.address().getHostAddress());
    BrokerTls tls = settings.tls();
    if (tls == null) {
      return "<tcp-listener>" + where + "</tcp-listener>";
    }
    return """
    <tls-tcp-listener>%s
      <tls>
        <protocols><protocol>TLSv1.3</protocol><protocol>TLSv1.2</protocol></protocols>
        <keystore>
          <path>%s</path><password>%s</password>
          <private-key-password>%s</private-key-password>
        </keystore>
        <client-authentication-mode>REQUIRED</client-authentication-mode>
        <truststore><path>%s</path><password>%s</password></truststore>
      </tls>
    </tls-tcp-listener>
    """
        .formatted(
            where,
            escaped(tls.keyStore().toAbsolutePath().toString()),
            escaped(tls.keyStorePassword()),
            escaped(tls.keyStorePassword()),
            escaped(tls.trustStore().toAbsolutePath().toString()),
            escaped(tls.trustStorePassword()));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
