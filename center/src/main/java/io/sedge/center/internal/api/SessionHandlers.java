package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.people.Attempts;
import io.sedge.center.internal.people.PasswordRules;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.People;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Person;
import io.sedge.center.store.StoreException;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who has logged in. A password is held against its hash before it is said that a name is not
 * known: what is answered, and how long that takes, tells nobody which names there are.
 */
final class SessionHandlers {
  private final ApiContext context;
  private final ApiParts parts;
  private final PeopleDesk desk;
  private final FirstLogin firstLogin;
  private final SessionBeginning beginning;
  private final People people;

  SessionHandlers(
      ApiContext context, ApiParts parts, FirstLogin firstLogin, SessionBeginning beginning) {
    this.context = context;
    this.parts = parts;
    this.desk = parts.people();
    this.firstLogin = firstLogin;
    this.beginning = beginning;
    this.people = context.store().people();
  }

  void console(Call call) throws StoreException {
    call.answer(beginning.console(parts.gate().known(call.request())));
  }

  void login(Call call) throws ApiException, StoreException {
    Requests.Credentials asked = call.body(Requests.Credentials.class);
    String typed = Call.required("name", asked.name());
    String password = password("password", asked.password());
    String address = call.caller().address();
    Optional<Person> person = person(typed);
    String name = person.map(Person::name).orElse(typed);
    attempt(call, name, person);
    Optional<String> hash = person.flatMap(SessionHandlers::ownPassword);
    if (!isRight(password, hash)) {
      refused(person, address);
      throw wrong();
    }
    desk.attempts().succeeded(name, address);
    parts
        .threads()
        .ask(
            () -> {
              begin(call, name, hash, "login");
              return name;
            });
  }

  /** What nobody can be called is not looked up. */
  private Optional<Person> person(String typed) throws ApiException, StoreException {
    Optional<String> name = Names.typed(typed);
    return name.isEmpty() ? Optional.empty() : parts.threads().ask(() -> people.find(name.get()));
  }

  /** Who logs in at a provider has none, whatever is stored. */
  private static Optional<String> ownPassword(Person person) {
    return person.subject().isPresent() ? Optional.empty() : person.password();
  }

  private static ApiException wrong() {
    return new ApiException(Reason.LOGIN_REFUSED, "the name or the password is wrong");
  }

  /**
   * Begins a session of who has shown a password.
   *
   * @param hash of the password; who has another one meanwhile has lost all sessions before
   */
  private void begin(Call call, String name, Optional<String> hash, String what)
      throws ApiException, StoreException {
    beginning.begin(
        call,
        new SessionBeginning.Entry(name, what, ""),
        person -> ownPassword(person).equals(hash),
        SessionHandlers::wrong);
  }

  /** Takes an attempt. */
  private void attempt(Call call, String name, Optional<Person> person) throws ApiException {
    String address = call.caller().address();
    if (!desk.attempts().take(name, address)) {
      refused(person, address);
      call.response().header(HeaderNames.RETRY_AFTER, Attempts.PATIENCE_SECONDS);
      throw new ApiException(
          Reason.TOO_MANY_ATTEMPTS,
          "too many wrong passwords: try again in some minutes. An admin can make a new link");
    }
  }

  private void refused(Optional<Person> person, String address) {
    parts.counts().refusedToken();
    desk.refusedLogins().refused(person.map(Person::name), address);
  }

