package io.sedge.center.internal.api;

import io.helidon.http.Method;
import io.sedge.center.store.StoreException;

/**
 * Something that may be asked for.
 *
 * @param path below the API's root, with {@code {name}} for what differs
 * @param reach where it changes something
 * @param waits whether it takes long and asks the database in between: it is done on the thread
 *     that serves the connection
 * @param idle whether a page asks that by itself: a session is not used with it
 */
record Route(
    Method method,
    String path,
    Access access,
    Reach reach,
    Action action,
    boolean waits,
    boolean idle) {
  private Route(Method method, String path, Access access, Action action) {
    this(method, path, access, Reach.of(path, access), action, false, false);
  }

  /** Does it and answers. */
  @FunctionalInterface
  interface Action {
    void answer(Call call) throws ApiException, StoreException;
  }

  /** The same, done where it may wait. */
  Route waiting() {
    return new Route(method, path, access, reach, action, true, idle);
  }

  /** The same, by which a session does not last longer. */
  Route whileIdle() {
    return new Route(method, path, access, reach, action, waits, true);
  }

  /** The same, where it changes something elsewhere. */
  Route at(Reach where) {
    return new Route(method, path, access, where, action, waits, idle);
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
