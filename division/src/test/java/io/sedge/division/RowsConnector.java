package io.sedge.division;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tables whose rows the tests offer and take themselves: {@code 'connector' = 'rows'}, or {@code
 * 'center'} for those of a center.
 */
final class RowsConnector implements ConnectorFactory {
  private final String name;

  private RowsConnector(String name) {
    this.name = name;
  }

  static ConnectorFactory rows() {
    return new RowsConnector("rows");
  }

  static Map<String, ConnectorFactory> all() {
    return Map.of("rows", rows(), "center", new RowsConnector("center"));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Option> options() {
    return List.of(
        Option.withDefault("ends", Option.Kind.BOOLEAN, "false", "Whether the rows end."),
        Option.optional("from", Option.Kind.STRING, "Which rows there are."),
        Option.optional("table-name", Option.Kind.STRING, "Where the rows go."),
        Option.optional("password", Option.Kind.STRING, "How to get at them.").asTuning());
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    boolean ends = table.options().getOrDefault("ends", "false").equals("true");
    return Optional.of(
        new Source() {
          @Override
          public boolean bounded() {
            return ends;
          }

          @Override
          public SourceReader open() {
            throw new UnsupportedOperationException("tests offer rows to the pipeline");
          }
        });
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(
        new SinkFactory() {
          @Override
          public ChangelogMode changelogMode() {
            return ChangelogMode.ALL;
          }

          @Override
          public Guarantee guarantee() {
            return Guarantee.AT_LEAST_ONCE;
          }

          @Override
          public Sink open(Delivery delivery) {
            throw new UnsupportedOperationException("tests take rows from the pipeline");
          }
        });
  }
}
