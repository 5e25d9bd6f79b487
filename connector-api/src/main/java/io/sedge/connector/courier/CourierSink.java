package io.sedge.connector.courier;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Outage;
import io.sedge.connector.Sink;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A sink that never waits for its far end. Batches are packed on the task's thread and wait in a
 * bounded queue; a courier brings them to the far end on a thread of its own, and brings again what
 * is not known to be there after a failure. It says an outage once when it begins and once when it
 * ends.
 *
 * @param <S> what batches are packed into
 */
public final class CourierSink<S extends Shipment> implements Sink {
  /**
   * Where rows go, and how.
   *
   * @param subject what messages begin with: {@code table results: PostgreSQL at plant:5432}
   * @param thread the name of the courier's thread
   * @param rhythm when rows are committed
   * @param maxRetries how often in a row writing is tried again; empty: without end
   * @param packer makes a shipment of a batch; called by the task's thread
   * @param <S> what batches are packed into
   */
  public record Route<S extends Shipment>(
      String subject,
      String thread,
      ConnectorContext context,
      Rhythm rhythm,
      OptionalInt maxRetries,
      Function<NumberedBatch, S> packer,
      Carrier.Opener<S> opener,
      Trouble.Diagnosis diagnosis) {}

  /** For so long closing waits for rows to be written. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** After so long without an answer that is said. */
  private static final Duration STUCK = Duration.ofSeconds(10);

  private final Route<S> route;
  private final Outgoing<S> outgoing;
  private final Outage outage;
  private final Courier<S> courier;
  private boolean stuck;
  private boolean closed;
  private long bytes;

  private CourierSink(Route<S> route, Outgoing<S> outgoing, Outage outage, Courier<S> courier) {
    this.route = route;
    this.outgoing = outgoing;
    this.outage = outage;
    this.courier = courier;
  }

  /** Opens one that takes rows at once, whether or not there is a far end. */
  public static <S extends Shipment> CourierSink<S> open(Route<S> route, Delivery delivery) {
    Outgoing<S> outgoing =
        new Outgoing<>(route.rhythm(), route.context()::nanoTime, delivery.recoveryPoint());
    Outage outage = new Outage(route.subject(), route.context());
    Courier<S> courier = new Courier<>(route, outgoing, outage);
    courier.start();
    return new CourierSink<>(route, outgoing, outage, courier);
  }

  /**
   * The same, once its first carrier is open.
   *
   * @param silence what is wrong if there is no answer at all
   * @throws ConnectorException of kind EXTERNAL if the far end is not ready in time
   */
  public static <S extends Shipment> CourierSink<S> awaitOpened(
      Route<S> route, Delivery delivery, Duration patience, String silence) {
    CourierSink<S> sink = open(route, delivery);
    boolean interrupted = false;
    try {
      if (sink.courier.awaitOpened(patience)) {
        return sink;
      }
    } catch (InterruptedException e) {
      interrupted = true;
    }
    ConnectorException failure = sink.courier.failure();
    String reason = sink.outage.reason().orElse(silence);
    sink.courier.stop();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    throw failure != null
        ? failure
        : new ConnectorException(
            ConnectorException.Kind.EXTERNAL,
            "%s: %s; it alone knows which rows it has, so writing cannot begin"
                .formatted(route.subject(), reason));
  }

  @Override
  public boolean offer(NumberedBatch batch) {
    throwIfFailed();
    if (!outgoing.hasRoom()) {
      return false;
    }
    S shipment = route.packer().apply(batch);
    outgoing.add(shipment);
    bytes += shipment.payloadBytes();
    return true;
  }

  @Override
  public long flush() {
    throwIfFailed();
    boolean isStuck = outgoing.stuckNanos() >= STUCK.toNanos();
    if (isStuck && !stuck) {
      var _ = outage.failed("it has taken no rows for %d s".formatted(STUCK.toSeconds()));
    }
    stuck = isStuck;
    return outgoing.flush();
  }

  private void throwIfFailed() {
    @Nullable ConnectorException failure = courier.failure();
    if (failure != null) {
      throw failure;
    }
  }

  /** The courier wakes the task up after each commit. */
  @Override
  public boolean wakes() {
    return true;
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    courier.close(PATIENCE);
    if (outgoing.shipments() > 0 && courier.failure() == null) {
      route
          .context()
          .report(
              Severity.WARNING,
              "%s: %d batches of rows were not written when the table was closed"
                  .formatted(route.subject(), outgoing.shipments()));
    }
    courier.stop();
  }
}
