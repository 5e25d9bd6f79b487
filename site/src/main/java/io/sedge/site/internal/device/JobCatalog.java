package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.PartSizes;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.SiteState;
import io.sedge.site.internal.fragment.Fragment;
import io.sedge.sql.SqlException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the ledger, compiled. Compiling takes a second on a small machine, so it is done by
 * an executor, once for each version of a job. Any thread.
 */
final class JobCatalog {
  private final Compiler compiler;
  private final Executor executor;
  private final DeviceLog log;
  private final Map<String, Entry> entries = new HashMap<>();

  /** Compiles a script and finds out how its sources are divided. */
  @FunctionalInterface
  interface Compiler {
    /**
     * @throws SqlException if the script is not accepted
     * @throws io.sedge.connector.ConnectorException if a table is not
     */
    CompiledJob compile(String name, String script) throws SqlException;
  }

  private static final class Entry {
    final long version;
    final CompletableFuture<CompiledJob> compiled = new CompletableFuture<>();

    /** The last that was asked for: devices seldom come and go. */
    private List<String> devices = List.of();

    private List<Fragment> fragments = List.of();
    private @Nullable CompletableFuture<List<InputPart>> parts;

    Entry(long version) {
      this.version = version;
    }

    boolean isCompiled() {
      return compiled.isDone() && !compiled.isCompletedExceptionally();
    }

    /**
     * @param known the job's parts; they do not change once there are some
     */
    synchronized List<Fragment> fragments(List<String> now, List<InputPart> known) {
      if (!isCompiled()) {
        return List.of();
      }
      if (fragments.isEmpty() || !devices.equals(now)) {
        devices = List.copyOf(now);
        fragments = List.copyOf(compiled.join().fragments(devices, known));
      }
      return fragments;
    }

    synchronized CompletableFuture<List<InputPart>> parts(PartSizes sizes, Executor executor) {
      CompletableFuture<List<InputPart>> cutting = parts;
      if (cutting == null) {
        cutting = CompletableFuture.supplyAsync(() -> compiled.join().cut(sizes), executor);
        parts = cutting;
      }
      return cutting;
    }
  }

  JobCatalog(Compiler compiler, Executor executor, DeviceLog log) {
    this.log = log;
    this.compiler = compiler;
    this.executor = executor;
  }

  /** Why the job cannot be run by this version of Sedge, if so. */
  Optional<String> refusal(Job job) {
    CompletableFuture<CompiledJob> future = entry(job).compiled;
    if (!future.isCompletedExceptionally()) {
      return Optional.empty();
    }
    return switch (future.exceptionNow()) {
      case SqlException refused ->
          Optional.of(
              refused.problems().stream()
                  .map(problem -> problem.toString())
                  .collect(Collectors.joining("; ")));
      case ConnectorException refused -> Optional.of(String.valueOf(refused.getMessage()));
      default -> Optional.empty();
    };
  }

  /**
   * Its fragments, for the devices that suit it and the parts that the ledger has; empty while it
   * is being compiled, which is begun if it was not, and while its input is to be cut and its parts
   * are not known.
   */
  List<Fragment> fragments(Job job, SiteState state) {
    Entry entry = entry(job);
    if (!entry.isCompiled()) {
      return List.of();
    }
    List<String> devices =
        state.devices().stream()
            .filter(device -> SiteModel.suits(entry.compiled.join().job(), device))
            .map(device -> device.name())
            .sorted()
            .toList();
    return entry.fragments(devices, state.parts(job.name()));
  }

  /** Whether it is compiled, and its input is to be cut into parts before it can run. */
  boolean isCut(Job job) {
    Entry entry = entry(job);
    return entry.isCompiled() && entry.compiled.join().isCut();
  }

  /**
   * Its input as it is cut here; not done while it is looked at, which is begun if it was not.
   * Fails if it cannot be cut.
   *
   * @param sizes count where it is begun
   */
  CompletableFuture<List<InputPart>> cut(Job job, PartSizes sizes) {
    return entry(job).parts(sizes, executor);
  }

  private synchronized Entry entry(Job job) {
    Entry known = entries.get(job.name());
    if (known == null || known.version != job.version()) {
      known = new Entry(job.version());
      entries.put(job.name(), known);
      CompletableFuture<CompiledJob> future = known.compiled;
      executor.execute(() -> compile(job, future));
    }
    return known;
  }

  private void compile(Job job, CompletableFuture<CompiledJob> future) {
    try {
      future.complete(compiler.compile(job.name(), job.script()));
    } catch (SqlException | RuntimeException | Error e) {
      future.completeExceptionally(e);
      log.add(
          Severity.ERROR,
          "",
          "job %s cannot be compiled here: %s".formatted(job.name(), e.getMessage()));
    }
  }

  /** Forgets jobs that there are no more. */
  synchronized void retain(List<Job> jobs) {
    entries
        .keySet()
        .retainAll(jobs.stream().map(Job::name).collect(Collectors.toUnmodifiableSet()));
  }
}
