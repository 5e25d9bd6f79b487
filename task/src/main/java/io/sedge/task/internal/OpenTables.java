package io.sedge.task.internal;

import static java.util.Objects.requireNonNull;

import io.sedge.connector.ChangelogMode;
import io.sedge.connector.ConnectorContext;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.ConnectorFactory;
import io.sedge.connector.Delivery;
import io.sedge.connector.Keep;
import io.sedge.connector.Keeper;
import io.sedge.connector.Sink;
import io.sedge.connector.SinkFactory;
import io.sedge.connector.Source;
import io.sedge.connector.SourceReader;
import io.sedge.connector.TableDescriptor;
import io.sedge.connector.TimeBounds;
import io.sedge.sql.Job;
import io.sedge.sql.SecretReferences;
import io.sedge.task.FailureCode;
import io.sedge.task.JobException;
import io.sedge.task.JobStart;
import io.sedge.task.Secrets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The open readers and sinks of a job. Opening may block, so each table is opened on a virtual
 * thread of its own, all sinks first, then all sources: nothing is read before it can be written.
 * Closing may block too: all are closed at the same time. {@link #cancel} may be called from any
 * thread, all else from one.
 */
public final class OpenTables {
  /** The shard of a table that is not divided. */
  private static final String WHOLE = "all";

  private final JobStart start;
  private final Job job;
  private final Map<String, ConnectorFactory> connectors;
  private final TableContext context;
  private final Secrets secrets;
  private final Redaction redaction;
  private final Map<String, AutoCloseable> open = new LinkedHashMap<>();
  private List<? extends FutureTask<?>> opening = List.of();
  private boolean cancelled;

  /**
   * @param redaction is told the secrets that tables are opened with
   */
  public OpenTables(
      JobStart start,
      Map<String, ConnectorFactory> connectors,
      TableContext context,
      Secrets secrets,
      Redaction redaction) {
    this.secrets = secrets;
    this.redaction = redaction;
    this.start = start;
    this.job = start.job();
    this.connectors = Map.copyOf(connectors);
    this.context = context;
  }

  /**
   * Opens the sinks.
   *
   * @throws CancellationException after {@link #cancel}
   */
  public List<SinkOutput> openSinks() throws JobException, InterruptedException {
    Map<String, SinkFactory> factories = new TreeMap<>();
    Map<String, Supplier<Sink>> openers = new TreeMap<>();
    for (Job.SinkTable table : job.sinks().values()) {
      SinkFactory factory = sinkFactory(table);
      factories.put(table.table().name(), factory);
      Delivery delivery = start.delivery(table.table().name());
      openers.put(table.table().name(), () -> factory.open(delivery));
    }
    Map<String, Sink> sinks = openAll("sink ", openers);
    List<SinkOutput> outputs = new ArrayList<>();
    for (Job.SinkTable table : job.sinks().values()) {
      String name = table.table().name();
      boolean command = isCommand(table.connector(), requireNonNull(factories.get(name)));
      String title = table.connector().equals(Job.TERMINAL) ? "standard output" : "table " + name;
      Sink sink = requireNonNull(sinks.get(name));
      outputs.add(new SinkOutput(name, title, sink, command, start.numbers()));
    }
    return outputs;
  }

  /**
   * Opens the sources.
   *
   * @throws CancellationException after {@link #cancel}
   */
  public List<SourceInput> openSources() throws JobException, InterruptedException {
    Map<String, Supplier<SourceReader>> openers = new TreeMap<>();
    Map<String, TableReload> reloads = new TreeMap<>();
    for (Job.SourceTable table : job.sources().values()) {
      String name = table.table().name();
      Source source = source(table, context.of(name, start.session()));
      openers.put(name, () -> open(table, source));
      if (table.reloadInterval().isPresent()) {
        reloads.put(name, reload(table, table.reloadInterval().get()));
      }
    }
    Map<String, SourceReader> readers = openAll("source ", openers);
    List<SourceInput> inputs = new ArrayList<>();
    for (Job.SourceTable table : job.sources().values()) {
      String name = table.table().name();
      SourceReader reader = requireNonNull(readers.get(name));
      boolean resumed = start.resume().positions().containsKey(name);
      TableReload reload = reloads.get(name);
      inputs.add(new SourceInput(name, reader, table.idleTimeout(), reload, resumed));
    }
    synchronized (this) {
      reloads.forEach((name, reload) -> open.put("reload of " + name, reload));
    }
    return inputs;
  }

  private TableReload reload(Job.SourceTable table, Duration interval) throws JobException {
    MalformedLog own = new MalformedLog(new Unheard(context.listener()), Map.of());
    Source source = source(table, context.quiet(own));
    return new TableReload(
        table.table().name(), interval, source::open, start.commitLog()::commitBytes, own, context);
  }

  private SourceReader open(Job.SourceTable table, Source source) {
    byte[] position = start.resume().positions().get(table.table().name());
    if (position != null && EndedReader.isEnd(position)) {
      return new EndedReader();
    }
    SourceReader reader = source.open();
    if (table.keep().isPresent() && isKeptHere(table.table().name())) {
      reader = keeping(reader, table, table.keep().get());
    }
    if (position != null) {
      seek(reader, position);
    }
    return reader;
  }

  /** What cannot go on is closed, or it would hold what the next attempt needs. */
  private static void seek(SourceReader reader, byte[] position) {
    try {
      reader.seek(position);
    } catch (RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  /** Whether it is kept by this task: what every shard looks things up in would be kept by each. */
  private boolean isKeptHere(String table) {
    return start.shards().isEmpty() || start.shards().containsKey(table);
  }

  private SourceReader keeping(SourceReader reader, Job.SourceTable table, Keep keep) {
    String name = table.table().name();
    for (ConnectorFactory factory : connectors.values()) {
      if (factory instanceof Keeper keeper) {
        String shard = start.shards().getOrDefault(name, WHOLE);
        Keeper.Kept kept = new Keeper.Kept(job.name(), table.table(), shard, keep);
        return keeper.keeping(reader, kept, context);
      }
    }
    reader.close();
    throw new ConnectorException(
        ConnectorException.Kind.USER,
        "table %s: '%s' needs the connector history, which is not in the class path"
            .formatted(name, Keep.AGE));
  }

  /** Ends an opening that is under way, from any thread. */
  public void cancel() {
    List<? extends FutureTask<?>> toCancel;
    synchronized (this) {
      cancelled = true;
      toCancel = opening;
    }
    toCancel.forEach(task -> task.cancel(true));
  }

  /**
   * Closes all that is open. What opens later closes itself.
   *
   * @param last whether nobody will go on where the sources are
   * @param patienceNanos how long all of it may take; what takes longer is named in a report and
   *     goes on by itself
   * @throws JobException what the first of those that failed said; all are closed
   */
  public void close(boolean last, long patienceNanos) throws JobException, InterruptedException {
    Map<String, AutoCloseable> tables;
    synchronized (this) {
      cancelled = true;
      tables = new LinkedHashMap<>(open);
      open.clear();
    }
    CountDownLatch left = new CountDownLatch(tables.size());
    Map<String, FutureTask<Void>> closing = new LinkedHashMap<>();
    tables.forEach(
        (title, table) -> closing.put(title, new FutureTask<>(closer(table, last, left))));
    closing.forEach((title, task) -> Thread.ofVirtual().name("sedge-close-" + title).start(task));
    boolean inTime = left.await(patienceNanos, TimeUnit.NANOSECONDS);
    List<String> late = new ArrayList<>();
    JobException failed = null;
    for (Map.Entry<String, FutureTask<Void>> entry : closing.entrySet()) {
      if (!inTime && !entry.getValue().isDone()) {
        late.add(entry.getKey());
        continue;
      }
      try {
        entry.getValue().get();
      } catch (ExecutionException e) {
        JobException failure = JobException.of("closing " + entry.getKey(), cause(e));
        failed = failed == null ? failure : failed;
      }
    }
    if (!late.isEmpty()) {
      context.report(
          ConnectorContext.Severity.WARNING,
          "ended without waiting longer for %s to be closed".formatted(String.join(", ", late)));
    }
    if (failed != null) {
      throw failed;
    }
  }

  private static Callable<Void> closer(AutoCloseable table, boolean last, CountDownLatch left) {
    return () -> {
      try (table) {
        if (last && table instanceof SourceReader reader) {
          reader.retire();
        }
        return null;
      } finally {
        left.countDown();
      }
    };
  }

  private <T extends AutoCloseable> Map<String, T> openAll(
      String kind, Map<String, Supplier<T>> openers) throws JobException, InterruptedException {
    Map<String, FutureTask<T>> tasks = new LinkedHashMap<>();
    openers.forEach(
        (name, opener) -> tasks.put(name, new FutureTask<>(() -> open(kind + name, opener))));
    synchronized (this) {
      if (cancelled) {
        throw new CancellationException();
      }
      opening = List.copyOf(tasks.values());
    }
    tasks.forEach((name, task) -> Thread.ofVirtual().name("sedge-open-" + name).start(task));
    Map<String, T> opened = new LinkedHashMap<>();
    JobException failed = null;
    for (Map.Entry<String, FutureTask<T>> entry : tasks.entrySet()) {
      try {
        opened.put(entry.getKey(), entry.getValue().get());
      } catch (CancellationException | ExecutionException e) {
        JobException failure = JobException.of("opening table " + entry.getKey(), cause(e));
        failed = failed == null ? failure : failed;
      }
    }
    if (isCancelled()) {
      // Whatever else went wrong: an opening that is cancelled may fail in any way.
      throw new CancellationException();
    }
    if (failed != null) {
      throw failed;
    }
    return opened;
  }

  /** Opens a table, and closes it again if by then nobody waits for it any more. */
  private <T extends AutoCloseable> T open(String title, Supplier<T> opener) throws Exception {
    T table = opener.get();
    synchronized (this) {
      if (!cancelled) {
        open.put(title, table);
        return table;
      }
    }
    boolean unusedInterrupt = Thread.interrupted(); // It was for the opening.
    table.close();
    throw new CancellationException();
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  private static Throwable cause(Exception e) {
    Throwable cause = e.getCause();
    return cause == null ? e : cause;
  }

  private boolean isCommand(String connector, SinkFactory factory) {
    return factory.reachesSources()
        && job.sources().values().stream().anyMatch(table -> table.connector().equals(connector));
  }

  private SinkFactory sinkFactory(Job.SinkTable table) throws JobException {
    String name = table.table().name();
    TableDescriptor whole = withSecrets(table.table());
    SinkFactory factory =
        create(name, () -> connector(name, table.connector()).sink(whole, context))
            .orElseThrow(() -> unsupported(name, table.connector(), "written"));
    if (table.updating() && factory.changelogMode() == ChangelogMode.INSERT_ONLY) {
      throw new JobException(
          FailureCode.TABLE_NOT_ACCEPTED,
          "table %s (%s): the query updates rows that it has given before, but connector '%s' only takes new ones; aggregate in windows, or write to a table that takes updates"
              .formatted(name, table.table().location(), table.connector()));
    }
    return factory;
  }

  private Source source(Job.SourceTable table, TableContext own) throws JobException {
    String name = table.table().name();
    TableDescriptor descriptor = withSecrets(table.table());
    Source whole =
        create(name, () -> connector(name, table.connector()).source(descriptor, own))
            .orElseThrow(() -> unsupported(name, table.connector(), "read"));
    String shard = start.shards().get(name);
    Source source = shard == null ? whole : create(name, () -> whole.shard(shard));
    for (TimeBounds bounds : table.bounds()) {
      source = source.between(bounds).orElse(source);
    }
    return source;
  }

  /** What a connector is to see of a table; nobody else sees it. */
  private TableDescriptor withSecrets(TableDescriptor table) throws JobException {
    return SecretReferences.<JobException>resolve(
        table,
        name -> {
          String value = secrets.value(name);
          redaction.hide(value);
          return value;
        });
  }

  private static <T> T create(String table, Supplier<T> creation) throws JobException {
    try {
      return creation.get();
    } catch (RuntimeException e) {
      throw JobException.of("preparing table " + table, e);
    }
  }

  private ConnectorFactory connector(String table, String name) {
    ConnectorFactory factory = connectors.get(name);
    if (factory == null) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "table %s: there is no connector '%s', only %s"
              .formatted(
                  table, name, String.join(", ", connectors.keySet().stream().sorted().toList())));
    }
    return factory;
  }

  private static JobException unsupported(String table, String connector, String verb) {
    return new JobException(
        FailureCode.TABLE_NOT_ACCEPTED,
        "table %s: tables of connector '%s' cannot be %s".formatted(table, connector, verb));
  }
}
