package io.sedge.connector.http.internal;

import java.net.http.HttpHeaders;

/** What a server has answered. */
final class Answer {
  private final int status;
  private final HttpHeaders headers;
  private final byte[] body;

  Answer(int status, HttpHeaders headers, byte[] body) {
    this.status = status;
    this.headers = headers;
    this.body = body;
  }

  int status() {
    return status;
  }

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  HttpHeaders headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }
}
