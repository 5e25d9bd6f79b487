package io.sedge.connector.http.internal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A request that has come and waits for its answer. Any thread. */
final class Call {
  /** Objects around a body. */
  private static final int CALL_BYTES = 200;

  /** An answer. */
  record Reply(int status, String text) {}

  private final byte[] body;
  private final String sender;
  private final long micros;
  private final Optional<Long> identity;
  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private int waiting;

  /**
   * @param sender the address that it came from
   * @param micros when it came
   * @param identity by which it is known again, if it can be
   */
  Call(byte[] body, String sender, long micros, Optional<Long> identity) {
    this.body = body;
    this.sender = sender;
    this.micros = micros;
    this.identity = identity;
  }

  byte[] body() {
    return body;
  }

  String sender() {
    return sender;
  }

  long micros() {
    return micros;
  }

  Optional<Long> identity() {
    return identity;
  }

  /** What it is answered with, once that is known. */
  CompletableFuture<Reply> reply() {
    return reply;
  }

  /** How many wait for the answer. For its queue alone, which guards it. */
  int waiting() {
    return waiting;
  }

  /** So many more wait, or fewer. */
  void waits(int more) {
    waiting += more;
  }

  /** What it takes of memory, about. */
  long bytes() {
    return body.length + (long) CALL_BYTES;
  }
}
