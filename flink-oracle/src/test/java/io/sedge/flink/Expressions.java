package io.sedge.flink;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Asks both engines for expressions over the table {@code edges}: many in one query; where an
 * engine refuses that or fails in it, each alone.
 */
final class Expressions {
  private static final int IN_A_QUERY = 12;
  private static final Set<Character> MARKS = Set.of('!', '~');

  private final Oracle oracle;

  Expressions(Oracle oracle) {
    this.oracle = oracle;
  }

  /**
   * The expressions of {@code functions.txt}.
   *
   * @param mark what their lines begin with: {@code !}, {@code ~}, or nothing
   */
  static List<String> marked(String mark) throws IOException {
    return Case.lines("/cases/functions.txt").stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .filter(line -> mark.equals(MARKS.contains(line.charAt(0)) ? line.substring(0, 1) : ""))
        .map(line -> line.substring(mark.length()))
        .toList();
  }

  /** Flink's answer to each expression: rows of {@code id} and the value. */
  List<Answer> flink(List<String> expressions) throws IOException {
    List<List<String>> groups = groups(expressions);
    List<Answer> together = oracle.flink("", groups.stream().map(Expressions::select).toList());
    List<Answer> answers = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      if (together.get(i) instanceof Answer.Rows rows) {
        addColumns(rows, groups.get(i).size(), answers);
      } else {
        answers.addAll(
            oracle.flink(
                "",
                groups.get(i).stream().map(expression -> select(List.of(expression))).toList()));
      }
    }
    return answers;
  }

  /** Sedge's answer to each expression. */
  List<Answer> sedge(List<String> expressions) throws InterruptedException {
    List<Answer> answers = new ArrayList<>();
    for (List<String> group : groups(expressions)) {
      if (oracle.sedge("", select(group)) instanceof Answer.Rows rows) {
        addColumns(rows, group.size(), answers);
      } else {
        for (String expression : group) {
          answers.add(oracle.sedge("", select(List.of(expression))));
        }
      }
    }
    return answers;
  }

  private static void addColumns(Answer.Rows rows, int expressions, List<Answer> answers) {
    for (int i = 0; i < expressions; i++) {
      answers.add(rows.column(2 + i));
    }
  }

  private static List<List<String>> groups(List<String> expressions) {
    List<List<String>> groups = new ArrayList<>();
    for (int from = 0; from < expressions.size(); from += IN_A_QUERY) {
      groups.add(expressions.subList(from, Math.min(from + IN_A_QUERY, expressions.size())));
    }
    return groups;
  }

  private static String select(List<String> expressions) {
    StringBuilder query = new StringBuilder("SELECT id");
    for (int i = 0; i < expressions.size(); i++) {
      query.append(", ").append(expressions.get(i)).append(" AS e").append(i);
    }
    return query.append(" FROM edges").toString();
  }
}
