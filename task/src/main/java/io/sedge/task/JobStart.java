package io.sedge.task;

import io.sedge.connector.Delivery;
import io.sedge.sql.Job;
import java.util.Map;
import java.util.Optional;

/**
 * A job, or a part of one, about to run.
 *
 * @param shards by source table, the one shard of it that is read; tables that are not named are
 *     read whole
 * @param session a name that is the same wherever this goes on, for what far ends keep for its
 *     sources; empty if what is opened belongs to this process alone
 * @param resume what it goes on from
 * @param numbers the sequences of the rows that it delivers; empty if they are numbered as they
 *     come
 * @param commitLog where its commits go
 * @param pace what it may use of the processor
 */
public record JobStart(
    Job job,
    Map<String, String> shards,
    Optional<String> session,
    Resume resume,
    Optional<RowNumbers> numbers,
    CommitLog commitLog,
    ProcessorQuota pace) {
  public JobStart {
    shards = Map.copyOf(shards);
  }

  /** A whole job from its beginning, with a commit log that keeps nothing. */
  public static JobStart of(Job job) {
    return new JobStart(
        job,
        Map.of(),
        Optional.empty(),
        Resume.NOTHING,
        Optional.empty(),
        new ForgetfulCommitLog(),
        ProcessorQuota.FREE);
  }

  /** Whose rows a sink table gets. */
  public Delivery delivery(String table) {
    return numbers.map(known -> known.delivery(table)).orElse(Delivery.OF_A_RUN);
  }
}
