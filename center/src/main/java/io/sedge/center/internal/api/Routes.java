package io.sedge.center.internal.api;

import static io.sedge.center.internal.api.Access.ADMIN;
import static io.sedge.center.internal.api.Access.ANYBODY;
import static io.sedge.center.internal.api.Access.ENGINEER;
import static io.sedge.center.internal.api.Access.LOOPBACK;
import static io.sedge.center.internal.api.Access.OPERATOR;
import static io.sedge.center.internal.api.Access.PERSON;
import static io.sedge.center.internal.api.Access.VIEWER;
import static io.sedge.center.internal.api.Route.delete;
import static io.sedge.center.internal.api.Route.get;
import static io.sedge.center.internal.api.Route.post;
import static io.sedge.center.internal.api.Route.put;

import io.sedge.center.OidcOptions;
import java.util.List;

/** All that may be asked for, and who may. */
final class Routes {
  private Routes() {}

  static List<Route> of(ApiContext context, ApiParts parts) {
    Gate gate = parts.gate();
    FirstLogin firstLogin =
        new FirstLogin(
            context.control(), context.clock(), context.provider().map(OidcOptions::issuer));
    CenterHandlers center = new CenterHandlers(context, new CenterMetrics(context, parts.counts()));
    SessionBeginning beginning = new SessionBeginning(context, parts.people());
    SessionHandlers sessions = new SessionHandlers(context, parts, firstLogin, beginning);
    OidcHandlers oidc = new OidcHandlers(context, parts, beginning);
    PeopleHandlers people = new PeopleHandlers(context, parts.people());
    SiteHandlers sites = new SiteHandlers(context);
    CommandHandlers commands = new CommandHandlers(context);
    DiagnosisHandlers diagnosis = new DiagnosisHandlers(context, parts.threads());
    AlarmHandlers alarms = new AlarmHandlers(context);
    JobHandlers jobs = new JobHandlers(context);
    TableHandlers tables = new TableHandlers(context);
    QueryHandlers queries = new QueryHandlers(context);
    AccessHandlers access = new AccessHandlers(context, gate, firstLogin);
    return List.of(
        get("/health", ANYBODY, center::health),
        get("/openapi.yaml", ANYBODY, center::description),
        post("/login", ANYBODY, access::login),
        get("/console", ANYBODY, sessions::console),
        post("/session", ANYBODY, sessions::login).waiting(),
        post("/session/first", ANYBODY, sessions::first).waiting(),
        post("/session/oidc", ANYBODY, oidc::begin).waiting(),
        post("/session/oidc/code", ANYBODY, oidc::redeem).waiting(),
        delete("/session", PERSON, sessions::logout),
        put("/session/password", PERSON, sessions::password).waiting(),
        get("/events", VIEWER, call -> parts.events().listen(call, gate)).waiting().whileIdle(),
        get("/metrics", LOOPBACK, center::metrics),
        get("/center", VIEWER, center::status),
        get("/sites", VIEWER, sites::list),
        get("/sites/{name}", VIEWER, sites::show),
        put("/sites/{name}/labels", ENGINEER, sites::label),
        post("/sites/{name}/accept-restored", OPERATOR, sites::acceptRestored),
        post("/sites/{name}/revoke", ADMIN, sites::revoke),
        get("/sites/{name}/condition", VIEWER, commands::condition),
        get("/sites/{name}/log", OPERATOR, diagnosis::log).waiting(),
        get("/sites/{name}/devices/{device}/bundle", ENGINEER, diagnosis::bundle).waiting(),
        get("/sites/{name}/commands", VIEWER, commands::list),
        post("/sites/{name}/commands", OPERATOR, commands::give),
        get("/sites/{name}/commands/{id}", VIEWER, commands::show),
        post("/sites/{name}/commands/{id}/cancel", OPERATOR, commands::cancel),
        get("/alarms", VIEWER, alarms::list),
        post("/sites/{name}/alarms/{action}", OPERATOR, alarms::act),
        get("/sites/{name}/alarm-actions/{id}", VIEWER, alarms::show),
        post("/site-tokens", ENGINEER, sites::token),
        post("/scripts/check", ENGINEER, jobs::check).at(Reach.NOWHERE).waiting(),
        get("/jobs", VIEWER, jobs::list),
        get("/jobs/{name}", VIEWER, jobs::show),
        delete("/jobs/{name}", ENGINEER, jobs::remove).at(Reach.FOUND),
        post("/jobs/{name}/rollback", ENGINEER, jobs::rollBack).at(Reach.FOUND),
        get("/jobs/{name}/versions", VIEWER, jobs::versions),
        post("/jobs/{name}/versions", ENGINEER, jobs::deploy).at(Reach.FOUND).waiting(),
        get("/jobs/{name}/versions/{version}", VIEWER, jobs::version),
        get("/jobs/{name}/diff", VIEWER, jobs::diff),
        get("/tables", VIEWER, tables::list),
        get("/tables/{name}", VIEWER, tables::show),
        get("/tables/{name}/series", VIEWER, tables::series),
        put("/tables/{name}/retention", ENGINEER, tables::retention),
        post("/query", VIEWER, queries::query),
        get("/audit", VIEWER, access::audit),
        get("/access-tokens", ADMIN, access::list),
        post("/access-tokens", ADMIN, access::add),
        put("/access-tokens/{name}/role", ADMIN, access::role),
        delete("/access-tokens/{name}", ADMIN, access::remove),
        get("/people", ADMIN, people::list),
        post("/people", ADMIN, people::invite),
        put("/people/{name}/role", ADMIN, people::role),
        post("/people/{name}/reset", ADMIN, people::reset),
        delete("/people/{name}", ADMIN, people::remove),
        post("/backup", ADMIN, center::backup));
  }
}
