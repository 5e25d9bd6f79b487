package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.ledger.Job;
import io.sedge.site.internal.fragment.Fragment;
import io.sedge.sql.SqlException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

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

    Entry(long version) {
      this.version = version;
    }

    synchronized List<Fragment> fragments(List<String> now) {
      if (!compiled.isDone() || compiled.isCompletedExceptionally()) {
        return List.of();
      }
      if (fragments.isEmpty() || !devices.equals(now)) {
        devices = List.copyOf(now);
        fragments = List.copyOf(compiled.join().fragments(devices));
      }
      return fragments;
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
   * Its fragments, for a site of these devices; empty while it is being compiled, which is begun if
   * it was not.
   */
  List<Fragment> fragments(Job job, List<String> devices) {
    return entry(job).fragments(devices);
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
