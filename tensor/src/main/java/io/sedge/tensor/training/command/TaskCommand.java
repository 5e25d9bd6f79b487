package io.sedge.tensor.training.command;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.resolver.Backoff;
import io.sedge.tensor.resolver.Environment;
import io.sedge.tensor.resolver.KubernetesClusterResolver;
import io.sedge.tensor.resolver.KubernetesOptions;
import io.sedge.tensor.resolver.ResolverSettings;
import io.sedge.tensor.resolver.RetryingClusterResolver;
import io.sedge.tensor.resolver.SlurmClusterResolver;
import io.sedge.tensor.resolver.SlurmOptions;
import io.sedge.tensor.resolver.TfConfigClusterResolver;
import io.sedge.tensor.runtime.RestartPolicy;
import io.sedge.tensor.runtime.ServerProcess;
import io.sedge.tensor.runtime.ServerProcessOptions;
import io.sedge.tensor.runtime.ServerTask;
import io.sedge.tensor.training.cluster.ParameterServerStrategy;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * One task of a cluster of several machines: a parameter server, a worker, or the chief that
 * trains.
 */
@Command(
    name = "task",
    sortOptions = false,
    usageHelpAutoWidth = true,
    description = {
      "Runs one task of a training on several machines. Every machine is given the same cluster,",
      "in TF_CONFIG or by what --resolver names. ps and worker serve until they are ended; the",
      "chief trains what FILE says, on its own data.",
      "",
      "TensorFlow's servers authenticate nobody and encrypt nothing: whoever reaches their ports",
      "can run anything. Use a network that is closed to others, and say so: --insecure-network.",
      ""
    },
    footer = {
      "",
      "Example, on the second of two workers:",
      "  TF_CONFIG='{\"cluster\": {\"chief\": [\"10.0.0.1:2222\"], \"ps\": [\"10.0.0.1:2223\"],",
      "    \"worker\": [\"10.0.0.2:2222\", \"10.0.0.3:2222\"]}, \"task\": {\"type\": \"worker\","
          + " \"index\": 1}}'",
      "  sedge train task --insecure-network"
    })
final class TaskCommand implements Callable<Integer> {
  private static final Backoff PATIENCE =
      new Backoff(60, Duration.ofSeconds(1), Duration.ofSeconds(10));

  private final PrintStream out;
  private final boolean isTerminal;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The training file; only the chief needs it.")
  private @Nullable Path file;

  @Option(
      names = "--resolver",
      paramLabel = "NAME",
      description = "How the cluster is found: tf-config (the default), slurm, kubernetes.")
  private String resolver = "tf-config";

  @Option(
      names = "--role",
      paramLabel = "JOB",
      description = "This task's job: chief, ps or worker; else what the resolver says.")
  private @Nullable String role;

  @Option(
      names = "--index",
      paramLabel = "N",
      description = "This task's index in its job; else what the resolver says.")
  private @Nullable Integer index;

  @Option(
      names = "--jobs",
      paramLabel = "JOB=TASKS",
      split = ",",
      description = "slurm: how many tasks each job has, for example ps=1,worker=3.")
  private Map<String, Integer> jobs = new LinkedHashMap<>();

  @Option(
      names = "--selector",
      paramLabel = "JOB=LABEL",
      description = "kubernetes: the pods of a job, for example worker=app=w; for each job.")
  private List<String> selectors = List.of();

  @Option(names = "--port", paramLabel = "PORT", description = "slurm, kubernetes: the port.")
  private int port = 2222;

  @Option(
      names = "--insecure-network",
      description = "The network is closed to others; serve on addresses that are not loopback.")
  private boolean isInsecureNetwork;

  @Mixin private ChiefOptions chief = new ChiefOptions();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this.")
  void help(boolean asked) {}

  TaskCommand(PrintStream out, boolean isTerminal) {
    this.out = out;
    this.isTerminal = isTerminal;
  }

  @Override
  public Integer call() throws Exception {
    return switch (resolver) {
      case "tf-config" -> run(new TfConfigClusterResolver(Environment.ofProcess(), settings()));
      case "slurm" -> {
        SlurmOptions options = SlurmOptions.defaults().withPortBase(port);
        yield run(
            new SlurmClusterResolver(
                Environment.ofProcess(),
                jobs.isEmpty() ? options : options.withJobs(jobs),
                settings()));
      }
      case "kubernetes" -> {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
          KubernetesOptions options =
              KubernetesOptions.defaults().withSelectors(labels()).withPort(port);
          yield run(new KubernetesClusterResolver(client, options, settings()));
        }
      }
      default ->
          throw new UsageException(
              "--resolver " + resolver + " is not one of tf-config, slurm, kubernetes");
    };
  }

  private ResolverSettings settings() {
    return ResolverSettings.defaults().withTask(role, index);
  }

  private Map<String, List<String>> labels() {
    Map<String, List<String>> labels = new LinkedHashMap<>();
    for (String selector : selectors) {
      int equals = selector.indexOf('=');
      if (equals < 1) {
        throw new UsageException("--selector " + selector + " is not of the form JOB=LABEL");
      }
      labels.put(selector.substring(0, equals), List.of(selector.substring(equals + 1)));
    }
    if (labels.isEmpty()) {
      throw new UsageException("kubernetes: which pods are which job? --selector worker=app=w");
    }
    return labels;
  }

  private int run(ClusterResolver found) throws Exception {
    ClusterResolver patient = new RetryingClusterResolver(found, PATIENCE, Thread::sleep);
    ParameterServerStrategy strategy = ParameterServerStrategy.of(patient);
    String job = role != null ? role : patient.taskType();
    Integer task = index != null ? index : patient.taskId();
    if (job == null) {
      throw new UsageException(
          "which task is this? Neither the resolver nor --role says; the jobs are "
              + strategy.cluster().jobs());
    }
    return switch (job) {
      case ParameterServerStrategy.CHIEF -> train(strategy.cluster(), found);
      case ParameterServerStrategy.EVALUATOR -> {
        out.println("nothing to do for an evaluator: the chief evaluates what it trained");
        yield 0;
      }
      default -> serve(strategy.cluster(), job, task == null ? 0 : task);
    };
  }

  private int train(ClusterSpec cluster, ClusterResolver membership) throws Exception {
    if (file == null) {
      throw new UsageException("the chief needs a training FILE");
    }
    TrainingFile training = TrainingFile.read(file);
    training = chief.adjusted(training);
    training =
        training.withTasks(
            cluster.numTasks(ParameterServerStrategy.WORKER),
            cluster.numTasks(ParameterServerStrategy.PS));
    new ChiefRun(training, out, isTerminal, chief).run(() -> cluster, membership);
    return 0;
  }

  private int serve(ClusterSpec cluster, String job, int task) {
    ServerProcessOptions options =
        ServerProcessOptions.defaults().withRestart(RestartPolicy.backingOff());
    if (isInsecureNetwork) {
      options = options.withInsecureNetwork();
    }
    try (ServerProcess server = ServerProcess.start(ServerTask.of(cluster, job, task), options)) {
      out.printf("%s %d serves at %s%n", job, task, server.target());
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      out.printf("%s %d was ended%n", job, task);
    }
    return 0;
  }
}
