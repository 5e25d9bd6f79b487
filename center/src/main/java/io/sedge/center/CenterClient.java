package io.sedge.center;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sedge.center.api.AccessReport;
import io.sedge.center.api.AlarmsReport;
import io.sedge.center.api.AuditEntry;
import io.sedge.center.api.BackupReport;
import io.sedge.center.api.CenterStatus;
import io.sedge.center.api.CommandReport;
import io.sedge.center.api.ConditionReport;
import io.sedge.center.api.DiffLine;
import io.sedge.center.api.JobVersion;
import io.sedge.center.api.LinkReport;
import io.sedge.center.api.PersonReport;
import io.sedge.center.api.Requests;
import io.sedge.center.api.ScriptProblem;
import io.sedge.center.api.SiteLogReport;
import io.sedge.center.api.SiteReport;
import io.sedge.center.api.SiteToken;
import io.sedge.center.api.TableReport;
import io.sedge.center.internal.api.ApiService;
import io.sedge.center.internal.api.LocalAccess;
import io.sedge.center.internal.client.ClientTls;
import io.sedge.center.internal.client.ResultReader;
import io.sedge.center.store.QueryResult;
import io.sedge.center.store.RowReceiver;
import io.sedge.connector.Causes;
import io.sedge.identity.SecretFiles;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Asks a center over its REST API. Calls wait for the answer; any thread. Each may fail with a
 * {@link CenterException}: CONNECTION_FAILED if the center does not answer, JOIN_REFUSED if the
 * token is not known or may not, UNKNOWN_NAME, NAME_TAKEN, LIMIT_REACHED if the center has too much
 * to do or was asked for too much, USAGE for what it does not take.
 */
