package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.courier.Carrier;
import io.sedge.connector.courier.RefusedException;
import io.sedge.connector.kafka.internal.SinkSettings.Promise;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;

/** Writes records without transactions: each once or more. */
final class PlainCarrier implements Carrier<Parcels> {
  private final Producer<byte[], byte[]> producer;
  private final Sender sender;
  private final boolean waits;

  /**
   * @param waits whether rows count as written only when the brokers have them
   */
  PlainCarrier(Producer<byte[], byte[]> producer, Sender sender, boolean waits) {
    this.producer = producer;
    this.sender = sender;
    this.waits = waits;
  }

  /** Opens carriers of a sink. */
  static Opener<Parcels> opener(
      String table, ConnectorContext context, SinkSettings settings, String writer) {
    Clients clients = new Clients(settings.client());
    BrokerProbe probe = new BrokerProbe(settings.client());
    Map<String, Object> kind =
        settings.promise() == Promise.NONE ? Map.of() : Map.of("enable.idempotence", true);
    return () -> {
      probe.refuseTls();
      Producer<byte[], byte[]> producer = clients.producer(table, kind);
      try (Admin admin = clients.admin(table)) {
        return new PlainCarrier(
            producer,
            new Sender(
                table,
                context,
                settings,
                producer,
                Sender.partitions(table, settings, clients, admin),
                writer),
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
  public void send(Parcels parcels) {
    sender.send(parcels);
  }

  @Override
  public void commit(long last) {
    if (waits) {
      producer.flush();
    }
    if (sender.hasRefused() && sender.hasFailed()) {
      throw new RefusedException(null);
    }
    sender.throwIfFailed();
    sender.forgetRefused();
  }

  /** The brokers may have some of it, which is then there twice. */
  @Override
  public void retract() {
    producer.flush();
    sender.forget();
  }

  @Override
  public void close() {
    try {
      if (!waits) {
        producer.flush();
      }
    } finally {
      Sender.close(producer);
    }
  }
}
