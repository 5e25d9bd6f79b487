package io.sedge.tensor.training.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.training.cluster.LocalCluster;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code sedge train task} as several machines would start it: a process for each task. */
@Timeout(120)
@EnableKubernetesMockClient(crud = true, https = false)
class TaskCommandTest {
  private final List<Started> started = new ArrayList<>();
  private KubernetesMockServer server;
  private KubernetesClient client;

  @TempDir private Path folder;

  /** A process and what it says. */
  private record Started(Process process, BufferedReader lines, List<String> seen) {
    /** The next line that contains a text. */
    String await(String text) throws IOException {
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        seen.add(line);
        if (line.contains(text)) {
          return line;
        }
      }
      throw new AssertionError("it ended without saying '" + text + "': " + seen);
    }

    int end() throws IOException, InterruptedException {
      for (@Nullable String line = lines.readLine(); line != null; line = lines.readLine()) {
        seen.add(line);
      }
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
      return process.exitValue();
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Started each : started) {
      each.process().destroy();
    }
    for (Started each : started) {
      if (!each.process().waitFor(10, TimeUnit.SECONDS)) {
        each.process().destroyForcibly();
      }
    }
  }

  private Started start(Map<String, String> environment, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            TrainMain.class.getName(),
            "task"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.environment().put("TF_CPP_MIN_LOG_LEVEL", "3");
    builder.environment().putAll(environment);
    Process process = builder.start();
    Started now =
        new Started(
            process,
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)),
            new ArrayList<>());
    started.add(now);
    return now;
  }

  private static String config(ClusterSpec cluster, String job, int task) {
    return "{\"cluster\": {\"ps\": [\"%s\"], \"worker\": [\"%s\"], \"chief\": [\"localhost:1\"]}, \"task\": {\"type\": \"%s\", \"index\": %d}}"
        .formatted(
            String.join("\", \"", cluster.jobTasks("ps")),
            String.join("\", \"", cluster.jobTasks("worker")),
            job,
            task);
  }

  private Path training(String readBy) throws IOException {
    StringBuilder rows = new StringBuilder("a,b,y\n");
    for (int i = 0; i < 300; i++) {
      rows.append(i % 17).append(',').append(i % 5).append(',').append(i % 17 - i % 5).append('\n');
    }
    Path data = Files.writeString(folder.resolve("d.csv"), rows);
    String training =
        """
        data: {files: %s, features: [a, b], targets: y, read_by: %s}
        model: {head: regression}
        training: {learning_rate: 0.03, batch: 20, steps: 150}
        """
            .formatted(data, readBy);
    return Files.writeString(folder.resolve("t.yaml"), training);
  }

  @Test
  void aTaskForEachMachineTrainsWithTfConfigAndAWorkerThatIsKilled()
      throws IOException, InterruptedException {
    ClusterSpec cluster = LocalCluster.spec(1, 2);
    Started ps = start(Map.of("TF_CONFIG", config(cluster, "ps", 0)));
    Started first = start(Map.of("TF_CONFIG", config(cluster, "worker", 0)));
    Started second = start(Map.of("TF_CONFIG", config(cluster, "worker", 1)));
    ps.await("ps 0 serves at grpc://" + cluster.taskAddress("ps", 0));
    first.await("worker 0 serves at");
    second.await("worker 1 serves at");
    Path output = folder.resolve("out");
    Started chief =
        start(
            Map.of("TF_CONFIG", config(cluster, "chief", 0)),
            training("workers").toString(),
            "--output",
            output.toString());
    chief.await("that workers read");
    // The task's process ends, and with it the server: the other worker does the rest.
    second.process().destroyForcibly();
    assertThat(chief.end()).as("it said %s", chief.seen()).isZero();
    assertThat(String.join("\n", chief.seen()))
        .contains("step 150 of 150")
        .contains("of the examples held back: mse");
    assertThat(output.resolve("model").resolve("saved_model.pb")).exists();
  }

  @Test
  void aPortThatIsTakenAndAPeerThatDoesNotAnswerAreTold() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ClusterSpec cluster =
          ClusterSpec.builder()
              .job("ps", "127.0.0.1:" + taken.getLocalPort())
              .job("worker", "127.0.0.1:1")
              .build();
      Started ps = start(Map.of("TF_CONFIG", config(cluster, "ps", 0)));
      assertThat(ps.end()).isEqualTo(1);
      assertThat(ps.seen()).anyMatch(line -> line.contains("Could not start gRPC server"));
      assertThat(ps.seen()).anyMatch(line -> line.contains("127.0.0.1:" + taken.getLocalPort()));
    }
    ClusterSpec away = LocalCluster.spec(1, 1);
    Started chief =
        start(
            Map.of("TF_CONFIG", config(away, "chief", 0)),
            training("chief").toString(),
            "--output",
            folder.resolve("o").toString(),
            "--patience",
            "1");
    assertThat(chief.end()).isEqualTo(1);
    assertThat(chief.seen())
        .anyMatch(
            line ->
                line.contains("parameter server 0 at " + away.taskAddress("ps", 0))
                    && line.contains("does not answer; tried for 1 s"));
  }

  @Test
  void whatIsNotSaidIsAskedFor() throws IOException, InterruptedException {
    Started nothing = start(Map.of("TF_CONFIG", ""));
    assertThat(nothing.end()).isEqualTo(2);
    assertThat(nothing.seen()).anyMatch(line -> line.startsWith("sedge train: "));
    ClusterSpec outside =
        ClusterSpec.builder()
            .job("ps", "203.0.113.7:2222")
            .job("worker", "203.0.113.8:2222")
            .build();
    Started open = start(Map.of("TF_CONFIG", config(outside, "ps", 0)));
    assertThat(open.end()).isEqualTo(2);
    assertThat(open.seen()).anyMatch(line -> line.contains("insecureNetwork"));
  }

  private static String unusedPort() {
    String address = LocalCluster.spec(1, 1).taskAddress("ps", 0);
    return address.substring(address.indexOf(':') + 1);
  }

  /** Two tasks of a Slurm step on this machine: ports follow the rank on the host. */
  @Test
  void slurmFindsTheCluster() throws IOException, InterruptedException {
    String base = unusedPort();
    Map<String, String> step =
        Map.of(
            "SLURM_STEP_NUM_TASKS", "2",
            "SLURM_STEP_NODELIST", "localhost",
            "SLURM_STEP_TASKS_PER_NODE", "2",
            "SLURM_PROCID", "0");
    Started ps = start(step, "--resolver", "slurm", "--jobs", "ps=1,worker=1", "--port", base);
    assertThat(ps.await("serves at")).contains("ps 0 serves at grpc://localhost:" + base);
  }

  @Test
  void kubernetesFindsTheCluster() throws IOException {
    String port = unusedPort();
    for (Map.Entry<String, String> pod :
        Map.of("ps", "127.0.0.1", "worker", "127.0.0.2").entrySet()) {
      client
          .pods()
          .inNamespace("test")
          .resource(
              new PodBuilder()
                  .withNewMetadata()
                  .withName(pod.getKey() + "-0")
                  .withNamespace("test")
                  .addToLabels("app", pod.getKey())
                  .endMetadata()
                  .withNewStatus()
                  .withPhase("Running")
                  .withPodIP(pod.getValue())
                  .endStatus()
                  .build())
          .create();
    }
    Started ps =
        start(
            Map.of(
                "KUBERNETES_MASTER",
                "http://" + server.getHostName() + ":" + server.getPort(),
                "KUBERNETES_NAMESPACE",
                "test",
                "KUBERNETES_TRUST_CERTIFICATES",
                "true"),
            "--resolver",
            "kubernetes",
            "--selector",
            "ps=app=ps",
            "--selector",
            "worker=app=worker",
            "--port",
            port,
            "--role",
            "ps",
            "--index",
            "0");
    assertThat(ps.await("serves at")).contains("ps 0 serves at grpc://127.0.0.1:" + port);
  }
}
