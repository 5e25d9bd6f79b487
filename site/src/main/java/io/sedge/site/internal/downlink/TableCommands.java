package io.sedge.site.internal.downlink;

import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.engine.type.Schema;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Ledger;
import io.sedge.ledger.SiteState;
import io.sedge.uplink.TableCommand;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Decides about commands of a center to tables of the site's jobs. Nothing is written that the
 * site's owner has not allowed. The ledger asks the same of job and table once more when it takes
 * the row, and alone counts how many it has taken; the delivery asks when it writes it.
 */
public final class TableCommands {
  private final Ledger ledger;
  private final Function<Job, Optional<Map<String, Schema>>> sinks;
  private final Function<Job, Optional<String>> refusals;

  /**
   * @param sinks the columns of a job's sink tables; empty if it is not compiled here by now
   * @param refusals why a job cannot be compiled here, if it cannot
   */
  public TableCommands(
      Ledger ledger,
      Function<Job, Optional<Map<String, Schema>>> sinks,
      Function<Job, Optional<String>> refusals) {
    this.ledger = ledger;
    this.sinks = sinks;
    this.refusals = refusals;
  }

  /** What the ledger knows of a command's table. */
  private record Known(Optional<Job> job, Optional<Allowance> allowance) {}

  /**
   * @param untilMillis when it may not be written any more, by this device's clock
   * @throws TimeoutException if the job is not compiled here by now: it may be asked again
   */
  Decision decide(TableCommand command, long untilMillis) throws TimeoutException {
    Known known =
        ledger.read(
            state ->
                new Known(
                    state.job(command.job()), allowance(state, command.job(), command.table())));
    String table = command.job() + "." + command.table();
    if (known.allowance().isEmpty()) {
      return Decision.refused(
          "the site lets no center write to %s: its owner may type `sedge site allow %s`"
              .formatted(table, table));
    }
    Allowance allowance = known.allowance().get();
    if (known.job().isEmpty()) {
      return Decision.refused("the site has no job called " + command.job());
    }
    Job job = known.job().get();
    if (job.state() != JobState.RUNNING) {
      return Decision.refused("job %s is %s".formatted(job.name(), job.state()));
    }
    Optional<String> refusal = refusals.apply(job);
    if (refusal.isPresent()) {
      return Decision.refused(
          "the device that leads the site cannot compile job %s, so it does not know its tables: %s"
              .formatted(job.name(), refusal.get()));
    }
    Map<String, Schema> tables =
        sinks
            .apply(job)
            .orElseThrow(
                () ->
                    new TimeoutException(
                        "job %s is not compiled here by now".formatted(job.name())));
    Schema schema = tables.get(command.table());
    if (schema == null) {
      return Decision.refused(
          "job %s writes to no table called %s; it writes to %s"
              .formatted(job.name(), command.table(), String.join(", ", tables.keySet())));
    }
    try {
      Batch row = CommandRow.of(command, schema, allowance);
      return Decision.accepted(
          new Command.NewRow(
              job.name(),
              job.version(),
              command.table(),
              untilMillis,
              new RowsCodec(schema).encode(List.of(row))));
    } catch (CommandRow.RefusedException e) {
      return Decision.refused(String.valueOf(e.getMessage()));
    }
  }

  static Optional<Allowance> allowance(SiteState state, String job, String table) {
    return state.allowances().stream()
        .filter(known -> known.job().equals(job) && known.table().equals(table))
        .findFirst();
  }

  /** Why a row is not taken by the ledger that comes sooner than the site's owner allows. */
  static String tooOften(Allowance allowance) {
    return "the site takes no more than %d commands for %s.%s in %s s"
        .formatted(
            allowance.count(), allowance.job(), allowance.table(), seconds(allowance.perMillis()));
  }

  private static String seconds(long millis) {
    return millis % 1_000 == 0 ? Long.toString(millis / 1_000) : Double.toString(millis / 1_000.0);
  }
}
