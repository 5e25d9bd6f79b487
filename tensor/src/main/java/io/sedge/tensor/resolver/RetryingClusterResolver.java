package io.sedge.tensor.resolver;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolver;
import io.sedge.tensor.ClusterSpec;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A resolver that asks another again where that can help: while pods are still starting, or a
 * service does not answer. What asking again cannot mend is thrown at once.
 *
 * <p>Its methods block the caller's thread for at most the pauses of the {@link Backoff} and the
 * time that the other resolver takes. An interrupt ends the waiting with the last failure.
 */
public final class RetryingClusterResolver implements ClusterResolver {
  /** Waits; {@code Thread::sleep} is one. */
  @FunctionalInterface
  public interface Pause {
    /** Returns after this time. */
    void of(Duration time) throws InterruptedException;
  }

  private final ClusterResolver resolver;
  private final Backoff backoff;
  private final Pause pause;

  /** Asks a resolver as often as the backoff says. */
  public RetryingClusterResolver(ClusterResolver resolver, Backoff backoff, Pause pause) {
    this.resolver = resolver;
    this.backoff = backoff;
    this.pause = pause;
  }

  @Override
  public ClusterSpec clusterSpec() {
    return retry(resolver::clusterSpec);
  }

  @Override
  public String master(
      @Nullable String taskType, @Nullable Integer taskId, @Nullable String rpcLayer) {
    return retry(() -> resolver.master(taskType, taskId, rpcLayer));
  }

  @Override
  public Map<String, Integer> numAccelerators(@Nullable String taskType, @Nullable Integer taskId) {
    return retry(() -> resolver.numAccelerators(taskType, taskId));
  }

  @Override
  public @Nullable String taskType() {
    return resolver.taskType();
  }

  @Override
  public @Nullable Integer taskId() {
    return resolver.taskId();
  }

  @Override
  public @Nullable String rpcLayer() {
    return resolver.rpcLayer();
  }

  @Override
  public String environment() {
    return resolver.environment();
  }

  @Override
  public RetryingClusterResolver withTask(@Nullable String taskType, @Nullable Integer taskId) {
    return new RetryingClusterResolver(resolver.withTask(taskType, taskId), backoff, pause);
  }

  @Override
  public RetryingClusterResolver withRpcLayer(@Nullable String rpcLayer) {
    return new RetryingClusterResolver(resolver.withRpcLayer(rpcLayer), backoff, pause);
  }

  private <T> T retry(Supplier<T> question) {
    for (int attempt = 1; ; attempt++) {
      try {
        return question.get();
      } catch (ClusterResolutionException e) {
        if (!e.isRetryable()) {
          throw e;
        }
        if (attempt == backoff.attempts()) {
          throw new ClusterResolutionException(
              e.reason(), e.getMessage() + " (asked " + attempt + " times)", e);
        }
        waitAfter(attempt, e);
      }
    }
  }

  private void waitAfter(int attempt, ClusterResolutionException failure) {
    try {
      pause.of(backoff.after(attempt));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.addSuppressed(e);
      throw failure;
    }
  }
}
