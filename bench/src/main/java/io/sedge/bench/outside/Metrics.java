package io.sedge.bench.outside;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * What a process tells Prometheus of itself at one moment.
 *
 * @param text as Prometheus reads it
 */
public record Metrics(String text) {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Asks a process. */
  public static Metrics of(URI address) throws IOException {
    HttpRequest request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return new Metrics(client.send(request, HttpResponse.BodyHandlers.ofString()).body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** The sum of a metric over all its labels; 0 if there is none. */
  public double sum(String name) {
    return sum(name, "");
  }

  /**
   * The sum over those of its labels that have one.
   *
   * @param label as Prometheus writes it, {@code job="windows"}
   */
  public double sum(String name, String label) {
    return text.lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> line.contains(label))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
