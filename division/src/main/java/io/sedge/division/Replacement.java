package io.sedge.division;

import io.sedge.connector.Connectors;
import io.sedge.connector.Division;
import io.sedge.sql.Job;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a new version of a job takes over from the one before, and what it does not: positions in
 * tables that are the same, and the state of steps that mean the same. Immutable.
 *
 * <p>A step means the same if it does the same over what means the same, down to tables of equal
 * name, connector, division and options ({@link io.sedge.connector.Option#tuning} ones aside).
 * Names of columns, and columns that it does not use, do not count. What is sure to be right is
 * taken over; all else begins empty.
 */
public final class Replacement {
  private final JobVersion before;
  private final JobVersion after;
  private final Map<String, TakeOver> works = new TreeMap<>();

  /**
   * What tasks take over.
   *
   * @param positions the source tables whose positions stay, and what they are called from then on
   * @param state what the keys of entries that stay begin with, and what they begin with from then
   *     on
   * @param planEntry the entry that says which plan the state is of from then on
   * @param unchanged whether the tasks do nothing else than before
   */
  public record Tasks(
      Map<String, String> positions,
      List<Map.Entry<byte[], byte[]>> state,
      Map.Entry<byte[], byte[]> planEntry,
      boolean unchanged) {}

  /** What becomes of a part of the job. */
  public enum Fate {
    /** It goes on with what it has. */
    KEPT,
    /** It is new, or was changed, and begins with nothing. */
    BEGINS_ANEW,
    /** The new version has no use for what it had. */
    DROPPED
  }

  /**
   * What becomes of one part.
   *
   * @param work whose part it is: {@code all}, {@code merge}, {@code readings/*} for all shards of
   *     the table readings, {@code delivery}
   * @param what the table or step
   * @param why the reason, and what is lost
   */
  public record Line(Fate fate, String work, String what, String why) {}

  private Replacement(JobVersion before, JobVersion after) {
    this.before = before;
    this.after = after;
    Set<String> names = new TreeSet<>(before.plans().keySet());
    names.addAll(after.plans().keySet());
    Set<String> broken = new HashSet<>();
    for (String work : names) {
      if (!work.equals(Fragments.MERGE)) {
        TakeOver takeOver = new TakeOver(work, before, after, Set.of());
        works.put(work, takeOver);
        takeOver.steps().stream()
            .filter(step -> step.sink().isPresent() && !takeOver.isKept(step))
            .forEach(step -> broken.add(step.sink().orElseThrow()));
      }
    }
    if (names.contains(Fragments.MERGE)) {
      works.put(Fragments.MERGE, new TakeOver(Fragments.MERGE, before, after, broken));
    }
  }

  /**
   * Compares two versions of a job.
   *
   * @param divisions of the source tables of each
   * @param connectors that both were compiled with
   */
  public static Replacement of(
      Job before,
      Map<String, Division> divisionsBefore,
      Job after,
      Map<String, Division> divisionsAfter,
      Connectors connectors) {
    return new Replacement(
        new JobVersion(before, divisionsBefore, connectors),
        new JobVersion(after, divisionsAfter, connectors));
  }

  /**
   * What a task takes over.
   *
   * @param fragment its name
   * @return empty if the new version has nothing like it. Of a table that is divided by key or by
   *     device it says nothing of whether that shard is one of the new version
   */
  public Optional<Tasks> tasks(String fragment) {
    return Optional.ofNullable(works.get(work(fragment)))
        .filter(_ -> after.plans().containsKey(work(fragment)))
        .map(
            takeOver ->
                new Tasks(
                    takeOver.positions(),
                    takeOver.state(),
                    takeOver.planEntry(),
                    takeOver.isUnchanged()));
  }

  /** The name of what a fragment does, which is the same for all shards of a table. */
  public String work(String fragment) {
    return works.keySet().stream()
        .filter(
            name ->
                JobVersion.dividedTable(name)
                    .map(table -> fragment.startsWith(table + "/"))
                    .orElse(false))
        .max((a, b) -> Integer.compare(a.length(), b.length()))
        .orElse(fragment);
  }

  /** The exchange tables whose rows stay, and what they are called from then on. */
  public Map<String, String> exchanges() {
    TakeOver merge = works.get(Fragments.MERGE);
    Map<String, String> kept = new TreeMap<>();
    if (merge != null) {
      kept.putAll(merge.positions());
      kept.keySet().retainAll(before.exchanges().keySet());
    }
    return kept;
  }

  /**
   * The sink tables of the version before whose rows cannot go to a table of the new one: the
   * version before must deliver what it has given.
   */
  public Set<String> changedSinks() {
    Set<String> changed = new TreeSet<>();
    for (String table : before.job().sinks().keySet()) {
      if (!before.sink(table).equals(after.sink(table))) {
        changed.add(table);
      }
    }
    return changed;
  }

  /** What becomes of each table and each step with state, in a stable order. */
  public List<Line> lines() {
    return new ReplacementText(before, after, works).lines();
  }
}
