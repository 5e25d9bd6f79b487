package io.sedge.sql;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorException.Kind;
import io.sedge.connector.Option;
import io.sedge.connector.ScriptFiles;
import io.sedge.engine.column.Column;
import io.sedge.engine.column.ColumnBuilder;
import io.sedge.engine.column.DoubleColumn;
import io.sedge.engine.expression.EvaluationException;
import io.sedge.engine.type.Type;
import io.sedge.learning.DriftOptions;
import io.sedge.learning.Model;
import io.sedge.learning.ModelDescriptor;
import io.sedge.learning.ModelProvider;
import io.sedge.learning.Reference;
import io.sedge.learning.Scorer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Models whose first output is the sum of the features, the next ten times that, and so on; with a
 * number that breaks the whole batch it stands in.
 */
final class SumProvider implements ModelProvider {
  static final double BREAKS = 13;

  @Override
  public String name() {
    return "sum";
  }

  @Override
  public List<Option> options() {
    List<Option> options = new ArrayList<>(DriftOptions.ALL);
    options.add(Option.withDefault("offset", Option.Kind.INTEGER, "0", "what is added"));
    options.add(
        Option.optional("shadow", Option.Kind.INTEGER, "what the version adds that scores beside"));
    options.add(Option.optional("reference", Option.Kind.STRING, "what its rows looked like"));
    return options;
  }

  @Override
  public Model open(ModelDescriptor model, ScriptFiles files) {
    for (String name : model.input().names()) {
      if (!model.input().type(model.input().indexOf(name)).kind().isNumeric()) {
        throw new ConnectorException(
            Kind.USER, "model %s: `%s` is no number".formatted(model.name(), name));
      }
    }
    return sum(model, model.options().getOrDefault("offset", "0"));
  }

  private static Model sum(ModelDescriptor model, String offset) {
    return new Model() {
      @Override
      public String identity() {
        return "sum, offset " + offset;
      }

      @Override
      public Optional<Model> shadow() {
        return Optional.ofNullable(model.options().get("shadow")).map(other -> sum(model, other));
      }

      @Override
      public Optional<Reference> reference() {
        return Optional.ofNullable(model.options().get("reference"))
            .map(text -> Reference.parse("v1", text));
      }

      @Override
      public Scorer scorer() {
        return (features, rows) ->
            sums(features, rows, Integer.parseInt(offset), model.output().types());
      }
    };
  }

  private static List<Column> sums(
      List<Column> features, int rows, double offset, List<Type> outputs) {
    double[] sums = new double[rows];
    for (Column feature : features) {
      for (int row = 0; row < rows; row++) {
        if (feature.isNull(row)) {
          throw new AssertionError("a NULL feature is never scored");
        }
        double value = ((DoubleColumn) feature).values()[row];
        if (value == BREAKS) {
          throw new EvaluationException("no model likes 13");
        }
        sums[row] += value + offset;
      }
    }
    List<Column> columns = new ArrayList<>();
    for (Type output : outputs) {
      ColumnBuilder column = ColumnBuilder.of(output);
      for (double sum : sums) {
        column.add(value(sum, output));
      }
      columns.add(column.build());
      for (int row = 0; row < rows; row++) {
        sums[row] *= 10;
      }
    }
    return columns;
  }

  /** Text is the whole number alone. */
  private static Object value(double sum, Type output) {
    return switch (output.kind()) {
      case FLOAT -> (float) sum;
      case VARCHAR -> Long.toString((long) sum);
      default -> sum;
    };
  }
}
