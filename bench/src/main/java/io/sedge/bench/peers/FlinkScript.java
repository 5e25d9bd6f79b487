package io.sedge.bench.peers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * A process that runs a script in Flink, with checkpoints that are exactly once, until its input
 * ends: {@code FlinkScript PARALLELISM FILE}. Statements end with a semicolon at the end of a line.
 */
public final class FlinkScript {
  private static final Duration CHECKPOINTS = Duration.ofSeconds(1);

  private FlinkScript() {}

  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    int parallelism = Integer.parseInt(args[0]);
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.OBJECT_REUSE, true);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, CHECKPOINTS);
    configuration.set(
        CheckpointingOptions.CHECKPOINTING_CONSISTENCY_MODE, CheckpointingMode.EXACTLY_ONCE);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, configuration);
    environment.setParallelism(parallelism);
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.getConfig().set("table.local-time-zone", "UTC");
    for (String statement : Files.readString(Path.of(args[1])).split(";\\s*\n", -1)) {
      if (!statement.isBlank()) {
        TableResult result = tables.executeSql(statement);
        if (statement.strip().startsWith("INSERT")) {
          result.await();
        }
      }
    }
    System.exit(0);
  }
}
