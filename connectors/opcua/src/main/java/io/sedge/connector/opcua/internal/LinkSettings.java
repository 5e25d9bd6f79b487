package io.sedge.connector.opcua.internal;

import io.sedge.connector.Backoff;
import java.time.Duration;
import java.util.Optional;

/** How a server is reached. */
record LinkSettings(
    String url,
    SecuritySettings security,
    Optional<String> username,
    String password,
    Duration requestTimeout,
    Duration connectTimeout,
    Backoff pauses) {
  /** Without the password. */
  @Override
  public String toString() {
    return "LinkSettings[%s, %s, %s]".formatted(url, security, login());
  }

  /** Who logs in, for people. */
  String login() {
    return username.map("user '%s'"::formatted).orElse("an anonymous user");
  }
}
