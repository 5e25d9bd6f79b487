package io.sedge.cli.internal;

import io.sedge.flink.cluster.FlinkCluster;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster of Flink's is asked, and with which login. */
final class FlinkAddress {
  private static final int MAX_LOGIN = 8_192;

  @Option(
      names = "--to",
      paramLabel = "URL",
      description = {"The REST of the cluster's JobManager:", "http://jobmanager:8081, or https."})
  private @Nullable String to;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      order = 92,
      description = {
        "The certificate of the cluster's authority, PEM (default: what this",
        "machine trusts)."
      })
  private @Nullable Path authority;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      order = 93,
      description = "A file with a token, where a proxy before the cluster wants one.")
  private @Nullable String tokenFile;

  @Option(
      names = "--login-file",
      paramLabel = "FILE",
      order = 94,
      description = "A file with NAME:PASSWORD instead.")
  private @Nullable String loginFile;

  /**
   * The cluster; nothing is asked yet.
   *
   * @param sendsSecrets whether values of secrets will go there
   */
  FlinkCluster cluster(Surroundings surroundings, boolean sendsSecrets)
      throws JobException, SiteException {
    URI address = address();
    Optional<String> login = login(surroundings);
    if (!address.getScheme().equals("https")
        && (login.isPresent() || sendsSecrets)
        && !HostPort.isLoopback(address.getHost())) {
      throw usage(
          "--to=%s: %s would go over the network in clear: give an address of https%s"
              .formatted(
                  address,
                  login.isPresent() ? "the login" : "the secrets",
                  sendsSecrets
                      ? ", or leave --secrets-file out and set the secrets in the environment of"
                          + " the JobManager"
                      : ""));
    }
    return FlinkCluster.of(
        address, Optional.ofNullable(authority).map(surroundings.directory()::resolve), login);
  }

  private URI address() throws JobException {
    if (to == null) {
      throw usage(
          "`sedge flink submit` needs --to URL: the REST of the JobManager, http://HOST:8081;"
              + " --dry-run does without");
    }
    try {
      URI address = new URI(to);
      boolean known = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
      if (known
          && address.getHost() != null
          && address.getUserInfo() == null
          && address.getQuery() == null
          && address.getFragment() == null) {
        return address;
      }
      throw usage(
          "--to=%s is no address of a JobManager: write http://HOST:8081 or https://HOST:PORT%s"
              .formatted(
                  withoutLogin(to), to.contains("@") ? ", the login with --login-file" : ""));
    } catch (URISyntaxException e) {
      throw usage("--to=%s is no address: write http://HOST:8081".formatted(withoutLogin(to)));
    }
  }

  /** What is no address cannot be taken apart as one. */
  private static String withoutLogin(String address) {
    int login = address.lastIndexOf('@');
    return login < 0 ? address : "…" + address.substring(login);
  }

  private Optional<String> login(Surroundings surroundings) throws JobException, SiteException {
    if (tokenFile != null && loginFile != null) {
      throw usage("--token-file and --login-file are two logins; give one of them");
    }
    if (tokenFile != null) {
      return Optional.of("Bearer " + line("--token-file", tokenFile, surroundings));
    }
    if (loginFile == null) {
      return Optional.empty();
    }
    String login = line("--login-file", loginFile, surroundings);
    if (login.indexOf(':') < 1) {
      throw usage("--login-file=%s is not a line NAME:PASSWORD".formatted(loginFile));
    }
    return Optional.of(
        "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
  }

  private static String line(String option, String file, Surroundings surroundings)
      throws JobException, SiteException {
    String text = OptionFile.read(option, file, surroundings).strip();
    if (text.isEmpty()
        || text.length() > MAX_LOGIN
        || text.chars().anyMatch(Character::isISOControl)) {
      throw usage("%s=%s has to be one line of text".formatted(option, file));
    }
    return text;
  }

  private static JobException usage(String message) {
    return new JobException(FailureCode.USAGE, message);
  }
}
