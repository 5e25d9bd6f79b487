package io.sedge.identity.testkit;

import io.sedge.replication.Tls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** A member of a site that answers at an enrolment port as no device of ours would. */
public final class FakeEnrolment implements AutoCloseable {
  /** Where it listens. */
  public static final String HOST = "127.0.0.1";

  private final SSLContext context;
  private final Answer answer;
  private final ServerSocket server;

  /** What is written when a device has asked. */
  @FunctionalInterface
  public interface Answer {
    void to(OutputStream output) throws IOException;
  }

  private FakeEnrolment(Tls tls, int port, Answer answer)
      throws IOException, GeneralSecurityException {
    this.context = SSLContext.getInstance("TLSv1.3");
    context.init(new KeyManager[] {tls.keys()}, new TrustManager[] {tls.trust()}, null);
    this.answer = answer;
    this.server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
  }

  /** One that shows a device's certificate. */
  public static FakeEnrolment start(Tls tls, Answer answer)
      throws IOException, GeneralSecurityException {
    return start(tls, 0, answer);
  }

  /** One in the place of a device that is closed. */
  public static FakeEnrolment start(Tls tls, int port, Answer answer)
      throws IOException, GeneralSecurityException {
    FakeEnrolment fake = new FakeEnrolment(tls, port, answer);
    Thread.ofPlatform().daemon().name("fake-enrolment").start(fake::accept);
    return fake;
  }

  /** A frame of JSON. */
  public static Answer json(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    byte[] frame = new byte[Integer.BYTES + bytes.length];
    ByteBuffer.wrap(frame).putInt(bytes.length).put(bytes);
    return output -> output.write(frame);
  }

  /** A long frame of which a byte comes now and then, until the other side ends it. */
  public static Answer trickle() {
    return output -> {
      output.write(new byte[] {0, 0, 0x3f, (byte) 0xff});
      while (true) {
        output.write(' ');
        output.flush();
        LockSupport.parkNanos(50_000_000);
      }
    };
  }

  public String address() {
    return HOST + ":" + server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept();
          SSLSocket tls = (SSLSocket) context.getSocketFactory().createSocket(socket, null, true)) {
        tls.setUseClientMode(false);
        var _ = tls.getInputStream().read();
        answer.to(tls.getOutputStream());
      } catch (IOException _) {
        // The device has gone, or this is closed.
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
