package io.sedge.connector.http.internal;

import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;

/**
 * What a server has said of the version that it gave last (RFC 9110, section 8.8), so that it need
 * not give the same again.
 *
 * @param etag empty if there was none
 * @param lastModified empty if there was none
 */
record Validators(String etag, String lastModified) {
  static final Validators NONE = new Validators("", "");

  /** They stand in each commit: longer ones are not kept. */
  private static final int MAX_CHARACTERS = 256;

  static Validators of(HttpHeaders headers) {
    return new Validators(value(headers, "ETag"), value(headers, "Last-Modified"));
  }

  private static String value(HttpHeaders headers, String name) {
    String value = headers.firstValue(name).orElse("");
    return value.length() > MAX_CHARACTERS || !value.matches("[\\x20-\\x7e]*") ? "" : value;
  }

  /** Asks for nothing but another version. */
  void addTo(HttpRequest.Builder request) {
    if (!etag.isEmpty()) {
      request.setHeader("If-None-Match", etag);
    } else if (!lastModified.isEmpty()) {
      request.setHeader("If-Modified-Since", lastModified);
    }
  }
}
