package io.sedge.format.avro.internal;

import io.sedge.connector.Causes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import javax.net.ssl.SSLException;

/** Says for people why a registry could not be asked. */
final class Failures {
  private Failures() {}

  static String text(IOException e) {
    if (e instanceof HttpConnectTimeoutException) {
      return "it cannot be reached within %d s".formatted(Registry.TIMEOUT.toSeconds());
    }
    if (e instanceof ConnectException) {
      return Causes.isUnknownName(e) ? "the name of its host is not known" : "nobody listens there";
    }
    if (e instanceof SSLException) {
      return "TLS fails: %s; does '%s' have its authority?"
          .formatted(e.getMessage(), RegistryOptions.TRUST_STORE);
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
