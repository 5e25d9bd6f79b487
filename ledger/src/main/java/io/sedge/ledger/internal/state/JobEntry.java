package io.sedge.ledger.internal.state;

import io.sedge.ledger.Channel;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;

/** A job with the rows of its channels, as they change. */
final class JobEntry {
  final String name;
  String script;
  long version = 1;
  JobState state = JobState.RUNNING;
  String detail = "";
  private final RowQueue outbox = new RowQueue();
  private final RowQueue exchange = new RowQueue();

  JobEntry(String name, String script) {
    this.name = name;
    this.script = script;
  }

  RowQueue rows(Channel channel) {
    return switch (channel) {
      case OUTBOX -> outbox;
      case EXCHANGE -> exchange;
    };
  }

  Job view() {
    return new Job(name, script, version, state, detail, outbox.nextRow, outbox.acknowledgedRow);
  }
}
