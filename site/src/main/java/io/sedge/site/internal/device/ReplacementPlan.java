package io.sedge.site.internal.device;

import io.sedge.division.Fragment;
import io.sedge.division.Replacement;
import io.sedge.ledger.Change;
import io.sedge.ledger.Command;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.SiteState;
import io.sedge.ledger.Task;
import io.sedge.site.api.JobReplacement;
import io.sedge.site.api.JobReplacement.Fate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How a job is replaced, as of a moment of the ledger: what people are told, and the command that
 * does it. Immutable.
 */
public final class ReplacementPlan {
  private static final int SHOWN_TASKS = 8;

  private final Job job;
  private final String script;
  private final List<JobFile> files;
  private final Replacement replacement;
  private final Set<String> before;
  private final Set<String> after;

  /** The tasks that there are. */
  private final Set<String> tasks;

  /** Those of them that have ended. */
  private final Set<String> ended;

  /**
   * @param job as it is
   * @param script the new one
   * @param old the compiled script of the job
   * @param young the compiled new one
   * @param state at the job's version
   */
  public ReplacementPlan(
      Job job,
      String script,
      CompiledJob old,
      CompiledJob young,
      Replacement replacement,
      SiteState state) {
    this.job = job;
    this.script = script;
    this.files = young.files();
    this.replacement = replacement;
    Map<String, Map<String, String>> devices = new HashMap<>();
    state.devices().forEach(device -> devices.put(device.name(), device.labels()));
    this.before = names(old, devices);
    this.after = names(young, devices);
    this.tasks = shards(state, job, _ -> true);
    this.ended = shards(state, job, Task::ended);
  }

  private static Set<String> shards(SiteState state, Job job, Predicate<Task> counts) {
    return state.tasks().stream()
        .filter(task -> task.id().job().equals(job.name()) && counts.test(task))
        .map(task -> task.id().shard())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> names(CompiledJob job, Map<String, Map<String, String>> devices) {
    return job.fragments(devices, List.of()).stream()
        .map(Fragment::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The tasks that the version before is to have and that are not made yet. */
  public Set<String> missing() {
    Set<String> missing = new TreeSet<>(before);
    missing.removeAll(tasks);
    return missing;
  }

  /**
   * Tasks that have ended, so that what they kept is gone, and that the new version gives more to
   * do: constant rows and limits would begin again with it.
   */
  public Set<String> endedWithMoreToDo() {
    return ended.stream()
        .filter(this::isKept)
        .filter(task -> replacement.tasks(task).map(what -> !what.unchanged()).orElse(false))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A task that neither version makes now is that of a device that is gone for a while. */
  private boolean isKept(String task) {
    return after.contains(task) || (!before.contains(task) && replacement.tasks(task).isPresent());
  }

  private Set<String> dropped() {
    return tasks.stream()
        .filter(task -> !isKept(task))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The command; refused if the job or its tasks are others by then. */
  public Command.ReplaceJob command() {
    Map<String, Set<String>> works = new TreeMap<>();
    tasks.stream()
        .filter(this::isKept)
        .forEach(
            task -> works.computeIfAbsent(replacement.work(task), _ -> new TreeSet<>()).add(task));
    List<Command.KeptTasks> kept = new ArrayList<>();
    works.forEach((_, shards) -> kept.add(kept(shards)));
    return new Command.ReplaceJob(
        job.name(),
        job.version(),
        script,
        files,
        kept,
        dropped(),
        replacement.exchanges(),
        !replacement.changedSinks().isEmpty());
  }

  private Command.KeptTasks kept(Set<String> shards) {
    Optional<Replacement.Tasks> what = replacement.tasks(shards.iterator().next());
    if (what.isEmpty()) {
      // The delivery: all that it has is in the outbox.
      return new Command.KeptTasks(shards, Map.of(), List.of(), List.of(), true);
    }
    Replacement.Tasks tasksOf = what.get();
    List<Command.KeptState> state = new ArrayList<>();
    tasksOf
        .state()
        .forEach(move -> state.add(new Command.KeptState(move.getKey(), move.getValue())));
    Change plan = new Change(tasksOf.planEntry().getKey(), tasksOf.planEntry().getValue());
    return new Command.KeptTasks(
        shards, tasksOf.positions(), state, List.of(plan), !tasksOf.unchanged());
  }

  /** What people are told of it. */
  public JobReplacement shown() {
    boolean changes =
        !job.script().equals(script) || !Set.copyOf(job.files()).equals(Set.copyOf(files));
    List<JobReplacement.Part> parts = new ArrayList<>();
    if (changes) {
      for (Replacement.Line line : replacement.lines()) {
        parts.add(new JobReplacement.Part(fate(line.fate()), line.work(), line.what(), line.why()));
      }
      Set<String> young = new TreeSet<>(after);
      young.removeAll(tasks);
      addTasks(young, Fate.BEGINS_ANEW, "new: begins as in a new job", parts);
      addTasks(
          dropped(),
          Fate.DROPPED,
          "no more there: its positions and what it kept are forgotten",
          parts);
    }
    return new JobReplacement(job.name(), job.version(), changes, parts);
  }

  private static Fate fate(Replacement.Fate fate) {
    return switch (fate) {
      case KEPT -> Fate.KEPT;
      case BEGINS_ANEW -> Fate.BEGINS_ANEW;
      case DROPPED -> Fate.DROPPED;
    };
  }

  private void addTasks(Set<String> names, Fate fate, String why, List<JobReplacement.Part> parts) {
    Map<String, Set<String>> works = new TreeMap<>();
    names.forEach(
        name -> works.computeIfAbsent(replacement.work(name), _ -> new TreeSet<>()).add(name));
    works.forEach(
        (work, ofIt) ->
            parts.add(
                new JobReplacement.Part(
                    fate,
                    work,
                    "%s %s%s"
                        .formatted(
                            ofIt.size() == 1 ? "task" : ofIt.size() + " tasks",
                            ofIt.stream().limit(SHOWN_TASKS).collect(Collectors.joining(", ")),
                            ofIt.size() > SHOWN_TASKS ? " …" : ""),
                    why)));
  }
}
