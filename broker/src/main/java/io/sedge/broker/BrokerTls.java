package io.sedge.broker;

import java.nio.file.Path;

/**
 * What the broker needs for mutual TLS: it shows its certificate and asks every client for one.
 *
 * @param keyStore PKCS #12 file with the broker's certificate chain and private key
 * @param keyStorePassword of the file and of the key in it
 * @param trustStore PKCS #12 file with the certificates of the authorities whose clients may
 *     connect
 * @param trustStorePassword of the file
 */
public record BrokerTls(
    Path keyStore, String keyStorePassword, Path trustStore, String trustStorePassword) {

  /** Without the passwords. */
  @Override
  public String toString() {
    return "BrokerTls[keyStore=%s, trustStore=%s]".formatted(keyStore, trustStore);
  }
}
