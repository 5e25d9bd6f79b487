package io.sedge.flink;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Runs scripts on Flink, in this process, with one parallel instance of each operator, UTC as the
 * session's zone and a watermark after every row that raises it.
 */
final class FlinkScripts {
  private static final Pattern SETTING =
      Pattern.compile("(?is)\\s*SET\\s+'([^']*)'\\s*=\\s*'([^']*)'\\s*");

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "parallelism.default", "1",
          "table.local-time-zone", "UTC",
          "pipeline.auto-watermark-interval", "0 ms");

  private final boolean streaming;

  /**
   * @param streaming whether scripts run in Flink's streaming mode; else in batch mode
   */
  FlinkScripts(boolean streaming) {
    this.streaming = streaming;
  }

  /**
   * Runs a script and waits for its end.
   *
   * @return for each query and INSERT its rows; a row is the change ({@code +I}, {@code -U}, {@code
   *     +U}, {@code -D}), then the values as Flink's API gives them, ROW and ARRAY as lists
   */
  List<List<List<@Nullable Object>>> run(String script) {
    EnvironmentSettings.Builder settings = EnvironmentSettings.newInstance();
    TableEnvironment environment =
        TableEnvironment.create(
            (streaming ? settings.inStreamingMode() : settings.inBatchMode()).build());
    DEFAULTS.forEach(environment.getConfig()::set);
    List<List<List<@Nullable Object>>> results = new ArrayList<>();
    for (String statement : Statements.split(script)) {
      Matcher setting = SETTING.matcher(statement);
      if (setting.matches()) {
        environment.getConfig().set(setting.group(1), setting.group(2));
        continue;
      }
      TableResult result = environment.executeSql(statement);
      if (result.getJobClient().isPresent()) {
        results.add(rows(result));
      }
    }
    return results;
  }

  private static List<List<@Nullable Object>> rows(TableResult result) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    CloseableIterator<Row> iterator = result.collect();
    try {
      while (iterator.hasNext()) {
        Row row = iterator.next();
        List<@Nullable Object> values = new ArrayList<>();
        values.add(row.getKind().shortString());
        addFields(row, values);
        rows.add(values);
      }
    } finally {
      IOUtils.closeQuietly(iterator);
    }
    return rows;
  }

  private static void addFields(Row row, List<@Nullable Object> values) {
    for (int i = 0; i < row.getArity(); i++) {
      values.add(plain(row.getField(i)));
    }
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof Row row) {
      List<@Nullable Object> fields = new ArrayList<>();
      addFields(row, fields);
      return fields;
    }
    if (value != null && value.getClass().isArray()) {
      List<@Nullable Object> elements = new ArrayList<>();
      for (int i = 0; i < Array.getLength(value); i++) {
        elements.add(plain(Array.get(value, i)));
      }
      return elements;
    }
    return value;
  }
}
