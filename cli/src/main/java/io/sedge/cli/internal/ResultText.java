package io.sedge.cli.internal;

import io.sedge.center.api.CsvText;
import io.sedge.center.store.RowReceiver;
import io.sedge.task.Printable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows of a query as they are shown. One thread. */
abstract class ResultText implements RowReceiver {
  final Answers answers;

  private ResultText(Answers answers) {
    this.answers = answers;
  }

  static ResultText of(CenterQueryCommand.Form form, Answers answers) {
    return switch (form) {
      case text -> new Aligned(answers);
      case csv -> new Csv(answers);
      case json -> new Objects(answers);
    };
  }

  /** There are no more rows. */
  void end() {}

  /** In columns, of which the widths are known at the end. */
  private static final class Aligned extends ResultText {
    private TextTable table = new TextTable();

    Aligned(Answers answers) {
      super(answers);
    }

    @Override
    public void columns(List<Column> columns) {
      table =
          new TextTable(
              columns.stream().map(column -> Printable.text(column.name())).toArray(String[]::new));
    }

    @Override
    public void row(List<@Nullable Object> values) {
      table.add(
          values.stream()
              .map(value -> value == null ? "NULL" : Printable.text(value.toString()))
              .toArray(String[]::new));
    }

    @Override
    void end() {
      answers.text(String.join("\n", table.lines()));
    }
  }

  private static final class Csv extends ResultText {
    Csv(Answers answers) {
      super(answers);
    }

    @Override
    public void columns(List<Column> columns) {
      answers.text(CsvText.line(columns.stream().map(Column::name).toList()));
    }

    @Override
    public void row(List<@Nullable Object> values) {
      answers.text(CsvText.line(values));
    }
  }

  /** Columns of the same name are told apart by a number. */
  private static final class Objects extends ResultText {
    private final List<String> names = new ArrayList<>();

    Objects(Answers answers) {
      super(answers);
    }

    @Override
    public void columns(List<Column> columns) {
      for (Column column : columns) {
        String name = column.name();
        for (int i = 2; names.contains(name); i++) {
          name = column.name() + "_" + i;
        }
        names.add(name);
      }
    }

    @Override
    public void row(List<@Nullable Object> values) {
      Map<String, @Nullable Object> object = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        object.put(names.get(i), values.get(i));
      }
      answers.json(object);
    }
  }
}
