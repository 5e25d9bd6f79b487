package io.sedge.site.internal.operation;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.learning.Drift;
import io.sedge.ledger.Channel;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobState;
import io.sedge.ledger.Refusal;
import io.sedge.ledger.SiteState;
import io.sedge.placement.Health;
import io.sedge.replication.LogCounts;
import io.sedge.replication.Member;
import io.sedge.replication.MemberOptions;
import io.sedge.site.api.BuildVersion;
import io.sedge.site.internal.device.MeteredLedger;
import io.sedge.site.internal.device.TaskWork;
import io.sedge.site.internal.device.Totals;
import io.sedge.task.ProcessDisk;
import io.sedge.task.ProcessMemory;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * All that can be measured of a device, in Prometheus's words: base units, and {@code _total} for
 * what only grows. Every value is one that somebody counts anyway; none is made up. Labels are
 * bounded by what bounds their things: jobs and tasks by the ledger, tables by {@link Totals},
 * reasons and states by their enumerations.
 */
public final class Metrics {
  private static final double MILLIS = 1e3;
  private static final double MICROS = 1e6;
  private static final double NANOS = 1e9;

  private final Probe probe;

  public Metrics(Probe probe) {
    this.probe = probe;
  }

  /** As they are now. Any thread. */
  MetricSnapshots snapshots() {
    Families families = new Families();
    device(families);
    readings(families);
    models(families);
    tasks(families);
    commits(families);
    ledger(families);
    probe.member().read(state -> site(families, state));
    security(families);
    log(families);
    process(families);
    return families.snapshots();
  }

  private void device(Families families) {
    families.info(
        "sedge_device_info",
        "Always 1; who this is.",
        new TreeMap<>(
            Map.of(
                "site",
                probe.member().invite().site().toString(),
                "device",
                probe.options().name(),
                "version",
                BuildVersion.ofThis())));
    families
        .counter("sedge_device_starts_total", "How often the device was started, ever.")
        .add(probe.starts());
    families
        .gauge("sedge_device_cpu_allowed", "Processors that tasks may use (--cpu).")
        .add(probe.options().cpus());
    families
        .gauge(
            "sedge_device_cpu_usable",
            "Processors that tasks may use now: less than allowed while others take them.")
        .add(probe.node().usableCpus());
    families
        .gauge(
            "sedge_device_memory_allowed_bytes", "What the process may have resident (--memory).")
        .add(probe.options().memoryBytes());
  }

  private void models(Families families) {
    Families.Family drift =
        families.gauge(
            "sedge_model_drift",
            "Population stability index of what a model scored in the last window that this device"
                + " has ended, without unit: above 0.25 much has changed.",
            "job",
            "model",
            "feature");
    for (Job job : probe.member().read(SiteState::jobs)) {
      for (Drift found : probe.node().drifts(job)) {
        if (!Double.isNaN(found.psi())) {
          drift.add(found.psi(), job.name(), found.model(), found.feature());
        }
      }
    }
  }

