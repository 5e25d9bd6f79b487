package io.sedge.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifests, against three versions of Kubernetes. No cluster is needed, and none was seen. */
class ManifestTest {
  private static final Path ROOT = Path.of("kubernetes");
  private static final String KUSTOMIZATION = "kustomization.yaml";

  /** What is no part of Kubernetes: the operator's own. */
  private static final Set<String> FOREIGN = Set.of("monitoring.coreos.com/v1");

  private static final Set<String> WORKLOADS = Set.of("StatefulSet", "Deployment");

  private static final Set<String> KUSTOMIZE_FIELDS =
      Set.of(
          "apiVersion",
          "kind",
          "namespace",
          "resources",
          "components",
          "labels",
          "images",
          "patches",
          "replicas");

  static Set<String> versions() {
    return KubernetesModels.versions();
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  private static List<Map<?, ?>> objects(String text) {
    List<Map<?, ?>> objects = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(text)
        .forEach(object -> objects.add((Map<?, ?>) object));
    return objects;
  }

  private static Map<?, ?> kustomization(Path directory) throws IOException {
    return objects(Files.readString(directory.resolve(KUSTOMIZATION))).getFirst();
  }

  private static List<Path> kustomizations() throws IOException {
    return files().stream()
        .filter(file -> file.endsWith(KUSTOMIZATION))
        .map(Path::getParent)
        .toList();
  }

  private static List<?> list(Map<?, ?> object, String key) {
    return object.get(key) instanceof List<?> list ? list : List.of();
  }

  /** Of a path in a kustomization; those of patches are parts of objects. */
  private static Set<Path> patches() throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path directory : kustomizations()) {
      for (Object patch : list(kustomization(directory), "patches")) {
        if (((Map<?, ?>) patch).get("path") instanceof String path) {
          found.add(directory.resolve(path));
        }
      }
    }
    return Set.copyOf(found);
  }

  @ParameterizedTest
  @MethodSource("versions")
  void eachManifestIsAccepted(String version) throws Exception {
    List<String> problems = new ArrayList<>();
    int looked = 0;
    Set<Path> patches = patches();
    try (KubernetesModels models = KubernetesModels.of(version)) {
      for (Path file : files()) {
        for (Map<?, ?> object : objects(Files.readString(file))) {
          if (!file.endsWith(KUSTOMIZATION) && !FOREIGN.contains(object.get("apiVersion"))) {
            looked++;
            models.problems(object, !patches.contains(file)).stream()
                .map(problem -> file + ": " + problem)
                .forEach(problems::add);
          }
        }
      }
    }
    assertThat(problems).isEmpty();
    assertThat(looked).isGreaterThan(12);
  }

  /** A check that lets everything pass would be worth nothing. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "replicas: 3 | replica: 3 | StatefulSet.spec has no field replica",
        "replicas: 3 | replicas: three | StatefulSet.spec.replicas is no Integer but three",
        "serviceName: sedge | serviceName: 7 | StatefulSet.spec.serviceName is no String but 7",
        "readOnlyRootFilesystem: true | readOnlyRootFilesystem: 'yes' | .readOnlyRootFilesystem is"
            + " no Boolean but yes",
        "drop: [ALL] | drop: ALL | .capabilities.drop is no list but ALL",
        "memory: 512Mi | memory: 512 megabytes | .memory is no Quantity but 512 megabytes",
        "containerPort: 7410 | hostPorts: 7410 | ports[0] lacks containerPort",
        "apiVersion: apps/v1 | apiVersion: apps/v1beta7 | there is no apps/v1beta7 StatefulSet",
        "apiVersion: apps/v1 | apiVersion: v1 | there is no v1 StatefulSet",
        "kind: StatefulSet | kind: StatefullSet | there is no apps/v1 StatefullSet"
      })
  void aWrongOneIsRefused(String right, String wrong, String problem) throws Exception {
    String text = Files.readString(ROOT.resolve("site/statefulset.yaml"));
    assertThat(text).contains(right);
    Map<?, ?> object = objects(text.replaceFirst(right.replace("[", "\\["), wrong)).getFirst();
    for (String version : versions()) {
      try (KubernetesModels models = KubernetesModels.of(version)) {
        assertThat(String.join("\n", models.problems(object, true))).as(version).contains(problem);
      }
    }
  }

  @Test
  void kustomizationsNameWhatIsThere() throws Exception {
    for (Path directory : kustomizations()) {
      Map<?, ?> kustomization = kustomization(directory);
      assertThat(KUSTOMIZE_FIELDS).as(directory.toString()).containsAll(names(kustomization));
      for (String key : List.of("resources", "components")) {
        for (Object resource : list(kustomization, key)) {
          Path named = directory.resolve(String.valueOf(resource));
          assertThat(named).exists();
          // Kustomize takes no file from beside its directory, only whole bases.
          assertThat(Files.isDirectory(named) || named.normalize().startsWith(directory))
              .as(named.toString())
              .isTrue();
        }
      }
    }
  }

  private static Set<String> names(Map<?, ?> object) {
    return object.keySet().stream().map(String::valueOf).collect(Collectors.toSet());
  }

  /** Patches by place change what stands there today. */
  @Test
  void patchesOfTheExampleMeetWhatTheyMean() throws Exception {
    int met = 0;
    for (Object patch : list(kustomization(ROOT.resolve("example")), "patches")) {
      if (((Map<?, ?>) patch).get("patch") instanceof String text) {
        String kind = String.valueOf(((Map<?, ?>) ((Map<?, ?>) patch).get("target")).get("kind"));
        Path file =
            kind.equals("StatefulSet")
                ? ROOT.resolve("site/statefulset.yaml")
                : ROOT.resolve("center/deployment.yaml");
        List<?> arguments = arguments(objects(Files.readString(file)).getFirst());
        Object loaded = new Load(LoadSettings.builder().build()).loadFromString(text);
        for (Object step : (List<?>) loaded) {
          String path = String.valueOf(((Map<?, ?>) step).get("path"));
          String value = String.valueOf(((Map<?, ?>) step).get("value"));
          String place = path.substring(path.lastIndexOf('/') + 1);
          if (!place.equals("-")) {
            assertThat(String.valueOf(arguments.get(Integer.parseInt(place))))
                .startsWith(value.substring(0, value.indexOf('=')));
          }
          met++;
        }
      }
    }
    assertThat(met).isEqualTo(1);
  }

  private static List<?> arguments(Map<?, ?> workload) {
    Object at = workload;
    for (String name : List.of("spec", "template", "spec", "containers")) {
      at = ((Map<?, ?>) at).get(name);
    }
    return list((Map<?, ?>) ((List<?>) at).getFirst(), "args");
  }

  /**
   * A workload of all files, with its patches.
   *
   * @param labels of its pods
   * @param ports names of the ports of its containers
   */
  private record Workload(Map<?, ?> labels, Set<String> ports) {}

  private static Object at(Object object, String... path) {
    Object found = object;
    for (String name : path) {
      found = found instanceof Map<?, ?> map && map.get(name) != null ? map.get(name) : Map.of();
    }
    return found;
  }

  private static List<Map<?, ?>> maps(Object object, String... path) {
    List<Map<?, ?>> maps = new ArrayList<>();
    if (at(object, path) instanceof List<?> list) {
      list.forEach(each -> maps.add((Map<?, ?>) each));
    }
    return maps;
  }

  private static Set<String> texts(List<Map<?, ?>> maps, String key) {
    return maps.stream().map(map -> String.valueOf(map.get(key))).collect(Collectors.toSet());
  }

  private static List<Map<?, ?>> containers(Map<?, ?> workload) {
    return maps(workload, "spec", "template", "spec", "containers");
  }

  private static List<Map<?, ?>> all(Set<String> kinds) throws IOException {
    List<Map<?, ?>> found = new ArrayList<>();
    for (Path file : files()) {
      objects(Files.readString(file)).stream()
          .filter(object -> kinds.contains(String.valueOf(object.get("kind"))))
          .forEach(found::add);
    }
    return found;
  }

  /** By their names. */
  private static Map<String, Workload> workloads() throws IOException {
    Map<String, Workload> workloads = new HashMap<>();
    for (Map<?, ?> object : all(WORKLOADS)) {
      Map<Object, Object> labels =
          new HashMap<>((Map<?, ?>) at(object, "spec", "template", "metadata", "labels"));
      Set<String> ports = new HashSet<>();
      containers(object)
          .forEach(container -> ports.addAll(texts(maps(container, "ports"), "name")));
      workloads.merge(
          String.valueOf(at(object, "metadata", "name")),
          new Workload(labels, ports),
          (one, other) -> {
            labels.putAll(one.labels());
            ports.addAll(one.ports());
            return new Workload(labels, ports);
          });
    }
    return workloads;
  }

  private static boolean has(Map<?, ?> labels, Map<?, ?> selector) {
    return selector.entrySet().stream()
        .allMatch(label -> Objects.equals(labels.get(label.getKey()), label.getValue()));
  }

  private static Set<String> portsOf(Map<?, ?> selector) throws IOException {
    List<Workload> selected =
        workloads().values().stream().filter(workload -> has(workload.labels(), selector)).toList();
    assertThat(selected).as("selected by %s", selector).hasSize(1);
    return selected.getFirst().ports();
  }

  /** Kubernetes takes a selector that finds nothing, and a policy for a port that nobody has. */
  @Test
  void whatIsSelectedIsThereAndHasThePortsThatAreNamed() throws Exception {
    int named = 0;
    for (Map<?, ?> object : all(Set.of("Service", "NetworkPolicy", "PodDisruptionBudget"))) {
      Map<?, ?> selector =
          switch (String.valueOf(object.get("kind"))) {
            case "Service" -> (Map<?, ?>) at(object, "spec", "selector");
            case "NetworkPolicy" -> (Map<?, ?>) at(object, "spec", "podSelector", "matchLabels");
            default -> (Map<?, ?>) at(object, "spec", "selector", "matchLabels");
          };
      if (!selector.isEmpty()) { // else a patch
        Set<String> ports = portsOf(selector);
        List<Object> asked = new ArrayList<>();
        maps(object, "spec", "ports").forEach(port -> asked.add(port.get("targetPort")));
        maps(object, "spec", "ingress")
            .forEach(rule -> maps(rule, "ports").forEach(port -> asked.add(port.get("port"))));
        assertThat(ports)
            .as("%s", object)
            .containsAll(asked.stream().map(String::valueOf).toList());
        named += asked.size();
      }
    }
    assertThat(named).isGreaterThan(8);
  }

  @Test
  void workloadsSelectTheirOwnPodsAndMountAndProbeWhatTheyHave() throws Exception {
    int probes = 0;
    for (Map<?, ?> object : all(WORKLOADS)) {
      Map<?, ?> selector = (Map<?, ?>) at(object, "spec", "selector", "matchLabels");
      assertThat(has((Map<?, ?>) at(object, "spec", "template", "metadata", "labels"), selector))
          .as("%s", object)
          .isTrue();
      Set<String> volumes =
          new HashSet<>(texts(maps(object, "spec", "template", "spec", "volumes"), "name"));
      maps(object, "spec", "volumeClaimTemplates")
          .forEach(claim -> volumes.add(String.valueOf(at(claim, "metadata", "name"))));
      for (Map<?, ?> container : containers(object)) {
        assertThat(volumes).containsAll(texts(maps(container, "volumeMounts"), "name"));
        Set<String> ports = texts(maps(container, "ports"), "name");
        for (String probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
          for (String way : List.of("tcpSocket", "httpGet")) {
            if (at(container, probe, way, "port") instanceof String port) {
              assertThat(ports).contains(port);
              probes++;
            }
          }
        }
      }
    }
    assertThat(probes).isEqualTo(3);
  }

  /** An operator looks for the Service by its labels, and for the port by its name there. */
  @Test
  void whatIsMeasuredIsAServiceWithThatPort() throws Exception {
    Map<?, ?> monitor = all(Set.of("ServiceMonitor")).getFirst();
    Map<?, ?> selector = (Map<?, ?>) at(monitor, "spec", "selector", "matchLabels");
    List<Map<?, ?>> services =
        all(Set.of("Service")).stream()
            .filter(service -> has((Map<?, ?>) at(service, "metadata", "labels"), selector))
            .toList();
    assertThat(services).hasSize(1);
    assertThat(texts(maps(services.getFirst(), "spec", "ports"), "name"))
        .containsAll(texts(maps(monitor, "spec", "endpoints"), "port"));
  }

  /** The names by which devices know each other are those of the Service, in one namespace. */
  @Test
  void devicesListenAtTheNamesThatTheyJoinBy() throws Exception {
    String text = Files.readString(ROOT.resolve("site/statefulset.yaml"));
    String domain = ".sedge.$(POD_NAMESPACE).svc.cluster.local:";
    assertThat(text).contains("--listen=$(POD_NAME)" + domain + "7410");
    assertThat(text)
        .contains(
            "--join=sedge-0" + domain + "7411,sedge-1" + domain + "7411,sedge-2" + domain + "7411");
  }
}
