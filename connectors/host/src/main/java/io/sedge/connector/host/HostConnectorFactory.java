package io.sedge.connector.host;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Division;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Option;
import io.sedge.connector.Options;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import java.util.List;
import java.util.Optional;

/**
 * The connector {@code host}.
 *
 * <p>Read, a table is the readings of this machine's sensors, with the columns {@code quantity},
 * {@code kind}, {@code device}, {@code unit}, {@code reading}, {@code ts} and {@code host}, any of
 * them in any order. Written, a row {@code (quantity, sampling_rate_hz, reason)} is the command to
 * read that quantity so many times a second. Source and sink of one process find each other through
 * the factory that made them.
 *
 * <p>It is divided by device: on a site each device reads its own machine. The stream is not
 * bounded, and it cannot be replayed: after a restart reading goes on from now.
 */
public final class HostConnectorFactory implements ConnectorFactory {
  private static final String RATE = "sampling.rate";
  private static final String MAX_RATE = "max.sampling.rate";
  private static final String QUANTITIES = "quantities";
  private static final String EXCLUDE = "quantities.exclude";

  private static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              RATE,
              Option.Kind.STRING,
              "10 Hz",
              "How often each quantity is read: a rate such as 10 Hz or a period such as 100 ms."),
          Option.optional(
              RATE + ".*",
              Option.Kind.STRING,
              "The same for the quantities with that prefix: 'sampling.rate.disk' = '1 Hz'."),
          Option.withDefault(
              MAX_RATE,
              Option.Kind.STRING,
              "100 Hz",
              "The highest rate that options and commands can set; 1000 Hz at most."),
          Option.withDefault(
              QUANTITIES,
              Option.Kind.STRING,
              "*",
              "What to read: names with * and ?, separated by semicolons: 'cpu.*;memory.used'."),
          Option.optional(
              EXCLUDE, Option.Kind.STRING, "What not to read of that, written likewise."));

  private final Machine machine;
  private final RateRegistry registry = new RateRegistry();

  /** For the machine that this process runs on. */
  public HostConnectorFactory() {
    this(new LocalMachine());
  }

  HostConnectorFactory(Machine machine) {
    this.machine = machine;
  }

  @Override
  public String name() {
    return "host";
  }

  @Override
  public List<Option> options() {
    return OPTIONS;
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    HostColumns.check(table, HostColumns.READ, "read from the connector 'host'");
    Options options = Options.of(table, OPTIONS);
    double max = hertz(options, MAX_RATE);
    if (max > SamplingRate.CEILING_HZ) {
      throw options.wrong(MAX_RATE, "is more than " + SamplingRate.show(SamplingRate.CEILING_HZ));
    }
    InitialRates rates = new InitialRates(hertz(options, RATE));
    for (String key : table.options().keySet()) {
      if (key.startsWith(RATE + ".")) {
        rates.add(key.substring(RATE.length() + 1), checked(options, key, max));
      }
    }
    checked(options, RATE, max);
    Selection selection =
        new Selection(options.string(QUANTITIES), options.find(EXCLUDE).orElse(""));
    return Optional.of(new HostSource(table, context, selection, rates, max));
  }

  private static double checked(Options options, String key, double max) {
    double hertz = hertz(options, key);
    if (hertz < SamplingRate.MIN_HZ || hertz > max) {
      throw options.wrong(
          key,
          "is not between %s and %s; '%s' sets the upper limit"
              .formatted(SamplingRate.show(SamplingRate.MIN_HZ), SamplingRate.show(max), MAX_RATE));
    }
    return hertz;
  }

  private static double hertz(Options options, String key) {
    return SamplingRate.parse(options.string(key))
        .orElseThrow(
            () -> options.wrong(key, "is not a sampling rate; write it as 10 Hz or 100 ms"));
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    HostColumns.check(table, HostColumns.WRITTEN, "a command to the connector 'host'");
    for (String needed : List.of(HostColumns.QUANTITY, HostColumns.RATE)) {
      if (table.schema().indexOf(needed) < 0) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "table %s, a command to the connector 'host': column `%s` is missing"
                .formatted(table.name(), needed));
      }
    }
    return Optional.of(
        new SinkFactory() {
          @Override
          public ChangelogMode changelogMode() {
            return ChangelogMode.INSERT_ONLY;
          }

          @Override
          public boolean reachesSources() {
            return true;
          }

          // A command that is obeyed again does no harm.
          @Override
          public Guarantee guarantee() {
            return Guarantee.AT_LEAST_ONCE;
          }

          @Override
          public Sink open(Delivery delivery) {
            return new HostSink(table.name(), table.schema(), registry, context, delivery);
          }
        });
  }

  /** A table of readings. */
  private class HostSource implements Source {
    private final TableDescriptor table;
    private final ConnectorContext context;
    private final Selection selection;
    private final InitialRates rates;
    private final double maxHz;

    HostSource(
        TableDescriptor table,
        ConnectorContext context,
        Selection selection,
        InitialRates rates,
        double maxHz) {
      this.table = table;
      this.context = context;
      this.selection = selection;
      this.rates = rates;
      this.maxHz = maxHz;
    }

    @Override
    public boolean bounded() {
      return false;
    }

    @Override
    public Division division() {
      return Division.BY_DEVICE;
    }

    /** This machine's readings are a shard, whatever the device is called. */
    @Override
    public Source shard(String device) {
      return new HostSource(table, context, selection, rates, maxHz) {
        @Override
        public Division division() {
          return Division.WHOLE;
        }
      };
    }

    @Override
    public SourceReader open() {
      List<Probe> probes = machine.open();
      Sampler sampler = new Sampler(probes, selection, rates, maxHz);
      if (sampler.size() == 0) {
        throw new ConnectorException(
            ConnectorException.Kind.USER,
            "table %s: '%s' = '%s' leaves nothing to read; this machine has %s"
                .formatted(
                    table.name(),
                    QUANTITIES,
                    table.options().getOrDefault(QUANTITIES, "*"),
                    String.join(
                        ", ",
                        probes.stream()
                            .flatMap(probe -> probe.quantities().stream())
                            .map(Quantity::name)
                            .toList())));
      }
      return new HostReader(
              table.name(), table.schema(), machine.name(), sampler, context, registry)
          .start();
    }
  }
}
