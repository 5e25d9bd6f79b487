package io.sedge.sql.internal;

import io.sedge.learning.Detectors;
import java.util.List;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.util.Optionality;

/**
 * A detector as Calcite sees it: a function of OVER without a frame, as ROW_NUMBER is. What its
 * arguments may be is said by {@link Detectors}.
 */
final class DetectorFunction extends SqlAggFunction {
  private DetectorFunction(String name) {
    super(
        name,
        null,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.DOUBLE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.NUMERIC,
        true,
        true,
        Optionality.FORBIDDEN);
  }

  static List<SqlOperator> all() {
    return Detectors.names().stream().<SqlOperator>map(DetectorFunction::new).toList();
  }

  @Override
  public boolean allowsFraming() {
    return false;
  }
}
