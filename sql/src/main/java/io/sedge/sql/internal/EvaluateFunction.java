package io.sedge.sql.internal;

import io.sedge.learning.Evaluation;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlWindowTableFunction;
import org.apache.calcite.sql.TableCharacteristic;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.jspecify.annotations.Nullable;

/**
 * ML_EVALUATE of one model and one task: a table function of a table, a descriptor of the label and
 * one of the features. All rows become one, with one column: {@code result}, a ROW where Flink has
 * a MAP.
 *
 * <p>{@link ModelCalls} puts it where a script calls ML_EVALUATE.
 */
final class EvaluateFunction extends SqlWindowTableFunction {
  static final String NAME = Evaluation.NAME;
  static final String SIGNATURE =
      "ML_EVALUATE(TABLE t, MODEL m, DESCRIPTOR(label), DESCRIPTOR(a, b), 'regression')";

  private final DeclaredModel model;
  private final Evaluation evaluation;

  EvaluateFunction(DeclaredModel model, Evaluation evaluation) {
    super(
        "%s %s".formatted(PredictFunction.name(model), evaluation.task()),
        new ModelOperands(
            NAME,
            SIGNATURE,
            model.name(),
            List.of(
                new ModelOperands.Descriptor("LABEL", "it compares with one label", model.output()),
                PredictFunction.features(model))));
    this.model = model;
    this.evaluation = evaluation;
  }

  DeclaredModel model() {
    return model;
  }

  Evaluation evaluation() {
    return evaluation;
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
    RelDataTypeFactory factory = binding.getTypeFactory();
    return factory.builder().add("result", Types.of(evaluation.type(), factory)).build();
  }
}
