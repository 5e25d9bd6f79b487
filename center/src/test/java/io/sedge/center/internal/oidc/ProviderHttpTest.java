package io.sedge.center.internal.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.sedge.center.internal.api.TestCenter;
import io.sedge.identity.Authority;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a provider is asked. */
@Timeout(60)
class ProviderHttpTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @TempDir Path directory;

  /** The time counts until the last byte, not until the first. */
  @Test
  void anAnswerThatBeginsAndDoesNotEndIsGivenUp() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    HttpServer server = HttpServer.create(ANY, 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          OutputStream out = exchange.getResponseBody();
          out.write('{');
          out.flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        });
    server.start();
    try (ProviderHttp http = new ProviderHttp(List.of(), Duration.ofMillis(300))) {
      URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      assertThatThrownBy(() -> http.get(address))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("no whole answer came");
    } finally {
      over.countDown();
      server.stop(0);
    }
  }

  /** Plants have authorities of their own; whom nobody vouches for is told nothing. */
  @Test
  void aProviderIsBelievedIfSomebodyWhoIsTrustedVouchesForIt() throws Exception {
    Authority authority = Authority.create(directory.resolve("authority"), "plant", Instant.now());
    HttpsServer server = HttpsServer.create(ANY, 0);
    server.setHttpsConfigurator(new HttpsConfigurator(TestCenter.tls(authority)));
    server.createContext(
        "/",
        exchange -> {
          String self = "https://127.0.0.1:" + exchange.getLocalAddress().getPort();
          byte[] body =
              """
              {"issuer": "%s", "authorization_endpoint": "%s/a", "token_endpoint": "%s/t",
               "jwks_uri": "http://127.0.0.1/keys"}
              """
                  .formatted(self, self, self)
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    URI address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    Duration patience = Duration.ofSeconds(30);
    try (ProviderHttp stranger = new ProviderHttp(List.of(), patience);
        ProviderHttp own = new ProviderHttp(List.of(authority.certificate()), patience)) {
      assertThatThrownBy(() -> stranger.get(address))
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("name the authority that vouches for it with ca = FILE");
      assertThat(own.get(address)).contains("issuer");
      assertThatThrownBy(() -> Provider.ask(own, address.toString()))
          .as("who has TLS is not left for an address without")
          .hasMessageContaining("names no jwks_uri that begins with https://");
    } finally {
      server.stop(0);
    }
  }

  /** Another authority would not mend it. */
  @Test
  void theHintOfAnAuthorityIsForCertificatesAlone() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ProviderHttp http = new ProviderHttp(List.of(), Duration.ofSeconds(30))) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket one = server.accept()) {
                  var _ = one.getInputStream().read(new byte[1 << 14]);
                  one.getOutputStream()
                      .write(
                          "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException _) {
                  // The client has gone.
                }
              });
      URI address = URI.create("https://127.0.0.1:" + server.getLocalPort());
      assertThatThrownBy(() -> http.get(address))
          .isInstanceOf(ProviderException.class)
          .hasStackTraceContaining("SSLException")
          .hasMessageNotContaining("ca = FILE");
    }
  }
}
