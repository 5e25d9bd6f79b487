package io.sedge.center.api;

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
   * A token for a site.
   *
   * @param site the name that it is to have; absent for what the site says
   */
  public record ForSite(@Nullable String site, @Nullable Long validForSeconds) {}

  /**
   * A token for a person or a program.
   *
   * @param validForSeconds absent for ever
   */
  public record ForAccess(String name, String role, @Nullable Long validForSeconds) {}

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

  /**
   * A copy of the database.
   *
   * @param file a name, without a directory
   */
  public record Backup(String file) {}
}
