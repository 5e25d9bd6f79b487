package io.sedge.connector.http.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.courier.Carrier;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Sends requests, one after the other, each until the server has answered it. Where the server
 * refuses rows, they are halved until the row that is refused stands alone. A request has a key of
 * the writer and the sequences of its rows: what is sent again has the key that it had.
 */
final class RequestCarrier implements Carrier<Requests> {
  /** An answer is looked at for what it says to people, no more. */
  private static final int ANSWER_BYTES = 4096;

  private static final int SAMPLE_BYTES = 4096;

  private final SinkSettings settings;
  private final Server server;
  private final String writer;
  private final byte[] header;
  private final Exchange exchange;

  /**
   * @param writer what keys begin with: no other writer has it
   */
  RequestCarrier(SinkSettings settings, String writer) {
    this.settings = settings;
    this.server = settings.server();
    this.writer = writer;
    this.header = RequestPacker.header(settings);
    this.exchange = new Exchange(server);
  }

  @Override
  public long found() {
    return 0;
  }

  @Override
  public void send(Requests requests) throws IOException, InterruptedException {
    for (Request request : requests.requests()) {
      send(request, 0, request.rows().size());
    }
  }

  /** What was sent is answered. */
  @Override
  public void commit(long last) {}

  /**
   * Settles the rows of a request from one to before another. Rows are always halved in the same
   * way: so after a failure amid them, those that are sent again have the keys that they had.
   */
  private void send(Request request, int from, int to) throws IOException, InterruptedException {
    if (to <= request.settled()) {
      return;
    }
    if (from < request.settled()) {
      sendHalves(request, from, to);
      return;
    }
    Answer answer = ask(request, from, to);
    if (answer.isSuccess()) {
      request.settle(to);
      return;
    }
    if (!Statuses.isRefusal(answer.status(), settings.url().fixed().isPresent())) {
      throw Statuses.failure(answer, server.context().clock().instant());
    }
    if (to - from == 1) {
      refuse(request, from, answer);
      request.settle(to);
      return;
    }
    sendHalves(request, from, to);
  }

  private void sendHalves(Request request, int from, int to)
      throws IOException, InterruptedException {
    int middle = from + (to - from) / 2;
    send(request, from, middle);
    send(request, middle, to);
  }

  private Answer ask(Request request, int from, int to) throws IOException, InterruptedException {
    byte[] body = RequestPacker.body(settings.form(), header, request.rows().subList(from, to));
    Answer answer = ask(request, key(request, from, to), body);
    if (answer.status() == 401 && server.login().renew()) {
      return ask(request, key(request, from, to), body);
    }
    return answer;
  }

  private Answer ask(Request request, String key, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest.Builder next =
        server
            .request(request.address())
            .setHeader(settings.idempotencyHeader(), key)
            .method(settings.method(), BodyPublishers.ofByteArray(body));
    Optional<String> authorization = server.login().authorization(exchange);
    authorization.ifPresent(value -> next.setHeader("Authorization", value));
    return exchange.sendAndSkim(next.build(), ANSWER_BYTES);
  }

  private String key(Request request, int from, int to) {
    return "%s-%d-%d".formatted(writer, request.sequence(from), request.sequence(to - 1));
  }

  private void refuse(Request request, int row, Answer answer) {
    String reason =
        "%s refuses the row (%d)%s"
            .formatted(server.place(), answer.status(), Statuses.said(answer));
    if (settings.failsOnRefusal()) {
      throw new ConnectorException(
          ConnectorException.Kind.EXTERNAL,
          "table %s: %s; '%s' = 'skip' would go on without it"
              .formatted(settings.table().name(), reason, HttpOptions.ON_REFUSED));
    }
    List<byte[]> rows = request.rows();
    byte[] payload = rows.get(row);
    server
        .context()
        .unwritten(
            settings.table().name(),
            server.place(),
            payload.length > SAMPLE_BYTES ? Arrays.copyOf(payload, SAMPLE_BYTES) : payload,
            reason);
  }

  @Override
  public void abort() {
    exchange.close();
  }

  @Override
  public void close() {
    exchange.close();
  }
}
