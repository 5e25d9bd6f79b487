package io.sedge.learning.training.internal;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Guarantee;
import io.sedge.connector.NumberedBatch;
import io.sedge.connector.Option;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.TableDescriptor;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.BooleanColumn;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.DecimalColumn;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.column.FloatColumn;
import io.sedge.engine.column.IntColumn;
import io.sedge.engine.column.LongColumn;
import io.sedge.engine.type.Schema;
import io.sedge.learning.training.DeviceRows;
import io.sedge.learning.training.Recipe;
import io.sedge.learning.training.TrainingException;
import io.sedge.sql.Job;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sink of a model's SELECT: what comes becomes rows of numbers. */
public final class RowsConnector implements ConnectorFactory {
  private static final long MICROS = 1_000;

  private final Recipe recipe;
  private final DeviceRows rows;
  private volatile @Nullable TrainingException refusal;

  public RowsConnector(Recipe recipe, DeviceRows rows) {
    this.recipe = recipe;
    this.rows = rows;
  }

  /** Why it took no more, if so. */
  public Optional<TrainingException> refusal() {
    return Optional.ofNullable(refusal);
  }

  @Override
  public String name() {
    return Job.TERMINAL;
  }

  @Override
  public List<Option> options() {
    return List.of();
  }

  @Override
  public Optional<Source> source(TableDescriptor table, ConnectorContext context) {
    return Optional.empty();
  }

  @Override
  public Optional<SinkFactory> sink(TableDescriptor table, ConnectorContext context) {
    return Optional.of(new RowsSinkFactory(table.schema()));
  }

  private final class RowsSinkFactory implements SinkFactory {
    private final Schema schema;

    RowsSinkFactory(Schema schema) {
      this.schema = schema;
    }

    @Override
    public ChangelogMode changelogMode() {
      return ChangelogMode.INSERT_ONLY;
    }

    @Override
    public Guarantee guarantee() {
      return Guarantee.AT_LEAST_ONCE;
    }

    @Override
    public Sink open(Delivery delivery) {
      return new RowsSink(schema, delivery.recoveryPoint());
    }
  }

  private final class RowsSink implements Sink {
    private final int[] columns;
    private final int time;
    private final double[] row;
    private long taken;

    RowsSink(Schema schema, long recoveryPoint) {
      this.taken = recoveryPoint;
      List<String> wanted = new ArrayList<>(recipe.features());
      recipe.label().ifPresent(wanted::add);
      this.columns = wanted.stream().mapToInt(schema::indexOf).toArray();
      this.row = new double[columns.length];
      this.time = time(schema);
    }

    /** The first column that is a time; -1 if there is none. */
    private static int time(Schema schema) {
      for (int i = 0; i < schema.size(); i++) {
        if (schema.type(i).kind().isTimestamp()) {
          return i;
        }
      }
      return -1;
    }

    @Override
    public boolean offer(NumberedBatch numbered) {
      Batch batch = numbered.batch();
      try {
        for (int i = 0; i < batch.rows(); i++) {
          for (int j = 0; j < columns.length; j++) {
            row[j] = number(batch.column(columns[j]), i);
          }
          rows.add(row, millis(batch, i));
        }
      } catch (TrainingException e) {
        refusal = e;
        throw new ConnectorException(
            ConnectorException.Kind.USER, String.valueOf(e.getMessage()), e);
      } catch (IOException e) {
        throw new ConnectorException(
            ConnectorException.Kind.FILE, "the rows of a training cannot be kept: " + e, e);
      }
      taken = numbered.last();
      return true;
    }

    private long millis(Batch batch, int at) {
      if (time < 0 || batch.column(time).isNull(at)) {
        return Long.MIN_VALUE;
      }
      return ((LongColumn) batch.column(time)).values()[at] / MICROS;
    }

    @Override
    public long flush() {
      return taken;
    }

    @Override
    public long bytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  /** Whether values of a column can be given to a model; see {@link #number}. */
  private static double number(Column column, int at) {
    if (column.isNull(at)) {
      return Double.NaN;
    }
    return switch (column) {
      case DoubleColumn doubles -> doubles.values()[at];
      case FloatColumn floats -> floats.values()[at];
      case IntColumn ints -> ints.values()[at];
      case LongColumn longs -> longs.values()[at];
      case BooleanColumn booleans -> booleans.values()[at] ? 1 : 0;
      case DecimalColumn decimals -> {
        BigDecimal value = decimals.values()[at];
        yield value == null ? Double.NaN : value.doubleValue();
      }
      default -> throw new IllegalStateException("a column that is no number was let through");
    };
  }
}
