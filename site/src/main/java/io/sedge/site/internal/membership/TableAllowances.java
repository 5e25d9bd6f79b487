package io.sedge.site.internal.membership;

import io.sedge.engine.type.Schema;
import io.sedge.ledger.Allowance;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.SiteState;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.task.FailureCode;
import io.sedge.task.Printable;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What centers may write to tables of jobs, as the site's owner says. */
final class TableAllowances {
  private final LedgerMember member;
  private final LedgerMembership membership;
  private final SiteNode node;

  TableAllowances(LedgerMember member, LedgerMembership membership, SiteNode node) {
    this.member = member;
    this.membership = membership;
    this.node = node;
  }

  List<Allowance> list() {
    return member.read(SiteState::allowances);
  }

  /** See {@link io.sedge.site.api.SiteControl#allowTable}. */
  void allow(Allowance allowance) throws SiteException {
    for (Allowance.Column column : allowance.columns()) {
      Optional<BigDecimal> least = bound(column.name(), column.least());
      Optional<BigDecimal> most = bound(column.name(), column.most());
      if (least.isPresent() && most.isPresent() && least.get().compareTo(most.get()) > 0) {
        throw new SiteException(
            FailureCode.USAGE,
            "column %s: the least value %s is above the greatest, %s"
                .formatted(column.name(), column.least(), column.most()));
      }
    }
    Optional<Job> job = member.read(state -> state.job(allowance.job()));
    Optional<Map<String, Schema>> tables = job.flatMap(node::sinks);
    if (tables.isPresent()) {
      check(allowance, tables.get());
    }
    membership.submit(new Command.AllowTable(allowance), "allowing " + name(allowance));
  }

  private static Optional<BigDecimal> bound(String column, String bound) throws SiteException {
    try {
      return bound.isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(bound));
    } catch (NumberFormatException e) {
      throw new SiteException(
          FailureCode.USAGE, "column %s: the bound '%s' is no number".formatted(column, bound), e);
    }
  }

  private static void check(Allowance allowance, Map<String, Schema> tables) throws SiteException {
    Schema schema = tables.get(allowance.table());
    if (schema == null) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "job %s writes to no table called %s; it writes to %s"
              .formatted(allowance.job(), allowance.table(), String.join(", ", tables.keySet())));
    }
    for (Allowance.Column column : allowance.columns()) {
      if (!schema.names().contains(column.name())) {
        throw new SiteException(
            FailureCode.UNKNOWN_NAME,
            "table %s has no column %s; it has %s"
                .formatted(name(allowance), column.name(), String.join(", ", schema.names())));
      }
    }
  }

  private static String name(Allowance allowance) {
    return allowance.job() + "." + allowance.table();
  }

  /** See {@link io.sedge.site.api.SiteControl#disallowTable}. */
  void disallow(String job, String table) throws SiteException {
    List<Allowance> known = list();
    if (known.stream().noneMatch(each -> each.job().equals(job) && each.table().equals(table))) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "%s.%s is not allowed; there are: %s"
              .formatted(
                  job, table, Printable.list(known.stream().map(TableAllowances::name).toList())));
    }
    membership.submit(
        new Command.DisallowTable(job, table), "disallowing %s.%s".formatted(job, table));
  }
}
