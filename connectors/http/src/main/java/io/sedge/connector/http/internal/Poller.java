package io.sedge.connector.http.internal;

import io.sedge.connector.Reports;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server at the multiples of the interval since it was started: it never drifts. While the
 * task has not taken an answer, one more is asked for at most. Times at which nothing was got are
 * reported: when they begin, and when they are over.
 */
final class Poller implements AutoCloseable {
  /**
   * An answer.
   *
   * @param body empty if the server has nothing new
   * @param micros when it came
   * @param validators of the version that the server has
   */
  record Arrival(Optional<byte[]> body, long micros, Validators validators) {}

  private final PollSettings settings;
  private final Server server;
  private final Reports reports;
  private final BlockingQueue<Arrival> arrivals = new ArrayBlockingQueue<>(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Exchange exchange;
  private final Thread thread;
  private Validators validators;
  private long gotMicros;
  private long missed;
  private boolean said;
  private Duration pause = Duration.ZERO;
  private volatile @Nullable Throwable failure;

  /**
   * @param from where an earlier poller was
   */
  Poller(PollSettings settings, PollPosition from, Reports reports) {
    this.settings = settings;
    this.server = settings.server();
    this.reports = reports;
    this.validators = from.validators();
    this.gotMicros = from.micros() == 0 ? reports.nowMicros() : from.micros();
    this.exchange = new Exchange(server);
    this.thread =
        Thread.ofPlatform().name("http-poll-" + server.table()).daemon().unstarted(this::run);
  }

  void start() {
    tellOfPause();
    thread.start();
  }

  /** Nobody has asked between the last reader and this one. */
  private void tellOfPause() {
    long now = reports.nowMicros();
    long pauses = (now - gotMicros) / 1_000 / Math.max(1, settings.interval().toMillis());
    if (pauses > 1) {
      reports.warn(
          "%s was not asked from %s to %s, about %d times"
              .formatted(server.place(), Reports.time(gotMicros), Reports.time(now), pauses - 1));
    }
  }

  /** The boundary of the thread. */
  private void run() {
    try {
      long interval = settings.interval().toNanos();
      long begin = System.nanoTime();
      long turn = 0;
      do {
        pause = Duration.ZERO;
        poll();
        long passed = System.nanoTime() - begin + pause.toNanos();
        long next = Math.max(turn + 1, passed / interval);
        missed += next - turn - 1;
        turn = next;
      } while (!isStoppedWithin(turn * interval - (System.nanoTime() - begin)));
    } catch (InterruptedException e) {
      return; // Closed.
    } catch (RuntimeException | Error e) {
      failure = e;
      server.context().wakeUp();
    }
  }

  private boolean isStoppedWithin(long nanos) throws InterruptedException {
    return stopped.await(Math.max(0, nanos), TimeUnit.NANOSECONDS);
  }

  private void poll() throws InterruptedException {
    try {
      Optional<Answer> answer = ask();
      long now = reports.nowMicros();
      endGap(now);
      answer.ifPresent(its -> validators = Validators.of(its.headers()));
      arrivals.put(new Arrival(answer.map(Answer::body), now, validators));
      server.context().wakeUp();
    } catch (IOException e) {
      missed++;
      pause = e instanceof StatusException known ? known.pause() : Duration.ZERO;
      if (!said) {
        said = true;
        reports.warn(
            "%s gives nothing since %s: %s"
                .formatted(server.place(), Reports.time(gotMicros), Failures.explain(e)));
      }
    }
  }

  private void endGap(long now) {
    if (missed > 0) {
      reports.warn(
          "%s %s; nothing was got from %s to %s, %d times"
              .formatted(
                  server.place(),
                  said ? "answers again" : "was not asked in time",
                  Reports.time(gotMicros),
                  Reports.time(now),
                  missed));
    }
    missed = 0;
    said = false;
    gotMicros = now;
  }

  /** A new version; empty if the server has none. */
  private Optional<Answer> ask() throws IOException, InterruptedException {
    Answer answer = askOnce();
    if (answer.status() == 401 && server.login().renew()) {
      answer = askOnce();
    }
    if (answer.status() == 304 || answer.status() == 204) {
      return Optional.empty();
    }
    if (!answer.isSuccess()) {
      throw Statuses.failure(answer, server.context().clock().instant());
    }
    return Optional.of(answer);
  }

  private Answer askOnce() throws IOException, InterruptedException {
    HttpRequest.Builder request = server.request(settings.address()).GET();
    Packing.allow(request, server.headers().keySet());
    validators.addTo(request);
    Optional<String> authorization = server.login().authorization(exchange);
    authorization.ifPresent(value -> request.setHeader("Authorization", value));
    return exchange.send(request.build(), settings.maxBytes());
  }

  /** What waits for the task, if anything does. */
  @Nullable Arrival take() {
    return arrivals.poll();
  }

  /** What has gone wrong that nobody has foreseen. */
  @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void close() {
    stopped.countDown();
    thread.interrupt();
    exchange.close();
    try {
      var _ = thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
