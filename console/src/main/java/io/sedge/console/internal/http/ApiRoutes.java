package io.sedge.console.internal.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.sedge.console.internal.http.Refusal.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The API of a console, to be registered at {@value #ROOT}: what is not done is answered with a
 * code and a message.
 */
public final class ApiRoutes implements HttpService {
  /** Where it is. */
  public static final String ROOT = "/api/v1";

  private static final List<Header> SECURITY =
      List.of(
          HeaderValues.create("X-Content-Type-Options", "nosniff"),
          HeaderValues.create("Referrer-Policy", "no-referrer"),
          HeaderValues.create("Cache-Control", "no-store"),
          HeaderValues.create("Cross-Origin-Resource-Policy", "same-origin"),
          HeaderValues.create(
              "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"));

  private final List<Route> routes;
  private final Consumer<String> log;

  /** Answers, or says why not. */
  @FunctionalInterface
  public interface Action {
    void answer(Call call) throws Refusal;
  }

  /**
   * Something that may be asked for.
   *
   * @param path below {@value ApiRoutes#ROOT}, with {@code {name}} for what differs
   */
  public record Route(Method method, String path, Action action) {
    public static Route get(String path, Action action) {
      return new Route(Method.GET, path, action);
    }

    public static Route post(String path, Action action) {
      return new Route(Method.POST, path, action);
    }
  }

  /**
   * @param log is told of faults
   */
  public ApiRoutes(List<Route> routes, Consumer<String> log) {
    this.routes = List.copyOf(routes);
    this.log = log;
  }

  @Override
  public void routing(HttpRules rules) {
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    for (Route route : routes) {
      rules.route(route.method(), route.path(), answering(route.action()));
      methods.computeIfAbsent(route.path(), _ -> new TreeSet<>()).add(route.method().text());
    }
    methods.forEach((path, allowed) -> rules.any(path, otherwise(String.join(", ", allowed))));
    rules.any(
        answering(
            call -> {
              throw new Refusal(
                  Reason.UNKNOWN_PATH,
                  "the console has no " + call.request().path().absolute().path());
            }));
  }

  /** The path is there: says what it does. */
  private Handler otherwise(String allowed) {
    return answering(
        call -> {
          call.response().header(HeaderNames.ALLOW, allowed);
          throw new Refusal(
              Reason.METHOD_NOT_ALLOWED,
              "%s is not done here, but %s"
                  .formatted(call.request().prologue().method().text(), allowed));
        });
  }

  private Handler answering(Action action) {
    return (request, response) -> {
      SECURITY.forEach(response::header);
      Call call = new Call(request, response);
      try {
        action.answer(call);
      } catch (Refusal e) {
        refuse(call, e);
      } catch (CloseConnectionException | RequestException e) {
        throw e;
      } catch (RuntimeException e) {
        fail(call, request, response, e);
      }
    };
  }

  private void fail(Call call, ServerRequest request, ServerResponse response, RuntimeException e) {
    if (response.isSent()) {
      throw e; // The browser has gone: there is nobody to tell.
    }
    log.accept(
        "a fault in Sedge while the console answered %s: %s"
            .formatted(request.path().absolute().path(), e));
    refuse(call, new Refusal(Reason.INTERNAL, "Sedge has a fault, which its log tells more about"));
  }

  static void refuse(Call call, Refusal e) {
    if (e.status() == 429) {
      call.response().header(HeaderNames.RETRY_AFTER, "1");
    }
    if (call.request().prologue().method().equals(Method.HEAD)) {
      call.response().status(e.status()).send();
    } else {
      call.answer(e.status(), e.body());
    }
  }
}
