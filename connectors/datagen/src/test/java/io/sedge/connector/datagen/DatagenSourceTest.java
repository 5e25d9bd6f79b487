package io.sedge.connector.datagen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.testkit.SourceConformance;
import io.sedge.connector.testkit.Tables;
import io.sedge.connector.testkit.TestContext;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DatagenSourceTest extends SourceConformance {
  private static final long SECOND = 1_000_000_000;

  private final TestContext context = new TestContext(Path.of(""));

  @Override
  protected ConnectorFactory connector() {
    return new DatagenConnector();
  }

  @Override
  protected TableDescriptor table() {
    return Tables.table(
        Schema.builder()
            .add("n", Type.BIGINT)
            .add("s", Type.STRING)
            .add("d", Type.DOUBLE)
            .add("m", Type.decimal(5, 2))
            .build(),
        Map.of(
            "rows-per-second", "1000000000",
            "number-of-rows", "10000",
            "seed", "7",
            "fields.n.kind", "sequence",
            "fields.n.start", "5",
            "fields.n.end", "1000000",
            "fields.s.length", "4",
            "fields.d.null-rate", "0.5"));
  }

  @Override
  protected TestContext context() {
    return context;
  }

  /** Rows follow from the seed; what they hold is shown by the other tests. */
  @Override
  protected List<List<Object>> expected() {
    List<List<Object>> rows = new ArrayList<>();
    try (SourceReader reader = connector().source(table(), context).orElseThrow().open()) {
      long now = 0;
      while (!reader.finished()) {
        Batch batch = reader.poll(now += SECOND);
        for (int row = 0; batch != null && row < batch.rows(); row++) {
          rows.add(batch.row(row));
        }
      }
    }
    return rows;
  }

  @Test
  void sequencesCountAndRandomValuesStayInTheirBounds() {
    List<List<Object>> rows = expected();
    assertThat(rows).hasSize(10_000);
    int nulls = 0;
    for (int i = 0; i < rows.size(); i++) {
      List<Object> row = rows.get(i);
      assertThat(row.get(0)).isEqualTo(5L + i);
      assertThat((String) row.get(1)).matches("[0-9a-f]{4}");
      nulls += row.get(2) == null ? 1 : 0;
      assertThat((BigDecimal) row.get(3))
          .isBetween(new BigDecimal("-999.99"), new BigDecimal("999.99"));
    }
    assertThat(nulls).isBetween(4_500, 5_500);
    assertThat(rows.stream().map(row -> row.get(1)).distinct().count()).isGreaterThan(8_000);
  }

  @Test
  void boundsOfRandomNumbersAreKept() {
    Map<String, String> options = new HashMap<>();
    Schema.Builder schema = Schema.builder();
    Map<String, Type> types =
        Map.of(
            "t",
            Type.TINYINT,
            "s",
            Type.SMALLINT,
            "i",
            Type.INT,
            "l",
            Type.BIGINT,
            "f",
            Type.FLOAT,
            "d",
            Type.DOUBLE,
            "m",
            Type.decimal(4, 1));
    types.forEach(
        (name, type) -> {
          schema.add(name, type);
          options.put("fields." + name + ".min", "-3");
          options.put("fields." + name + ".max", "5");
        });
    options.put("number-of-rows", "2000");
    List<List<Object>> rows = read(Tables.table(schema.build(), options));
    for (List<Object> row : rows) {
      assertThat(row).allSatisfy(v -> assertThat(((Number) v).doubleValue()).isBetween(-3.0, 5.0));
    }
    int integer = schema.build().indexOf("i");
    assertThat(rows.stream().map(row -> row.get(integer)).distinct().count()).isEqualTo(9);
  }

  @Test
  void arraysAndRowsAreMadeUpToo() {
    Schema schema =
        Schema.builder()
            .add("a", Type.array(Type.INT))
            .add("r", Type.row(List.of("x"), List.of(Type.STRING)))
            .build();
    List<List<Object>> rows =
        read(
            Tables.table(
                schema,
                Map.of(
                    "number-of-rows", "1",
                    "fields.a.length", "2",
                    "fields.a.element.min", "3",
                    "fields.a.element.max", "3",
                    "fields.r.x.length", "1")));
    assertThat(rows.getFirst().get(0)).isEqualTo(List.of(3, 3));
    assertThat((List<?>) rows.getFirst().get(1)).hasSize(1);
  }

  private List<List<Object>> read(TableDescriptor table) {
    List<List<Object>> rows = new ArrayList<>();
    try (SourceReader reader = connector().source(table, context).orElseThrow().open()) {
      long now = 0;
      while (!reader.finished()) {
        Batch batch = reader.poll(now += SECOND);
        for (int row = 0; batch != null && row < batch.rows(); row++) {
          rows.add(batch.row(row));
        }
      }
    }
    return rows;
  }

  @Test
  void thePaceIsKept() {
    Schema schema = Schema.builder().add("b", Type.BOOLEAN).build();
    Source source =
        connector()
            .source(Tables.table(schema, Map.of("rows-per-second", "100")), context)
            .orElseThrow();
    assertThat(source.bounded()).isFalse();
    try (SourceReader reader = source.open()) {
      int rows = 0;
      for (long now = 0; now <= 10 * SECOND; now += SECOND / 100) {
        Batch batch = reader.poll(now);
        rows += batch == null ? 0 : batch.rows();
      }
      assertThat(rows).isEqualTo(1_001);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rows-per-second|0|table readings: 'rows-per-second' = '0' is not between 1 and 1000000000",
        "fields.vale.min|1|table readings: 'fields.vale.min' is for a column `vale`, which the"
            + " table does not have; did you mean `value`?",
        "fields.value.kind|sequence|table readings: 'fields.value.kind' = 'sequence' needs"
            + " 'fields.value.start' too",
        "fields.value.null-rate|2|table readings: 'fields.value.null-rate' = '2' is not between 0"
            + " and 1",
        "fields.value.min|1e400|",
        "fields.id.null-rate|0.5|table readings: 'fields.id.null-rate' = '0.5' is not 0, but the"
            + " column is NOT NULL",
        "fields.id.length|0|table readings: 'fields.id.length' = '0' is not between 1 and 10"
      })
  void wrongOptionsAreToldWithWhatIsAllowed(String key, String value, String message) {
    Schema schema =
        Schema.builder().add("id", Type.varchar(10).notNull()).add("value", Type.DOUBLE).build();
    assertThatThrownBy(() -> connector().source(Tables.table(schema, Map.of(key, value)), context))
        .isInstanceOf(ConnectorException.class)
        .satisfies(e -> assertThat(message == null || e.getMessage().equals(message)).isTrue());
  }
}
