package io.sedge.center.api;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Bodies of requests; what is absent has a default. */
public final class Requests {
  private Requests() {}

  /**
   * A query.
   *
   * @param limit how many rows at most
   */
  public record Query(String sql, @Nullable Long limit) {}

  /**
   * How long a table's rows are kept.
   *
   * @param keepSeconds absent for ever
   * @param by the column whose time says how old a row is
   */
  public record Retention(@Nullable Long keepSeconds, @Nullable String by) {}

  /**
   * A job for sites.
   *
   * @param sites by name; absent where labels say it
   * @param labels that a site must all have
   * @param waves as {@code 1}, {@code 25%}, {@code rest}; absent for one site, then the rest
   * @param gateSeconds for how long a site must be well before the next wave; absent for 60
   * @param maxLagSeconds how late its results may be then; absent for 60
   * @param checkOnly whether sites only say whether they could run it
   */
  public record ForJob(
      String script,
      @Nullable List<String> sites,
      @Nullable Map<String, String> labels,
      @Nullable List<String> waves,
      @Nullable Long gateSeconds,
      @Nullable Long maxLagSeconds,
      @Nullable Boolean checkOnly) {}

  /** A script that is looked at, and what its job is to be called. */
  public record ForCheck(String name, String script) {}

  /**
   * A command to a table of a site's job.
   *
   * @param values by column, as text
   * @param expiresSeconds for how long it may be written; absent for 30
   */
  public record ForCommand(
      String job, String table, Map<String, String> values, @Nullable Long expiresSeconds) {}

  /**
   * What is done to alarms of a site.
   *
   * @param shelveSeconds for how long, where they are shelved
   * @param note why
   */
  public record ForAlarms(
      List<Target> targets, @Nullable Long shelveSeconds, @Nullable String note) {
    /**
     * An alarm.
     *
     * @param raised how often it had been raised when it was seen; absent for whatever there is
     */
    public record Target(long id, @Nullable Long raised) {}
  }

  /**
   * A token for a site.
   *
   * @param site the name that it is to have; absent for what the site says
   */
  public record ForSite(@Nullable String site, @Nullable Long validForSeconds) {}

  /**
   * A token for a person or a program.
   *
   * @param sites at which something may be changed; absent, or {@code *} alone, for all
   * @param validForSeconds absent for ever
   */
  public record ForAccess(
      String name, String role, @Nullable List<String> sites, @Nullable Long validForSeconds) {}

  /**
   * The first login.
   *
   * @param code as the first start of the center printed it
   * @param name who logs in; absent for {@code admin}
   */
  public record Login(String code, @Nullable String name) {

    /** Without the code. */
    @Override
    public String toString() {
      return "Login[...]";
    }
  }

  /** A person logs in. */
  public record Credentials(String name, String password) {

    /** Without the password. */
    @Override
    public String toString() {
      return "Credentials[name=%s]".formatted(name);
    }
  }

  /**
   * A person sets a password by a link, and is logged in with that.
   *
   * @param code of the link
   * @param name absent for the one that the link is for; for the first admin {@code admin}
   */
  public record First(String code, @Nullable String name, String password) {

    /** Without the code and the password. */
    @Override
    public String toString() {
      return "First[name=%s]".formatted(name);
    }
  }

  /**
   * What a login provider has given to a browser.
   *
   * @param iss who the provider says that it is; absent if it does not
   */
  public record Returned(String state, String code, @Nullable String iss) {

    /** Without all of it. */
    @Override
    public String toString() {
      return "Returned[...]";
    }
  }

  /**
   * A person takes another password.
   *
   * @param old the one before
   * @param fresh the one to be; in JSON {@code new}
   */
  public record Password(String old, @JsonProperty("new") String fresh) {

    /** Without both. */
    @Override
    public String toString() {
      return "Password[...]";
    }
  }

  /**
   * A person who may log in.
   *
   * @param sites at which he may change something; absent, or {@code *} alone, for all
   */
  public record ForPerson(String name, String role, @Nullable List<String> sites) {}

  /**
   * Another role, other sites, or both.
   *
   * @param role absent for that of before
   * @param sites at which something may be changed; absent for those of before; {@code *} alone for
   *     all
   */
  public record ForRole(@Nullable String role, @Nullable List<String> sites) {}

  /**
   * A copy of the database.
   *
   * @param file a name, without a directory
   */
  public record Backup(String file) {}
}
