package io.sedge.connector.kafka.internal;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.Delivery;
import io.sedge.connector.courier.Carrier;
import io.sedge.connector.courier.RefusedException;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;

/**
 * Writes records in transactions, each of which also holds how far the writer has come ({@link
 * Progress}). So what is at the far end, and what was told to be there, never differ.
 *
 * <p>Opening one shuts out whoever wrote under the writer's name before: his producer's epoch is
 * over. A producer's epoch is over, too, when its own transaction took too long. So a carrier that
 * is opened again first looks whose progress is there. If it is another sink's, this one has been
 * taken over, and ends without touching anything. If it is nobody's, the brokers have forgotten it,
 * and this one claims the name again.
 */
final class TransactionalCarrier implements Carrier<Parcels> {
  private final Producer<byte[], byte[]> producer;
  private final Sender sender;
  private final Claim claim;
  private final ConsumerGroupMetadata group;
  private final long found;
  private boolean begun;

  private TransactionalCarrier(
      Producer<byte[], byte[]> producer,
      Sender sender,
      Claim claim,
      ConsumerGroupMetadata group,
      long found) {
    this.producer = producer;
    this.sender = sender;
    this.claim = claim;
    this.group = group;
    this.found = found;
  }

  /** A sink's right to a writer's name. Used by the courier's thread alone. */
  static final class Claim implements Carrier.Opener<Parcels> {
    private final String table;
    private final ConnectorContext context;
    private final SinkSettings settings;
    private final Clients clients;
    private final BrokerProbe probe;
    private final String writer;
    private final long recoveryPoint;
    private final String owner = UUID.randomUUID().toString();
    private boolean made;

    /** Up to where rows are durable: brokers forget a note that rests for long. */
    private long durable;

    /** For the rows of a delivery; those of a run have a name of their own each time. */
    Claim(String table, ConnectorContext context, SinkSettings settings, Delivery delivery) {
      this.table = table;
      this.context = context;
      this.settings = settings;
      this.clients = new Clients(settings.client());
      this.probe = new BrokerProbe(settings.client());
      this.writer =
          settings.transactions()
              + "/"
              + delivery.writer().map(Delivery.Writer::name).orElse("run/" + table + "/" + owner);
      this.recoveryPoint = delivery.recoveryPoint();
    }

    @Override
    public Carrier<Parcels> open() {
      probe.refuseTls();
      try (Admin admin = clients.admin(table);
          Consumer<byte[], byte[]> group = clients.consumer(table, writer)) {
        checkOwner(Progress.read(group, settings.topic()));
        Producer<byte[], byte[]> producer =
            clients.producer(
                table,
                Map.of("transactional.id", writer, "acks", "all", "enable.idempotence", true));
        try {
          return open(producer, admin, group);
        } catch (RuntimeException e) {
          Sender.close(producer);
          throw e;
        }
      }
    }

    private Carrier<Parcels> open(
        Producer<byte[], byte[]> producer, Admin admin, Consumer<byte[], byte[]> group) {
      int partitions = Sender.partitions(table, settings, clients, admin);
      Sender sender = new Sender(table, context, settings, producer, partitions, writer);
      producer.initTransactions();
      Progress there = Progress.read(group, settings.topic());
      checkOwner(there);
      long found = Math.max(there.sequence(), Math.max(durable, recoveryPoint));
      TransactionalCarrier carrier =
          new TransactionalCarrier(producer, sender, this, group.groupMetadata(), found);
      if (!made || there.isNone()) {
        tellOfRows(there.sequence());
        carrier.begin();
        carrier.commit(found);
        made = true;
      }
      return carrier;
    }

    /** A few after a failure; many after the ledger was put back to an older state. */
    private void tellOfRows(long sequence) {
      if (!made && sequence > recoveryPoint) {
        context.report(
            Severity.INFO,
            "table %s: Kafka has rows up to %d, the ledger knows of %d; rows up to %d are not written again"
                .formatted(table, sequence, recoveryPoint, sequence));
      }
    }

    private void checkOwner(Progress there) {
      if (made && !there.isNone() && !there.owner().equals(owner)) {
        throw new ConnectorException(
            ConnectorException.Kind.EXTERNAL,
            "table %s: taken over by another that delivers the rows of %s"
                .formatted(table, writer));
      }
    }
  }

  @Override
  public long found() {
    return found;
  }

  @Override
  public void send(Parcels parcels) {
    begin();
    try {
      sender.send(parcels);
    } catch (KafkaException e) {
      throw sender.hasRefused() ? new RefusedException(e) : e;
    }
  }

  private void begin() {
    if (!begun) {
      producer.beginTransaction();
      begun = true;
    }
  }

  @Override
  public void commit(long last) {
    producer.flush();
    if (sender.hasRefused()) {
      throw new RefusedException(null);
    }
    sender.throwIfFailed();
    new Progress(last, claim.owner).write(producer, group, claim.settings.topic());
    producer.commitTransaction();
    begun = false;
    claim.durable = Math.max(claim.durable, last);
  }

  @Override
  public void retract() {
    producer.abortTransaction();
    begun = false;
    sender.forget();
  }

  @Override
  public void close() {
    Sender.close(producer);
  }
}
