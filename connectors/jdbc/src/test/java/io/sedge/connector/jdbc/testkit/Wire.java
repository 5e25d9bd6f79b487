package io.sedge.connector.jdbc.testkit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Forwards connections to a port of this machine, and breaks them at a word of the client. */
public final class Wire implements AutoCloseable {
  /** When a connection breaks. */
  public enum Break {
    NEVER,
    /** The server does not get the word. */
    BEFORE,
    /** The server gets it and answers; the client gets no answer. */
    AFTER
  }

  private record Trap(Break when, String word, int later) {
    boolean isFor(String said) {
      return when != Break.NEVER && said.contains(word);
    }
  }

  private static final Trap NONE = new Trap(Break.NEVER, "", 0);

  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Trap> trap = new AtomicReference<>(NONE);
  private final AtomicInteger broken = new AtomicInteger();
  private volatile boolean down;

  public Wire(int target) {
    this.target = target;
    try {
      server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  /**
   * The next time that the client says the word, its connection breaks, once.
   *
   * @param later so many requests after that one: 0 with it
   */
  public void breakAt(Break when, String word, int later) {
    trap.set(new Trap(when, word.toUpperCase(Locale.ROOT), later));
  }

  /** It breaks no more. */
  public void hold() {
    trap.set(NONE);
  }

  /** How often it has broken at a word. */
  public int broken() {
    return broken.get();
  }

  /** Cuts every connection and lets no new one through until {@link #up}. */
  public void down() {
    down = true;
    List.copyOf(sockets).forEach(Wire::cut);
  }

  public void up() {
    down = false;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket near = server.accept();
        if (down) {
          near.close();
          continue;
        }
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        sockets.add(near);
        sockets.add(far);
        AtomicReference<Break> state = new AtomicReference<>(Break.NEVER);
        Thread.ofVirtual().start(() -> copyWords(near, far, state));
        Thread.ofVirtual().start(() -> copyAnswers(far, near, state));
      } catch (IOException e) {
        // The wire is closed, or the server away: the client sees its connection end.
      }
    }
  }

  private void copyWords(Socket near, Socket far, AtomicReference<Break> state) {
    byte[] buffer = new byte[65_536];
    Trap sprung = NONE;
    try (near;
        far;
        InputStream input = near.getInputStream();
        OutputStream output = far.getOutputStream()) {
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        Trap set = trap.get();
        String said = new String(buffer, 0, read, ISO_8859_1).toUpperCase(Locale.ROOT);
        if (sprung.when() == Break.NEVER && set.isFor(said) && trap.compareAndSet(set, NONE)) {
          sprung = set;
        } else if (sprung.when() != Break.NEVER) {
          sprung = new Trap(sprung.when(), sprung.word(), sprung.later() - 1);
        }
        if (sprung.when() != Break.NEVER && sprung.later() == 0) {
          broken.incrementAndGet();
          if (sprung.when() == Break.BEFORE) {
            cut(near);
            return;
          }
          state.set(Break.AFTER);
        }
        output.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // Cut: what was under way is gone, which is what it is for.
    } finally {
      forget(near, far);
    }
  }

  private void copyAnswers(Socket far, Socket near, AtomicReference<Break> state) {
    byte[] buffer = new byte[65_536];
    try (far;
        near;
        InputStream input = far.getInputStream();
        OutputStream output = near.getOutputStream()) {
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        if (state.get() == Break.AFTER) {
          cut(near);
          return;
        }
        output.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // As above.
    } finally {
      forget(near, far);
    }
  }

  private void forget(Socket near, Socket far) {
    sockets.remove(near);
    sockets.remove(far);
  }

  private static void cut(Socket socket) {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      return; // It has ended by itself in this moment.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List.copyOf(sockets).forEach(Wire::cut);
  }
}
