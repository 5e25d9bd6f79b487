package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.kafka.internal.SinkSettings.Promise;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;

/** Writes records without transactions: each once or more. */
final class PlainCarrier implements Carrier {
  private final Producer<byte[], byte[]> producer;
  private final Sender sender;
  private final boolean waits;

  private PlainCarrier(Producer<byte[], byte[]> producer, Sender sender, boolean waits) {
    this.producer = producer;
    this.sender = sender;
    this.waits = waits;
  }

  /** Opens carriers of a sink. */
  static Opener opener(
      String table, ConnectorContext context, SinkSettings settings, String writer) {
    Clients clients = new Clients(settings.client());
    return () -> {
      Producer<byte[], byte[]> producer = clients.producer(table, Map.of());
      try (Admin admin = clients.admin(table)) {
        return new PlainCarrier(
            producer,
            new Sender(table, context, settings, producer, admin, writer),
            settings.promise() != Promise.NONE);
      } catch (RuntimeException e) {
        Sender.close(producer);
        throw e;
      }
    };
  }

  @Override
  public long found() {
    return 0;
  }

  @Override
  public void send(Shipment shipment) {
    sender.send(shipment);
  }

  @Override
  public void commit(long last) {
    if (waits) {
      producer.flush();
      sender.throwIfFailed();
    }
  }

  @Override
  public void close() {
    if (!waits) {
      producer.flush();
    }
    Sender.close(producer);
  }
}
