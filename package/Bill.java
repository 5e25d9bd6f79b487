import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Makes the bill of materials of the package (CycloneDX) from that of the build: with the jars that
 * are in the package and no others, and with the runtime. Shows their licences on standard output,
 * for the file {@code copyright}.
 */
final class Bill {
  private final Path jars;
  private final ObjectNode bill;

  private Bill(Path jars, ObjectNode bill) {
    this.jars = jars;
    this.bill = bill;
  }

  /** Arguments: bill of the build, directory of the jars, bill to write, version of the runtime. */
  public static void main(String[] args) throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode json = (ObjectNode) mapper.readTree(Path.of(args[0]).toFile());
    Bill bill = new Bill(Path.of(args[1]), json);
    bill.keepWhatIsThere();
    bill.addRuntime(args[3]);
    Files.writeString(Path.of(args[2]), mapper.writeValueAsString(json) + "\n");
    bill.show(new PrintStream(System.out, true, StandardCharsets.UTF_8));
  }

  private void keepWhatIsThere() {
    Set<String> kept = new HashSet<>();
    kept.add(bill.at("/metadata/component/bom-ref").asText());
    ArrayNode components = (ArrayNode) bill.get("components");
    for (int i = components.size() - 1; i >= 0; i--) {
      JsonNode component = components.get(i);
      String jar =
          "%s-%s.jar".formatted(component.get("name").asText(), component.get("version").asText());
      if (Files.exists(jars.resolve(jar))) {
        kept.add(component.get("bom-ref").asText());
      } else {
        components.remove(i);
      }
    }
    keep((ArrayNode) bill.get("dependencies"), "ref", kept);
    for (JsonNode dependency : bill.get("dependencies")) {
      keep((ArrayNode) dependency.get("dependsOn"), "", kept);
    }
  }

  private static void keep(ArrayNode nodes, String field, Set<String> kept) {
    for (int i = (nodes == null ? 0 : nodes.size()) - 1; i >= 0; i--) {
      JsonNode node = nodes.get(i);
      if (!kept.contains((field.isEmpty() ? node : node.get(field)).asText())) {
        nodes.remove(i);
      }
    }
  }

  private void addRuntime(String version) {
    ObjectNode runtime = ((ArrayNode) bill.get("components")).addObject();
    runtime.put("type", "platform").put("name", "OpenJDK").put("version", version);
    runtime
        .putArray("licenses")
        .addObject()
        .put("expression", "GPL-2.0-only WITH Classpath-exception-2.0");
  }

  private void show(PrintStream out) {
    for (JsonNode component : bill.get("components")) {
      StringJoiner licences = new StringJoiner(" or ");
      for (JsonNode licence : component.path("licenses")) {
        JsonNode known = licence.path("license");
        licences.add(
            licence
                .path("expression")
                .asText(known.path("id").asText(known.path("name").asText())));
      }
      out.printf(
          " %s %s: %s%n",
          component.get("name").asText(),
          component.get("version").asText(),
          licences.length() == 0 ? "not declared" : licences);
    }
  }
}
