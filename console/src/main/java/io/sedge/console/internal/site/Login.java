package io.sedge.console.internal.site;

import io.helidon.http.HeaderNames;
import io.sedge.console.internal.http.Call;
import io.sedge.console.internal.http.Refusal;
import io.sedge.console.internal.http.Refusal.Reason;
import io.sedge.console.internal.site.Sessions.Session;
import io.sedge.identity.Rates;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who asks, and whether that may be. A session begins with a one-time code, which those have who
 * may read the device's directory, so it may do all. Its cookie is sent by pages of this console
 * alone; with each change the page also sends what no other page can read. Any thread.
 */
final class Login {
  private static final String CSRF_HEADER = "X-Sedge-Csrf";
  private static final String NAME = "local";
  private static final int MOST_CODE = 256;

  private final LoginCodes codes;
  private final Sessions sessions;
  private final Rates rates;
  private final Consumer<String> log;

  private record Caller(String name, String role) {}

  private record Begun(Caller caller, String csrf) {}

  /** What the console says of itself. */
  record Console(
      String kind,
      String title,
      String version,
      String device,
      String login,
      Caller caller,
      @Nullable String csrf) {
    static Console of(String site, String device, String version, Optional<Session> session) {
      return new Console(
          "site",
          site,
          version,
          device,
          "link",
          new Caller(session.isPresent() ? NAME : "anybody here", role(session)),
          session.map(Session::csrf).orElse(null));
    }

    private static String role(Optional<Session> session) {
      return session.isPresent() ? "admin" : "viewer";
    }
  }

  /**
   * @param log is told who has changed what
   */
  Login(LoginCodes codes, Sessions sessions, Rates rates, Consumer<String> log) {
    this.codes = codes;
    this.sessions = sessions;
    this.rates = rates;
    this.log = log;
  }

  /** {@code POST /session}. A good code is taken however many were wrong: nobody is shut out. */
  void begin(Call call) throws Refusal {
    String code = call.texts().getOrDefault("code", "");
    String address = String.valueOf(call.request().remotePeer().host());
    if (code.length() > MOST_CODE || !codes.use(code)) {
      boolean mayTry = rates.mayTry(address);
      rates.refused(address);
      throw mayTry
          ? new Refusal(
              Reason.TOKEN_REFUSED,
              "this link was used already, is older than %d minutes, or is of an earlier start: `sedge device console` makes another one"
                  .formatted(LoginCodes.LIFE.toMinutes()))
          : new Refusal(Reason.TOO_MANY_ATTEMPTS, "too many wrong codes came: try again later");
    }
    String token = sessions.begin();
    tell("logged in");
    setCookie(call, token, Sessions.LIFE_HOURS * 3_600);
    Session session = sessions.find(Optional.of(token)).orElseThrow();
    call.answer(SiteJson.of(new Begun(new Caller(NAME, "admin"), session.csrf())));
  }

  /** {@code DELETE /session}. */
  void end(Call call) throws Refusal {
    demand(call);
    token(call).ifPresent(sessions::end);
    tell("logged out");
    setCookie(call, "", 0);
    call.done();
  }

  private void setCookie(Call call, String value, int seconds) {
    call.response()
        .header(
            HeaderNames.SET_COOKIE,
            "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict"
                .formatted(cookie(call), value, seconds));
  }

  /** Browsers send a cookie to all ports of a machine. */
  private static String cookie(Call call) {
    return "sedge-session-" + call.request().localPeer().port();
  }

  private static Optional<String> token(Call call) {
    return call.request().headers().cookies().first(cookie(call)).asOptional();
  }

  Optional<Session> session(Call call) {
    return sessions.find(token(call));
  }

  /**
   * Lets a change pass.
   *
   * @throws Refusal TOKEN_REFUSED; NOT_PERMITTED
   */
  void demand(Call call) throws Refusal {
    Session session =
        session(call)
            .orElseThrow(
                () ->
                    new Refusal(
                        Reason.TOKEN_REFUSED,
                        "this changes something, so log in first: `sedge device console` on this"
                            + " machine makes a link"));
    if (!session.isFromItsPage(call.header(CSRF_HEADER))) {
      throw new Refusal(
          Reason.NOT_PERMITTED,
          "the header %s is missing, or is not this session's: load the page again"
              .formatted(CSRF_HEADER));
    }
  }

  /** Says in the device's log who has done something. */
  void tell(String what) {
    log.accept("console: %s has %s".formatted(NAME, what));
  }
}
