package io.sedge.replication.internal;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** What is played of an object of Ratis. */
interface Played {
  @Nullable Object call(Method method, Object[] arguments) throws Exception;

  static <T> T of(Class<T> type, Played play) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> play.call(method, arguments)));
  }
}
