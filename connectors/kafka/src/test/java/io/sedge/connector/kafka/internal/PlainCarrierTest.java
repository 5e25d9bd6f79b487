package io.sedge.connector.kafka.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.Options;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.courier.RefusedException;
import io.sedge.connector.kafka.internal.SinkSettings.Partitioner;
import io.sedge.connector.kafka.internal.SinkSettings.Promise;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes of records that fail, with a producer that is played. */
final class PlainCarrierTest {
  private final TestContext context = new TestContext(Path.of("."));
  private final Parcel first = new Parcel(null, new byte[1], 1L);
  private final Parcel second = new Parcel(null, new byte[1], 2L);

  private final MockProducer<byte[], byte[]> producer =
      new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());

  private PlainCarrier carrier(Promise promise) {
    TableDescriptor table =
        new TableDescriptor(
            "readings",
            Schema.builder().add("number", Type.INT).build(),
            Map.of(),
            List.of(),
            List.of(),
            Map.of("topic", "t", "properties.bootstrap.servers", "nowhere.invalid:9092"),
            "test.sql:1");
    ClientProperties client =
        ClientProperties.of(table, Options.of(table, KafkaOptions.PLAIN), context);
    SinkSettings settings =
        new SinkSettings("t", client, promise, "sedge", Partitioner.DEFAULT, 1 << 20, false);
    Sender sender = new Sender("readings", context, settings, producer, 1, "writer");
    return new PlainCarrier(producer, sender, promise != Promise.NONE);
  }

  private static KafkaException withItsBatch() {
    return new KafkaException("Failed to append record because it was part of a batch");
  }

  /** The broker refuses a batch for one record of it; without the record it takes the others. */
  @ParameterizedTest
  @EnumSource(names = {"NONE", "AT_LEAST_ONCE"})
  void aRecordThatIsRefusedStopsNoOthers(Promise promise) {
    Parcel bad = new Parcel(null, new byte[1], Long.MAX_VALUE);
    Parcels parcels = new Parcels(3, List.of(first, bad, second));
    try (PlainCarrier carrier = carrier(promise)) {
      carrier.send(parcels);
      producer.errorNext(withItsBatch());
      producer.errorNext(new InvalidTimestampException("Timestamp is out of range"));
      producer.errorNext(withItsBatch());
      assertThatThrownBy(() -> carrier.commit(3)).isInstanceOf(RefusedException.class);
      carrier.retract();
      producer.clear();
      carrier.send(parcels);
      carrier.commit(3);
    }
    assertThat(producer.history()).hasSize(2);
    assertThat(context.malformed())
        .singleElement()
        .extracting(TestContext.Malformed::reason)
        .isEqualTo("topic 't' does not take the record: Timestamp is out of range");
  }

  /** With 'none' nothing is waited for, but what has failed is not passed over in silence. */
  @Test
  void rowsThatFailAreSaidAlsoWhereNothingIsPromised() {
    PlainCarrier carrier = carrier(Promise.NONE);
    carrier.send(new Parcels(1, List.of(first)));
    producer.errorNext(new NotEnoughReplicasException("too few"));
    assertThatThrownBy(() -> carrier.commit(1)).isInstanceOf(NotEnoughReplicasException.class);
    producer.flushException = new KafkaException("the producer is of no use");
    assertThatThrownBy(carrier::close).hasMessageContaining("of no use");
    assertThat(producer.closed()).as("its threads and buffers are freed").isTrue();
  }
}
