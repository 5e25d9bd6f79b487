package io.sedge.console.internal.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The libraries of the page that are served, below {@value #ROOT}: of each those files alone that
 * are listed here. The build says which version is there, and the path has it, so a file at a path
 * never changes.
 */
final class WebJars {
  static final String ROOT = "/lib/";

  private static final String LIT = "lit";
  private static final String LIT_HTML = "lit-html";
  private static final String LIT_ELEMENT = "lit-element";

  /** Not style-map: it begins with a style attribute, which the page's policy refuses. */
  private static final List<String> DIRECTIVES =
      List.of(
          "cache",
          "choose",
          "class-map",
          "guard",
          "if-defined",
          "join",
          "keyed",
          "live",
          "map",
          "range",
          "ref",
          "repeat",
          "until",
          "when");

  private static final List<Library> LIBRARIES =
      List.of(
          new Library("uplot", "uplot", "dist/uPlot.esm.js", List.of("dist/uPlot.min.css")),
          new Library(LIT, LIT, "index.js", directives("html.js")),
          new Library(
              LIT_HTML,
              LIT_HTML,
              "lit-html.js",
              directives(
                  "is-server.js", "directive-helpers.js", "directives/private-async-helpers.js")),
          new Library(LIT_ELEMENT, LIT_ELEMENT, "index.js", List.of("lit-element.js")),
          new Library(
              "@lit/reactive-element",
              "lit__reactive-element",
              "reactive-element.js",
              List.of("css-tag.js")),
          codeMirror("state"),
          codeMirror("view"),
          codeMirror("language"),
          codeMirror("commands"),
          codeMirror("lint"),
          codeMirror("autocomplete"),
          new Library(
              "@codemirror/legacy-modes/mode/sql",
              "codemirror__legacy-modes",
              "mode/sql.js",
              List.of()),
          lezer("common"),
          lezer("highlight"),
          lezer("lr"),
          new Library("style-mod", "style-mod", "src/style-mod.js", List.of()),
          new Library("w3c-keyname", "w3c-keyname", "index.js", List.of()),
          new Library("crelt", "crelt", "index.js", List.of()),
          new Library(
              "@marijn/find-cluster-break",
              "marijn__find-cluster-break",
              "src/index.js",
              List.of()));

  private final Map<String, String> resources = new TreeMap<>();
  private final Map<String, String> imports = new LinkedHashMap<>();

  /**
   * A library.
   *
   * @param name by which modules import it
   * @param jar the name of its WebJar
   * @param main what an import of the name alone gives
   * @param others may be imported by {@code name/other}, or relative to another file
   */
  private record Library(String name, String jar, String main, List<String> others) {}

  private static Library codeMirror(String part) {
    return new Library("@codemirror/" + part, "codemirror__" + part, "dist/index.js", List.of());
  }

  private static Library lezer(String part) {
    return new Library("@lezer/" + part, "lezer__" + part, "dist/index.js", List.of());
  }

  private static List<String> directives(String... more) {
    List<String> files = new ArrayList<>(List.of(more));
    files.addAll(List.of("directive.js", "async-directive.js"));
    DIRECTIVES.forEach(name -> files.add("directives/%s.js".formatted(name)));
    return files;
  }

  WebJars() {
    for (Library library : LIBRARIES) {
      String version = version(library.jar());
      String base = "%s%s/%s/".formatted(ROOT, library.jar(), version);
      String resource = "META-INF/resources/webjars/%s/%s/".formatted(library.jar(), version);
      imports.put(library.name(), base + library.main());
      resources.put(base + library.main(), resource + library.main());
      for (String other : library.others()) {
        imports.put(library.name() + "/" + other, base + other);
        resources.put(base + other, resource + other);
      }
    }
  }

  private static String version(String jar) {
    String name = "META-INF/maven/org.webjars.npm/%s/pom.properties".formatted(jar);
    try (InputStream input = WebJars.class.getClassLoader().getResourceAsStream(name)) {
      if (input == null) {
        throw new IllegalStateException(
            "the console's library %s is not in the class path".formatted(jar));
      }
      Properties properties = new Properties();
      properties.load(input);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(name, e);
    }
  }

  /** The resource of a path, if it is one of those that are served. */
  Optional<String> resource(String path) {
    return Optional.ofNullable(resources.get(path));
  }

  /** All paths that are served. */
  Iterable<String> paths() {
    return resources.keySet();
  }

  /** What a browser needs to find a library by its name, as the text of an import map. */
  String importMap() {
    StringBuilder map = new StringBuilder("{\"imports\":{");
    imports.forEach(
        (name, path) ->
            map.append(map.charAt(map.length() - 1) == '{' ? "" : ",")
                .append("\"%s\":\"%s\"".formatted(name, path)));
    return map.append("}}").toString();
  }
}
