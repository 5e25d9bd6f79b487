package io.sedge.tensor.resolver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sedge.tensor.ClusterResolutionException;
import io.sedge.tensor.ClusterResolutionException.Reason;
import io.sedge.tensor.ClusterSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryingClusterResolverTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Backoff SIX_TIMES = new Backoff(6, SECOND, SECOND.multipliedBy(5));

  private final List<Duration> pauses = new ArrayList<>();

  @Test
  void aClusterThatFormsIsWaitedForWithGrowingPauses() {
    RetryingClusterResolver resolver =
        resolver(
            SIX_TIMES,
            Reason.NOT_READY,
            Reason.UNREACHABLE,
            Reason.NOT_READY,
            Reason.NOT_READY,
            null);

    assertThat(resolver.clusterSpec().jobs()).containsExactly("worker");
    assertThat(pauses)
        .containsExactly(
            SECOND, SECOND.multipliedBy(2), SECOND.multipliedBy(4), SECOND.multipliedBy(5));
  }

  @Test
  void whatAskingAgainCannotMendIsThrownAtOnce() {
    assertThatThrownBy(resolver(SIX_TIMES, Reason.INVALID)::clusterSpec)
        .isInstanceOf(ClusterResolutionException.class)
        .hasMessage("said INVALID");
    assertThat(pauses).isEmpty();
  }

  @Test
  void theLastFailureIsThrownWithTheNumberOfAttempts() {
    assertThatThrownBy(
            resolver(new Backoff(2, SECOND, SECOND), Reason.NOT_READY, Reason.UNREACHABLE)::master)
        .isInstanceOfSatisfying(
            ClusterResolutionException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE))
        .hasMessage("said UNREACHABLE (asked 2 times)");
    assertThat(pauses).containsExactly(SECOND);
  }

  @Test
  void anInterruptEndsTheWaiting() {
    RetryingClusterResolver resolver =
        new RetryingClusterResolver(
            failing(Reason.NOT_READY, null),
            SIX_TIMES,
            time -> {
              throw new InterruptedException();
            });

    assertThatThrownBy(resolver::clusterSpec).hasMessage("said NOT_READY");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void anotherTaskIsRetriedToo() {
    assertThat(resolver(SIX_TIMES, Reason.NOT_READY, null).withTask("worker", 0).taskId()).isZero();
    assertThat(resolver(SIX_TIMES, Reason.NOT_READY, null).withRpcLayer("grpc").master("worker", 0))
        .isEqualTo("grpc://h:1");
    assertThat(pauses).hasSize(1);
  }

  @Test
  void aBackoffIsChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(0, SECOND, SECOND))
        .withMessage("attempts=0 is not 1 or more");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Backoff(1, SECOND, Duration.ZERO))
        .withMessage("pauses from PT1S to PT0S are not from 0 upwards");
  }

  private RetryingClusterResolver resolver(Backoff backoff, Reason... failures) {
    return new RetryingClusterResolver(failing(failures), backoff, pauses::add);
  }

  /** Fails once for each reason; null is an answer. */
  private static UnionClusterResolver failing(Reason... failures) {
    List<Reason> left = new ArrayList<>(Arrays.asList(failures));
    SettledResolver scripted =
        new Scripted(
            ResolverSettings.defaults(),
            () -> {
              Reason reason = left.removeFirst();
              if (reason != null) {
                throw new ClusterResolutionException(reason, "said " + reason);
              }
            });
    return new UnionClusterResolver(scripted);
  }

  private static final class Scripted extends SettledResolver {
    private final Runnable script;

    Scripted(ResolverSettings settings, Runnable script) {
      super(settings);
      this.script = script;
    }

    @Override
    public ClusterSpec clusterSpec() {
      script.run();
      return ClusterSpec.builder().job("worker", "h:1").build();
    }

    @Override
    public String master(String taskType, Integer taskId, String rpcLayer) {
      return url(rpcLayer, clusterSpec().taskAddress("worker", 0));
    }

    @Override
    public Scripted withTask(String taskType, Integer taskId) {
      return new Scripted(settings.withTask(taskType, taskId), script);
    }

    @Override
    public Scripted withRpcLayer(String rpcLayer) {
      return new Scripted(settings.withRpcLayer(rpcLayer), script);
    }
  }
}
