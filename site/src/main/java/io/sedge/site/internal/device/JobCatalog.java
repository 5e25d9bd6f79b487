package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.PartSizes;
import io.sedge.division.Fragment;
import io.sedge.division.Fragments;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.SiteState;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.files.JobFiles;
import io.sedge.sql.SqlException;
import io.sedge.task.FailureCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of the ledger, compiled. Compiling takes a second on a small machine, so it is done by
 * an executor, once for each version of a job, when the files that it names are here. Any thread.
 */
final class JobCatalog {
  /** Compiling takes a second on a small machine; jobs wait for each other. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Compiler compiler;
  private final JobFiles files;
  private final Executor executor;
  private final Executor cutter;
  private final DeviceLog log;
  private final Map<Key, Entry> entries = new HashMap<>();

  /** Compiles a script and finds out how its sources are divided. */
  @FunctionalInterface
  interface Compiler {
    /**
     * @param files that the script names, which are here
     * @throws SqlException if the script is not accepted
     * @throws io.sedge.connector.ConnectorException if a table is not
     */
    CompiledJob compile(String name, String script, List<JobFile> files) throws SqlException;
  }

  private record Key(String job, long version) {}

  private static final class Entry {
    final long version;
    final String script;
    final List<JobFile> files;
    final CompletableFuture<CompiledJob> compiled = new CompletableFuture<>();

    /** Whether it is being compiled, or was; of the catalog's lock. */
    boolean begun;

    /** The last that was asked for: devices seldom come and go. */
    private Map<String, Map<String, String>> devices = Map.of();

    private JobFragments fragments = JobFragments.NONE;
    private JobFragments delivering = JobFragments.NONE;
    private @Nullable Boolean cut;
    private @Nullable CompletableFuture<List<InputPart>> parts;

    Entry(long version, String script, List<JobFile> files) {
      this.version = version;
      this.script = script;
      this.files = files;
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
        fragments = new JobFragments(version, compiled.join().fragments(devices, known));
        delivering = JobFragments.NONE;
      }
      return fragments;
    }

