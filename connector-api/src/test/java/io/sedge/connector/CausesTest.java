package io.sedge.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class CausesTest {
  @Test
  void whatIsInnermostIsSaid() {
    IOException failure =
        new IOException("above", new ExecutionException(new Exception(" below\n")));
    assertThat(Causes.innermost(failure)).hasMessage(" below\n");
    assertThat(Causes.text(failure)).isEqualTo("below");
    assertThat(Causes.text(new IOException("alone"))).isEqualTo("alone");
    assertThat(Causes.text(new IOException("above", new IllegalStateException())))
        .isEqualTo("IllegalStateException");
  }

  @Test
  void aFailureThatCausesItselfEnds() {
    Exception inner = new Exception("inner");
    Exception outer = new Exception("outer", inner);
    inner.initCause(outer);
    assertThat(Causes.text(outer)).isIn("inner", "outer");
  }

  private static int portThatNobodyHas() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** Both of them are what the JDK throws, here and now. */
  @Test
  void aRefusedConnectionIsOneToWhateverClient() throws IOException {
    int port = portThatNobodyHas();
    Throwable ofSocket =
        catchThrowable(() -> new Socket(InetAddress.getLoopbackAddress(), port).close());
    assertThat(Causes.text(new IOException("at the database", ofSocket)))
        .isEqualTo("nobody listens there");
    Throwable ofHttp = ask("http://127.0.0.1:" + port);
    assertThat(Causes.text(ofHttp)).isEqualTo("nobody listens there");
    assertThat(Causes.isRefused(new ConnectException("No route to host"))).isFalse();
    assertThat(Causes.text(new ConnectException("No route to host"))).isEqualTo("No route to host");
  }

  @Test
  void aNameWithoutAnAddressIsOneToWhateverClient() {
    assertThat(Causes.text(ask("http://no-such-host.invalid"))).isEqualTo("the name is not known");
    assertThat(Causes.text(new IOException(new UnknownHostException("no-such-host"))))
        .isEqualTo("the name is not known");
  }

  private static Throwable ask(String url) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
      return catchThrowable(() -> client.send(request, BodyHandlers.discarding()));
    }
  }
}
