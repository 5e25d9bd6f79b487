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
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * People log in at a provider of OpenID Connect. From one address {@value #AT_ONCE} logins may be
 * begun at once that do not end well, and one more each {@value #SECONDS_EACH} seconds. That takes
 * no attempts from passwords: while the provider is away, people log in with these. What the
 * provider fails in is in the center's log, a line each {@value #SECONDS_QUIET} seconds at most.
 */
final class OidcHandlers {
  static final int AT_ONCE = 60;
  static final int SECONDS_EACH = 10;
  static final int SECONDS_QUIET = 60;

  /** By which the lines of the log are counted. */
  private static final String LOG = "log";

  private final ApiContext context;
  private final ApiParts parts;
  private final SessionBeginning beginning;
  private final People people;
  private final Rates rates;
  private final Rates lines;

  OidcHandlers(ApiContext context, ApiParts parts, SessionBeginning beginning) {
    this.context = context;
    this.parts = parts;
    this.beginning = beginning;
    this.people = context.store().people();
    this.rates = new Rates(context.nanoClock(), AT_ONCE, TimeUnit.SECONDS.toNanos(SECONDS_EACH));
    this.lines = new Rates(context.nanoClock(), 1, TimeUnit.SECONDS.toNanos(SECONDS_QUIET));
  }

  /** Says where the browser goes, and lets it keep by what it is known when it comes back. */
  void begin(Call call) throws ApiException {
    SingleSignOn signOn = signOn();
    URI console = console(signOn.options());
    if (!console.equals(asked(call))) {
      throw new ApiException(
          Reason.MALFORMED,
          "the login provider sends browsers to %s: open the console there".formatted(console));
    }
    attempt(call);
    try {
      SingleSignOn.Begun begun =
          signOn.begin(console.toString(), HostCookie.LOGIN.of(call.request()));
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
    return options
        .redirect()
        .orElseGet(() -> OidcOptions.page(URI.create(context.address().get())));
  }

  /** Where the browser has the console open. */
  private static URI asked(Call call) throws ApiException {
    try {
      return OidcOptions.page(new URI("https", call.request().authority(), "/", null, null));
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new ApiException(Reason.MALFORMED, "the header Host is not one of a console", e);
    }
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
      case AWAY -> {
        say(message);
        yield new ApiException(
            Reason.PROVIDER_UNAVAILABLE,
            "the login provider does not answer as it should, and the center's log says why: log in"
                + " with a password, or tell who runs the center",
            e);
      }
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

  private void say(String message) {
    if (lines.mayTry(LOG)) {
      lines.refused(LOG);
      context.log().accept("nobody can log in at the login provider: " + message);
    }
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
    String browser = HostCookie.LOGIN.of(call.request()).orElse("");
    Identity identity;
    try {
      identity = signOn.redeem(browser, returned);
    } catch (ProviderException e) {
      throw failed(call, e);
    } catch (InterruptedException e) {
      throw ApiThreads.stopping(e);
    }
    if (!signOn.isUnderWay(browser)) {
      HostCookie.LOGIN.clear(call);
    }
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
    if (known.filter(Person::isShutOut).isPresent()) {
      refused(call, known.map(Person::name));
      throw new ApiException(
          Reason.NOT_PERMITTED,
          ("an admin of this center has removed '%s': the login provider cannot let you in. If that"
                  + " is wrong, an admin removes that name once more")
              .formatted(known.get().name()));
    }
    String name = known.isPresent() ? known.get().name() : name(call, identity);
    String issuer = identity.subject().issuer();
    Permission permission =
        new Permission(
            role,
            known
                .map(person -> person.permission().sites())
                .orElseGet(() -> parts.signOn().flatMap(signOn -> signOn.options().sites())));
    if (!known.map(Person::permission).equals(Optional.of(permission))) {
      Caller caller = call.caller().named(name);
      context.audit(
          caller,
          known.isPresent() ? "person role" : "person add",
          name,
          "%s, by %s".formatted(Permissions.text(permission), issuer));
    }
    Person person = people.enter(identity.subject(), name, permission);
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
  private String name(Call call, Identity identity) throws ApiException, StoreException {
    String claim = signOn().options().name();
    Optional<String> possible = identity.name().flatMap(Names::possible);
    if (possible.isEmpty()) {
      refused(call, Optional.empty());
      throw new ApiException(
          Reason.LOGIN_REFUSED,
          ("the login provider's claim '%s' has no name that somebody can have here (%s). Who runs"
                  + " the center names another claim, with name = CLAIM in the file of --oidc")
              .formatted(claim, Names.RULE));
    }
    String name = possible.get();
    try {
      people.checkRoom(name);
      return name;
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.NAME_TAKEN) {
        throw e;
      }
      refused(call, Optional.of(name));
      throw new ApiException(
          Reason.NAME_TAKEN,
          ("the login provider calls you '%s', and somebody else is called that here. An admin"
               + " removes that one first, if it is you: `sedge center person remove NAME`, twice"
               + " for who logs in at a provider, or `access remove` for a token")
              .formatted(name),
          e);
    }
  }
}