  private void readings(Families families) {
    Map<String, Totals.Job> jobs = probe.node().totals().jobs();
    read(
        families,
        jobs,
        "sedge_readings_total",
        "Readings taken from a source table.",
        Totals.Read::readings);
    read(
        families,
        jobs,
        "sedge_readings_bytes_total",
        "Payload bytes of the readings taken.",
        Totals.Read::bytes);
    read(
        families,
        jobs,
        "sedge_readings_malformed_total",
        "Payloads that could not be decoded, rows that an expression failed for, and readings ahead"
            + " of the clock.",
        Totals.Read::malformed);
    read(
        families,
        jobs,
        "sedge_readings_dropped_total",
        "Readings lost to a bound of their source, where the table's options allow it.",
        Totals.Read::dropped);
    Families.Family rows =
        families.counter(
            "sedge_rows_out_total", "Rows written to the job's sink tables.", "job", "table");
    Families.Family bytes =
        families.counter(
            "sedge_rows_out_bytes_total",
            "Payload bytes that sinks have written. To a center: as they are on the link,"
                + " compressed.",
            "job",
            "table");
    jobs.forEach(
        (job, totals) ->
            totals
                .written()
                .forEach(
                    (table, written) -> {
                      rows.add(written.rows(), job, table);
                      bytes.add(written.bytes(), job, table);
                    }));
    perJob(
        families,
        jobs,
        "sedge_rows_late_total",
        "Rows that came after their window had closed.",
        Totals.Job::late);
    perJob(
        families,
        jobs,
        "sedge_rows_untimed_total",
        "Rows dropped for want of an event time.",
        Totals.Job::untimed);
    perJob(
        families,
        jobs,
        "sedge_task_starts_total",
        "Tasks that were started here, also again.",
        Totals.Job::starts);
    perJob(
        families,
        jobs,
        "sedge_task_failures_total",
        "Tasks that have failed here.",
        Totals.Job::failures);
    Families.Family cpu =
        families.counter(
            "sedge_task_cpu_seconds_total",
            "Processor time that tasks have used, their opening left out.",
            "job");
    jobs.forEach((job, totals) -> cpu.add(totals.cpu().toNanos() / NANOS, job));
  }

  private static void read(
      Families families,
      Map<String, Totals.Job> jobs,
      String name,
      String help,
      ToLongFunction<Totals.Read> value) {
    Families.Family family = families.counter(name, help, "job", "table");
    jobs.forEach(
        (job, totals) ->
            totals
                .read()
                .forEach((table, read) -> family.add(value.applyAsLong(read), job, table)));
  }

  private static void perJob(
      Families families,
      Map<String, Totals.Job> jobs,
      String name,
      String help,
      ToLongFunction<Totals.Job> value) {
    Families.Family family = families.counter(name, help, "job");
    jobs.forEach((job, totals) -> family.add(value.applyAsLong(totals), job));
  }

  private void tasks(Families families) {
    List<TaskWork> tasks = probe.node().work().tasks();
    families
        .gauge("sedge_tasks_assigned", "Tasks that the ledger gives to this device.")
        .add(tasks.size());
    families
        .gauge("sedge_tasks_running", "Tasks that run on this device.")
        .add(tasks.stream().filter(TaskWork::running).count());
    families
        .gauge(
            "sedge_tasks_waiting",
            "Tasks that run on this device and wait: a sink takes nothing, a table is missing.")
        .add(tasks.stream().filter(task -> task.running() && !task.why().isEmpty()).count());
    Families.Family lag =
        families.gauge(
            "sedge_task_lag_seconds",
            "By how much the results of a task are behind the clock.",
            "job",
            "task");
    double now = probe.clock().millis() / MILLIS;
    for (TaskWork task : tasks) {
      long watermark = task.counters().watermarkMicros();
      if (watermark != Long.MIN_VALUE && watermark != Long.MAX_VALUE) {
        lag.add(Math.max(0, now - watermark / MICROS), task.id().job(), task.id().shard());
      }
    }
  }

