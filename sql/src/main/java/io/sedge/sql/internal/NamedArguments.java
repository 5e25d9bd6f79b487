package io.sedge.sql.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * Puts the named arguments of window functions ({@code SIZE => INTERVAL '5' SECOND}) in the order
 * of their parameters, so that all that follows knows them by position alone.
 */
final class NamedArguments extends SqlBasicVisitor<@Nullable Void> {
  /**
   * Changes a query in place.
   *
   * @throws UnsupportedException if a name is unknown, stands twice, or a needed one is missing
   */
  static void order(SqlNode query) {
    query.accept(new NamedArguments());
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call.getKind() == SqlKind.COLLECTION_TABLE
        && call.operand(0) instanceof SqlBasicCall window
        && window.getOperandList().stream().anyMatch(NamedArguments::isNamed)) {
      WindowFunctions.find(window.getOperator().getName())
          .ifPresent(function -> call.setOperand(0, ordered(function, window)));
    }
    return super.visit(call);
  }

  private static boolean isNamed(SqlNode operand) {
    return operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT;
  }

  private static SqlCall ordered(WindowFunctions.Function function, SqlBasicCall window) {
    List<String> parameters = function.parameters();
    List<@Nullable SqlNode> arguments = new ArrayList<>();
    parameters.forEach(_ -> arguments.add(null));
    for (SqlNode operand : window.getOperandList()) {
      if (!isNamed(operand)) {
        throw wrong(function, "has arguments with and without a name", operand);
      }
      SqlCall assignment = (SqlCall) operand;
      String name = ((SqlIdentifier) assignment.operand(1)).getSimple();
      int position = parameters.indexOf(name.toUpperCase(Locale.ROOT));
      if (position < 0) {
        throw wrong(
            function,
            "has no argument %s; there are %s".formatted(name, String.join(", ", parameters)),
            operand);
      }
      if (arguments.set(position, assignment.operand(0)) != null) {
        throw wrong(function, "has the argument %s twice".formatted(name), operand);
      }
    }
    List<SqlNode> given = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      SqlNode argument = arguments.get(i);
      if (argument != null) {
        given.add(argument);
      } else if (i < function.required()) {
        throw wrong(function, "lacks the argument " + parameters.get(i), window);
      }
    }
    return new SqlBasicCall(window.getOperator(), given, window.getParserPosition());
  }

  private static UnsupportedException wrong(
      WindowFunctions.Function function, String what, SqlNode where) {
    return new UnsupportedException(
        "%s %s".formatted(function.getName(), what), null, where.getParserPosition());
  }
}
