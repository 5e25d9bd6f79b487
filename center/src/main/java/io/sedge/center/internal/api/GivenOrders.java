package io.sedge.center.internal.api;

import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.GivenOrder;
import io.sedge.center.store.StoreException;
import java.util.UUID;

/** Orders that a path names by site and id. */
final class GivenOrders {
  private GivenOrders() {}

  /**
   * The order of a kind.
   *
   * @param what it is, for people
   * @throws ApiException UNKNOWN_NAME
   */
  static GivenOrder find(ApiContext context, Call call, String kind, String what)
      throws ApiException, StoreException {
    return context
        .store()
        .orders()
        .find(call.path("name"), id(call, what))
        .filter(found -> found.kind().equals(kind))
        .orElseThrow(() -> unknown(call, what));
  }

  private static UUID id(Call call, String what) throws ApiException {
    try {
      return UUID.fromString(call.path("id"));
    } catch (IllegalArgumentException _) {
      throw unknown(call, what);
    }
  }

  static ApiException unknown(Call call, String what) {
    return new ApiException(
        Reason.UNKNOWN_NAME,
        "site '%s' has no %s '%s'".formatted(call.path("name"), what, call.path("id")));
  }
}
