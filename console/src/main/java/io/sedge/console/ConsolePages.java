package io.sedge.console;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sedge.console.internal.page.PageFile;
import io.sedge.console.internal.page.PageFiles;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The console's page and the libraries that it needs, to be registered at {@code /} after all APIs:
 * what begins with {@code /api} is not answered. The same for a run, a device and a center; the
 * page asks {@code /api/v1/console} what it is for. Any thread.
 *
 * <p>The page may load nothing from elsewhere and nothing that stands in a document, but for its
 * import map. Styles that a script sets through an element's {@code style} or through adopted style
 * sheets are not restricted; {@code <style>} elements and {@code style} attributes in a document
 * are refused. uPlot keeps to that, and so does Lit but for its directive styleMap, which is not
 * served. CodeMirror does in a shadow root ({@code root} of its {@code EditorView}), not in the
 * document.
 */
public final class ConsolePages implements HttpService {
  private static final String API = "/api";
  private static final Header VARY = HeaderValues.create("Vary", "Accept-Encoding");
  private static final Header REVALIDATED = HeaderValues.create("Cache-Control", "no-cache");
  private static final Header KEPT =
      HeaderValues.create("Cache-Control", "public, max-age=31536000, immutable");

  private final PageFiles files = new PageFiles();
  private final List<Header> security =
      List.of(
          HeaderValues.create(
              "Content-Security-Policy",
              "default-src 'none'; script-src 'self' 'sha256-%s'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
                  .formatted(files.importMapHash())),
          HeaderValues.create("X-Content-Type-Options", "nosniff"),
          HeaderValues.create("Referrer-Policy", "no-referrer"),
          HeaderValues.create("Cross-Origin-Opener-Policy", "same-origin"),
          HeaderValues.create("Cross-Origin-Resource-Policy", "same-origin"));

  @Override
  public void routing(HttpRules rules) {
    rules.any(this::answer);
  }

  private void answer(ServerRequest request, ServerResponse response) {
    String path = request.path().path();
    if (path.equals(API) || path.startsWith(API + "/")) {
      response.next();
      return;
    }
    security.forEach(response::header);
    Method method = request.prologue().method();
    if (!method.equals(Method.GET) && !method.equals(Method.HEAD)) {
      response.header(HeaderNames.ALLOW, "GET, HEAD");
      text(response, 405, "the page is only read");
      return;
    }
    Optional<PageFile> file = files.find(path);
    if (file.isEmpty()) {
      text(response, 404, "the console has no such file");
      return;
    }
    send(request, response, file.get());
  }

  private static void text(ServerResponse response, int status, String text) {
    response.header(HeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
    response.status(status).send((text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static void send(ServerRequest request, ServerResponse response, PageFile file) {
    response.header(HeaderNames.ETAG, file.tag()).header(VARY);
    response.header(file.isImmutable() ? KEPT : REVALIDATED);
    if (has(request, HeaderNames.IF_NONE_MATCH.defaultCase(), file.tag())) {
      response.status(304).send();
      return;
    }
    response.header(HeaderNames.CONTENT_TYPE, file.type());
    boolean zipped = file.isZipped() && has(request, "Accept-Encoding", "gzip");
    if (zipped) {
      response.header(HeaderNames.CONTENT_ENCODING, "gzip");
    }
    byte[] body = zipped ? file.bytes() : file.plain();
    if (request.prologue().method().equals(Method.HEAD)) {
      response.contentLength(body.length);
      response.send();
    } else {
      response.send(body);
    }
  }

  private static boolean has(ServerRequest request, String header, String part) {
    return request
        .headers()
        .first(HeaderNames.create(header))
        .filter(value -> value.contains(part))
        .isPresent();
  }
}
