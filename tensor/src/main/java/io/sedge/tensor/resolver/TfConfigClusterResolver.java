package io.sedge.tensor.resolver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.JobNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resolver for programs that are told of their cluster by the environment variable {@code
 * TF_CONFIG}, as Kubeflow, Vertex AI and YARN do. Like TensorFlow's {@code
 * TFConfigClusterResolver}.
 *
 * <pre>{@code
 * {"cluster": {"ps": ["host1:2222"], "worker": ["host2:2222", "host3:2222"]},
 *  "task": {"type": "worker", "index": 1},
 *  "rpc_layer": "grpc"}
 * }</pre>
 *
 * <p>The jobs may also be maps from index to address, and stand under {@code sparseCluster}, which
 * is where Kubeflow puts them for workers that come and go. {@code session_master} is the master
 * whatever is asked. Without the variable the cluster is empty. An evaluator that the cluster does
 * not list, as Kubeflow leaves it out, is its own master.
 */
public final class TfConfigClusterResolver extends SettledResolver {
  private static final String VARIABLE = "TF_CONFIG";
  private static final String EVALUATOR = "evaluator";

  private final Environment variables;

  /** A resolver that finds everything in the variable. */
  public TfConfigClusterResolver(Environment variables) {
    this(variables, ResolverSettings.defaults());
  }

  /** A resolver whose settings, where set, win over the variable. */
  public TfConfigClusterResolver(Environment variables, ResolverSettings settings) {
    super(settings);
    this.variables = variables;
  }

  @Override
  public ClusterSpec clusterSpec() {
    return cluster(config());
  }

  @Override
  public String master(
      @Nullable String askedType, @Nullable Integer askedId, @Nullable String rpcLayer) {
    JsonNode config = config();
    @Nullable String sessionMaster = Json.text(config, "session_master");
    if (sessionMaster != null) {
      return sessionMaster;
    }
    ClusterSpec cluster = cluster(config);
    @Nullable String type = askedType == null ? taskType(config) : askedType;
    @Nullable Integer id = askedId == null ? taskId(config) : askedId;
    if (EVALUATOR.equals(type) && !cluster.hasJob(EVALUATOR)) {
      return "";
    }
    String address = masterOfWhole(cluster, VARIABLE, type, id);
    return address.isEmpty() ? "" : url(rpcLayer == null ? layer(config) : rpcLayer, address);
  }

  @Override
  public Map<String, Integer> numAccelerators(
      @Nullable String askedType, @Nullable Integer askedId) {
    JsonNode config = config();
    return super.numAccelerators(
        askedType == null ? taskType(config) : askedType,
        askedId == null ? taskId(config) : askedId);
  }

  @Override
  public @Nullable String taskType() {
    return taskType(config());
  }

  @Override
  public @Nullable Integer taskId() {
    return taskId(config());
  }

  @Override
  public @Nullable String rpcLayer() {
    return layer(config());
  }

  @Override
  public TfConfigClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    return new TfConfigClusterResolver(variables, settings.withTask(taskType, taskId));
  }

  @Override
  public TfConfigClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new TfConfigClusterResolver(variables, settings.withRpcLayer(rpcLayer));
  }

  private JsonNode config() {
    @Nullable String text = variables.get(VARIABLE);
    if (text == null) {
      return JsonNodeFactory.instance.objectNode();
    }
    JsonNode config = Json.read(text, VARIABLE, Reason.INVALID);
    if (config.isArray() && config.isEmpty()) {
      return JsonNodeFactory.instance.objectNode(); // TensorFlow takes it for no cluster too
    }
    if (!config.isObject()) {
      throw invalid("is not an object with the keys cluster and task, but " + config);
    }
    return config;
  }

  private static ClusterSpec cluster(JsonNode config) {
    String key = config.has("cluster") ? "cluster" : "sparseCluster";
    JsonNode jobs = config.path(key);
    if (jobs.isMissingNode()) {
      return ClusterSpec.empty();
    }
    if (!jobs.isObject()) {
      throw invalid("has a " + key + " that is not an object from job to tasks, but " + jobs);
    }
    Map<String, Object> tasksByJob = new LinkedHashMap<>();
    jobs.properties().forEach(job -> tasksByJob.put(job.getKey(), plain(job.getValue())));
    return translate(VARIABLE + ", " + key, Reason.INVALID, () -> ClusterSpec.of(tasksByJob));
  }

  /** The value in the form of {@link ClusterSpec#of}, which refuses what is wrong in it. */
  private static Object plain(JsonNode value) {
    if (value.isArray()) {
      List<Object> items = new ArrayList<>();
      value.forEach(item -> items.add(plain(item)));
      return items;
    }
    if (value.isObject()) {
      Map<String, Object> fields = new LinkedHashMap<>();
      value.properties().forEach(field -> fields.put(field.getKey(), plain(field.getValue())));
      return fields;
    }
    return value.isTextual() ? value.textValue() : value;
  }

  private @Nullable String taskType(JsonNode config) {
    JsonNode type = config.path("task").path("type");
    if (settings.taskType() != null || type.isMissingNode()) {
      return settings.taskType();
    }
    if (!type.isTextual()) {
      throw invalid("has a task.type that is not a string, but " + type);
    }
    return translate(
        VARIABLE + ", task.type", Reason.INVALID, () -> JobNames.check(type.textValue()));
  }

  private @Nullable Integer taskId(JsonNode config) {
    JsonNode index = config.path("task").path("index");
    if (settings.taskId() != null || index.isMissingNode()) {
      return settings.taskId();
    }
    try {
      if (index.isTextual()) {
        return checked(Integer.parseInt(index.textValue().strip()));
      }
    } catch (NumberFormatException e) {
      throw invalid("has a task.index that is not a whole number, but " + index);
    }
    if (!index.isNumber() || !index.canConvertToExactIntegral() || !index.canConvertToInt()) {
      throw invalid("has a task.index that is not a whole number, but " + index);
    }
    return checked(index.intValue());
  }

  private static int checked(int index) {
    if (index < 0 || index > ClusterSpec.MOST_TASK_INDEX) {
      throw invalid(
          "has a task.index of " + index + ", not from 0 to " + ClusterSpec.MOST_TASK_INDEX);
    }
    return index;
  }

  private @Nullable String layer(JsonNode config) {
    return settings.rpcLayer() == null ? Json.text(config, "rpc_layer") : settings.rpcLayer();
  }

  private static ClusterResolutionException invalid(String what) {
    return new ClusterResolutionException(Reason.INVALID, VARIABLE + " " + what);
  }
}
