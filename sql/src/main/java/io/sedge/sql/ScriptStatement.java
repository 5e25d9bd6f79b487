package io.sedge.sql;

import io.sedge.sql.internal.ScriptReader;
import java.util.List;
import java.util.Optional;

/**
 * A statement of a script with its place, for whoever gives the script to another engine.
 * Immutable.
 *
 * <p>The inserts of a statement set are statements of their own; the words around them are none.
 */
public sealed interface ScriptStatement {
  /** As it stands in the script, without its semicolon. */
  String text();

  /** Of its first character, from 1. */
  int line();

  /** Of its first character, from 1. */
  int column();

  /**
   * {@code SET 'key' = 'value'}.
   *
   * @param keyColumn where the key stands
   */
  record Setting(
      String text, int line, int column, int keyLine, int keyColumn, String key, String value)
      implements ScriptStatement {}

  /**
   * {@code RESET}.
   *
   * @param key empty for all keys
   */
  record Reset(String text, int line, int column, Optional<String> key)
      implements ScriptStatement {}

  /**
   * {@code CREATE TABLE}.
   *
   * @param like the table whose clauses it has too
   * @param options what stands in its own WITH, in that order
   */
  record Table(
      String text, int line, int column, String name, Optional<String> like, List<Option> options)
      implements ScriptStatement {
    public Table {
      options = List.copyOf(options);
    }
  }

  /**
   * {@code CREATE FUNCTION}.
   *
   * @param jars as the script writes them
   */
  record Function(
      String text, int line, int column, String name, String className, List<String> jars)
      implements ScriptStatement {
    public Function {
      jars = List.copyOf(jars);
    }
  }

  /** {@code CREATE}, {@code ALTER} or {@code DROP MODEL}. */
  record Model(String text, int line, int column) implements ScriptStatement {}

  /** {@code CREATE VIEW}. */
  record View(String text, int line, int column, List<Call> calls) implements ScriptStatement {
    public View {
      calls = List.copyOf(calls);
    }
  }

  /** {@code INSERT INTO}. */
  record Insert(String text, int line, int column, List<Call> calls) implements ScriptStatement {
    public Insert {
      calls = List.copyOf(calls);
    }
  }

  /** A bare {@code SELECT}. */
  record Query(String text, int line, int column) implements ScriptStatement {}

  /** {@code DROP TABLE} or {@code DROP VIEW}. */
  record Drop(String text, int line, int column) implements ScriptStatement {}

  /**
   * An option of a table.
   *
   * @param line where its key stands
   * @param begin of {@code 'key' = 'value'} in the statement's text
   * @param end of it: the first character after
   */
  record Option(String key, String value, int line, int column, int begin, int end) {}

  /** A call of a function that is written as {@code NAME(…)}; the name in upper case. */
  record Call(String function, int line, int column) {}

  /**
   * The statements of a script, in its order.
   *
   * @param script one that {@link SqlCompiler} accepts
   * @throws IllegalArgumentException if it cannot even be parsed
   */
  static List<ScriptStatement> of(String script) {
    return ScriptReader.read(script);
  }
}
