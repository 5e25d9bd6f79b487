package io.sedge.site.internal.device;

import io.sedge.ledger.Refusal;
import io.sedge.task.JobCounters;
import io.sedge.task.JobException;
import io.sedge.task.LeftOut;
import java.util.List;
import java.util.Optional;

/** A task that does nothing, and goes on with that whatever it is told. */
interface IdleTask extends TaskHost.Running {
  @Override
  default JobCounters counters() {
    return JobCounters.NONE;
  }

  @Override
  default List<LeftOut> leftOut() {
    return List.of();
  }

  @Override
  default boolean hasEnded() {
    return false;
  }

  @Override
  default Optional<JobException> failure() {
    return Optional.empty();
  }

  @Override
  default Optional<Refusal> refusal() {
    return Optional.empty();
  }

  @Override
  default void stop() {}

  @Override
  default void abort() {}

  @Override
  default void retire() {}
}
