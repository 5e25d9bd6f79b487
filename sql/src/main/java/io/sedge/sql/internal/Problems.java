package io.sedge.sql.internal;

import io.sedge.connector.ConnectorException;
import io.sedge.sql.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.flink.sql.parser.error.SqlValidateException;

/** Collects what is wrong with a script, in words for people. */
final class Problems {
  private final List<Problem> problems = new ArrayList<>();

  void add(SqlParserPos position, String message, Optional<String> remedy) {
    problems.add(
        new Problem(
            Math.max(1, position.getLineNum()),
            Math.max(1, position.getColumnNum()),
            message,
            remedy));
  }

  /**
   * Adds what an exception says.
   *
   * @param position where its statement begins
   * @param names what a misspelt name may have meant
   */
  void add(Exception exception, SqlParserPos position, ValidatorMessages names) {
    switch (exception) {
      case UnsupportedException e ->
          add(
              e.position() == null ? position : e.position(),
              String.valueOf(e.getMessage()),
              Optional.ofNullable(e.remedy()));
      case CalciteContextException e -> {
        if (e.getCause() instanceof UnsupportedException cause) {
          add(cause.at(of(e)), position, names);
          return;
        }
        ValidatorMessages.Message message = names.of(e);
        add(of(e), message.text(), message.remedy());
      }
      case SqlValidateException e ->
          add(
              e.getErrorPosition() == null ? position : e.getErrorPosition(),
              ValidatorMessages.sentence(String.valueOf(e.getMessage())),
              Optional.empty());
      case ConnectorException e -> add(position, String.valueOf(e.getMessage()), Optional.empty());
      case CalciteException e ->
          add(
              position,
              ValidatorMessages.sentence(String.valueOf(e.getMessage())),
              Optional.empty());
      default ->
          add(
              position,
              "this statement cannot be compiled, which is a fault of Sedge's own (%s: %s)"
                  .formatted(exception.getClass().getSimpleName(), exception.getMessage()),
              Optional.empty());
    }
  }

  private static SqlParserPos of(CalciteContextException e) {
    return new SqlParserPos(e.getPosLine(), e.getPosColumn());
  }

  boolean isEmpty() {
    return problems.isEmpty();
  }

  /** In the order of the script. */
  List<Problem> sorted() {
    return problems.stream()
        .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
        .distinct()
        .toList();
  }
}
