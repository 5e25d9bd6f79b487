package io.sedge.mqtt;

import com.hivemq.client.mqtt.MqttClientSslConfig;
import io.sedge.connector.PemFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** TLS by PEM files. The JDK checks certificates and host names as for HTTPS. */
final class Tls {
  private final PemFiles files;

  Tls(PemFiles files) {
    this.files = files;
  }

  /**
   * What the client needs to connect.
   *
   * @throws io.sedge.connector.ConnectorException of kind USER if a file cannot be used
   */
  MqttClientSslConfig configuration(TlsSettings settings, Duration timeout) {
    var builder =
        MqttClientSslConfig.builder().handshakeTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
    Path authorities = settings.authorities();
    if (authorities != null) {
      builder = builder.trustManagerFactory(files.trust("tls.ca", authorities));
    }
    Path certificate = settings.certificate();
    Path key = settings.key();
    if (certificate != null && key != null) {
      builder =
          builder.keyManagerFactory(files.identity("tls.certificate", certificate, "tls.key", key));
    }
    return builder.build();
  }
}