public final class CenterClient implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** A device makes it, and slow links carry it. */
  private static final Duration BUNDLE_PATIENCE = Duration.ofMinutes(4);

  /** A backup of a large database takes a while. */
  private static final Duration BACKUP_PATIENCE = Duration.ofHours(12);

  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private static final int MAX_BUNDLE_BYTES = 8 << 20;

  private final URI center;
  private final String token;
  private final HttpClient http;

  private CenterClient(URI center, String token, Optional<Path> authority) throws CenterException {
    this.center = center;
    this.token = token;
    HttpClient.Builder builder =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
    if (authority.isPresent()) {
      builder.sslContext(ClientTls.trusting(authority.get()));
    }
    this.http = builder.build();
  }

  /**
   * Asks a center anywhere.
   *
   * @param center {@code https://HOST:PORT}
   * @param authority the certificate that the center's is signed with; empty for those that this
   *     machine trusts
   * @throws CenterException USAGE, FILE_NOT_READABLE
   */
  public static CenterClient of(URI center, String token, Optional<Path> authority)
      throws CenterException {
    if (!"https".equals(center.getScheme()) || center.getHost() == null) {
      throw new CenterException(
          FailureCode.USAGE,
          "%s is no address of a center: write https://HOST:PORT".formatted(center));
    }
    if (token.isBlank() || !token.strip().chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new CenterException(
          FailureCode.USAGE, "that is no token: `sedge center access add` makes one");
    }
    return new CenterClient(center, token.strip(), authority);
  }

  /**
   * Asks the center that runs on this machine, as its admin.
   *
   * @param data its directory
   * @throws CenterException CONNECTION_FAILED if none runs there
   */
  public static CenterClient local(Path data) throws CenterException {
    Path control = data.resolve(LocalAccess.DIRECTORY);
    try {
      String address = Files.readString(control.resolve(LocalAccess.ADDRESS)).strip();
      String token = Files.readString(control.resolve(LocalAccess.TOKEN));
      return of(URI.create(address), token, Optional.of(data.resolve("authority/certificate.pem")));
    } catch (NoSuchFileException e) {
      throw new CenterException(
          FailureCode.CONNECTION_FAILED,
          "no center runs in %s: `sedge center start --data %s` starts one, and --at URL asks one elsewhere"
              .formatted(data, data),
          e);
    } catch (IOException e) {
      throw new CenterException(
          FailureCode.FILE_NOT_READABLE,
          "%s cannot be read (%s): the center's files are for its own user".formatted(control, e),
          e);
    }
  }

  public CenterStatus status() throws CenterException, InterruptedException {
    return get("/center", new TypeReference<>() {});
  }

  /** All sites by name, without their streams. */
  public List<SiteReport> sites() throws CenterException, InterruptedException {
    return get("/sites", new TypeReference<>() {});
  }

  public SiteReport site(String name) throws CenterException, InterruptedException {
    return get("/sites/" + part(name), new TypeReference<>() {});
  }

  /** Shuts a site out. */
  public void revoke(String site) throws CenterException, InterruptedException {
    done("POST", "/sites/%s/revoke".formatted(part(site)), null);
  }

  /** Says that a site was restored from an older state; returns its generation. */
  public int acceptRestored(String site) throws CenterException, InterruptedException {
    Map<String, Object> answer =
        ask(
            "POST",
            "/sites/%s/accept-restored".formatted(part(site)),
            null,
            new TypeReference<>() {});
    return ((Number) answer.getOrDefault("generation", 0)).intValue();
  }

  /** Gives a site labels in place of those that it had. */
  public void label(String site, Map<String, String> labels)
      throws CenterException, InterruptedException {
    done("PUT", "/sites/%s/labels".formatted(part(site)), labels);
  }

  /** What is wrong with a script; empty if nothing is. */
  public List<ScriptProblem> checkScript(String job, String script)
      throws CenterException, InterruptedException {
    return ask(
        "POST", "/scripts/check", new Requests.ForCheck(job, script), new TypeReference<>() {});
  }

  /** The latest version of each job that was given to sites. */
  public List<JobVersion> jobs() throws CenterException, InterruptedException {
    return get("/jobs", new TypeReference<>() {});
  }

  /** The latest version of a job, with its script and sites. */
  public JobVersion job(String name) throws CenterException, InterruptedException {
    return get("/jobs/" + part(name), new TypeReference<>() {});
  }

  /** The versions of a job that are kept, the latest first. */
  public List<JobVersion> jobVersions(String name) throws CenterException, InterruptedException {
    return get("/jobs/%s/versions".formatted(part(name)), new TypeReference<>() {});
  }

  /** A version of a job, with its script and sites. */
  public JobVersion jobVersion(String name, long version)
      throws CenterException, InterruptedException {
    return get("/jobs/%s/versions/%d".formatted(part(name), version), new TypeReference<>() {});
  }

  /** Gives a job to sites. */
  public JobVersion deploy(String name, Requests.ForJob job)
      throws CenterException, InterruptedException {
    return ask("POST", "/jobs/%s/versions".formatted(part(name)), job, new TypeReference<>() {});
  }

  /**
   * Takes the version of a job back that is under way, else the latest.
   *
   * @param version which one it must be; empty for whichever it is
   */
  public JobVersion rollBack(String name, Optional<Long> version)
      throws CenterException, InterruptedException {
    return ask(
        "POST",
        "/jobs/%s/rollback%s"
            .formatted(part(name), version.map(number -> "?version=" + number).orElse("")),
        null,
        new TypeReference<>() {});
  }

  /** Has a job removed at all of its sites. */
  public JobVersion removeJob(String name) throws CenterException, InterruptedException {
    return ask("DELETE", "/jobs/" + part(name), null, new TypeReference<>() {});
  }

  /** How two versions of a job differ. */
  public List<DiffLine> diff(String name, long from, long to)
      throws CenterException, InterruptedException {
    return get(
        "/jobs/%s/diff?from=%d&to=%d".formatted(part(name), from, to), new TypeReference<>() {});
  }

  /** Gives a command to a table of a site's job. */
  public CommandReport command(String site, Requests.ForCommand command)
      throws CenterException, InterruptedException {
    return ask(
        "POST", "/sites/%s/commands".formatted(part(site)), command, new TypeReference<>() {});
  }

  /** Commands to a site, the latest first. */
  public List<CommandReport> commands(String site, int limit)
      throws CenterException, InterruptedException {
    return get(
        "/sites/%s/commands?limit=%d".formatted(part(site), limit), new TypeReference<>() {});
  }

  public CommandReport command(String site, String id)
      throws CenterException, InterruptedException {
    return get("/sites/%s/commands/%s".formatted(part(site), part(id)), new TypeReference<>() {});
  }

  /** Takes a command back that was not sent; returns what has become of it. */
  public CommandReport cancelCommand(String site, String id)
      throws CenterException, InterruptedException {
    return ask(
        "POST",
        "/sites/%s/commands/%s/cancel".formatted(part(site), part(id)),
        null,
        new TypeReference<>() {});
  }

  /**
   * The alarms of sites, the most urgent first.
   *
   * @param site of which; empty for all
   */
  public AlarmsReport alarms(Optional<String> site) throws CenterException, InterruptedException {
    return get(
        "/alarms" + site.map(name -> "?site=" + part(name)).orElse(""), new TypeReference<>() {});
  }

  /**
   * Has a site do something to alarms, which it may do later.
   *
   * @param action {@code acknowledge}, {@code shelve} or {@code unshelve}
   */
  public AlarmsReport.Action act(String site, String action, Requests.ForAlarms alarms)
      throws CenterException, InterruptedException {
    return ask(
        "POST",
        "/sites/%s/alarms/%s".formatted(part(site), part(action)),
        alarms,
        new TypeReference<>() {});
  }

  /** What has become of that. */
  public AlarmsReport.Action alarmAction(String site, String id)
      throws CenterException, InterruptedException {
    return get(
        "/sites/%s/alarm-actions/%s".formatted(part(site), part(id)), new TypeReference<>() {});
  }

  /** How a site was when it last said so. */
  public ConditionReport condition(String site) throws CenterException, InterruptedException {
    return get("/sites/%s/condition".formatted(part(site)), new TypeReference<>() {});
  }

  /**
   * The latest that devices of a site have said, asked of the site.
   *
   * @param device which; empty for all
   * @param job about which; empty for all
   */
  public SiteLogReport siteLog(String site, String device, String job)
      throws CenterException, InterruptedException {
    return get(
        "/sites/%s/log?device=%s&job=%s".formatted(part(site), part(device), part(job)),
        new TypeReference<>() {});
  }

  /**
   * Gets a bundle of a device for whoever looks for a fault, made by the device now: a zip file,
   * readable for its owner alone.
   *
   * @param file must not be there
   * @return its bytes
   * @throws CenterException DIRECTORY_NOT_USABLE if it cannot be written
   */
  public int bundle(String site, String device, Path file)
      throws CenterException, InterruptedException {
    String path = "/sites/%s/devices/%s/bundle".formatted(part(site), part(device));
    byte[] zip;
    try (InputStream body = send(request("GET", path, null).timeout(BUNDLE_PATIENCE)).body()) {
      zip = body.readNBytes(MAX_BUNDLE_BYTES + 1);
      if (zip.length > MAX_BUNDLE_BYTES) {
        throw new IOException("more than %,d bytes".formatted(MAX_BUNDLE_BYTES));
      }
    } catch (IOException e) {
      throw broken(e);
    }
    try (OutputStream output = SecretFiles.create(file)) {
      output.write(zip);
      return zip.length;
    } catch (IOException e) {
      throw new CenterException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "the bundle %s cannot be written: %s; name another file with --to".formatted(file, e),
          e);
    }
  }

  /** Makes a token with which a site enrols. */
  public SiteToken siteToken(Optional<String> site, Duration validFor)
      throws CenterException, InterruptedException {
    return ask(
        "POST",
        "/site-tokens",
        new Requests.ForSite(site.orElse(null), validFor.toSeconds()),
        new TypeReference<>() {});
  }

  public List<TableReport> tables() throws CenterException, InterruptedException {
    return get("/tables", new TypeReference<>() {});
  }

  /**
   * Says how long a table keeps its rows.
   *
   * @param keep empty for ever
   * @param by the column whose time says how old a row is; empty for the one before
   */
  public TableReport keep(String table, Optional<Duration> keep, Optional<String> by)
      throws CenterException, InterruptedException {
    return ask(
        "PUT",
        "/tables/%s/retention".formatted(part(table)),
        new Requests.Retention(keep.map(Duration::toSeconds).orElse(null), by.orElse(null)),
        new TypeReference<>() {});
  }

  public List<AccessReport> accessTokens() throws CenterException, InterruptedException {
    return get("/access-tokens", new TypeReference<>() {});
  }

  /**
   * Makes a token for a person or program.
   *
   * @param sites at which something may be changed; empty for all
   * @param validFor empty for ever
   */
  public AccessReport addAccess(
      String name, String role, List<String> sites, Optional<Duration> validFor)
      throws CenterException, InterruptedException {
    return ask(
        "POST",
        "/access-tokens",
        new Requests.ForAccess(
            name, role, orAbsent(sites), validFor.map(Duration::toSeconds).orElse(null)),
        new TypeReference<>() {});
  }

  /**
   * Gives a token another role.
   *
   * @param sites at which something may be changed; empty for those of before, {@code *} alone for
   *     all
   */
  public AccessReport accessRole(String name, String role, List<String> sites)
      throws CenterException, InterruptedException {
    return ask(
        "PUT",
        "/access-tokens/%s/role".formatted(part(name)),
        new Requests.ForRole(role, orAbsent(sites)),
        new TypeReference<>() {});
  }

  public void removeAccess(String name) throws CenterException, InterruptedException {
    done("DELETE", "/access-tokens/" + part(name), null);
  }

  /** People who may log in. */
  public List<PersonReport> people() throws CenterException, InterruptedException {
    return get("/people", new TypeReference<>() {});
  }

  /**
   * Makes a person known, who sets a password by a link.
   *
   * @param sites at which the person may change something; empty for all
   */
  public LinkReport addPerson(String name, String role, List<String> sites)
      throws CenterException, InterruptedException {
    return ask(
        "POST",
        "/people",
        new Requests.ForPerson(name, role, orAbsent(sites)),
        new TypeReference<>() {});
  }

  /**
   * Gives a person another role.
   *
   * @param sites at which the person may change something; empty for those of before, {@code *}
   *     alone for all
   */
  public PersonReport personRole(String person, String role, List<String> sites)
      throws CenterException, InterruptedException {
    return ask(
        "PUT",
        "/people/%s/role".formatted(part(person)),
        new Requests.ForRole(role, orAbsent(sites)),
        new TypeReference<>() {});
  }

  private static @Nullable List<String> orAbsent(List<String> sites) {
    return sites.isEmpty() ? null : sites;
  }

  /** Makes a new link in place of a person's password. */
  public LinkReport resetPerson(String name) throws CenterException, InterruptedException {
    return ask("POST", "/people/%s/reset".formatted(part(name)), null, new TypeReference<>() {});
  }

  /**
   * Removes a person.
   *
   * @param forgets whether one whom a login provider would let in again is forgotten, who is shut
   *     out by now; else such a person is shut out
   */
  public void removePerson(String name, boolean forgets)
      throws CenterException, InterruptedException {
    done("DELETE", "/people/%s%s".formatted(part(name), forgets ? "?forget=true" : ""), null);
  }

  /** What was done, the latest first. */
  public List<AuditEntry> audit(int limit) throws CenterException, InterruptedException {
    return get("/audit?limit=" + limit, new TypeReference<>() {});
  }

  /**
   * Copies the database to a file of the center's directory {@code backups}.
   *
   * @param file a name without a directory
   */
  public BackupReport backup(String file) throws CenterException, InterruptedException {
    return read(
        send(request("POST", "/backup", new Requests.Backup(file)).timeout(BACKUP_PATIENCE)),
        new TypeReference<>() {});
  }

  /**
   * Asks a query. Rows are given to the receiver as they come.
   *
   * @param limit how many rows at most; empty for 10,000
   */
  public QueryResult query(String sql, Optional<Long> limit, RowReceiver receiver)
      throws CenterException, InterruptedException {
    HttpResponse<InputStream> response =
        send(request("POST", "/query", new Requests.Query(sql, limit.orElse(null))));
    try (InputStream body = response.body()) {
      return ResultReader.read(body, receiver);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private <T> T get(String path, TypeReference<T> type)
      throws CenterException, InterruptedException {
    return ask("GET", path, null, type);
  }

  private <T> T ask(String method, String path, @Nullable Object body, TypeReference<T> type)
      throws CenterException, InterruptedException {
    return read(send(request(method, path, body)), type);
  }

  private void done(String method, String path, @Nullable Object body)
      throws CenterException, InterruptedException {
    try (InputStream answer = send(request(method, path, body)).body()) {
      var _ = answer.readAllBytes();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private <T> T read(HttpResponse<InputStream> response, TypeReference<T> type)
      throws CenterException {
    try (InputStream body = response.body()) {
      return JSON.readValue(body, type);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private CenterException broken(IOException e) {
    return new CenterException(
        FailureCode.CONNECTION_FAILED,
        "the answer of the center at %s cannot be read to its end: %s".formatted(center, e),
        e);
  }

  private HttpRequest.Builder request(String method, String path, @Nullable Object body) {
    try {
      return HttpRequest.newBuilder(center.resolve(ApiService.ROOT + path))
          .timeout(PATIENCE)
          .header("Authorization", "Bearer " + token)
          .method(
              method,
              body == null
                  ? BodyPublishers.noBody()
                  : BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a request that JSON cannot hold", e);
    }
  }

  private HttpResponse<InputStream> send(HttpRequest.Builder request)
      throws CenterException, InterruptedException {
    HttpResponse<InputStream> response;
    try {
      response = http.send(request.build(), BodyHandlers.ofInputStream());
    } catch (SSLHandshakeException e) {
      throw new CenterException(
          FailureCode.CONNECTION_FAILED,
          "the certificate of the center at %s is not trusted (%s): give the center's DIR/authority/certificate.pem with --ca, or an address that the certificate names"
              .formatted(center, e.getMessage()),
          e);
    } catch (IOException e) {
      throw new CenterException(
          FailureCode.CONNECTION_FAILED,
          "the center at %s does not answer: %s"
              .formatted(
                  center, Causes.text(e) + (Causes.isRefused(e) ? "; does the center run?" : "")),
          e);
    }
    if (response.statusCode() >= 400) {
      try (InputStream body = response.body()) {
        throw ResultReader.failure(response.statusCode(), body);
      } catch (IOException e) {
        throw broken(e);
      }
    }
    return response;
  }

  private static String part(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Ends what is under way. */
  @Override
  public void close() {
    http.shutdownNow();
  }
}
