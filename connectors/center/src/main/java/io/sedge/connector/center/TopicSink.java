package io.sedge.connector.center;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Sink;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.Dictionary;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.column.StringColumn;
import io.sedge.uplink.TopicRoute;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a table of a site that reports to topics of Kafka. They are written by Kafka's own
 * connector, in transactions; here they only get the columns of {@link TopicRoute#ORIGIN}.
 */
final class TopicSink implements Sink {
  /** What the columns of parts of windows, which a center merges, begin with. */
  private static final String OF_PARTS = "$";

  private final Sink written;
  private final Constant site;
  private final Constant job;
  private final Constant stream;

  private TopicSink(Sink written, String site, String job, String stream) {
    this.written = written;
    this.site = new Constant(site);
    this.job = new Constant(job);
    this.stream = new Constant(stream);
  }

  /**
   * Opens one; waits for brokers that are away as the connector {@code kafka} does.
   *
   * @param job what rows call the job
   */
  static TopicSink open(
      TableDescriptor table,
      SinkSettings settings,
      TopicRoute route,
      String job,
      Delivery delivery,
      ConnectorContext context) {
    if (table.schema().names().stream().anyMatch(name -> name.startsWith(OF_PARTS))) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s (%s): SET 'sedge.merge' = 'center' makes parts of windows, which a center merges, and this site reports to Kafka at %s"
              .formatted(settings.table(), table.location(), route.servers()));
    }
    if (settings.dropsOldest()) {
      context.report(
          Severity.WARNING,
          "table %s: 'when-full' = 'drop-oldest' goes with a center; rows for Kafka wait in the outbox"
              .formatted(table.name()));
    }
    TableDescriptor topic = route.table(table, settings.table(), settings.bufferBytes());
    String name = TopicRoute.connector(table);
    ConnectorFactory connector =
        context
            .connector(name)
            .orElseThrow(
                () ->
                    new ConnectorException(
                        ConnectorException.Kind.USER,
                        "table %s: the site reports to Kafka, and this program lacks the connector '%s'"
                            .formatted(table.name(), name)));
    Sink written = connector.sink(topic, context).orElseThrow().open(delivery);
    String task = delivery.writer().map(Delivery.Writer::task).orElse(CenterConnector.RUN);
    return new TopicSink(written, route.site(), job, task + "/" + table.name());
  }

  /** The same text for all rows. One thread. */
  private static final class Constant {
    private final Dictionary dictionary = new Dictionary();

    Constant(String value) {
      var _ = dictionary.append(value); // Its code is 0.
    }

    StringColumn column(int rows) {
      return new StringColumn(new int[rows], dictionary, null, rows);
    }
  }

  @Override
  public boolean offer(NumberedBatch numbered) {
    return written.offer(
        new NumberedBatch(numbered.first(), withOrigin(numbered), numbered.awaited()));
  }

  private Batch withOrigin(NumberedBatch numbered) {
    Batch batch = numbered.batch();
    int rows = batch.rows();
    long[] sequences = new long[rows];
    for (int row = 0; row < rows; row++) {
      sequences[row] = numbered.first() + row;
    }
    List<Column> columns = new ArrayList<>();
    columns.add(site.column(rows));
    columns.add(job.column(rows));
    columns.add(stream.column(rows));
    columns.add(new LongColumn(sequences, null, rows));
    columns.addAll(batch.columns());
    return batch.withColumns(columns);
  }

  @Override
  public long flush() {
    return written.flush();
  }

  @Override
  public boolean wakes() {
    return written.wakes();
  }

  @Override
  public long bytes() {
    return written.bytes();
  }

  @Override
  public void close() {
    written.close();
  }
}
