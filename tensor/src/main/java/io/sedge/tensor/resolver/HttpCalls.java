package io.sedge.tensor.resolver;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** HTTP as resolvers need it. {@link JdkHttpCalls} is the JDK's. */
@FunctionalInterface
public interface HttpCalls {
  /**
   * Sends a request and waits for the answer, whatever its status.
   *
   * @param headers names to values
   * @param body JSON for a POST; null for a GET
   * @throws IOException if no answer comes, also when the caller's thread is interrupted
   */
  Answer send(URI uri, Map<String, String> headers, @Nullable String body) throws IOException;

  /**
   * An answer.
   *
   * @param status the HTTP status
   * @param body the text, empty where there is none
   */
  record Answer(int status, String body) {}
}
