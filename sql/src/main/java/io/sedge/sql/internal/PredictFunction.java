package io.sedge.sql.internal;

import io.sedge.engine.type.Schema;
import io.sedge.engine.type.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlWindowTableFunction;
import org.apache.calcite.sql.TableCharacteristic;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandMetadata;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * ML_PREDICT of one model: a table function of a table and a descriptor of its features. As for
 * windows, a row becomes one row with more columns: the input's, then the model's output. A name
 * that the input has too gets an index, as in Flink (SqlValidatorUtils.makeOutputUnique).
 *
 * <p>{@link PredictCalls} puts it where a script calls ML_PREDICT.
 */
final class PredictFunction extends SqlWindowTableFunction {
  static final String NAME = "ML_PREDICT";
  static final String SIGNATURE = "ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(a, b))";

  private final String model;
  private final Schema output;

  /**
   * One for a model.
   *
   * @param number different from that of others
   */
  PredictFunction(int number, String model, Schema input, Schema output) {
    super("$%s%d".formatted(NAME, number), new Operands(model, input));
    this.model = model;
    this.output = output;
  }

  String model() {
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

  /** The columns of the features that a descriptor names. */
  static List<Integer> features(SqlNode descriptor, RelDataType input) {
    return ((SqlCall) descriptor)
        .getOperandList().stream()
            .map(column -> input.getFieldNames().indexOf(Util.last(((SqlIdentifier) column).names)))
            .toList();
  }

  /** What its arguments may be; says in words what is wrong with them. */
  private record Operands(String model, Schema input) implements SqlOperandMetadata {
    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      List<SqlNode> operands = binding.operands();
      RelDataType table = binding.getValidator().getValidatedNodeType(operands.getFirst());
      if (table.getSqlTypeName() != SqlTypeName.ROW) {
        throw wrong("its first argument is not a table", SIGNATURE, operands.getFirst());
      }
      SqlNode descriptor = operands.get(1);
      if (descriptor.getKind() != SqlKind.DESCRIPTOR) {
        throw wrong("its third argument is not DESCRIPTOR(…)", SIGNATURE, descriptor);
      }
      List<SqlNode> columns = ((SqlCall) descriptor).getOperandList();
      if (columns.size() != input.size()) {
        throw wrong(
            "the model %s takes %d columns, not %d".formatted(model, input.size(), columns.size()),
            "DESCRIPTOR(%s)".formatted(String.join(", ", input.names())),
            descriptor);
      }
      for (int i = 0; i < columns.size(); i++) {
        checkColumn(columns.get(i), i, table);
      }
      return true;
    }

    private void checkColumn(SqlNode column, int feature, RelDataType table) {
      RelDataTypeField field =
          column instanceof SqlIdentifier identifier
              ? table.getField(Util.last(identifier.names), true, false)
              : null;
      if (field == null) {
        throw wrong(
            "the table has no column `%s`%s"
                .formatted(column, Names.didYouMean(column.toString(), table.getFieldNames())),
            null,
            column);
      }
      Type given = Types.of(field.getType());
      Type taken = input.type(feature);
      if (!InsertColumns.assignable(given, taken)) {
        throw wrong(
            "`%s` is %s, but `%s` of the model %s is %s"
                .formatted(column, given.withNullable(true), input.name(feature), model, taken),
            "CAST(%s AS %s) in a view over the table".formatted(column, taken),
            column);
      }
    }

    private static UnsupportedException wrong(String why, @Nullable String remedy, SqlNode where) {
      return new UnsupportedException(
          "%s: %s".formatted(NAME, why), remedy, where.getParserPosition());
    }

    @Override
    public SqlOperandCountRange getOperandCountRange() {
      return SqlOperandCountRanges.of(2);
    }

    @Override
    public String getAllowedSignatures(SqlOperator operator, String name) {
      return SIGNATURE;
    }

    @Override
    public List<RelDataType> paramTypes(RelDataTypeFactory factory) {
      return Collections.nCopies(2, factory.createSqlType(SqlTypeName.ANY));
    }

    @Override
    public List<String> paramNames() {
      return List.of("INPUT", "ARGS");
    }
  }
}
