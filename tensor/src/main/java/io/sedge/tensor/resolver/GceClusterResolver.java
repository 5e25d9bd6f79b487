package io.sedge.tensor.resolver;

import com.fasterxml.jackson.databind.JsonNode;
import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import io.sedge.tensor.internal.Addresses;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A resolver for the running instances of a group of Google Compute Engine. Like TensorFlow's
 * {@code GCEClusterResolver}: every instance is a task of one job, numbered in the order of the
 * addresses as strings.
 *
 * <p>Asks the API of Compute Engine as the service account of the instance where the program runs,
 * which needs {@code compute.instanceGroups.list} and {@code compute.instances.get}. A union of
 * several such resolvers makes a cluster of several jobs.
 */
public final class GceClusterResolver extends SettledResolver {
  private static final int MOST_PAGES = 20;
  private static final int PAGE = 500;

  private final HttpCalls http;
  private final GceOptions options;

  /** A resolver for workers; this process is the first. */
  public GceClusterResolver(HttpCalls http, GceOptions options) {
    this(http, options, ResolverSettings.defaults());
  }

  /** A resolver for the job of the settings, {@code worker} unless set, and its task, else 0. */
  public GceClusterResolver(HttpCalls http, GceOptions options, ResolverSettings settings) {
    super(settings);
    this.http = http;
    this.options = options;
  }

  @Override
  public ClusterSpec clusterSpec() {
    Map<String, String> authorization = Map.of("Authorization", "Bearer " + token());
    List<String> addresses =
        new ArrayList<>(
            instances(authorization).stream()
                .map(name -> Addresses.join(ip(name, authorization), options.port()))
                .toList());
    addresses.sort(null);
    return translate(
        group(), Reason.INVALID, () -> ClusterSpec.builder().job(taskType(), addresses).build());
  }

  /** The address of the task asked for, else of this process's. */
  @Override
  public String master(
      @Nullable String askedType, @Nullable Integer askedId, @Nullable String rpcLayer) {
    return url(
        rpcLayer,
        address(
            clusterSpec(),
            group(),
            Reason.NOT_READY,
            or(askedType, taskType()),
            or(askedId, taskId())));
  }

  @Override
  public String taskType() {
    return or(settings.taskType(), "worker");
  }

  @Override
  public Integer taskId() {
    return or(settings.taskId(), 0);
  }

  @Override
  public String rpcLayer() {
    return or(settings.rpcLayer(), "grpc");
  }

  /**
   * This resolver for another task of the same job.
   *
   * @throws IllegalArgumentException for another job, which would be a cluster of other tasks
   */
  @Override
  public GceClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    if (taskType != null && !taskType.equals(taskType())) {
      throw new IllegalArgumentException(
          "You cannot reset the task_type of the GCEClusterResolver after it has been created: it"
              + " is '"
              + taskType()
              + "', not '"
              + taskType
              + "'");
    }
    return new GceClusterResolver(http, options, settings.withTask(settings.taskType(), taskId));
  }

  @Override
  public GceClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new GceClusterResolver(http, options, settings.withRpcLayer(rpcLayer));
  }

  private String group() {
    return "Instance group "
        + options.project()
        + "/"
        + options.zone()
        + "/"
        + options.instanceGroup();
  }

  private String token() {
    URI uri =
        options.metadata().resolve("computeMetadata/v1/instance/service-accounts/default/token");
    JsonNode answer = ask(uri, Map.of("Metadata-Flavor", "Google"), null);
    @Nullable String token = Json.text(answer, "access_token");
    if (token == null) {
      throw unreachable(uri + " gave no access_token", null);
    }
    return token;
  }

  /** The names of the group's running instances. */
  private List<String> instances(Map<String, String> authorization) {
    List<String> names = new ArrayList<>();
    String page = "";
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      String path =
          zone()
              + "instanceGroups/"
              + options.instanceGroup()
              + "/listInstances?maxResults="
              + PAGE;
      String token =
          page.isEmpty() ? "" : "&pageToken=" + URLEncoder.encode(page, StandardCharsets.UTF_8);
      JsonNode answer =
          ask(
              options.computeApi().resolve(path + token),
              authorization,
              "{\"instanceState\":\"RUNNING\"}");
      for (JsonNode item : answer.path("items")) {
        addRunning(names, item);
      }
      page = answer.path("nextPageToken").asText("");
      if (page.isEmpty()) {
        return names;
      }
    }
    throw new ClusterResolutionException(
        Reason.INVALID, group() + " has more than " + MOST_PAGES * PAGE + " instances");
  }

  /** Of the instance's URL only the name is used, so that the token goes to no other host. */
  private static void addRunning(List<String> names, JsonNode item) {
    @Nullable String instance = Json.text(item, "instance");
    if (instance != null && "RUNNING".equals(item.path("status").asText("RUNNING"))) {
      names.add(instance.substring(instance.lastIndexOf('/') + 1));
    }
  }

  private String ip(String instance, Map<String, String> authorization) {
    String path = zone() + "instances/" + URLEncoder.encode(instance, StandardCharsets.UTF_8);
    URI uri = options.computeApi().resolve(path);
    JsonNode answer = ask(uri, authorization, null);
    @Nullable String ip = Json.text(answer.path("networkInterfaces").path(0), "networkIP");
    if (ip == null) {
      throw new ClusterResolutionException(
          Reason.NOT_READY, "Instance '" + instance + "' of " + group() + " has no address yet");
    }
    return ip;
  }

  private String zone() {
    return "projects/" + options.project() + "/zones/" + options.zone() + "/";
  }

  private JsonNode ask(URI uri, Map<String, String> headers, @Nullable String body) {
    HttpCalls.Answer answer;
    try {
      answer = http.send(uri, headers, body);
    } catch (IOException e) {
      throw unreachable(group() + " could not be asked for at " + uri, e);
    }
    int status = answer.status();
    if (status == 200) {
      return Json.read(answer.body(), uri.toString(), Reason.UNREACHABLE);
    }
    boolean temporary = status == 408 || status == 429 || status >= 500;
    throw new ClusterResolutionException(
        temporary ? Reason.UNREACHABLE : Reason.INVALID,
        group() + " could not be read: " + uri + " answered " + status + advice(status));
  }

  private static String advice(int status) {
    return switch (status) {
      case 401, 403 ->
          "; the instance's service account needs compute.instanceGroups.list and"
              + " compute.instances.get";
      case 404 -> "; check project, zone and group";
      default -> "";
    };
  }

  private static ClusterResolutionException unreachable(String what, @Nullable Throwable cause) {
    return new ClusterResolutionException(
        Reason.UNREACHABLE, cause == null ? what : what + ": " + cause, cause);
  }
}
