package io.sedge.center.internal.api;

import io.helidon.webserver.http.ServerRequest;
import io.sedge.center.store.AccessTokens.Role;
import io.sedge.center.store.Permission;
import io.sedge.center.store.StoreException;
import java.util.List;

/** Where a route changes something, for who may do so at some sites alone. */
enum Reach {
  /** Nowhere: who may ask, may. */
  NOWHERE,
  /** At the site that the path names. */
  SITE,
  /** At sites that are found out as it is done: {@link Permission#check}. */
  FOUND,
  /** At the center, or at all sites. */
  EVERYWHERE;

  private static final String NAME = "name";
  private static final String SITES = "/sites/{%s}/".formatted(NAME);

  /**
   * Refuses who may not change something there.
   *
   * @throws StoreException NOT_PERMITTED
   */
  void check(ServerRequest request, Permission permission) throws StoreException {
    switch (this) {
      case NOWHERE, FOUND -> {}
      case SITE -> permission.check(List.of(request.path().pathParameters().get(NAME)));
      case EVERYWHERE -> permission.checkEverywhere("this");
    }
  }

  /** That of a route, unless it says another one. */
  static Reach of(String path, Access access) {
    boolean changes = access.role().filter(role -> role != Role.VIEWER).isPresent();
    if (!changes) {
      return NOWHERE;
    }
    return path.startsWith(SITES) ? SITE : EVERYWHERE;
  }
}
