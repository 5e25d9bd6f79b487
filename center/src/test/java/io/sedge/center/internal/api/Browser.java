package io.sedge.center.internal.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.center.CenterException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpCookie;
import java.net.InetAddress;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Asks a center as the console's page does in a browser: with the cookie and its secret. */
final class Browser implements AutoCloseable {
  private final TestCenter center;
  private final Asking asking;
  private String cookie = "";
  private String login = "";
  private String csrf = "";

  Browser(TestCenter center) throws CenterException {
    this(center, InetAddress.getLoopbackAddress());
  }

  Browser(TestCenter center, InetAddress from) throws CenterException {
    this.center = center;
    this.asking = new Asking(center, from);
  }

  /** One that has the same cookie, as a thief has. */
  Browser copy() throws CenterException {
    Browser copy = new Browser(center);
    copy.cookie = cookie;
    copy.csrf = csrf;
    return copy;
  }

  String cookie() {
    return cookie;
  }

  /** Forgets which login it has begun at the provider. */
  void forgetLogin() {
    login = "";
  }

  void keep(String anotherCookie) {
    cookie = anotherCookie;
  }

  HttpRequest.Builder request(String method, String path, String body) {
    HttpRequest.Builder request =
        asking.request(
            "",
            method,
            path,
            body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    String cookies =
        Stream.of(cookie, login).filter(one -> !one.isEmpty()).collect(Collectors.joining("; "));
    if (!cookies.isEmpty()) {
      request.header("Cookie", cookies);
    }
    if (!csrf.isEmpty()) {
      request.header("X-Sedge-Csrf", csrf);
    }
    return request
        .header("Origin", center.address().toString())
        .header("Sec-Fetch-Site", "same-origin");
  }

  HttpResponse<String> ask(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = asking.send(request(method, path, body));
    for (String set : answer.headers().allValues("Set-Cookie")) {
      HttpCookie of = HttpCookie.parse(set).getFirst();
      String pair = of.hasExpired() ? "" : of.getName() + "=" + of.getValue();
      if (of.getName().startsWith("__Host-sedge-login")) {
        login = pair;
      } else {
        cookie = pair;
      }
    }
    JsonNode said =
        answer.body().startsWith("{") ? json(answer) : new JsonMapper().createObjectNode();
    if (said.has("csrf")) {
      csrf = said.get("csrf").textValue();
    }
    return answer;
  }

  int status(String method, String path, String body) throws IOException, InterruptedException {
    return ask(method, path, body).statusCode();
  }

  HttpResponse<InputStream> events() throws IOException, InterruptedException {
    return asking.stream(request("GET", "/events", ""));
  }

  HttpResponse<String> login(String name, String password)
      throws IOException, InterruptedException {
    return ask("POST", "/session", body(Map.of("name", name, "password", password)));
  }

  /** Uses the code of a link. */
  HttpResponse<String> first(String code, String password)
      throws IOException, InterruptedException {
    return ask("POST", "/session/first", body(Map.of("code", code, "password", password)));
  }

  static String body(Map<String, String> fields) throws IOException {
    return new JsonMapper().writeValueAsString(fields);
  }

  static JsonNode json(HttpResponse<String> answer) throws IOException {
    return new JsonMapper().readTree(answer.body());
  }

  /** Why something was refused. */
  static String code(HttpResponse<String> answer) throws IOException {
    return json(answer).path("code").asText();
  }

  @Override
  public void close() {
    asking.close();
  }
}
