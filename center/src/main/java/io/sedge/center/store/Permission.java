package io.sedge.center.store;

import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.center.store.internal.Schemas;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What somebody may do. Everybody may look at all sites.
 *
 * @param sites by name, at which he may change something; empty for all that there are and will be
 */
public record Permission(Role role, Optional<List<String>> sites) {
  private static final int NAMED = 5;

  public Permission {
    sites = sites.map(names -> names.stream().distinct().sorted().toList());
  }

  /** A role at all sites. */
  public static Permission everywhere(Role role) {
    return new Permission(role, Optional.empty());
  }

  public boolean isEverywhere() {
    return sites.isEmpty();
  }

  /** Whether he may change something at each of some sites. */
  public boolean reaches(Collection<String> names) {
    return sites.isEmpty() || sites.get().containsAll(names);
  }

  /**
   * Refuses what changes something at other sites.
   *
   * @throws StoreException NOT_PERMITTED
   */
  public void check(Collection<String> names) throws StoreException {
    if (!reaches(names)) {
      List<String> others =
          names.stream().filter(name -> !reaches(List.of(name))).sorted().toList();
      throw new StoreException(
          Reason.NOT_PERMITTED,
          "this changes something at %s, where you may not: %s".formatted(named(others), own()));
    }
  }

  /**
   * Refuses what is for all sites.
   *
   * @param what it is
   * @throws StoreException NOT_PERMITTED
   */
  public void checkEverywhere(String what) throws StoreException {
    if (!isEverywhere()) {
      throw new StoreException(
          Reason.NOT_PERMITTED, "%s is for all sites: %s".formatted(what, own()));
    }
  }

  private String own() {
    return "you may change something at %s alone"
        .formatted(
            sites.filter(names -> !names.isEmpty()).map(Permission::named).orElse("no site"));
  }

  private static String named(List<String> names) {
    String first = names.stream().limit(NAMED).collect(Collectors.joining(", "));
    return names.size() <= NAMED ? first : "%s and %,d more".formatted(first, names.size() - NAMED);
  }

  /** Of a row with the columns role and sites. */
  static Permission of(ResultSet row, Role role) throws SQLException {
    return new Permission(role, Optional.ofNullable(row.getString("sites")).map(Schemas::names));
  }

  /** What is stored of somebody who has it, by column; to be added to. */
  Map<String, @Nullable Object> values(String name) {
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("name", name);
    values.put("role", role.name());
    values.put("sites", stored());
    return values;
  }

  /** What is stored of the sites; null for all. */
  @Nullable String stored() {
    return stored(sites);
  }

  static @Nullable String stored(Optional<List<String>> sites) {
    return sites.map(Schemas::text).orElse(null);
  }
}
