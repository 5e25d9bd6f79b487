package io.sedge.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What one version of Kubernetes accepts, as the classes of its official client tell: each was made
 * from Kubernetes's own description of that version. A field that it does not know is refused, as
 * `kubectl apply --validate=strict` does.
 */
final class KubernetesModels implements AutoCloseable {
  private static final String MODELS = "io.kubernetes.client.openapi.models.";
  private static final String CONSTANT = "SERIALIZED_NAME_";
  private static final String REQUIRED = "openapiRequiredFields";

  private final URLClassLoader classes;

  private KubernetesModels(URLClassLoader classes) {
    this.classes = classes;
  }

  /** Those of a version, such as 1.36, that the build has copied. */
  static KubernetesModels of(String version) throws IOException {
    URI jar = Path.of("target", "kubernetes", version + ".jar").toUri();
    return new KubernetesModels(
        new URLClassLoader(new URL[] {jar.toURL()}, ClassLoader.getPlatformClassLoader()));
  }

  @Override
  public void close() throws IOException {
    classes.close();
  }

  /**
   * What is wrong with an object.
   *
   * @param whole whether it is all of it; of a patch, what is required may be missing
   */
  List<String> problems(Map<?, ?> object, boolean whole) throws Exception {
    Object version = object.get("apiVersion");
    Object kind = object.get("kind");
    Optional<Class<?>> model = model(String.valueOf(version), String.valueOf(kind));
    if (model.isEmpty()) {
      return List.of("there is no %s %s".formatted(version, kind));
    }
    List<String> problems = new ArrayList<>();
    check(String.valueOf(kind), object, model.get(), whole, problems);
    return problems;
  }

  private Optional<Class<?>> model(String apiVersion, String kind) throws Exception {
    String group =
        apiVersion.contains("/") ? apiVersion.substring(0, apiVersion.indexOf('/')) : "core";
    String version = capital(apiVersion.substring(apiVersion.indexOf('/') + 1));
    String groups =
        Arrays.stream(group.replace(".k8s.io", "").split("\\."))
            .map(KubernetesModels::capital)
            .collect(Collectors.joining());
    String api = "io/kubernetes/client/openapi/apis/%s%sApi.class".formatted(groups, version);
    try (InputStream in = classes.getResourceAsStream(api)) {
      if (in == null) {
        return Optional.empty();
      }
      String constants = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      return constants.contains("createNamespaced" + kind) || constants.contains("create" + kind)
          ? Optional.of(classes.loadClass(MODELS + version + kind))
          : Optional.empty();
    }
  }

  private static String capital(String word) {
    return word.isEmpty() ? "" : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }

  private void check(
      String place, Object value, Class<?> model, boolean whole, List<String> problems)
      throws Exception {
    if (!(value instanceof Map<?, ?> object)) {
      problems.add("%s is no object but %s".formatted(place, value));
      return;
    }
    Map<String, Type> fields = fields(model);
    for (Map.Entry<?, ?> entry : object.entrySet()) {
      String name = String.valueOf(entry.getKey());
      if (fields.containsKey(name)) {
        checkType(place + "." + name, entry.getValue(), fields.get(name), whole, problems);
      } else {
        problems.add("%s has no field %s".formatted(place, name));
      }
    }
    if (whole) {
      Collection<?> required = (Collection<?>) model.getField(REQUIRED).get(null);
      required.stream()
          .filter(name -> !object.containsKey(name))
          .forEach(name -> problems.add("%s lacks %s".formatted(place, name)));
    }
  }

  /** The names of JSON: a constant has that of the field whose name it is but for its form. */
  private static Map<String, Type> fields(Class<?> model) throws IllegalAccessException {
    Map<String, String> names = new HashMap<>();
    for (Field field : model.getDeclaredFields()) {
      if (field.getName().startsWith(CONSTANT)) {
        names.put(plain(field.getName().substring(CONSTANT.length())), (String) field.get(null));
      }
    }
    Map<String, Type> fields = new HashMap<>();
    for (Field field : model.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        fields.put(names.get(plain(field.getName())), field.getGenericType());
      }
    }
    return fields;
  }

  private static String plain(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }

  private void checkType(
      String place, @Nullable Object value, Type type, boolean whole, List<String> problems)
      throws Exception {
    if (type instanceof ParameterizedType generic) {
      Type element = generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
      if (generic.getRawType() != Map.class) {
        checkList(place, value, element, whole, problems);
      } else if (value instanceof Map<?, ?> map) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          String key = place + "." + entry.getKey();
          checkType(key, entry.getValue(), element, whole, problems);
        }
      } else {
        problems.add("%s is no map but %s".formatted(place, value));
      }
    } else if (type instanceof Class<?> known && known.getName().startsWith(MODELS)) {
      check(place, value == null ? "null" : value, known, whole, problems);
    } else if (!accepts(type.getTypeName()).test(value)) {
      problems.add(
          "%s is no %s but %s".formatted(place, type.getTypeName().replaceAll(".*\\.", ""), value));
    }
  }

  private void checkList(
      String place, @Nullable Object value, Type element, boolean whole, List<String> problems)
      throws Exception {
    if (!(value instanceof List<?> list)) {
      problems.add("%s is no list but %s".formatted(place, value));
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      checkType("%s[%d]".formatted(place, i), list.get(i), element, whole, problems);
    }
  }

  private static Predicate<@Nullable Object> accepts(String type) {
    Predicate<@Nullable Object> text = value -> value instanceof String;
    Predicate<@Nullable Object> number = value -> value instanceof Integer || value instanceof Long;
    return switch (type.substring(type.lastIndexOf('.') + 1)) {
      case "String", "OffsetDateTime" -> text;
      case "Integer", "Long" -> number;
      case "Boolean" -> value -> value instanceof Boolean;
      case "Double" -> value -> value instanceof Number;
      case "IntOrString" -> text.or(number);
      case "Quantity" ->
          value ->
              value instanceof Number
                  || (value instanceof String size
                      && size.matches("[0-9.]+(m|k|Ki|M|Mi|G|Gi|T|Ti)?"));
      case "Object" -> _ -> true;
      default -> throw new IllegalArgumentException("no rule for the type " + type);
    };
  }

  /** The versions that are looked at. */
  static Set<String> versions() {
    return Set.of("1.34", "1.35", "1.36");
  }
}
