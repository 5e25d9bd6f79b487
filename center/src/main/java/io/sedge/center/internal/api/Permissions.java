package io.sedge.center.internal.api;

import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import io.sedge.center.store.Permitted;
import io.sedge.center.store.Sites;
import io.sedge.center.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Permissions as people write and read them. */
final class Permissions {
  /** Stands for all sites. */
  private static final String ALL = "*";

  private static final int MOST = 1_000;

  private Permissions() {}

  /**
   * What somebody is to be permitted.
   *
   * @param names of sites; null, or {@code *} alone, for all
   * @throws ApiException MALFORMED; UNKNOWN_NAME of a site
   */
  static Permission asked(Sites sites, @Nullable String role, @Nullable List<String> names)
      throws ApiException, StoreException {
    return new Permission(role(role), sites(sites, names));
  }

  private static Optional<List<String>> sites(Sites sites, @Nullable List<String> names)
      throws ApiException, StoreException {
    if (names == null || names.equals(List.of(ALL))) {
      return Optional.empty();
    }
    if (names.isEmpty() || names.size() > MOST || names.contains(ALL)) {
      throw new ApiException(
          Reason.MALFORMED,
          "sites: from 1 to %,d names, or '%s' alone for all sites".formatted(MOST, ALL));
    }
    for (String name : names) {
      if (sites.find(name).isEmpty()) {
        throw new ApiException(Reason.UNKNOWN_NAME, "no site is called '%s'".formatted(name));
      }
    }
    return Optional.of(names);
  }

  /**
   * What somebody is to be permitted after another role, other sites, or both, were asked for.
   *
   * @throws ApiException MALFORMED; UNKNOWN_NAME of a site
   */
  static Permission changed(Sites sites, Permission before, Requests.ForRole asked)
      throws ApiException, StoreException {
    if (asked.sites() == null) {
      return new Permission(role(asked.role()), before.sites());
    }
    return new Permission(
        asked.role() == null ? before.role() : role(asked.role()), sites(sites, asked.sites()));
  }

  /**
   * Gives somebody the role, the sites, or both, that were asked for, and nothing besides: others
   * may have changed that meanwhile.
   *
   * @return whether there is somebody of that name
   */
  static boolean change(Permitted all, String name, Requests.ForRole asked, Permission changed)
      throws StoreException {
    if (asked.sites() == null) {
      return all.role(name, changed.role());
    }
    return asked.role() == null ? all.sites(name, changed.sites()) : all.permit(name, changed);
  }

  static Role role(@Nullable String given) throws ApiException {
    String text = Call.required("role", given);
    try {
      return Role.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new ApiException(
          Reason.MALFORMED,
          "role=%s is not one of %s"
              .formatted(
                  text,
                  Arrays.stream(Role.values()).map(Access::name).collect(Collectors.joining(", "))),
          e);
    }
  }

  /** In a line, for the audit log. */
  static String text(Permission permission) {
    return Access.name(permission.role())
        + permission.sites().map(names -> " at " + String.join(", ", names)).orElse("");
  }
}
