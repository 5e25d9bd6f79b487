package io.sedge.connector.alarm.internal;

import io.sedge.connector.alarm.internal.NoticeOptions.Webhook;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import javax.net.ssl.SSLContext;

/**
 * Posts notices as JSON. The header {@code Idempotency-Key} is the notice's id (draft
 * ietf-httpapi-idempotency-key-header), by which the far end knows one that comes twice. Redirects
 * are not followed: they may lead to where the authorization must not go.
 */
final class WebhookSender implements NoticeSender {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration ANSWER = Duration.ofSeconds(20);

  private final Webhook webhook;
  private final HttpClient client;

  WebhookSender(Webhook webhook, SSLContext tls) {
    this.webhook = webhook;
    this.client =
        HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(tls)
            .build();
  }

  @Override
  public void send(Notice notice) throws NotSentException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(webhook.url())
            .timeout(ANSWER)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "\"" + notice.id().replaceAll("[^!#-\\[\\]-~]", "_") + "\"")
            .POST(BodyPublishers.ofString(NoticeText.json(notice)));
    webhook.authorization().ifPresent(value -> request.header("Authorization", value));
    int status;
    try {
      status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
    } catch (IOException e) {
      throw new NotSentException(false, "%s: %s".formatted(webhook.url().getHost(), e), e);
    }
    if (status < 200 || status > 299) {
      throw new NotSentException(
          isRefusal(status), "%s answers %d".formatted(webhook.url().getHost(), status));
    }
  }

  /** What an administrator of the far end can mend, or time does, is no refusal. */
  private static boolean isRefusal(int status) {
    return switch (status) {
      case 401, 403, 404, 407, 408, 425, 429 -> false;
      default -> status < 500;
    };
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
