package io.sedge.site.internal.membership;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.Division;
import io.sedge.ledger.Job;
import io.sedge.replication.LedgerMember;
import io.sedge.site.api.DiscoveredShards;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.CompiledJob;
import io.sedge.site.internal.device.SiteNode;
import io.sedge.sql.OptionText;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the shards of tables whose scripts leave that to the site, and writes them into the script:
 * what is in the ledger is then the same on every device, and for as long as the job runs. Any
 * thread.
 */
final class ShardDiscovery {
  private static final String SEPARATOR = ";";

  private final LedgerMember member;
  private final SiteNode node;
  private final ScriptCheck scripts;

  ShardDiscovery(LedgerMember member, SiteNode node, ScriptCheck scripts) {
    this.member = member;
    this.node = node;
    this.scripts = scripts;
  }

  /** See {@link io.sedge.site.api.SiteControl#discover}. */
  DiscoveredShards discover(String name, String script) throws SiteException {
    CompiledJob job = scripts.check(name, script);
    Map<String, Division.Undiscovered> open = undiscovered(job);
    if (open.isEmpty()) {
      return new DiscoveredShards(script, Map.of());
    }
    Map<String, Shards> before = shardsOfRunning(name);
    Map<String, List<String>> shards = new TreeMap<>();
    String discovered = script;
    for (Map.Entry<String, Division.Undiscovered> each : open.entrySet()) {
      String table = each.getKey();
      Set<String> values = new LinkedHashSet<>();
      values.addAll(
          before.getOrDefault(table, Shards.NONE).of(key(job, table, each.getValue().column())));
      values.addAll(look(job, table));
      if (values.isEmpty()) {
        throw new SiteException(
            FailureCode.NOT_NOW,
            "table %s: no readings came, so its shards are not known: let the sources send, see that the login may read all its topics, or list the shards in the script"
                .formatted(table));
      }
      shards.put(table, List.copyOf(values));
      discovered =
          OptionText.with(
              discovered,
              lineOf(job, table),
              each.getValue().option(),
              String.join(SEPARATOR, values));
    }
    checkWritten(undiscovered(scripts.check(name, discovered)));
    return new DiscoveredShards(discovered, shards);
  }

  private static Map<String, Division.Undiscovered> undiscovered(CompiledJob job) {
    Map<String, Division.Undiscovered> open = new TreeMap<>();
    job.divisions()
        .forEach(
            (table, division) -> {
              if (division instanceof Division.Undiscovered undiscovered) {
                open.put(table, undiscovered);
              }
            });
    return open;
  }

  /** The shards that a table has, and the column by which it is divided. */
  private record Shards(String key, List<String> names) {
    static final Shards NONE = new Shards("", List.of());

    List<String> of(String column) {
      return key.equals(column) ? names : List.of();
    }
  }

  private static String key(CompiledJob job, String table, int column) {
    return requireNonNull(job.job().sources().get(table), table).table().schema().name(column);
  }

  /**
   * By table. Shards of a job that is replaced go on: a machine that is silent now may have an open
   * window.
   */
  private Map<String, Shards> shardsOfRunning(String name) {
    Optional<Job> running =
        member.read(state -> state.job(name)).filter(job -> !job.state().hasEnded());
    Map<String, Shards> shards = new TreeMap<>();
    if (running.isPresent()) {
      try {
        CompiledJob job = node.compile(name, running.get().script(), running.get().files());
        job.divisions()
            .forEach(
                (table, division) -> {
                  if (division instanceof Division.ByKey(int column, List<String> names)) {
                    shards.put(table, new Shards(key(job, table, column), names));
                  }
                });
      } catch (SqlException | ConnectorException e) {
        return Map.of(); // Replacing it is refused for the same reason, which is said there.
      }
    }
    return shards;
  }

  private List<String> look(CompiledJob job, String table) throws SiteException {
    try {
      return node.values(job, table);
    } catch (ConnectorException e) {
      throw new SiteException(FailureCode.CONNECTION_FAILED, String.valueOf(e.getMessage()), e);
    } catch (JobException e) {
      throw new SiteException(e.code(), String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(FailureCode.NOT_NOW, "the device is being stopped", e);
    }
  }

  private static int lineOf(CompiledJob job, String table) {
    String location = requireNonNull(job.job().sources().get(table), table).table().location();
    return Integer.parseInt(location.substring(location.lastIndexOf(':') + 1));
  }

  private static void checkWritten(Map<String, Division.Undiscovered> open) throws SiteException {
    for (Map.Entry<String, Division.Undiscovered> each : open.entrySet()) {
      throw new SiteException(
          FailureCode.TABLE_NOT_ACCEPTED,
          "table %s: '%s' must stand in the CREATE TABLE of this table for its shards to be found"
              .formatted(each.getKey(), each.getValue().option()));
    }
  }
}