  /** Who has the code of a link sets a password and is logged in; the code is used once. */
  void first(Call call) throws ApiException, StoreException {
    Requests.First asked = call.body(Requests.First.class);
    String code = Call.required("code", asked.code());
    String password = password("password", asked.password());
    Optional<Person> invited = parts.threads().ask(() -> people.invited(code));
    if (invited.isEmpty() && !firstLogin.knows(code)) {
      throw parts.gate().wrongCode(call.caller().address());
    }
    String name = name(invited, asked.name());
    String hash = hash(name, password);
    parts
        .threads()
        .ask(
            () -> {
              Caller caller = call.caller().named(name);
              boolean done =
                  invited.isPresent()
                      ? accept(caller, code, hash)
                      : firstLogin
                          .use(context.store(), code, () -> addAdmin(caller, hash))
                          .isPresent();
              if (!done) {
                throw parts.gate().wrongCode(call.caller().address());
              }
              begin(call, name, Optional.of(hash), "first login");
              return name;
            });
  }

  private static String name(Optional<Person> invited, @Nullable String asked) throws ApiException {
    if (invited.isEmpty()) {
      return Names.fresh(Objects.requireNonNullElse(asked, AccessHandlers.FIRST));
    }
    String name = invited.get().name();
    if (asked != null && !Names.typed(asked).equals(Optional.of(name))) {
      throw new ApiException(
          Reason.MALFORMED,
          "name=%s: the link is for '%s', who is called that".formatted(asked, name));
    }
    return name;
  }

  private boolean accept(Caller caller, String code, String hash) throws StoreException {
    context.audit(caller, "password set", caller.name(), "");
    return people.accept(code, hash);
  }

  private Person addAdmin(Caller caller, String hash) throws StoreException {
    Permission permission = Permission.everywhere(Role.ADMIN);
    context.audit(caller, "person add", caller.name(), Permissions.text(permission));
    people.add(caller.name(), permission, hash);
    return people.find(caller.name()).orElseThrow();
  }

  /** The session ends even if nobody can write that into the audit log: it only takes away. */
  void logout(Call call) throws StoreException {
    desk.sessions().end(call.caller().session().orElseThrow());
    HostCookie.SESSION.clear(call);
    context.audit(call, "logout", call.caller().name(), "");
    call.done();
  }

  /** Another password: all sessions of the person end, and one begins for who has set it. */
  void password(Call call) throws ApiException, StoreException {
    Requests.Password asked = call.body(Requests.Password.class);
    String old = password("old", asked.old());
    String fresh = password("new", asked.fresh());
    String name = call.caller().name();
    Optional<Person> person = parts.threads().ask(() -> people.find(name));
    if (person.isPresent()) {
      PeopleHandlers.checkPassword(person.get());
    }
    attempt(call, name, person);
    Optional<String> before = person.flatMap(Person::password);
    if (!isRight(old, before)) {
      refused(person, call.caller().address());
      throw new ApiException(Reason.PASSWORD_REFUSED, "the password before is another one");
    }
    desk.attempts().succeeded(name, call.caller().address());
    String hash = hash(name, fresh);
    parts
        .threads()
        .ask(
            () -> {
              context.audit(call, "password change", name, "");
              if (!people.password(name, before.orElseThrow(), hash)) {
                throw new ApiException(
                    Reason.PASSWORD_REFUSED, "the password was changed by another request");
              }
              desk.sessions().endAll(name);
              begin(call, name, Optional.of(hash), "login");
              return name;
            });
  }

  /** A password that a request must have; blanks are characters too. */
  private static String password(String field, @Nullable String password) throws ApiException {
    if (password == null || password.isEmpty()) {
      throw new ApiException(Reason.MALFORMED, "%s is missing".formatted(field));
    }
    return password;
  }

  private boolean isRight(String password, Optional<String> hash) {
    try {
      return desk.passwords().isRight(password, hash);
    } catch (InterruptedException e) {
      throw ApiThreads.stopping(e);
    }
  }

  private String hash(String name, String password) throws ApiException {
    Optional<String> refusal = PasswordRules.refusal(name, password);
    if (refusal.isPresent()) {
      throw new ApiException(Reason.PASSWORD_REFUSED, refusal.get());
    }
    try {
      return desk.passwords().hash(password);
    } catch (InterruptedException e) {
      throw ApiThreads.stopping(e);
    }
  }
}
