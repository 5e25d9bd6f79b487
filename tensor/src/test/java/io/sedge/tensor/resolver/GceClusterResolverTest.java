package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows GC-.., against a server that answers as Compute Engine and its metadata server do. */
class GceClusterResolverTest {
  private static final String PREFIX = "/compute/v1/projects/plant/zones/us-east1-d/";
  private static final String TOKEN = "/computeMetadata/v1/instance/service-accounts/default/token";

  /** Instance groups: names of instances to addresses. */
  private final Map<String, Map<String, String>> groups = new ConcurrentHashMap<>();

  private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
  private HttpServer server;
  private HttpClient client;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client = HttpClient.newHttpClient();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    client.close();
  }

  /** GC-01, GC-02. */
  @Test
  void aRunningInstanceIsATask() {
    group("workers", "10.123.45.67");
    GceClusterResolver resolver = resolver("workers", 8470);

    assertThat(resolver.clusterSpec().asMap())
        .isEqualTo(Map.of("worker", List.of("10.123.45.67:8470")));
    assertThat(resolver.master()).isEqualTo("grpc://10.123.45.67:8470");
    assertThat(resolver.withRpcLayer("").master("worker", 0, null)).isEqualTo("10.123.45.67:8470");
  }

  /** GC-05: 0 is a value; an empty job, which TensorFlow allows there, is none. */
  @Test
  void taskZeroIsATaskLikeAnyOther() {
    group("workers", "10.1.2.3", "10.1.2.4");

    assertThat(resolver("workers", 8470).withTask(null, 1).master("worker", 0))
        .isEqualTo("grpc://10.1.2.3:8470");
    assertThat(resolver("workers", 8470).withTask(null, 1).master())
        .isEqualTo("grpc://10.1.2.4:8470");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ResolverSettings.defaults().withTask("", 0))
        .withMessageStartingWith("Job name '' is not");
  }

  /** GC-06. */
  @Test
  void jobAndPortCanBeChosen() {
    group("workers", "10.123.45.67");

    assertThat(
            new GceClusterResolver(
                    http(),
                    options("workers", 2222),
                    ResolverSettings.defaults().withTask("custom", null))
                .clusterSpec()
                .asMap())
        .isEqualTo(Map.of("custom", List.of("10.123.45.67:2222")));
  }

  /** GC-07; the API gives two of them on each page here. */
  @Test
  void instancesAreSortedByAddressOverAllPages() {
    group("workers", "10.3.3.3", "10.1.1.1", "10.2.2.2", "10.10.1.1", "10.0.0.9");

    assertThat(resolver("workers", 8470).clusterSpec().jobTasks("worker"))
        .containsExactly(
            "10.0.0.9:8470", "10.1.1.1:8470", "10.10.1.1:8470", "10.2.2.2:8470", "10.3.3.3:8470");
  }

  /** GC-08. */
  @Test
  void aUnionOfGroupsIsAClusterOfSeveralJobs() {
    group("one", "10.1.2.3", "10.1.2.4", "10.1.2.5");
    group("two", "10.4.5.6", "10.4.5.7", "10.4.5.8");
    group("ps", "10.100.1.2", "10.100.3.4");

    assertThat(
            new UnionClusterResolver(
                    resolver("one", 8470),
                    resolver("two", 8470),
                    new GceClusterResolver(
                        http(), options("ps", 2222), ResolverSettings.defaults().withTask("ps", 0)))
                .clusterSpec()
                .asMap())
        .isEqualTo(
            Map.of(
                "worker",
                List.of(
                    "10.1.2.3:8470",
                    "10.1.2.4:8470",
                    "10.1.2.5:8470",
                    "10.4.5.6:8470",
                    "10.4.5.7:8470",
                    "10.4.5.8:8470"),
                "ps",
                List.of("10.100.1.2:2222", "10.100.3.4:2222")));
  }

  /** GC-09. */
  @Test
  void theJobCannotBeChangedLater() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> resolver("workers", 8470).withTask("foobar", 0))
        .withMessage(
            "You cannot reset the task_type of the GCEClusterResolver after it has been created: it"
                + " is 'worker', not 'foobar'");
    assertThat(resolver("workers", 8470).withTask("worker", 3).taskId()).isEqualTo(3);
  }

  @Test
  void theGroupIsAskedForAnewEachTime() {
    group("workers", "10.1.1.1");
    GceClusterResolver resolver = resolver("workers", 1);
    assertThat(resolver.clusterSpec().numTasks("worker")).isEqualTo(1);

    group("workers", "10.1.1.1", "10.1.1.2");
    assertThat(resolver.clusterSpec().numTasks("worker")).isEqualTo(2);

    group("workers");
    assertThat(resolver.clusterSpec().numTasks("worker")).isZero();
    assertThatThrownBy(resolver::master)
        .isInstanceOfSatisfying(
            ClusterResolutionException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NOT_READY));
  }

  @ParameterizedTest
  @CsvSource({
    "401, INVALID, compute.instances.get",
    "403, INVALID, compute.instances.get",
    "404, INVALID, 'check project, zone and group'",
    "429, UNREACHABLE, answered 429",
    "503, UNREACHABLE, answered 503"
  })
  void anAnswerThatIsNoneIsExplained(int status, Reason reason, String advice) {
    group("workers", "10.1.1.1");
    statuses.put("workers", status);

    assertThatThrownBy(() -> resolver("workers", 1).clusterSpec())
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageStartingWith("Instance group plant/us-east1-d/workers could not be read: http")
        .hasMessageContaining(advice)
        .hasMessageNotContaining("secret");
  }

  @Test
  void aServiceThatIsNotThereMayComeBack() {
    group("workers", "10.1.1.1");
    GceClusterResolver resolver = resolver("workers", 1);
    server.stop(0);

    assertThatThrownBy(resolver::clusterSpec)
        .isInstanceOfSatisfying(
            ClusterResolutionException.class, e -> assertThat(e.isRetryable()).isTrue())
        .hasMessageStartingWith(
            "Instance group plant/us-east1-d/workers could not be asked for at");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "a b", "../x", "a?b"})
  void aNameThatWouldLeadElsewhereIsRefused(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GceOptions.of("plant", "zone", name, 1))
        .withMessageStartingWith("The name '" + name + "' of the instance group is not");
  }

  private void group(String name, String... ips) {
    Map<String, String> instances = new TreeMap<>();
    for (String ip : ips) {
      instances.put(name + "-" + instances.size(), ip);
    }
    groups.put(name, instances);
  }

  private GceClusterResolver resolver(String group, int port) {
    return new GceClusterResolver(http(), options(group, port));
  }

  private JdkHttpCalls http() {
    return new JdkHttpCalls(client, Duration.ofSeconds(20));
  }

  private GceOptions options(String group, int port) {
    URI base =
        URI.create(
            "http://"
                + server.getAddress().getHostString()
                + ":"
                + server.getAddress().getPort()
                + "/");
    return GceOptions.of("plant", "us-east1-d", group, port)
        .withServices(base.resolve("compute/v1/"), base);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (path.equals(TOKEN)) {
      boolean flavoured = "Google".equals(exchange.getRequestHeaders().getFirst("Metadata-Flavor"));
      send(exchange, flavoured ? 200 : 403, "{\"access_token\": \"secret\"}");
    } else if (!"Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      send(exchange, 401, "{}");
    } else if (path.startsWith(PREFIX + "instanceGroups/")) {
      boolean right = exchange.getRequestMethod().equals("POST") && asked.contains("RUNNING");
      String name =
          path.substring((PREFIX + "instanceGroups/").length()).replace("/listInstances", "");
      send(
          exchange,
          right ? statuses.getOrDefault(name, 200) : 400,
          page(name, exchange.getRequestURI().getRawQuery()));
    } else {
      send(exchange, 200, instance(path.substring((PREFIX + "instances/").length())));
    }
  }

  private String page(String group, String query) {
    List<String> names = new ArrayList<>(groups.get(group).keySet());
    int begin =
        query.contains("pageToken=")
            ? Integer.parseInt(query.replaceAll(".*&pageToken=at%26", ""))
            : 0;
    int end = Math.min(names.size(), begin + 2);
    List<String> items =
        names.subList(begin, end).stream()
            .map(
                name ->
                    "{\"instance\": \"https://elsewhere.example/x/"
                        + name
                        + "\", \"status\": \"RUNNING\"}")
            .toList();
    String next = end < names.size() ? ", \"nextPageToken\": \"at&" + end + "\"" : "";
    return "{\"items\": [" + String.join(",", items) + "]" + next + "}";
  }

  private String instance(String name) {
    String group = name.substring(0, name.lastIndexOf('-'));
    return "{\"networkInterfaces\": [{\"networkIP\": \"" + groups.get(group).get(name) + "\"}]}";
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
