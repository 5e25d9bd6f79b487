package io.sedge.site.internal.control;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.SecretFiles;
import io.sedge.identity.message.Frames;
import io.sedge.site.api.SiteControl;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Answers commands of whoever may enter the data directory: requests of one client one after the
 * other, {@value #MAX_CLIENTS} clients at once.
 */
public final class ControlServer implements AutoCloseable {
  static final int MAX_CLIENTS = 16;

  private final UnixDomainSocketAddress address;
  private final ServerSocketChannel server;
  private final SiteControl control;
  private final JobListener listener;
  private final Set<SocketChannel> clients = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private ControlServer(
      UnixDomainSocketAddress address,
      ServerSocketChannel server,
      SiteControl control,
      JobListener listener) {
    this.address = address;
    this.server = server;
    this.control = control;
    this.listener = listener;
  }

  /**
   * Listens; what a process before has left there is replaced.
   *
   * @param data the directory, which this process holds
   */
  public static ControlServer start(Path data, SiteControl control, JobListener listener)
      throws SiteException {
    UnixDomainSocketAddress address = ControlSocket.address(data);
    try {
      SecretFiles.makeDirectory(ControlSocket.directory(data));
      Files.deleteIfExists(address.getPath());
      ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      channel.bind(address);
      SecretFiles.protect(address.getPath());
      return start(address, channel, control, listener);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "making the socket %s: %s".formatted(address, e.getMessage()),
          e);
    }
  }

  /** Answers whoever a channel accepts that listens already. */
  static ControlServer start(
      UnixDomainSocketAddress address,
      ServerSocketChannel channel,
      SiteControl control,
      JobListener listener) {
    ControlServer server = new ControlServer(address, channel, control, listener);
    Thread.ofPlatform().daemon().name("sedge-control").start(server::accept);
    return server;
  }

  private void accept() {
    boolean failing = false;
    while (!closed) {
      try {
        SocketChannel client = server.accept();
        if (clients.size() >= MAX_CLIENTS) {
          client.close();
          continue;
        }
        clients.add(client);
        Thread.ofVirtual().name("sedge-control-client").start(() -> serve(client));
        failing = false;
      } catch (IOException e) {
        if (!closed && !failing) {
          listener.report(Severity.ERROR, "commands cannot reach this device for now: " + e);
        }
        failing = true;
        pause();
      }
    }
  }

  /** Such as too many open files: others need time to close theirs. */
  private static void pause() {
    LockSupport.parkNanos(100_000_000);
  }

  private void serve(SocketChannel client) {
    try (client) {
      Frames requests =
          new Frames(
              Channels.newInputStream(client),
              Channels.newOutputStream(client),
              ControlSocket.MAX_REQUEST);
      Frames answers =
          new Frames(
              Channels.newInputStream(client),
              Channels.newOutputStream(client),
              ControlSocket.MAX_ANSWER);
      while (!closed) {
        answers.write(answer(requests.read(ControlRequest.class)));
      }
    } catch (EOFException _) {
      // The client has all that it wanted.
    } catch (IOException e) {
      if (!closed) {
        listener.report(Severity.WARNING, "a command on this machine was cut off: " + e);
      }
    } finally {
      clients.remove(client);
    }
  }

  private ControlAnswer answer(ControlRequest request) {
    try {
      Object value = request.call(control);
      return new ControlAnswer(value == null ? null : Frames.tree(value), null, null, List.of());
    } catch (SiteException e) {
      return ControlAnswer.failed(e);
    } catch (IllegalArgumentException e) {
      return ControlAnswer.failed(
          new SiteException(FailureCode.USAGE, String.valueOf(e.getMessage()), e));
    } catch (RuntimeException e) {
      listener.report(Severity.ERROR, "a fault in Sedge while answering a command: " + e);
      return ControlAnswer.failed(
          new SiteException(FailureCode.INTERNAL_ERROR, "a fault in Sedge on the device: " + e, e));
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      server.close();
      for (SocketChannel client : clients) {
        client.close();
      }
      Files.deleteIfExists(address.getPath());
    } catch (IOException _) {
      // The next process of the device removes what is left.
    }
  }
}
