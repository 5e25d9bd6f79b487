package io.sedge.center.internal.api;

import io.sedge.center.CenterException;
import io.sedge.center.internal.client.ClientTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Asks a center as any program does. */
final class Asking implements AutoCloseable {
  private final TestCenter center;
  private final HttpClient http;

  Asking(TestCenter center) throws CenterException {
    this(center, InetAddress.getLoopbackAddress());
  }

  /**
   * Asks from an address of this machine.
   *
   * @param from another one of 127.0.0.0/8
   */
  Asking(TestCenter center, InetAddress from) throws CenterException {
    this.center = center;
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(from)
            .sslContext(ClientTls.trusting(center.data().resolve("authority/certificate.pem")))
            .build();
  }

  HttpRequest.Builder request(String token, String method, String path, BodyPublisher body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(center.address() + ApiService.ROOT + path))
            .method(method, body);
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  HttpResponse<String> ask(String token, String method, String path, String body)
      throws IOException, InterruptedException {
    return send(
        request(
            token,
            method,
            path,
            body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
  }

  HttpResponse<String> get(String token, String path) throws IOException, InterruptedException {
    return ask(token, "GET", path, "");
  }

  HttpResponse<InputStream> stream(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofInputStream());
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
