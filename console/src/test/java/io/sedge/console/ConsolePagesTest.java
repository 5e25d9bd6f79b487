package io.sedge.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ConsolePagesTest {
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);
  private static final Pattern IMPORTED =
      Pattern.compile(
          "(?m)(?:^|[;}])(?:import|export)(?:[^;\"'()]*\\bfrom)?\\s*[\"']([\\w@./-]+)[\"']");
  private static final Pattern REFERENCE = Pattern.compile("(?:src|href)=\"(/[^\"]*)\"");

  private static TestRun run;
  private static TestBrowser browser;

  @BeforeAll
  static void open() throws Exception {
    run = new TestRun();
    browser = new TestBrowser(run.console.address());
  }

  @AfterAll
  static void close() {
    browser.close();
    run.close();
  }

  private static String importMap() throws Exception {
    Matcher matcher = IMPORT_MAP.matcher(browser.get("").body());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  @Test
  void thePageMayRunWhatIsServedAndItsImportMapAlone() throws Exception {
    HttpResponse<String> page = browser.get("");
    String hash =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(importMap().getBytes(StandardCharsets.UTF_8)));
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'; script-src 'self' 'sha256-%s';".formatted(hash))
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
    assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-cache");
  }

  /** A file that is not in the list of those that are served would be missed in a browser alone. */
  @Test
  void whatTheLibrariesImportIsServed() throws Exception {
    JsonNode map = TestBrowser.MAPPER.readTree(importMap()).path("imports");
    Deque<String> open = new ArrayDeque<>();
    map.forEach(path -> open.add(path.asText()));
    Set<String> seen = new HashSet<>(open);
    assertThat(seen).hasSizeGreaterThan(15);
    while (!open.isEmpty()) {
      String path = open.remove();
      HttpResponse<String> file = browser.get(path);
      assertThat(file.statusCode()).as(path).isEqualTo(200);
      assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
      Matcher imported = IMPORTED.matcher(path.endsWith(".js") ? file.body() : "");
      while (imported.find()) {
        String name = imported.group(1);
        String target =
            name.startsWith(".")
                ? URI.create(path).resolve(name).toString()
                : map.path(name).asText();
        assertThat(target).as("%s imports %s", path, name).isNotEmpty();
        if (seen.add(target)) {
          open.add(target);
        }
      }
    }
  }

  @Test
  void whatThePageNamesIsThere() throws Exception {
    Matcher named = REFERENCE.matcher(browser.get("").body());
    while (named.find()) {
      assertThat(browser.get(named.group(1)).statusCode()).as(named.group(1)).isEqualTo(200);
    }
  }

  @Test
  void aFileIsSentZippedAndOnlyIfItHasChanged() throws Exception {
    HttpResponse<String> plain = browser.get("index.html");
    String tag = plain.headers().firstValue("ETag").orElseThrow();
    HttpResponse<String> zipped = browser.get("index.html", "Accept-Encoding", "br, gzip");
    assertThat(zipped.headers().firstValue("Content-Encoding")).hasValue("gzip");
    assertThat(zipped.headers().firstValue("ETag")).hasValue(tag);
    HttpResponse<String> known = browser.get("index.html", "If-None-Match", tag);
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(known.body()).isEmpty();
    assertThat(browser.send("HEAD", "index.html", "").body()).isEmpty();
  }

  @Test
  void nothingElseIsServed() throws Exception {
    for (String path :
        List.of(
            "nothing.html",
            "%2e%2e/ConsolePages.class",
            "lib/../index.html%00.js",
            "lib/lit/3.3.2/package.json",
            "lib/lit/3.3.2/directives/unsafe-html.js",
            "META-INF/MANIFEST.txt",
            "package-info.class",
            "internal/")) {
      assertThat(browser.get(path).statusCode()).as(path).isIn(400, 404);
    }
    assertThat(browser.send("POST", "index.html", "x").statusCode()).isEqualTo(405);
  }
}
