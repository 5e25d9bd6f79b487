package io.sedge.center.internal.api;

import io.sedge.center.api.AccessReport;
import io.sedge.center.api.AuditEntry;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.AccessTokens;
import io.sedge.center.store.AccessTokens.Access;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.AuditLog;
import io.sedge.center.store.Permission;
import io.sedge.center.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Who may use the API, and who has done what. */
final class AccessHandlers {
  private static final int ENTRIES = 100;

  /** Who makes use of the first code and says no name. */
  static final String FIRST = "admin";

  private final ApiContext context;
  private final Gate gate;
  private final FirstLogin firstLogin;

  AccessHandlers(ApiContext context, Gate gate, FirstLogin firstLogin) {
    this.context = context;
    this.gate = gate;
    this.firstLogin = firstLogin;
  }

  void list(Call call) throws StoreException {
    call.answer(context.store().tokens().list().stream().map(AccessHandlers::report).toList());
  }

  private static AccessReport report(Access access) {
    return new AccessReport(
        access.name(),
        io.sedge.center.internal.api.Access.name(access.permission().role()),
        access.permission().sites().orElse(null),
        access.createdAt().toEpochMilli(),
        access.endsAt().map(Instant::toEpochMilli).orElse(null),
        access.usedAt().map(Instant::toEpochMilli).orElse(null),
        null);
  }

  void add(Call call) throws ApiException, StoreException {
    Requests.ForAccess asked = call.body(Requests.ForAccess.class);
    String name = Names.fresh(Call.required("name", asked.name()));
    Permission permission = Permissions.asked(context.store().sites(), asked.role(), asked.sites());
    Optional<Duration> life = Optional.ofNullable(asked.validForSeconds()).map(Duration::ofSeconds);
    if (life.isPresent() && life.get().compareTo(Duration.ofSeconds(1)) < 0) {
      throw new ApiException(
          Reason.MALFORMED,
          "validForSeconds=%d: 1 at least, or none for ever".formatted(life.get().toSeconds()));
    }
    context.store().people().checkFree(name);
    context.audit(call, "access add", name, Permissions.text(permission));
    AccessReport made = add(name, permission, life.map(context.clock().instant()::plus));
    call.answer(201, made);
  }

  private AccessReport add(String name, Permission permission, Optional<Instant> end)
      throws StoreException {
    String token = LocalAccess.newToken();
    context.store().tokens().add(token, name, permission, end);
    return new AccessReport(
        name,
        io.sedge.center.internal.api.Access.name(permission.role()),
        permission.sites().orElse(null),
        context.clock().millis(),
        end.map(Instant::toEpochMilli).orElse(null),
        null,
        token);
  }

  /** The role, and the sites, count from the token's next request on. */
  void role(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    refuseOwn(name);
    AccessTokens tokens = context.store().tokens();
    Requests.ForRole asked = call.body(Requests.ForRole.class);
    Access before = tokens.named(name).orElseThrow(() -> unknown(name));
    Permission changed = Permissions.changed(context.store().sites(), before.permission(), asked);
    context.audit(call, "access role", name, Permissions.text(changed));
    check(name, Permissions.change(tokens, name, asked, changed));
    call.answer(report(tokens.named(name).orElseThrow(() -> unknown(name))));
  }

  private static void refuseOwn(String name) throws ApiException {
    if (name.equals(LocalAccess.NAME)) {
      throw new ApiException(
          Reason.NOT_PERMITTED,
          "'%s' is the center's own, with which the commands of its machine ask".formatted(name));
    }
  }

  private static void check(String name, boolean known) throws ApiException {
    if (!known) {
      throw unknown(name);
    }
  }

  private static ApiException unknown(String name) {
    return new ApiException(Reason.UNKNOWN_NAME, "no token is called '%s'".formatted(name));
  }

  void remove(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    refuseOwn(name);
    AccessTokens tokens = context.store().tokens();
    check(name, tokens.named(name).isPresent());
    context.audit(call, "access remove", name, "");
    check(name, tokens.remove(name));
    call.done();
  }

  /** Who has the code of the first start becomes an admin; it is used once. */
  void login(Call call) throws ApiException, StoreException {
    Requests.Login asked = call.body(Requests.Login.class);
    String code = Call.required("code", asked.code());
    String name = Names.fresh(Optional.ofNullable(asked.name()).orElse(FIRST));
    Optional<AccessReport> made =
        firstLogin.use(
            context.store(),
            code,
            () -> {
              context.audit(call.caller().named(name), "first login", name, "");
              return add(name, Permission.everywhere(Role.ADMIN), Optional.empty());
            });
    if (made.isEmpty()) {
      throw gate.wrongCode(call.caller().address());
    }
    call.answer(201, made.get());
  }

  void audit(Call call) throws ApiException, StoreException {
    int limit = call.number("limit", 1, AuditLog.MAX_ENTRIES).orElse((long) ENTRIES).intValue();
    call.answer(
        context.store().audit().latest(limit).stream()
            .map(
                entry ->
                    new AuditEntry(
                        entry.at().toEpochMilli(),
                        entry.who(),
                        entry.what(),
                        entry.subject(),
                        entry.detail()))
            .toList());
  }
}
