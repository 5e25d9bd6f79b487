package io.sedge.broker.internal;

import io.sedge.broker.BrokerTls;
import java.net.InetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * All that is set of a broker.
 *
 * @param address to listen on
 * @param port to listen on; 0 for any that is free
 * @param dataDirectory where sessions, queues and retained messages are kept, or null for memory
 * @param maxQueuedMessages kept for a client that is away or slow; what comes after is discarded
 * @param maxPayloadBytes of a message; a client that sends more is disconnected
 * @param tls for mutual TLS, or null for none
 * @param login that clients must give, or null if anybody may connect
 */
public record BrokerSettings(
    InetAddress address,
    int port,
    @Nullable Path dataDirectory,
    int maxQueuedMessages,
    int maxPayloadBytes,
    @Nullable BrokerTls tls,
    @Nullable Login login) {

  /** A user name and its password. */
  public record Login(String user, String password) {
    /** Without the password. */
    @Override
    public String toString() {
      return "Login[user=%s]".formatted(user);
    }
  }
}
