package io.sedge.tensor.training.command;

import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.runtime.Ports;
import io.sedge.tensor.runtime.RestartPolicy;
import io.sedge.tensor.runtime.ServerProcess;
import io.sedge.tensor.runtime.ServerProcessOptions;
import io.sedge.tensor.runtime.ServerTask;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The workers and parameter servers of a training on this machine: a process each, started again
 * when it dies. All end with this process, however it ends.
 */
final class LocalServers implements AutoCloseable {
  private static final long LOG_BYTES = 1 << 20;

  /** Back at once; again and again, since whoever kills them may do so on purpose. */
  private static final RestartPolicy RESTART =
      new RestartPolicy(100, Duration.ofMillis(10), Duration.ofSeconds(2), Duration.ofSeconds(2));

  private final List<ServerProcess> processes = new ArrayList<>();

  /** Starts all at once and waits until they serve. */
  ClusterSpec start(int workers, int parameterServers, Path logs, PrintStream out)
      throws IOException {
    Files.createDirectories(logs);
    List<String> addresses =
        Ports.unused(workers + parameterServers).stream().map(port -> "127.0.0.1:" + port).toList();
    ClusterSpec cluster =
        ClusterSpec.builder()
            .job(
                ParameterServerStrategy.PS,
                addresses.subList(0, parameterServers).toArray(String[]::new))
            .job(
                ParameterServerStrategy.WORKER,
                addresses.subList(parameterServers, addresses.size()).toArray(String[]::new))
            .build();
    for (String job : cluster.jobs()) {
      for (int task : cluster.taskIndices(job)) {
        Path log = logs.resolve(job + "-" + task + ".log");
        processes.add(
            ServerProcess.launch(
                ServerTask.of(cluster, job, task),
                ServerProcessOptions.defaults().withRestart(RESTART).withLog(log, LOG_BYTES)));
      }
    }
    for (ServerProcess process : processes) {
      process.awaitServing(Duration.ofMinutes(1));
      out.printf(
          "%s %d: %s, process %d%n",
          process.task().job(), process.task().index(), process.target(), process.pid());
    }
    return cluster;
  }

  @Override
  public void close() {
    processes.forEach(ServerProcess::close);
  }
}
