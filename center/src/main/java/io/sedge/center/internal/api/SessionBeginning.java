package io.sedge.center.internal.api;

import io.sedge.center.OidcOptions;
import io.sedge.center.api.ConsoleReport;
import io.sedge.center.internal.people.Sessions;
import io.sedge.center.internal.people.Sessions.Session;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Person;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.Subject;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Begins the sessions of people, however they have shown who they are. */
final class SessionBeginning {
  private final ApiContext context;
  private final PeopleDesk desk;

  SessionBeginning(ApiContext context, PeopleDesk desk) {
    this.context = context;
    this.desk = desk;
  }

  /**
   * Who comes in.
   *
   * @param what the audit log calls it
   * @param detail for the audit log
   */
  record Entry(String name, String what, String detail) {}

  /**
   * Begins a session, in place of the one that the browser had, and answers.
   *
   * @param same whether somebody of the name is still who was let in
   * @param refused what is said if not
   */
  void begin(Call call, Entry entry, Predicate<Person> same, Supplier<ApiException> refused)
      throws ApiException, StoreException {
    String name = entry.name();
    Sessions sessions = desk.sessions();
    HostCookie.SESSION.of(call.request()).flatMap(sessions::find).ifPresent(sessions::end);
    Sessions.Begun begun = sessions.begin(name);
    // Whoever was removed or got a new link meanwhile has lost all sessions before this one.
    Optional<Person> person =
        context.store().people().find(name).filter(one -> !one.isShutOut()).filter(same);
    if (person.isEmpty()) {
      sessions.end(begun.session());
      throw refused.get();
    }
    Caller caller =
        new Caller(
            name,
            Optional.of(person.get().permission()),
            call.caller().address(),
            Optional.of(begun.session()));
    try {
      context.audit(caller, entry.what(), name, entry.detail());
    } catch (StoreException | RuntimeException e) {
      sessions.end(begun.session());
      throw e;
    }
    desk.attempts().loggedIn(name, call.caller().address());
    HostCookie.SESSION.set(call, begun.token());
    call.answer(console(Optional.of(caller)));
  }

  /** What the page is to show. */
  ConsoleReport console(Optional<Caller> caller) throws StoreException {
    return new ConsoleReport(
        "center",
        "center",
        caller.isPresent() ? context.version() : null,
        "password",
        context.provider().map(OidcOptions::label).orElse(null),
        caller.isPresent() ? report(caller.get()) : null,
        caller.flatMap(Caller::session).map(Session::csrf).orElse(null));
  }

  private ConsoleReport.Caller report(Caller caller) throws StoreException {
    Permission permission = caller.permission().orElseThrow();
    Optional<Person> person =
        caller.session().isPresent()
            ? context.store().people().asking(caller.name())
            : Optional.empty();
    return new ConsoleReport.Caller(
        caller.name(),
        Access.name(permission.role()),
        permission.sites().orElse(null),
        person.flatMap(Person::subject).map(Subject::issuer).orElse(null));
  }
}
