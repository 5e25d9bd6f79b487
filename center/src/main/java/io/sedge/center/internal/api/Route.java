package io.sedge.center.internal.api;

import io.helidon.http.Method;
import io.sedge.center.store.StoreException;

/**
 * Something that may be asked for.
 *
 * @param path below the API's root, with {@code {name}} for what differs
 */
record Route(Method method, String path, Access access, Action action) {
  /** Does it and answers. */
  @FunctionalInterface
  interface Action {
    void answer(Call call) throws ApiException, StoreException;
  }

  static Route get(String path, Access access, Action action) {
    return new Route(Method.GET, path, access, action);
  }

  static Route post(String path, Access access, Action action) {
    return new Route(Method.POST, path, access, action);
  }

  static Route put(String path, Access access, Action action) {
    return new Route(Method.PUT, path, access, action);
  }

  static Route delete(String path, Access access, Action action) {
    return new Route(Method.DELETE, path, access, action);
  }
}