  private void commits(Families families) {
    MeteredLedger commits = probe.node().commits();
    families.histogram(
        "sedge_commit_seconds",
        "How long commits took from this device until a majority had them.",
        commits.durations());
    Families.Family refused =
        families.counter(
            "sedge_commits_refused_total", "Commits that the ledger did not take.", "reason");
    Map<Refusal, Long> counts = commits.refused();
    for (Refusal reason : Refusal.values()) {
      refused.add(counts.getOrDefault(reason, 0L), name(reason));
    }
    families
        .counter(
            "sedge_task_moves_total",
            "Tasks that this device has moved from one device to another while it led.")
        .add(commits.moves());
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  private void ledger(Families families) {
    List<Member> members = probe.member().members();
    LogCounts counts = probe.member().logCounts();
    families
        .gauge("sedge_ledger_leader", "1 if this device leads, else 0.")
        .add(probe.member().isLeader() ? 1 : 0);
    families
        .gauge("sedge_ledger_leader_known", "1 if this device knows who leads, else 0.")
        .add(probe.member().leader().isPresent() ? 1 : 0);
    families
        .gauge("sedge_ledger_term", "The term of the ledger's leader; grows with each election.")
        .add(probe.member().term());
    families
        .gauge("sedge_ledger_silence_seconds", "Since the ledger last answered this device.")
        .add(Math.max(0, System.nanoTime() - probe.node().work().heardNanos()) / NANOS);
    families
        .counter("sedge_ledger_entries_total", "Entries appended to this device's copy of the log.")
        .add(counts.entries());
    families
        .counter("sedge_ledger_syncs_total", "How often the log was brought to the disk (fsync).")
        .add(counts.syncs());
    families
        .gauge("sedge_ledger_members", "Devices that keep a copy of the ledger.")
        .add(members.size());
    families
        .gauge("sedge_ledger_voters", "Devices whose copy counts for a majority.")
        .add(members.stream().filter(Member::voter).count());
    Families.Family log =
        families.gauge("sedge_ledger_disk_bytes", "What log and snapshots take on the disk.");
    Families.Family free =
        families.gauge(
            "sedge_disk_free_bytes",
            "Bytes that the device may still write to the disk of its data directory.");
    try {
      free.add(Files.getFileStore(probe.options().data()).getUsableSpace());
      log.add(size(probe.options().data().resolve("ledger")));
    } catch (IOException _) {
      // Not known; the alert on a metric that is absent says more than a number that is wrong.
    }
    families
        .gauge("sedge_disk_reserve_bytes", "With less than this free on the disk, commits wait.")
        .add(MemberOptions.DEFAULT_RESERVE_BYTES);
  }

  private static long size(Path directory) throws IOException {
    LongAdder bytes = new LongAdder();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes.add(attributes.size());
            return FileVisitResult.CONTINUE;
          }

          // Files come and go meanwhile.
          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes.sum();
  }

  private Families site(Families families, SiteState state) {
    families
        .gauge("sedge_ledger_applied_index", "The log entry that was carried out last.")
        .add(state.appliedIndex());
    bytes(families, "state", "State of all tasks", state.stateBytes(), state.limits().stateBytes());
    bytes(
        families,
        "outbox",
        "Rows that are not delivered yet",
        state.rowBytes(Channel.OUTBOX),
        state.limits().outboxBytes());
    bytes(
        families,
        "exchange",
        "Rows on their way from task to task",
        state.rowBytes(Channel.EXCHANGE),
        state.limits().exchangeBytes());
    devices(families, state);
    Families.Family jobs = families.gauge("sedge_site_jobs", "Jobs of the site.", "state");
    for (JobState of : JobState.values()) {
      jobs.add(state.jobs().stream().filter(job -> job.state() == of).count(), name(of));
    }
    Families.Family rows =
        families.gauge(
            "sedge_site_rows_waiting", "Rows of a job that are not delivered yet.", "job");
    state.jobs().forEach(job -> rows.add(job.waitingRows(), job.name()));
    families
        .gauge("sedge_site_tasks", "Tasks of the site that have not ended.")
        .add(state.tasks().stream().filter(task -> !task.ended()).count());
    families
        .gauge("sedge_site_tasks_unplaced", "Tasks of running jobs that no device runs.")
        .add(
            state.tasks().stream()
                .filter(task -> !task.ended() && task.device().isEmpty())
                .filter(
                    task ->
                        state
                            .job(task.id().job())
                            .filter(job -> job.state() == JobState.RUNNING)
                            .isPresent())
                .count());
    return families;
  }

