package io.sedge.flink;

import static org.apache.flink.table.api.Expressions.$;

import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.jobmanager.scheduler.NoResourceAvailableException;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.util.TestStreamEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.expressions.Expression;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.flink.table.types.utils.DataTypeUtils;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Runs queries on a Flink cluster in this process, in streaming mode unless the script sets {@code
 * execution.runtime-mode}, with one parallel instance of each operator, UTC as the session's zone
 * and a watermark after every row that raises it. One thread.
 */
final class FlinkScripts implements AutoCloseable {
  private static final Pattern SETTING =
      Pattern.compile("(?is)\\s*SET\\s+'([^']*)'\\s*=\\s*'([^']*)'\\s*");

  private static final Map<String, String> DEFAULTS =
      Map.of("table.local-time-zone", "UTC", "pipeline.auto-watermark-interval", "0 ms");

  private static final Duration SLOT_PATIENCE = Duration.ofSeconds(30);

  private MiniCluster cluster = start();

  private static MiniCluster start() {
    Configuration configuration = new Configuration();
    configuration.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(64));
    configuration.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(64));
    configuration.set(JobManagerOptions.SLOT_REQUEST_TIMEOUT, SLOT_PATIENCE);
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumSlotsPerTaskManager(1)
                .withRandomPorts()
                .build());
    try {
      cluster.start();
    } catch (Exception e) { // declared so by Flink
      throw new IllegalStateException("Flink's cluster does not start", e);
    }
    return cluster;
  }

  /**
   * Runs queries, all in one job; if that fails, each in its own, which tells whose failure it is.
   *
   * @param script statements before the queries: tables, views and settings
   * @return for each query its rows, or the messages of its failure as a String. A row is the
   *     change ({@code +I}, {@code -U}, {@code +U}, {@code -D}), then the values as Flink's API
   *     gives them, ROW and ARRAY as lists
   */
  List<Object> run(String script, List<String> queries) {
    try {
      return runTogether(script, queries);
    } catch (JobFailure failure) {
      if (queries.size() == 1) {
        return List.of(messages(failure));
      }
      close(); // A task that was cancelled as it began has ended the task manager (FLINK-39330).
      cluster = start();
    } catch (RuntimeException e) { // of a statement before the queries
      return new ArrayList<>(Collections.nCopies(queries.size(), messages(e)));
    }
    List<Object> results = new ArrayList<>();
    for (String query : queries) {
      results.addAll(run(script, List.of(query)));
    }
    return results;
  }

  private List<Object> runTogether(String script, List<String> queries) {
    StreamExecutionEnvironment execution = new TestStreamEnvironment(cluster, 1);
    boolean batch = isBatch(script);
    execution.setRuntimeMode(batch ? RuntimeExecutionMode.BATCH : RuntimeExecutionMode.STREAMING);
    StreamTableEnvironment environment =
        StreamTableEnvironment.create(
            execution,
            batch ? EnvironmentSettings.inBatchMode() : EnvironmentSettings.inStreamingMode());
    DEFAULTS.forEach(environment.getConfig()::set);
    for (String statement : Statements.split(script)) {
      Matcher setting = SETTING.matcher(statement);
      if (setting.matches()) {
        environment.getConfig().set(setting.group(1), setting.group(2));
      } else {
        execute(environment, statement);
      }
    }
    List<Object> results = new ArrayList<>();
    for (String query : queries) {
      try {
        Table table = withoutTimeAttributes(environment.sqlQuery(query));
        results.add(
            batch
                ? environment.toDataStream(table).collectAsync()
                : environment.toChangelogStream(table).collectAsync());
      } catch (RuntimeException | LinkageError | AssertionError e) { // Flink's answer to the query
        results.add(messages(e));
      }
    }
    collect(execution, results);
    return results;
  }

  /** Carries a statement out; one that writes rows is waited for. */
  private static void execute(StreamTableEnvironment environment, String statement) {
    TableResult result = environment.executeSql(statement);
    if (result.getJobClient().isPresent()) {
      try {
        result.await();
      } catch (InterruptedException | ExecutionException e) {
        throw new TableException("the rows are not written", e);
      }
    }
  }

  /** Whether the script sets the mode to batch; an environment is made for one mode. */
  private static boolean isBatch(String script) {
    boolean batch = false;
    for (String statement : Statements.split(script)) {
      Matcher setting = SETTING.matcher(statement);
      if (setting.matches() && setting.group(1).equals("execution.runtime-mode")) {
        batch = setting.group(2).equalsIgnoreCase("batch");
      }
    }
    return batch;
  }

  /** A stream takes one time attribute at most, so they become plain timestamps. */
  static Table withoutTimeAttributes(Table table) {
    List<Column> columns = table.getResolvedSchema().getColumns();
    if (columns.stream().noneMatch(FlinkScripts::isTimeAttribute)) {
      return table;
    }
    return table.select(
        columns.stream()
            .map(
                column ->
                    isTimeAttribute(column)
                        ? $(column.getName())
                            .cast(DataTypeUtils.removeTimeAttribute(column.getDataType()))
                            .as(column.getName())
                        : $(column.getName()))
            .toArray(Expression[]::new));
  }

  private static boolean isTimeAttribute(Column column) {
    return LogicalTypeChecks.isTimeAttribute(column.getDataType().getLogicalType());
  }

  /** Puts rows in the place of their iterators. */
  private static void collect(StreamExecutionEnvironment execution, List<Object> results) {
    if (results.stream().noneMatch(CloseableIterator.class::isInstance)) {
      return;
    }
    try {
      JobClient job = execution.executeAsync("oracle");
      for (int i = 0; i < results.size(); i++) {
        if (results.get(i) instanceof CloseableIterator<?> rows) {
          results.set(i, rows(rows));
        }
      }
      job.getJobExecutionResult().get();
    } catch (Exception e) { // Flink throws all sorts
      if (messages(e).contains(NoResourceAvailableException.class.getName())) {
        throw new AssertionError("Flink's only task manager has ended", e); // No answer to a query.
      }
      throw new JobFailure(e);
    } finally {
      for (Object result : results) {
        if (result instanceof CloseableIterator<?> rows) {
          IOUtils.closeQuietly(rows);
        }
      }
    }
  }

  private static List<List<@Nullable Object>> rows(CloseableIterator<?> iterator) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    while (iterator.hasNext()) {
      Row row = (Row) iterator.next();
      List<@Nullable Object> values = new ArrayList<>();
      values.add(row.getKind().shortString());
      addFields(row, values);
      rows.add(values);
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

  /** The messages of a failure, outermost first. */
  static String messages(Throwable failure) {
    StringBuilder messages = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      messages.append(cause).append('\n');
    }
    return messages.toString();
  }

  @Override
  public void close() {
    try {
      cluster.close();
    } catch (Exception e) { // declared so by Flink
      throw new TableException("Flink's cluster does not stop", e);
    }
  }

  /** A job failed while it ran. */
  private static final class JobFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    JobFailure(Exception cause) {
      super(cause);
    }
  }
}
