package io.sedge.center.internal.api;

import io.sedge.center.api.JobVersion;
import io.sedge.center.api.Requests;
import io.sedge.center.api.ScriptProblem;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.internal.fleet.Waves;
import io.sedge.center.store.Fleet;
import io.sedge.center.store.Fleet.Wanted;
import io.sedge.center.store.FleetVersion;
import io.sedge.center.store.FleetVersion.Action;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Rollout;
import io.sedge.center.store.Site;
import io.sedge.center.store.StoreException;
import io.sedge.sql.Problem;
import io.sedge.sql.SqlException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs that are given to sites: versions, how far they are, and what is to be done next. */
final class JobHandlers {
  private static final Duration GATE = Duration.ofSeconds(60);
  private static final Duration MAX_GATE = Duration.ofDays(1);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,62}");

  private final ApiContext context;

  JobHandlers(ApiContext context) {
    this.context = context;
  }

  private static Permission permission(Call call) {
    return call.caller().permission().orElseThrow();
  }

  private Fleet fleet() {
    return context.store().fleet();
  }

  void check(Call call) throws ApiException {
    Requests.ForCheck asked = call.body(Requests.ForCheck.class);
    String name = name(Call.required("name", asked.name()));
    try {
      var _ = context.scripts().merges(name, Call.required("script", asked.script()));
      call.answer(List.of());
    } catch (SqlException e) {
      call.answer(e.problems().stream().map(JobHandlers::problem).toList());
    }
  }

  private static ScriptProblem problem(Problem problem) {
    return new ScriptProblem(
        problem.line(), problem.column(), problem.message(), problem.remedy().orElse(null));
  }

  void list(Call call) throws StoreException {
    List<JobVersion> reports = new ArrayList<>();
    for (FleetVersion version : fleet().jobs()) {
      reports.add(report(version, false));
    }
    call.answer(reports);
  }

  void show(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    List<FleetVersion> versions = known(name);
    FleetVersion latest =
        versions.stream()
            .filter(version -> version.action() != Action.CHECK)
            .findFirst()
            .orElse(versions.getFirst());
    call.answer(report(latest, true));
  }

  void versions(Call call) throws ApiException, StoreException {
    List<JobVersion> reports = new ArrayList<>();
    for (FleetVersion version : known(call.path("name"))) {
      reports.add(report(version, false));
    }
    call.answer(reports);
  }

  private List<FleetVersion> known(String name) throws ApiException, StoreException {
    List<FleetVersion> versions = fleet().versions(name);
    if (versions.isEmpty()) {
      throw new ApiException(Reason.UNKNOWN_NAME, "no job '%s' was given to sites".formatted(name));
    }
    return versions;
  }

  void version(Call call) throws ApiException, StoreException {
    call.answer(report(find(call.path("name"), call.path("version")), true));
  }

  private FleetVersion find(String job, String version) throws ApiException, StoreException {
    return fleet()
        .find(job, number(version))
        .orElseThrow(
            () ->
                new ApiException(
                    Reason.UNKNOWN_NAME, "job '%s' has no version %s".formatted(job, version)));
  }

  private static long number(String version) throws ApiException {
    try {
      return Long.parseLong(version);
    } catch (NumberFormatException e) {
      throw new ApiException(
          Reason.MALFORMED, "version %s: a whole number is allowed".formatted(version), e);
    }
  }

  void diff(Call call) throws ApiException, StoreException {
    call.allow(Set.of("from", "to"));
    String job = call.path("name");
    FleetVersion from = find(job, call.required("from"));
    FleetVersion to = find(job, call.required("to"));
    call.answer(ScriptDiff.of(from.script(), to.script()));
  }

  void deploy(Call call) throws ApiException, StoreException {
    String name = name(call.path("name"));
    Requests.ForJob asked = call.body(Requests.ForJob.class);
    String script = Call.required("script", asked.script());
    if (script.length() > Fleet.MAX_SCRIPT) {
      throw new ApiException(
          Reason.TOO_LARGE,
          "a script of %,d characters; %,d are allowed"
              .formatted(script.length(), Fleet.MAX_SCRIPT));
    }
    List<String> waves = asked.waves() == null ? Waves.DEFAULT : asked.waves();
    String problem = Waves.problem(waves);
    if (!problem.isEmpty()) {
      throw new ApiException(Reason.MALFORMED, problem);
    }
    boolean merged = compiled(name, script);
    if (merged) {
      permission(call).checkEverywhere("a job whose windows the center merges");
    }
    Action action = Boolean.TRUE.equals(asked.checkOnly()) ? Action.CHECK : Action.DEPLOY;
    FleetVersion version =
        fleet()
            .begin(
                new Wanted(
                    name,
                    action,
                    script,
                    merged,
                    text(asked),
                    chosen(asked),
                    waves,
                    seconds("gateSeconds", asked.gateSeconds()),
                    seconds("maxLagSeconds", asked.maxLagSeconds()),
                    call.caller().who()),
                permission(call));
    call.answer(201, report(version, true));
  }

  private boolean compiled(String name, String script) throws ApiException {
    try {
      return context.scripts().merges(name, script);
    } catch (SqlException e) {
      throw new ApiException(
          Reason.SCRIPT_REFUSED,
          e.problems().stream().map(Problem::toString).collect(Collectors.joining("; ")),
          e);
    }
  }

  private static Duration seconds(String name, @Nullable Long seconds) throws ApiException {
    if (seconds == null) {
      return GATE;
    }
    if (seconds < 0 || seconds > MAX_GATE.toSeconds()) {
      throw new ApiException(
          Reason.MALFORMED,
          "%s=%d: from 0 to %d is allowed".formatted(name, seconds, MAX_GATE.toSeconds()));
    }
    return Duration.ofSeconds(seconds);
  }

  private static String name(String name) throws ApiException {
    if (!NAME.matcher(name).matches()) {
      throw new ApiException(
          Reason.MALFORMED,
          "name=%s: up to 63 letters, digits, '_', '.' and '-' are allowed, a letter or digit first"
              .formatted(name));
    }
    return name;
  }

  private static String text(Requests.ForJob asked) {
    return asked.sites() != null
        ? String.join(", ", new TreeSet<>(asked.sites()))
        : new TreeMap<>(asked.labels() == null ? Map.of() : asked.labels())
            .entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(", "));
  }

  /** Sites that may report and are meant. */
  private List<String> chosen(Requests.ForJob asked) throws ApiException, StoreException {
    List<String> names = asked.sites() == null ? List.of() : asked.sites();
    Map<String, String> labels = asked.labels() == null ? Map.of() : asked.labels();
    if (names.isEmpty() == labels.isEmpty()) {
      throw new ApiException(
          Reason.MALFORMED, "say which sites: either sites by name, or labels that they have");
    }
    List<Site> active =
        context.store().sites().list().stream()
            .filter(site -> site.state() == Site.State.ACTIVE)
            .toList();
    Set<String> known = active.stream().map(Site::name).collect(Collectors.toSet());
    for (String name : names) {
      if (!known.contains(name)) {
        throw new ApiException(
            Reason.UNKNOWN_NAME, "no site that may report is called '%s'".formatted(name));
      }
    }
    List<String> chosen =
        active.stream()
            .filter(
                site ->
                    names.contains(site.name())
                        || (!labels.isEmpty()
                            && site.labels().entrySet().containsAll(labels.entrySet())))
            .map(Site::name)
            .toList();
    if (chosen.isEmpty()) {
      throw new ApiException(
          Reason.UNKNOWN_NAME,
          "no site has the labels %s: `sedge center site label` gives a site some"
              .formatted(text(asked)));
    }
    return chosen;
  }

  void rollBack(Call call) throws ApiException, StoreException {
    call.allow(Set.of("version"));
    String name = call.path("name");
    Optional<String> meant = call.parameter("version");
    FleetVersion version =
        fleet()
            .rollBack(
                name,
                meant.isEmpty() ? Optional.empty() : Optional.of(number(meant.get())),
                call.caller().who(),
                permission(call));
    call.answer(report(version, true));
  }

  void remove(Call call) throws StoreException {
    String name = call.path("name");
    FleetVersion version =
        fleet()
            .begin(
                new Wanted(
                    name,
                    Action.REMOVE,
                    "",
                    false,
                    "all that have it",
                    List.of(),
                    List.of(),
                    GATE,
                    GATE,
                    call.caller().who()),
                permission(call));
    call.answer(report(version, true));
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private JobVersion report(FleetVersion version, boolean whole) throws StoreException {
    List<Rollout> rollouts = fleet().rollouts(version.job(), version.version());
    Map<String, Long> installed = fleet().installed(version.job());
    Map<String, Integer> counts = new TreeMap<>();
    rollouts.forEach(site -> counts.merge(lower(site.state()), 1, Integer::sum));
    Map<Long, Integer> versions = new TreeMap<>();
    installed.values().forEach(each -> versions.merge(each, 1, Integer::sum));
    return new JobVersion(
        version.job(),
        version.version(),
        lower(version.action()),
        lower(version.state()),
        version.state().isFinal(),
        version.detail(),
        version.merged(),
        version.sites(),
        version.wave(),
        version.waves(),
        version.gate().toSeconds(),
        version.maxLag().toSeconds(),
        version.givenBy(),
        version.givenAt().toEpochMilli(),
        version.stateAt().toEpochMilli(),
        counts,
        versions,
        whole ? version.script() : null,
        whole ? rollouts.stream().map(site -> atSite(site, installed)).toList() : null);
  }

  private static JobVersion.AtSite atSite(Rollout site, Map<String, Long> installed) {
    Instant since = site.stateAt();
    return new JobVersion.AtSite(
        site.site(),
        lower(site.state()),
        site.detail(),
        site.wave(),
        site.before(),
        installed.getOrDefault(site.site(), 0L),
        since.toEpochMilli());
  }
}
