package io.sedge.sql.internal;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
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
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * The window table functions, as Flink has them: they add window_start, window_end, window_time.
 */
final class WindowFunctions {
  static final String START = "window_start";
  static final String END = "window_end";
  static final String TIME = "window_time";

  static final List<Function> ALL =
      List.of(
          function("TUMBLE", 3, "DATA", "TIMECOL", "SIZE", "OFFSET"),
          function("HOP", 4, "DATA", "TIMECOL", "SLIDE", "SIZE", "OFFSET"),
          function("CUMULATE", 4, "DATA", "TIMECOL", "STEP", "SIZE", "OFFSET"),
          new Function(new Operands("SESSION", List.of("DATA", "TIMECOL", "GAP"), 3), true));

  private WindowFunctions() {}

  private static Function function(String name, int required, String... parameters) {
    return new Function(new Operands(name, List.of(parameters), required), false);
  }

  /** The one with a name, in any case. */
  static Optional<Function> find(String name) {
    return ALL.stream().filter(function -> function.getName().equalsIgnoreCase(name)).findFirst();
  }

  /** One of them. */
  static final class Function extends SqlWindowTableFunction {
    private final Operands operands;
    private final boolean partitioned;

    private Function(Operands operands, boolean partitioned) {
      super(operands.function(), operands);
      this.operands = operands;
      this.partitioned = partitioned;
    }

    /** The names of its parameters, in order. */
    List<String> parameters() {
      return operands.parameters();
    }

    /** How many of its parameters must be given. */
    int required() {
      return operands.required();
    }

    @Override
    public SqlReturnTypeInference getRowTypeInference() {
      return Function::rowType;
    }

    @Override
    public @Nullable TableCharacteristic tableCharacteristic(int ordinal) {
      return ordinal == 0
          ? TableCharacteristic.builder(
                  partitioned
                      ? TableCharacteristic.Semantics.SET
                      : TableCharacteristic.Semantics.ROW)
              .build()
          : null;
    }

    private static RelDataType rowType(SqlOperatorBinding binding) {
      RelDataTypeFactory factory = binding.getTypeFactory();
      RelDataType input = binding.getOperandType(0);
      RelDataType local =
          factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.TIMESTAMP, 3), false);
      return factory
          .builder()
          .kind(input.getStructKind())
          .addAll(input.getFieldList())
          .add(START, local)
          .add(END, local)
          .add(TIME, windowTimeType(binding, input, local))
          .build();
    }

    /** TIMESTAMP(3) or TIMESTAMP_LTZ(3), as the time column is. */
    private static RelDataType windowTimeType(
        SqlOperatorBinding binding, RelDataType input, RelDataType local) {
      if (binding instanceof SqlCallBinding call) {
        RelDataTypeField field = timeColumn(call.operands(), input);
        if (field != null
            && field.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE) {
          RelDataTypeFactory factory = binding.getTypeFactory();
          return factory.createTypeWithNullability(
              factory.createSqlType(SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE, 3), false);
        }
      }
      return local;
    }
  }

  private static @Nullable RelDataTypeField timeColumn(List<SqlNode> operands, RelDataType input) {
    if (operands.get(1).getKind() != SqlKind.DESCRIPTOR) {
      return null;
    }
    SqlNode column = ((SqlCall) operands.get(1)).operand(0);
    return column instanceof SqlIdentifier identifier && identifier.isSimple()
        ? input.getField(identifier.getSimple(), true, false)
        : null;
  }

  /** What their arguments may be; says in words what is wrong with them. */
  private record Operands(String function, List<String> parameters, int required)
      implements SqlOperandMetadata {
    @Override
    public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
      List<SqlNode> operands = binding.operands();
      SqlValidator validator = binding.getValidator();
      RelDataType input = validator.getValidatedNodeType(operands.getFirst());
      if (input.getSqlTypeName() != SqlTypeName.ROW) {
        throw wrong("its first argument is not a table", operands.getFirst());
      }
      checkDescriptor(operands, input);
      for (int i = 2; i < operands.size(); i++) {
        if (!SqlTypeUtil.isInterval(validator.getValidatedNodeType(operands.get(i)))) {
          throw wrong("%s is not an interval".formatted(parameters.get(i)), operands.get(i));
        }
      }
      return true;
    }

    private void checkDescriptor(List<SqlNode> operands, RelDataType input) {
      SqlNode descriptor = operands.get(1);
      if (descriptor.getKind() != SqlKind.DESCRIPTOR) {
        throw wrong("its second argument is not DESCRIPTOR(column)", descriptor);
      }
      SqlNode column = ((SqlCall) descriptor).operand(0);
      RelDataTypeField field = timeColumn(operands, input);
      if (field == null) {
        throw new UnsupportedException(
            "%s: the table has no column `%s`%s"
                .formatted(
                    function, column, Names.didYouMean(column.toString(), input.getFieldNames())),
            null,
            column.getParserPosition());
      }
      SqlTypeName type = Objects.requireNonNull(field.getType().getSqlTypeName());
      if (type != SqlTypeName.TIMESTAMP && type != SqlTypeName.TIMESTAMP_WITH_LOCAL_TIME_ZONE) {
        throw new UnsupportedException(
            "%s needs a time column, but `%s` is %s".formatted(function, column, field.getType()),
            "a TIMESTAMP(3) or TIMESTAMP_LTZ(3) column with a WATERMARK",
            column.getParserPosition());
      }
    }

    private UnsupportedException wrong(String why, SqlNode where) {
      return new UnsupportedException(
          "%s: %s".formatted(function, why), signature(), where.getParserPosition());
    }

    private String signature() {
      return switch (function) {
        case "TUMBLE" -> "TUMBLE(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND)";
        case "HOP" -> "HOP(TABLE t, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '1' MINUTE)";
        case "CUMULATE" ->
            "CUMULATE(TABLE t, DESCRIPTOR(ts), INTERVAL '1' MINUTE, INTERVAL '1' HOUR)";
        default -> "SESSION(TABLE t PARTITION BY key, DESCRIPTOR(ts), INTERVAL '5' SECOND)";
      };
    }

    @Override
    public SqlOperandCountRange getOperandCountRange() {
      return SqlOperandCountRanges.between(required, parameters.size());
    }

    @Override
    public String getAllowedSignatures(SqlOperator operator, String name) {
      return signature();
    }

    @Override
    public List<RelDataType> paramTypes(RelDataTypeFactory factory) {
      return java.util.Collections.nCopies(
          parameters.size(), factory.createSqlType(SqlTypeName.ANY));
    }

    @Override
    public List<String> paramNames() {
      return parameters;
    }

    @Override
    public boolean isOptional(int i) {
      return i >= required;
    }
  }
}
