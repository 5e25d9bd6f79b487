package io.sedge.center.internal.api;

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
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.oidc.SingleSignOn;
import io.sedge.center.store.StoreException;
import io.sedge.identity.Rates;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The REST API, to be registered at {@value #ROOT}. A request is admitted, done and answered on one
 * of the {@link ApiThreads}, unless it {@linkplain Route#waits waits}; what is not done is answered
 * with a {@link io.sedge.center.api.Failure}.
 */
public final class ApiService implements HttpService {
  /** Where it is. */
  public static final String ROOT = "/api/v1";

  private static final Header SOON = HeaderValues.create(HeaderNames.RETRY_AFTER, "1");
  private static final Header NO_STORE = HeaderValues.create("Cache-Control", "no-store");

  /** A browser that is led to an answer shows no page of it. */
  private static final Header ATTACHMENT = HeaderValues.create("Content-Disposition", "attachment");

  private static final Header POLICY =
      HeaderValues.create("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");

  private final List<Route> routes;
  private final ApiContext context;
  private final ApiCounts counts = new ApiCounts();
  private final ApiThreads threads = new ApiThreads();
  private final PeopleDesk people;
  private final CenterEvents events;
  private final Optional<SingleSignOn> signOn;
  private final Gate gate;

  public ApiService(ApiContext context) {
    this.context = context;
    this.people = new PeopleDesk(context);
    this.events = new CenterEvents(context);
    this.gate =
        new Gate(context.store(), people.sessions(), new Rates(context.nanoClock()), counts);
    this.signOn =
        context
            .provider()
            .map(provider -> new SingleSignOn(provider, context.clock(), context.nanoClock()));
    this.routes = Routes.of(context, new ApiParts(gate, counts, threads, people, events, signOn));
    signOn.ifPresent(provider -> provider.look(context.log()));
  }

  /** All that may be asked for. */
  List<Route> routes() {
    return routes;
  }

  CenterEvents events() {
    return events;
  }

  /** What is kept in memory of people. */
  PeopleDesk people() {
    return people;
  }

  @Override
  public void afterStop() {
    events.close();
    signOn.ifPresent(SingleSignOn::close);
    people.close();
    threads.close();
  }

  @Override
  public void routing(HttpRules rules) {
    Map<String, Set<String>> methods = new LinkedHashMap<>();
    for (Route route : routes) {
      rules.route(route.method(), route.path(), answering(route));
      methods
          .computeIfAbsent(route.path(), _ -> new TreeSet<>(Set.of("OPTIONS")))
          .add(route.method().text());
    }
    methods.forEach((path, allowed) -> rules.any(path, otherwise(String.join(", ", allowed))));
    rules.any(
        answering(
            (request, _) -> {
              throw new ApiException(
                  Reason.UNKNOWN_PATH,
                  "the API has no %s; %s/openapi.yaml describes what it has"
                      .formatted(request.path().absolute().path(), ROOT));
            }));
  }

  /** The path is there: says what it does. */
  private Handler otherwise(String allowed) {
    return answering(
        (request, response) -> {
          response.header(HeaderNames.ALLOW, allowed);
          if (!request.prologue().method().equals(Method.OPTIONS)) {
            throw new ApiException(
                Reason.METHOD_NOT_ALLOWED,
                "%s is not done here, but %s"
                    .formatted(request.prologue().method().text(), allowed));
          }
          response.status(204).send();
        });
  }

  /** Who sends his body slowly holds a virtual thread and no other. */
  private Handler answering(Route route) {
    return answering(
        (request, response) -> {
          Call call = Call.read(gate.admit(route, request), request, response);
          answer(route, call);
        });
  }

  private void answer(Route route, Call call) throws ApiException, StoreException {
    if (route.waits()) {
      route.action().answer(call);
      return;
    }
    var _ =
        threads.ask(
            () -> {
              route.action().answer(call);
              return route;
            });
  }

  /** Answers, or says why not. */
  @FunctionalInterface
  private interface Work {
    void answer(ServerRequest request, ServerResponse response) throws ApiException, StoreException;
  }

  private Handler answering(Work work) {
    return (request, response) -> {
      response.header(NO_STORE).header(ATTACHMENT).header(POLICY);
      try {
        work.answer(request, response);
      } catch (ApiException e) {
        refuse(request, response, e);
      } catch (StoreException e) {
        refuse(request, response, ApiException.of(e));
      } catch (CloseConnectionException | RequestException e) {
        throw e;
      } catch (RuntimeException e) {
        context
            .log()
            .accept(
                "a fault in Sedge while %s was answered: %s"
                    .formatted(request.path().absolute().path(), e));
        refuse(
            request,
            response,
            new ApiException(
                Reason.INTERNAL, "the center has a fault, which its log tells more about", e));
      } finally {
        counts.answered(response.status().code());
      }
    };
  }

  private static void refuse(ServerRequest request, ServerResponse response, ApiException e) {
    response.status(e.status()).header(HeaderNames.CONTENT_TYPE, Call.JSON);
    if (e.status() == 401) {
      response.header(HeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
    if (e.status() == 429) {
      response.headers().setIfAbsent(SOON);
    }
    if (request.prologue().method().equals(Method.HEAD)) {
      response.send();
    } else {
      response.send(Json.write(e.failure()));
    }
  }
}
