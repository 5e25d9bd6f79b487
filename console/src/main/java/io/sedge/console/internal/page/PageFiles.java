package io.sedge.console.internal.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page's own files and those of its libraries, by path. Each is read and zipped when it is
 * first asked for, and kept. What is no file of the page costs nothing.
 */
public final class PageFiles {
  private static final String PAGE = "io/sedge/console/page";
  private static final String INDEX = "/index.html";
  private static final int MOST_PATH = 200;

  /** No name begins with a dot, so none leads elsewhere. */
  private static final Pattern PATH =
      Pattern.compile("(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)+\\.([a-z0-9]+)");

  private static final Pattern IMPORT_MAP =
      Pattern.compile("(<script type=\"importmap\">)(.*?)(</script>)", Pattern.DOTALL);

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("html", "text/html; charset=utf-8"),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("webmanifest", "application/manifest+json"),
          Map.entry("txt", "text/plain; charset=utf-8"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("png", "image/png"),
          Map.entry("ico", "image/x-icon"),
          Map.entry("woff2", "font/woff2"));

  private final WebJars libraries = new WebJars();
  private final Map<String, PageFile> files = new ConcurrentHashMap<>();
  private final String importMapHash =
      PageFile.sha256(libraries.importMap().getBytes(StandardCharsets.UTF_8));

  /** The file at a path, if there is one. */
  public Optional<PageFile> find(String path) {
    String whole = path.equals("/") ? INDEX : path;
    PageFile known = files.get(whole);
    if (known != null) {
      return Optional.of(known);
    }
    Optional<PageFile> read = read(whole);
    read.ifPresent(file -> files.put(whole, file));
    return read;
  }

  /** The hash of the one script that stands in the page itself, for its security policy. */
  public String importMapHash() {
    return importMapHash;
  }

  private Optional<PageFile> read(String path) {
    Matcher matcher = PATH.matcher(path);
    String type =
        path.length() <= MOST_PATH && matcher.matches() ? TYPES.get(matcher.group(1)) : null;
    if (type == null) {
      return Optional.empty();
    }
    boolean library = path.startsWith(WebJars.ROOT);
    Optional<String> resource = library ? libraries.resource(path) : Optional.of(PAGE + path);
    return resource
        .flatMap(PageFiles::content)
        .map(bytes -> path.equals(INDEX) ? withImportMap(bytes) : bytes)
        .map(bytes -> PageFile.of(type, bytes, library));
  }

  private byte[] withImportMap(byte[] index) {
    return IMPORT_MAP
        .matcher(new String(index, StandardCharsets.UTF_8))
        .replaceFirst("$1" + Matcher.quoteReplacement(libraries.importMap()) + "$3")
        .getBytes(StandardCharsets.UTF_8);
  }

  private static Optional<byte[]> content(String resource) {
    try (InputStream input = PageFiles.class.getClassLoader().getResourceAsStream(resource)) {
      return input == null ? Optional.empty() : Optional.of(input.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
  }
}
