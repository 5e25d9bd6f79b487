package io.sedge.sql.internal;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlWindowTableFunction;
import org.apache.calcite.sql.TableCharacteristic;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.jspecify.annotations.Nullable;

/**
 * ML_PREDICT of one model: a table function of a table and a descriptor of its features. As for
 * windows, a row becomes one row with more columns: the input's, then the model's output. A name
 * that the input has too gets an index, as in Flink (SqlValidatorUtils.makeOutputUnique).
 *
 * <p>Operators are found by name in any case, and m and M are two models: their numbers tell them
 * apart.
 *
 * <p>{@link ModelCalls} puts it where a script calls ML_PREDICT.
 */
final class PredictFunction extends SqlWindowTableFunction {
  static final String NAME = "ML_PREDICT";
  static final String SIGNATURE = "ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b))";

  private final DeclaredModel model;

  PredictFunction(DeclaredModel model) {
    super(name(model), new ModelOperands(NAME, SIGNATURE, model.name(), List.of(features(model))));
    this.model = model;
  }

  /** The name of the operator of a model. */
  static String name(DeclaredModel model) {
    return "$%s%d%s".formatted(NAME, model.number(), model.shadow() ? " shadow" : "");
  }

  /** The features of a model, as an argument. */
  static ModelOperands.Descriptor features(DeclaredModel model) {
    Schema input = model.input();
    return new ModelOperands.Descriptor(
        "ARGS",
        "the model %s takes %d column%s"
            .formatted(model.name(), input.size(), input.size() == 1 ? "" : "s"),
        input);
  }

  DeclaredModel model() {
    return model;
  }

  @Override
  public SqlReturnTypeInference getRowTypeInference() {
    return this::rowType;
  }

  @Override
  public @Nullable TableCharacteristic tableCharacteristic(int ordinal) {
    return ordinal == 0
        ? TableCharacteristic.builder(TableCharacteristic.Semantics.ROW).build()
        : null;
  }

  private RelDataType rowType(SqlOperatorBinding binding) {
    Schema output = model.output();
    RelDataTypeFactory factory = binding.getTypeFactory();
    RelDataType input = binding.getOperandType(0);
    List<String> names = new ArrayList<>(input.getFieldNames());
    List<Type> types = new ArrayList<>(Types.schema(input).types());
    names.addAll(output.names());
    types.addAll(output.types());
    List<String> unique = Nodes.schema(names, types).names();
    RelDataTypeFactory.Builder builder =
        factory.builder().kind(input.getStructKind()).addAll(input.getFieldList());
    for (int i = 0; i < output.size(); i++) {
      builder.add(unique.get(input.getFieldCount() + i), Types.of(output.type(i), factory));
    }
    return builder.build();
  }
}