  private static void bytes(Families families, String what, String help, long now, long limit) {
    families.gauge("sedge_%s_bytes".formatted(what), help + ", in the ledger.").add(now);
    families
        .gauge(
            "sedge_%s_limit_bytes".formatted(what), "What sedge_%s_bytes may be.".formatted(what))
        .add(limit);
  }

  private void devices(Families families, SiteState state) {
    Map<Health, Long> health = new EnumMap<>(Health.class);
    Families.Family devices =
        families.gauge(
            "sedge_site_devices",
            "Devices that are not expelled, by how this one sees them.",
            "health");
    state.devices().stream()
        .filter(device -> device.state() != DeviceState.EXPELLED)
        .forEach(device -> health.merge(probe.node().health(device), 1L, Long::sum));
    for (Health of : Health.values()) {
      devices.add(health.getOrDefault(of, 0L), name(of));
    }
  }

  private void security(Families families) {
    families
        .gauge(
            "sedge_certificate_expiry_timestamp_seconds",
            "When the device's certificate ends; it renews itself with a third of its life left.")
        .add(probe.identity().certificate().getNotAfter().toInstant().toEpochMilli() / MILLIS);
    families
        .gauge(
            "sedge_authority_expiry_timestamp_seconds",
            "When the certificate of the site's authority ends.")
        .add(probe.identity().authority().getNotAfter().toInstant().toEpochMilli() / MILLIS);
    families
        .counter(
            "sedge_enrolment_refusals_total",
            "Who was refused where newcomers and other devices ask.")
        .add(probe.enrolment().refusals());
    families
        .counter("sedge_ledger_refusals_total", "Who was refused at the ledger's port.")
        .add(probe.member().refusals());
  }

  private void log(Families families) {
    Families.Family lines =
        families.counter(
            "sedge_log_messages_total",
            "What the device had to say, repeats included.",
            "severity");
    for (Severity severity : Severity.values()) {
      lines.add(probe.node().log().count(severity), name(severity));
    }
  }

  private static void process(Families families) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    families
        .gauge("process_start_time_seconds", "When the process began.")
        .add(ManagementFactory.getRuntimeMXBean().getStartTime() / MILLIS);
    families
        .counter("process_cpu_seconds_total", "Processor time that the process has used.")
        .add(system.getProcessCpuTime() / NANOS);
    families
        .gauge("process_resident_memory_bytes", "Memory that the process has resident.")
        .add(ProcessMemory.residentBytes());
    Families.Family written =
        families.counter(
            "process_written_bytes_total", "Bytes that the process had written to disks.");
    long writtenBytes = ProcessDisk.writtenBytes();
    if (writtenBytes >= 0) {
      written.add(writtenBytes);
    }
    Families.Family open = families.gauge("process_open_fds", "Open files and sockets.");
    Families.Family most =
        families.gauge("process_max_fds", "How many files and sockets may be open.");
    if (system instanceof UnixOperatingSystemMXBean unix) {
      open.add(unix.getOpenFileDescriptorCount());
      most.add(unix.getMaxFileDescriptorCount());
    }
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    families.gauge("jvm_heap_used_bytes", "Bytes of the heap in use.").add(heap.getUsed());
    families
        .gauge("jvm_heap_committed_bytes", "Bytes of the heap taken from the system.")
        .add(heap.getCommitted());
    families.gauge("jvm_heap_max_bytes", "Bytes that the heap may have.").add(heap.getMax());
    families
        .gauge("jvm_threads", "Platform threads that live.")
        .add(ManagementFactory.getThreadMXBean().getThreadCount());
    Families.Family collections =
        families.counter("jvm_gc_collections_total", "Collections of garbage.", "gc");
    Families.Family pauses =
        families.counter("jvm_gc_seconds_total", "Time that collections of garbage took.", "gc");
    for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
      collections.add(gc.getCollectionCount(), gc.getName());
      pauses.add(gc.getCollectionTime() / MILLIS, gc.getName());
    }
  }
}
