package io.sedge.bench.center;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.Connectors;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.uplink.SiteCredential;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A site without devices: a table of the connector {@code center} as a job has it, with the site's
 * own certificate, connections and pauses. One thread.
 */
final class SimulatedSite implements AutoCloseable {
  private static final long WAIT_NANOS = 1_000_000;

  private final AtomicInteger warnings = new AtomicInteger();
  private final Sink sink;
  private long offered;

  /**
   * Begins to connect.
   *
   * @param job with whose name its rows are stored
   * @param table at the center, with the columns of {@link WindowRows} and their key
   */
  SimulatedSite(Connectors connectors, SiteCredential credential, String job, String table)
      throws GeneralSecurityException {
    TableDescriptor descriptor =
        new TableDescriptor(
            table,
            WindowRows.SCHEMA,
            Map.of(),
            WindowRows.KEY,
            List.of(),
            Map.of("credential", credential.text()),
            "bench");
    this.sink =
        connectors
            .named(table, "center")
            .sink(descriptor, new Context(warnings))
            .orElseThrow()
            .open(
                Delivery.of(new Delivery.Writer(credential.site(), job, "delivery", table), 1, 0));
  }

  /** Hands rows to the table; waits for room. */
  void offer(Batch batch) {
    NumberedBatch numbered = new NumberedBatch(offered + 1, batch);
    while (!sink.offer(numbered)) {
      LockSupport.parkNanos(WAIT_NANOS);
    }
    offered += batch.rows();
  }

  /** How many rows the center has said that it has. */
  long stored() {
    return sink.flush();
  }

  long offered() {
    return offered;
  }

  boolean isDone() {
    return stored() == offered;
  }

  /** How often the center did not take rows after it had. */
  int outages() {
    return warnings.get();
  }

  @Override
  public void close() {
    sink.close();
  }

  private record Context(AtomicInteger warnings) implements ConnectorContext {
    @Override
    public InstantSource clock() {
      return InstantSource.system();
    }

    @Override
    public Path directory() {
      return Path.of("");
    }

    @Override
    public void wakeUp() {}

    @Override
    public void malformed(String table, String origin, byte[] payload, String reason) {}

    @Override
    public void report(Severity severity, String message) {
      if (severity != Severity.INFO) {
        warnings.incrementAndGet();
      }
    }
  }
}
