package io.sedge.bench.mqtt;

import io.sedge.bench.peers.SedgeBenchConnector;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Connectors;
import io.sedge.engine.column.Batch;
import io.sedge.engine.column.LongColumn;
import io.sedge.sql.Job;
import io.sedge.sql.SqlCompiler;
import io.sedge.task.JobRunner;
import io.sedge.task.LocalJob;
import io.sedge.task.RunOptions;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/** Sedge: a script over a table of the mqtt connector, JSON decoded, each message a row. */
public final class SedgeClient implements MqttConsumer.Client {
  @Override
  public void run(int port, Arrivals arrivals) throws Exception {
    Connectors installed = Connectors.installed(SedgeClient.class.getClassLoader());
    Map<String, ConnectorFactory> connectors = new TreeMap<>(installed.byName());
    connectors.put("bench", SedgeBenchConnector.sink(batch -> arrived(batch, arrivals)));
    String script =
        """
        CREATE TABLE readings (sensor STRING, ts BIGINT, `value` DOUBLE)
        WITH ('connector' = 'mqtt', 'url' = 'mqtt://127.0.0.1:%d', 'topic' = 'bench/{sensor}',
          'qos' = '1', 'client-id' = '%s', 'format' = 'json');
        CREATE TABLE results (sensor STRING, ts BIGINT, fahrenheit DOUBLE) WITH ('connector' = 'bench');
        INSERT INTO results SELECT sensor, ts, `value` * 1.8E0 + 32E0 FROM readings;
        """
            .formatted(port, MqttConsumer.CLIENT);
    Job job =
        new SqlCompiler(connectors, installed.formats().byName(), InstantSource.system())
            .compile("mqtt.sql", script, Path.of("."), Map.of());
    LocalJob running =
        new JobRunner(connectors, InstantSource.system(), System::nanoTime)
            .start(
                job,
                RunOptions.in(Path.of(".")),
                (severity, message) -> System.err.println(message));
    arrivals.await();
    running.stop();
    running.await();
  }

  private static void arrived(Batch batch, Arrivals arrivals) {
    long[] due = ((LongColumn) batch.column(1)).values();
    for (int row = 0; row < batch.rows(); row++) {
      arrivals.arrived(due[row]);
    }
  }
}