    /** The same, with the delivery of the script before, which has been compiled or refused. */
    synchronized JobFragments fragments(
        Map<String, Map<String, String>> now, Job.Earlier earlier, Entry before) {
      JobFragments own = fragments(now, List.of());
      if (!delivering.earlier().equals(Optional.of(earlier))) {
        Optional<Fragment> delivery =
            before.isCompiled()
                ? before.fragments(now, List.of()).of(Fragments.DELIVERY)
                : Optional.empty();
        delivering = own.deliveredBy(earlier, delivery);
      }
      return delivering;
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
   * @param files that jobs name
   * @param executor compiles
   * @param cutter cuts inputs, which may take as long as reading them through
   */
  JobCatalog(Compiler compiler, JobFiles files, Executor executor, Executor cutter, DeviceLog log) {
    this.log = log;
    this.files = files;
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

  /** Which file it waits for, and why that is not here, if it is not compiled for that. */
  Optional<String> lacking(Job job) {
    Entry entry = entry(job);
    return entry.compiled.isDone() ? Optional.empty() : files.lacking(entry.files);
  }

  /**
   * Its fragments, for the site's devices and the parts that the ledger has; empty while it is
   * being compiled, which is begun if it was not, and while its input is to be cut and its parts
   * are not known. While the script before has rows to deliver, the delivery is that one's; if that
   * cannot be compiled here, there is none.
   */
  JobFragments fragments(Job job, SiteState state) {
    Entry entry = entry(job);
    if (!entry.isCompiled()) {
      return JobFragments.NONE;
    }
    Map<String, Map<String, String>> devices = new HashMap<>();
    state.devices().forEach(device -> devices.put(device.name(), device.labels()));
    Job.Earlier earlier = job.earlier().orElse(null);
    if (earlier == null) {
      return entry.fragments(devices, state.parts(job.name()));
    }
    Entry before = entry(job.name(), earlier.version(), earlier.script(), earlier.files());
    return before.compiled.isDone() ? entry.fragments(devices, earlier, before) : JobFragments.NONE;
  }

  /** Those of all jobs, by the name of the job. */
  Map<String, JobFragments> fragments(SiteState state) {
    Map<String, JobFragments> all = new HashMap<>();
    state.jobs().forEach(job -> all.put(job.name(), fragments(job, state)));
    return all;
  }

  /** It, once it is compiled; compiling it is begun if it was not. */
  Optional<CompiledJob> compiled(Job job) {
    Entry entry = entry(job);
    return entry.isCompiled() ? Optional.of(entry.compiled.join()) : Optional.empty();
  }

  /**
   * It, once it is compiled, which is waited for; compiling it is begun if it was not.
   *
   * @throws SiteException NOT_NOW if it cannot be compiled, or is not within {@link #PATIENCE}
   */
  CompiledJob awaited(Job job) throws SiteException {
    Optional<String> lacking = lacking(job);
    if (lacking.isPresent()) {
      throw new SiteException(FailureCode.NOT_NOW, notCompiled(job, lacking.get()));
    }
    try {
      return entry(job).compiled.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new SiteException(
          FailureCode.NOT_NOW, notCompiled(job, "that takes long; try again in a moment"), e);
    } catch (ExecutionException e) {
      throw new SiteException(
          FailureCode.NOT_NOW, notCompiled(job, refusal(job).orElse("try again in a moment")), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SiteException(
          FailureCode.NOT_NOW, notCompiled(job, "the device is being stopped"), e);
    }
  }

  private static String notCompiled(Job job, String why) {
    return "job %s is not compiled on this device: %s".formatted(job.name(), why);
  }

  /** It, if it is compiled by now; compiling it is not begun. */
  synchronized Optional<CompiledJob> known(Job job) {
    Entry entry = entries.get(new Key(job.name(), job.version()));
    return entry != null && entry.isCompiled()
        ? Optional.of(entry.compiled.join())
        : Optional.empty();
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

  private Entry entry(Job job) {
    return entry(job.name(), job.version(), job.script(), job.files());
  }

  private synchronized Entry entry(String job, long version, String script, List<JobFile> named) {
    Entry known = entries.get(new Key(job, version));
    if (known == null) {
      known = new Entry(version, script, named);
      entries.put(new Key(job, version), known);
      log.hideSecretsOf(entries.values().stream().map(entry -> entry.script).toList());
    }
    Entry entry = known;
    if (!entry.begun && files.lacking(named).isEmpty()) {
      entry.begun = true;
      executor.execute(() -> compile(job, entry));
    }
    return entry;
  }

  private void compile(String job, Entry entry) {
    if (!files.areWhole(entry.files)) {
      synchronized (this) {
        entry.begun = false; // Until it has come again.
      }
      return;
    }
    CompletableFuture<CompiledJob> future = entry.compiled;
    try {
      future.complete(compiler.compile(job, entry.script, entry.files));
    } catch (SqlException | RuntimeException | Error e) {
      future.completeExceptionally(e);
      log.add(
          Severity.ERROR, "", "job %s cannot be compiled here: %s".formatted(job, e.getMessage()));
    }
  }

  /** Has a job that could not be compiled compiled again when it is next asked for. */
  synchronized void forgetRefusal(Job job) {
    if (refusal(job).isPresent()) {
      entries.remove(new Key(job.name(), job.version()));
    }
  }

  /** Forgets jobs, and versions of them, that there are no more. */
  synchronized void retain(List<Job> jobs) {
    Set<Key> used = new HashSet<>();
    for (Job job : jobs) {
      used.add(new Key(job.name(), job.version()));
      job.earlier().ifPresent(earlier -> used.add(new Key(job.name(), earlier.version())));
    }
    entries.keySet().retainAll(used);
  }
}
