package io.sedge.connector.center;

import io.sedge.uplink.RowBlock;
import io.sedge.uplink.SiteCredential;
import io.sedge.uplink.StreamOpened;
import io.sedge.uplink.StreamOpening;
import io.sedge.uplink.UplinkClient;
import io.sedge.uplink.UplinkException;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The way to a center that the sinks of a process share: one request at a time, those of urgent
 * tables first. Any thread.
 */
final class Link {
  /** The most that goes in a request, in bytes before they are deflated. */
  private static final int MAX_REQUEST_BYTES = 1 << 20;

  private static final int MIN_REQUEST_BYTES = 16 << 10;

  private final SiteCredential credential;
  private final UplinkClient client;
  private final Runnable onClose;
  private final AtomicInteger users = new AtomicInteger();

  private int requestBytes;
  private boolean taken;
  private int urgentWaiting;

  Link(SiteCredential credential, Runnable onClose) throws GeneralSecurityException {
    this.credential = credential;
    this.client = UplinkClient.of(credential);
    this.onClose = onClose;
    this.requestBytes = mostRequestBytes(credential.limit());
  }

  void use() {
    users.incrementAndGet();
  }

  boolean isUnused() {
    return users.get() == 0;
  }

  /** A sink needs it no more. */
  void close() {
    users.decrementAndGet();
    onClose.run();
  }

  void end() {
    client.close();
  }

  String center() {
    return credential.center();
  }

  /** Whether the center takes the certificate no more, whatever else is well. */
  boolean hasEnded(Instant now) {
    return now.isAfter(credential.endsAt());
  }

  /**
   * What one request may have: at a limit so much that it is over after half a second, and less
   * where the way to the center has not let that through.
   */
  synchronized int requestBytes() {
    return requestBytes;
  }

  private static int mostRequestBytes(long limit) {
    return limit == 0
        ? MAX_REQUEST_BYTES
        : Math.clamp(limit / 2, MIN_REQUEST_BYTES, MAX_REQUEST_BYTES);
  }

  StreamOpened open(boolean urgent, StreamOpening opening)
      throws UplinkException, InterruptedException {
    take(urgent);
    try {
      return client.open(opening);
    } finally {
      give();
    }
  }

  /**
   * @return the bytes that went over the link
   */
  int send(boolean urgent, long stream, List<RowBlock> blocks)
      throws UplinkException, InterruptedException {
    take(urgent);
    try {
      int bytes = client.send(stream, blocks);
      resize(2L * requestBytes());
      return bytes;
    } catch (UplinkException e) {
      if (e.reason() == UplinkException.Reason.UNREACHABLE) {
        resize(requestBytes() / 2);
      }
      throw e;
    } finally {
      give();
    }
  }

  private synchronized void resize(long bytes) {
    requestBytes = Math.clamp(bytes, MIN_REQUEST_BYTES, mostRequestBytes(credential.limit()));
  }

  private synchronized void take(boolean urgent) throws InterruptedException {
    urgentWaiting += urgent ? 1 : 0;
    try {
      while (taken || (!urgent && urgentWaiting > 0)) {
        wait();
      }
      taken = true;
    } finally {
      urgentWaiting -= urgent ? 1 : 0;
    }
  }

  private synchronized void give() {
    taken = false;
    notifyAll();
  }
}
