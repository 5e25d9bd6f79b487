package io.sedge.connector.http.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.courier.CourierSink;
import io.sedge.connector.courier.Rhythm;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** A web service as a table that is written. */
final class HttpSinkFactory implements SinkFactory {
  private static final int KEY_BYTES = 12;

  private final SinkSettings settings;

  HttpSinkFactory(SinkSettings settings) {
    this.settings = settings;
  }

  @Override
  public ChangelogMode changelogMode() {
    return settings.server().context().formats().of(settings.table()).writesChanges()
        ? ChangelogMode.ALL
        : ChangelogMode.INSERT_ONLY;
  }

  @Override
  public Optional<String> updatesRemedy() {
    return Optional.of("'format' = 'debezium-json', a request for each change");
  }

  /** A server that keeps the keys of requests takes each once; whether one does is not known. */
  @Override
  public Guarantee guarantee() {
    return Guarantee.AT_LEAST_ONCE;
  }

  @Override
  public Sink open(Delivery delivery) {
    Server server = settings.server();
    RequestPacker packer = new RequestPacker(settings);
    packer.open();
    String writer = writer(delivery);
    return CourierSink.open(
        new CourierSink.Route<>(
            server.subject(),
            "http-sink-" + settings.table().name(),
            server.context(),
            // Each batch is settled as soon as it is answered.
            new Rhythm(settings.queueBytes(), settings.queueBytes(), 1, 1, Optional.empty()),
            OptionalInt.empty(),
            packer::requests,
            () -> new RequestCarrier(settings, writer),
            Failures::trouble),
        delivery);
  }

  /** The same for a writer whoever delivers; a run, which begins at 1 each time, has its own. */
  private static String writer(Delivery delivery) {
    String name =
        delivery.writer().map(Delivery.Writer::name).orElseGet(() -> UUID.randomUUID().toString());
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest, 0, KEY_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JDK has SHA-256", e);
    }
  }
}
