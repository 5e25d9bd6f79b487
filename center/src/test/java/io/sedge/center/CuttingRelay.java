package io.sedge.center;

import io.sedge.uplink.SiteCredential;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * Stands between a site and the center, and cuts each connection when so many bytes have gone
 * through.
 */
final class CuttingRelay implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 9, InetAddress.ofLiteral("127.0.0.1"));
  private final String[] center;
  private volatile long toSite;
  private volatile long toCenter;

  /**
   * @param center where it listens for sites
   */
  CuttingRelay(String center) throws IOException {
    this.center = center.split(":", -1);
    Thread.ofVirtual().start(this::accept);
  }

  /** How many bytes the next connections let through to the site. */
  void toSite(long bytes) {
    toSite = bytes;
  }

  /** How many bytes the next connections let through to the center. */
  void toCenter(long bytes) {
    toCenter = bytes;
  }

  /** A site's credential with this in place of the center. */
  SiteCredential through(SiteCredential own) {
    return new SiteCredential(
        "127.0.0.1:" + server.getLocalPort(),
        own.site(),
        0,
        own.certificate(),
        own.authority(),
        own.key());
  }

  private void accept() {
    try {
      while (true) {
        Socket site = server.accept();
        Socket far = new Socket(center[0], Integer.parseInt(center[1]));
        Thread.ofVirtual().start(() -> copy(site, far, toCenter));
        Thread.ofVirtual().start(() -> copy(far, site, toSite));
      }
    } catch (IOException _) {
      // It was closed.
    }
  }

  private static void copy(Socket from, Socket to, long most) {
    try (from;
        to) {
      for (long left = most; left > 0; left--) {
        int next = from.getInputStream().read();
        if (next < 0) {
          return;
        }
        to.getOutputStream().write(next);
      }
    } catch (IOException _) {
      // The other way has closed them.
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
