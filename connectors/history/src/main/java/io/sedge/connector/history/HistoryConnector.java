package io.sedge.connector.history;

import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Division;
import io.sedge.connector.Keeper;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.TimeBounds;
import io.sedge.connector.history.internal.HistoryReader;
import io.sedge.connector.history.internal.Interval;
import io.sedge.connector.history.internal.KeepingReader;
import io.sedge.connector.history.internal.Worker;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Connector {@code history}: keeps what source tables read on this device, for those with {@code
 * 'keep'}, and reads it as a bounded table in the order of time.
 *
 * <p>Nothing of TsFile is loaded before a table is read or a first segment is made.
 */
public final class HistoryConnector implements ConnectorFactory, Keeper {
  private static final String TABLE = "table";
  private static final String JOB = "job";
  private static final List<Option> OPTIONS =
      Stream.concat(
              Stream.of(
                  Option.required(TABLE, Option.Kind.STRING, "The table whose readings were kept."),
                  Option.optional(
                      JOB,
                      Option.Kind.STRING,
                      "The job that has kept them; else this one, if it has, else the only one that"
                          + " has.")),
              Interval.OPTIONS.stream())
          .toList();

  private final Worker worker = new Worker();

  @Override
  public String name() {
    return "history";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    Options options = Options.of(table, OPTIONS);
    Interval _ = Interval.of(options, context);
    return Optional.of(new HistorySource(table, options, context, Division.BY_DEVICE, List.of()));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }

  @Override
  public SourceReader keeping(SourceReader reader, Kept kept, ConnectorContext context) {
    return KeepingReader.open(reader, kept, context, worker);
  }

  /** What this device has kept is its own, whatever it is called. */
  private record HistorySource(
      TableDescriptor table,
      Options options,
      ConnectorContext context,
      Division division,
      List<TimeBounds> bounds)
      implements Source {
    @Override
    public boolean bounded() {
      return true;
    }

    @Override
    public Source shard(String device) {
      return new HistorySource(table, options, context, Division.WHOLE, bounds);
    }

    @Override
    public Optional<Source> between(TimeBounds more) {
      List<TimeBounds> both = Stream.concat(bounds.stream(), Stream.of(more)).toList();
      return Optional.of(new HistorySource(table, options, context, division, both));
    }

    @Override
    public SourceReader open() {
      return HistoryReader.open(
          new HistoryReader.Wanted(
              table.name(),
              options.find(JOB),
              options.string(TABLE),
              table.schema(),
              Interval.of(options, context),
              bounds),
          context);
    }
  }
}
