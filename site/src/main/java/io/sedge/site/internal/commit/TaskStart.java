package io.sedge.site.internal.commit;

import io.sedge.ledger.Answer;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.ledger.TaskId;
import io.sedge.task.Resume;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What a task goes on from: as of here, commits of whoever ran it before are refused.
 *
 * @param epoch what commits must carry
 * @param sequence of the last commit; 0 if there was none
 * @param resume the positions and state as of that commit
 * @param version of the job's script that positions and state are for
 */
public record TaskStart(TaskId task, long epoch, long sequence, Resume resume, long version) {
  /**
   * Takes a task up that the ledger has assigned to this device. To be done at each start, even if
   * the task had run here before: the process before may have left commits on their way.
   *
   * @return empty if the task is not this device's, or not any more
   */
  public static CompletableFuture<Optional<TaskStart>> open(
      Ledger ledger, TaskId task, String device) {
    Optional<Task> known = ledger.read(state -> state.task(task));
    return open(ledger, task, device, known.map(Task::epoch).orElse(0L));
  }

  private static CompletableFuture<Optional<TaskStart>> open(
      Ledger ledger, TaskId task, String device, long epoch) {
    return ledger
        .submit(new Command.OpenTask(task, device, epoch))
        .thenCompose(
            answer ->
                switch (answer) {
                  case Answer.Done(long index, long value) ->
                      ledger.readAt(index, state -> read(state, task, value));
                  case Answer.Refused(Refusal reason, long value)
                      when reason == Refusal.OLD_EPOCH && value > epoch ->
                      open(ledger, task, device, value);
                  case Answer.Refused _, Answer.Repeated _ ->
                      CompletableFuture.completedFuture(Optional.empty());
                });
  }

  /** Empty if it has been assigned anew in the meantime. */
  private static Optional<TaskStart> read(SiteState state, TaskId id, long epoch) {
    long version = state.job(id.job()).map(Job::version).orElse(0L);
    return state
        .task(id)
        .filter(task -> task.epoch() == epoch)
        .map(
            task ->
                new TaskStart(
                    id,
                    epoch,
                    task.sequence(),
                    new Resume(state.positions(id), state.state(id)),
                    version));
  }
}
