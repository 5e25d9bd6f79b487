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
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.SqlOperandCountRanges;
import org.apache.calcite.sql.type.SqlOperandMetadata;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * What a function of a model takes: a table, then descriptors of its columns. Says in words what is
 * wrong with them.
 *
 * @param name of the function
 * @param descriptors in their order
 */
record ModelOperands(String name, String signature, String model, List<Descriptor> descriptors)
    implements SqlOperandMetadata {
  ModelOperands {
    descriptors = List.copyOf(descriptors);
  }

  /**
   * Columns that are given to the model, or compared with what it gives.
   *
   * @param parameter Flink's name of it
   * @param count what is said of another number of columns, but for that number
   * @param columns of the model
   */
  record Descriptor(String parameter, String count, Schema columns) {}

  /** The columns that a descriptor names. */
  static List<Integer> columns(SqlNode descriptor, RelDataType table) {
    return ((SqlCall) descriptor)
        .getOperandList().stream()
            .map(column -> table.getFieldNames().indexOf(Util.last(((SqlIdentifier) column).names)))
            .toList();
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    List<SqlNode> operands = binding.operands();
    RelDataType table = binding.getValidator().getValidatedNodeType(operands.getFirst());
    if (table.getSqlTypeName() != SqlTypeName.ROW) {
      throw wrong("its first argument is not a table", signature, operands.getFirst());
    }
    for (int i = 0; i < descriptors.size(); i++) {
      check(descriptors.get(i), operands.get(i + 1), table);
    }
    return true;
  }

  private void check(Descriptor wanted, SqlNode descriptor, RelDataType table) {
    List<SqlNode> columns = ((SqlCall) descriptor).getOperandList();
    if (columns.size() != wanted.columns().size()) {
      throw wrong(
          "%s, not %d".formatted(wanted.count(), columns.size()),
          "DESCRIPTOR(%s)".formatted(String.join(", ", wanted.columns().names())),
          descriptor);
    }
    for (int i = 0; i < columns.size(); i++) {
      check(columns.get(i), wanted.columns().fields().get(i), table);
    }
  }

  private void check(SqlNode column, Schema.Field wanted, RelDataType table) {
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
    if (!InsertColumns.assignable(given, wanted.type())) {
      throw wrong(
          "`%s` is %s, but `%s` of the model %s is %s"
              .formatted(column, given.withNullable(true), wanted.name(), model, wanted.type()),
          "CAST(%s AS %s) in a view over the table".formatted(column, wanted.type()),
          column);
    }
  }

  private UnsupportedException wrong(String why, @Nullable String remedy, SqlNode where) {
    return new UnsupportedException(
        "%s: %s".formatted(name, why), remedy, where.getParserPosition());
  }

  @Override
  public SqlOperandCountRange getOperandCountRange() {
    return SqlOperandCountRanges.of(1 + descriptors.size());
  }

  @Override
  public String getAllowedSignatures(SqlOperator operator, String operatorName) {
    return signature;
  }

  @Override
  public List<RelDataType> paramTypes(RelDataTypeFactory factory) {
    return Collections.nCopies(1 + descriptors.size(), factory.createSqlType(SqlTypeName.ANY));
  }

  @Override
  public List<String> paramNames() {
    List<String> names = new ArrayList<>(List.of("INPUT"));
    descriptors.forEach(descriptor -> names.add(descriptor.parameter()));
    return names;
  }
}
