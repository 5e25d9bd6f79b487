package io.sedge.center.internal.api;

import io.sedge.center.api.LinkReport;
import io.sedge.center.api.PersonReport;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.People;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Person;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.Subject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;

/** People who may log in, as an admin sees them. */
final class PeopleHandlers {
  private final ApiContext context;
  private final PeopleDesk desk;
  private final People people;

  PeopleHandlers(ApiContext context, PeopleDesk desk) {
    this.context = context;
    this.desk = desk;
    this.people = context.store().people();
  }

  void list(Call call) throws StoreException {
    call.answer(people.list().stream().map(this::report).toList());
  }

  private PersonReport report(Person person) {
    return new PersonReport(
        person.name(),
        Access.name(person.permission().role()),
        person.permission().sites().orElse(null),
        person.createdAt().toEpochMilli(),
        person.seenAt().map(Instant::toEpochMilli).orElse(null),
        person.linkEndsAt().map(Instant::toEpochMilli).orElse(null),
        person.subject().map(Subject::issuer).orElse(null),
        person.isShutOut(),
        desk.attempts().isLocked(person.name()));
  }

  void invite(Call call) throws ApiException, StoreException {
    Requests.ForPerson asked = call.body(Requests.ForPerson.class);
    String name = Names.fresh(Call.required("name", asked.name()));
    Permission permission = Permissions.asked(context.store().sites(), asked.role(), asked.sites());
    people.checkRoom(name);
    context.audit(call, "person add", name, Permissions.text(permission));
    String code = LocalAccess.newSecret();
    Instant end = context.clock().instant().plus(FirstLogin.LIFE);
    people.invite(name, permission, code, end);
    call.answer(201, link(name, code, end));
  }

  private LinkReport link(String name, String code, Instant end) {
    return new LinkReport(
        name,
        FirstLogin.link(context.address().get(), code)
            + "&name="
            + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"),
        end.toEpochMilli());
  }

  /** The role, and the sites, count from the person's next request on. */
  void role(Call call) throws ApiException, StoreException {
    String name = name(call);
    Requests.ForRole asked = call.body(Requests.ForRole.class);
    Person before = people.find(name).orElseThrow(() -> unknown(name));
    if (before.subject().isPresent() && asked.role() != null) {
      checkRole(before, Permissions.role(asked.role()));
      if (asked.sites() == null) {
        call.answer(report(before));
        return;
      }
      // The role of before may be another one meanwhile.
      asked = new Requests.ForRole(null, asked.sites());
    }
    Permission changed = Permissions.changed(context.store().sites(), before.permission(), asked);
    context.audit(call, "person role", name, Permissions.text(changed));
    check(name, Permissions.change(people, name, asked, changed));
    call.answer(report(people.find(name).orElseThrow(() -> unknown(name))));
  }

  /** Each login sets the role: one that is given here would not last. */
  private static void checkRole(Person person, Role role) throws ApiException {
    Role own = person.permission().role();
    if (role != own) {
      throw new ApiException(
          Reason.MALFORMED,
          ("role=%s: the login provider says the role of '%s', which is %s: change it there. Sites"
                  + " are said here")
              .formatted(Access.name(role), person.name(), Access.name(own)));
    }
  }

  /** The password is worth nothing from now on, and so are the person's sessions. */
  void reset(Call call) throws ApiException, StoreException {
    String name = name(call);
    checkPassword(people.find(name).orElseThrow(() -> unknown(name)));
    context.audit(call, "person reset", name, "");
    String code = LocalAccess.newSecret();
    Instant end = context.clock().instant().plus(FirstLogin.LIFE);
    check(name, people.reset(name, code, end));
    desk.sessions().endAll(name);
    call.answer(201, link(name, code, end));
  }

  /**
   * Refuses who has no password, and never gets one.
   *
   * @throws ApiException PASSWORD_REFUSED
   */
  static void checkPassword(Person person) throws ApiException {
    if (person.subject().isPresent()) {
      throw new ApiException(
          Reason.PASSWORD_REFUSED,
          "'%s' logs in at %s and has no password here: it is changed there"
              .formatted(person.name(), person.subject().get().issuer()));
    }
  }

  /**
   * Whom a provider would let in again is shut out, however often that is asked, and forgotten once
   * that is asked of who is shut out.
   */
  void remove(Call call) throws ApiException, StoreException {
    call.allow(Set.of("forget"));
    String name = name(call);
    Person person = people.find(name).orElseThrow(() -> unknown(name));
    boolean forgets =
        call.parameter("forget").filter("true"::equals).isPresent() && person.isShutOut();
    boolean shutOut = person.subject().isPresent() && !forgets;
    context.audit(call, "person remove", name, shutOut ? "shut out" : "");
    if (shutOut) {
      var _ = people.shutOut(name); // Once more changes nothing.
    } else {
      check(name, people.remove(name));
    }
    desk.sessions().endAll(name);
    call.done();
  }

  private static String name(Call call) throws ApiException {
    String asked = call.path("name");
    return Names.typed(asked).orElseThrow(() -> unknown(asked));
  }

  private static void check(String name, boolean known) throws ApiException {
    if (!known) {
      throw unknown(name);
    }
  }

  private static ApiException unknown(String name) {
    return new ApiException(Reason.UNKNOWN_NAME, "nobody is called '%s'".formatted(name));
  }
}
