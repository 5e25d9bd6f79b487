package io.sedge.ledger.internal.state;

import io.sedge.ledger.Channel;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A job with the rows of its channels, as they change. */
final class JobEntry {
  final String name;
  String script;
  long version;
  JobState state = JobState.RUNNING;
  String detail = "";
  List<InputPart> parts = List.of();
  List<JobFile> files = List.of();
  Job.@Nullable Earlier earlier;
  private final RowQueue outbox;
  private final RowQueue exchange;

  /**
   * @param before what the version and the first row of each channel follow
   */
  JobEntry(String name, String script, long before) {
    this.name = name;
    this.script = script;
    this.version = before + 1;
    this.outbox = new RowQueue(before);
    this.exchange = new RowQueue(before);
  }

  RowQueue rows(Channel channel) {
    return switch (channel) {
      case OUTBOX -> outbox;
      case EXCHANGE -> exchange;
    };
  }

  Job view() {
    return new Job(
        name,
        script,
        version,
        state,
        detail,
        outbox.firstRow,
        outbox.nextRow,
        outbox.acknowledgedRow,
        files,
        Optional.ofNullable(earlier));
  }
}
