package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.PartSizes;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.SiteState;
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
  private final Executor cutter;
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
    final String script;
    final CompletableFuture<CompiledJob> compiled = new CompletableFuture<>();

    /** The last that was asked for: devices seldom come and go. */
    private Map<String, Map<String, String>> devices = Map.of();

    private JobFragments fragments = JobFragments.NONE;
    private @Nullable Boolean cut;
    private @Nullable CompletableFuture<List<InputPart>> parts;

    Entry(Job job) {
      this.version = job.version();
      this.script = job.script();
    }

    boolean isCompiled() {
      return compiled.isDone() && !compiled.isCompletedExceptionally();
    }

    synchronized boolean isCut() {
      if (cut == null) {
        cut = compiled.join().isCut();
      }
      return cut;
    }

    /**
     * @param known the job's parts; they do not change once there are some
     */
    synchronized JobFragments fragments(
        Map<String, Map<String, String>> now, List<InputPart> known) {
      if (fragments.all().isEmpty() || !devices.equals(now)) {
        devices = Map.copyOf(now);
        fragments = new JobFragments(compiled.join().fragments(devices, known));
      }
      return fragments;
    }

    synchronized CompletableFuture<List<InputPart>> parts(PartSizes sizes, Executor cutter) {
      CompletableFuture<List<InputPart>> cutting = parts;
      if (cutting == null) {
        cutting = CompletableFuture.supplyAsync(() -> compiled.join().cut(sizes), cutter);
        parts = cutting;
      }
      return cutting;
    }
  }

  /**
   * @param executor compiles
   * @param cutter cuts inputs, which may take as long as reading them through
   */
  JobCatalog(Compiler compiler, Executor executor, Executor cutter, DeviceLog log) {
    this.log = log;
    this.compiler = compiler;
    this.executor = executor;
    this.cutter = cutter;
  }

  /** Why the job cannot be run on this device, if so; compiling it is begun if it was not. */
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
      case Throwable fault -> Optional.of("a fault in Sedge: " + fault);
    };
  }

  /**
   * Its fragments, for the site's devices and the parts that the ledger has; empty while it is
   * being compiled, which is begun if it was not, and while its input is to be cut and its parts
   * are not known.
   */
  JobFragments fragments(Job job, SiteState state) {
    Entry entry = entry(job);
    if (!entry.isCompiled()) {
      return JobFragments.NONE;
    }
    Map<String, Map<String, String>> devices = new HashMap<>();
    state.devices().forEach(device -> devices.put(device.name(), device.labels()));
    return entry.fragments(devices, state.parts(job.name()));
  }

  /** Those of all jobs, by the name of the job. */
  Map<String, JobFragments> fragments(SiteState state) {
    Map<String, JobFragments> all = new HashMap<>();
    state.jobs().forEach(job -> all.put(job.name(), fragments(job, state)));
    return all;
  }

  /** Whether it is compiled, and its input is to be cut into parts before it can run. */
  boolean isCut(Job job) {
    Entry entry = entry(job);
    return entry.isCompiled() && entry.isCut();
  }

  /**
   * Its input as it is cut here; not done while it is looked at, which is begun if it was not.
   * Fails if it cannot be cut.
   *
   * @param sizes count where it is begun
   */
  CompletableFuture<List<InputPart>> cut(Job job, PartSizes sizes) {
    return entry(job).parts(sizes, cutter);
  }

  private synchronized Entry entry(Job job) {
    Entry known = entries.get(job.name());
    if (known == null || known.version != job.version()) {
      known = new Entry(job);
      entries.put(job.name(), known);
      log.hideSecretsOf(entries.values().stream().map(entry -> entry.script).toList());
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

  /** Has a job that could not be compiled compiled again when it is next asked for. */
  synchronized void forgetRefusal(Job job) {
    if (refusal(job).isPresent()) {
      entries.remove(job.name());
    }
  }

  /** Forgets jobs that there are no more. */
  synchronized void retain(List<Job> jobs) {
    entries
        .keySet()
        .retainAll(jobs.stream().map(Job::name).collect(Collectors.toUnmodifiableSet()));
  }
}
