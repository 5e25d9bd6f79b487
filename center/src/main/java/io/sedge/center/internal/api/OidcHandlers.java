package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.sedge.center.OidcOptions;
import io.sedge.center.api.LocationReport;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.api.SessionBeginning.Entry;
import io.sedge.center.internal.oidc.Identity;
import io.sedge.center.internal.oidc.ProviderException;
import io.sedge.center.internal.oidc.SingleSignOn;
import io.sedge.center.internal.people.Attempts;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.People;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Person;
import io.sedge.center.store.StoreException;
import io.sedge.identity.Rates;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * People log in at a provider of OpenID Connect. From one address {@value #AT_ONCE} logins may be
 * begun at once that do not end well, and one more each {@value #SECONDS_EACH} seconds. That takes
 * no attempts from passwords: while the provider is away, people log in with these.
 */
final class OidcHandlers {
  static final int AT_ONCE = 60;
  static final int SECONDS_EACH = 10;

  private final ApiContext context;
  private final ApiParts parts;
  private final SessionBeginning beginning;
  private final People people;
  private final Rates rates;

  OidcHandlers(ApiContext context, ApiParts parts, SessionBeginning beginning) {
    this.context = context;
    this.parts = parts;
    this.beginning = beginning;
    this.people = context.store().people();
    this.rates = new Rates(context.nanoClock(), AT_ONCE, TimeUnit.SECONDS.toNanos(SECONDS_EACH));
  }

  /** Says where the browser goes, and lets it keep by what it is known when it comes back. */
  void begin(Call call) throws ApiException {
    SingleSignOn signOn = signOn();
    URI console = console(signOn.options());
    if (!console.getRawAuthority().equalsIgnoreCase(call.request().authority())) {
      throw new ApiException(
          Reason.MALFORMED,
          "the login provider sends browsers to %s: open the console there".formatted(console));
    }
    attempt(call);
    try {
      SingleSignOn.Begun begun = signOn.begin(console.toString());
      HostCookie.LOGIN.set(call, begun.browser());
      call.answer(new LocationReport(begun.location()));
    } catch (ProviderException e) {
      throw failed(call, e);
    } catch (InterruptedException e) {
      throw ApiThreads.stopping(e);
    }
  }

  private SingleSignOn signOn() throws ApiException {
    return parts
        .signOn()
        .orElseThrow(
            () ->
                new ApiException(
                    Reason.UNKNOWN_PATH,
                    "this center has no login provider: `sedge center start --oidc FILE` names"
                        + " one"));
  }

  private URI console(OidcOptions options) {
    return options.redirect().orElseGet(() -> URI.create(context.address().get() + "/"));
  }

  private void attempt(Call call) throws ApiException {
    String from = Attempts.network(call.caller().address());
    if (!rates.mayTry(from)) {
      call.response().header(HeaderNames.RETRY_AFTER, Integer.toString(SECONDS_EACH));
      throw new ApiException(
          Reason.TOO_MANY_ATTEMPTS,
          "too many logins were begun from %s that did not end well: try again later"
              .formatted(from));
    }
    rates.refused(from);
  }

  private ApiException failed(Call call, ProviderException e) throws ApiException {
    String message = String.valueOf(e.getMessage());
    return switch (e.reason()) {
      case AWAY -> new ApiException(Reason.PROVIDER_UNAVAILABLE, message, e);
      case BUSY -> new ApiException(Reason.BUSY, message, e);
      case ENDED -> {
        parts.gate().refused(call.caller().address());
        yield new ApiException(Reason.LOGIN_REFUSED, message, e);
      }
      case REFUSED -> {
        refused(call, Optional.empty());
        yield new ApiException(Reason.LOGIN_REFUSED, message, e);
      }
    };
  }

  private void refused(Call call, Optional<String> person) {
    parts.counts().refusedToken();
    parts.people().refusedLogins().refused(person, call.caller().address());
  }

  /** Takes what the provider has given to the browser, once, and logs the person in. */
  void redeem(Call call) throws ApiException, StoreException {
    Requests.Returned asked = call.body(Requests.Returned.class);
    SingleSignOn.Returned returned =
        new SingleSignOn.Returned(
            Call.required("state", asked.state()),
            Call.required("code", asked.code()),
            Optional.ofNullable(asked.iss()));
    SingleSignOn signOn = signOn();
    Identity identity;
    try {
      identity = signOn.redeem(HostCookie.LOGIN.of(call.request()).orElse(""), returned);
    } catch (ProviderException e) {
      throw failed(call, e);
    } catch (InterruptedException e) {
      throw ApiThreads.stopping(e);
    }
    HostCookie.LOGIN.clear(call);
    parts
        .threads()
        .ask(
            () -> {
              enter(call, identity);
              return identity;
            });
  }

  private void enter(Call call, Identity identity) throws ApiException, StoreException {
    Optional<Person> known = people.find(identity.subject());
    Role role = role(call, identity, known);
    String name = known.isPresent() ? known.get().name() : name(identity);
    String issuer = identity.subject().issuer();
    Permission permission =
        new Permission(role, known.flatMap(person -> person.permission().sites()));
    if (!known.map(Person::permission).equals(Optional.of(permission))) {
      Caller caller =
          new Caller(name, Optional.of(permission), call.caller().address(), Optional.empty());
      // Before it is done: there is nobody whom the log does not know.
      context
          .store()
          .audit()
          .record(
              caller.who(),
              known.isPresent() ? "person role" : "person add",
              name,
              "%s, by %s".formatted(Permissions.text(permission), issuer));
    }
    Person person = people.enter(identity.subject(), name, role);
    rates.permitted(Attempts.network(call.caller().address()));
    beginning.begin(
        call,
        new Entry(person.name(), "login", "by " + issuer),
        now -> now.subject().equals(Optional.of(identity.subject())),
        () ->
            new ApiException(
                Reason.LOGIN_REFUSED, "'%s' was removed just now".formatted(person.name())));
  }

  /** Whom the provider lets in no longer, or not yet, has no session. */
  private Role role(Call call, Identity identity, Optional<Person> known) throws ApiException {
    if (identity.role().isEmpty()) {
      known.map(Person::name).ifPresent(parts.people().sessions()::endAll);
      refused(call, known.map(Person::name));
      OidcOptions options = signOn().options();
      throw new ApiException(
          Reason.NOT_PERMITTED,
          "the login provider knows you, and its claim '%s' gives you no role at this center: ask"
                  .formatted(options.roles())
              + " who runs it for one");
    }
    return identity.role().get();
  }

  /** What somebody new is to be called; never what somebody else is. */
  private String name(Identity identity) throws ApiException, StoreException {
    String claim = signOn().options().name();
    String given =
        identity
            .name()
            .orElseThrow(
                () ->
                    new ApiException(
                        Reason.LOGIN_REFUSED,
                        "the login provider does not say what you are called: its ID token has no"
                            + " claim '%s'".formatted(claim)));
    String name = Names.fresh(given);
    try {
      people.checkFree(name);
      return name;
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.NAME_TAKEN) {
        throw e;
      }
      throw new ApiException(
          Reason.NAME_TAKEN,
          ("the login provider calls you '%s', and somebody else is called that here. An admin"
                  + " removes that one first, if it is you: `sedge center person remove NAME`, or"
                  + " `access remove` for a token")
              .formatted(name),
          e);
    }
  }
}
