package io.sedge.site.internal.files;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.connector.ScriptFiles;
import io.sedge.identity.Enrolment;
import io.sedge.identity.FileOffer;
import io.sedge.identity.FilePart;
import io.sedge.ledger.JobFile;
import io.sedge.site.api.SiteException;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that this device has the files that the site's jobs name, and those that another
 * device has offered as its job is being submitted: gets what it lacks, one file at a time, and
 * removes what no job names any more. Any thread; a thread of its own fetches.
 *
 * <p>A file that it lacks it looks for where the script says, as it may have been put there by
 * hand; then it asks the other devices, in an order by chance, so that not all ask the same one.
 * What has come stays where a device falls silent, and the next one, or the next process, goes on
 * from there. When all have been asked in vain it asks again after a delay, which doubles from
 * {@link #FIRST_DELAY} to {@link #LONGEST_DELAY}.
 */
public final class FileKeeper implements JobFiles, Enrolment.Files, AutoCloseable {
  static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

  /** For how long a copy stays that no job names. */
  static final Duration GRACE = Duration.ofMinutes(10);

  /** For how long an offer holds after it was made last. */
  private static final Duration OFFER = Duration.ofMinutes(2);

  private static final Duration TIDY_INTERVAL = Duration.ofMinutes(1);
  private static final long TELL_NANOS = 10_000_000_000L;

  private final FileStore store;
  private final Path directory;
  private final FileAccess access;
  private final Holders holders;
  private final JobListener listener;
  private final Duration grace;
  private final Random order = new Random();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What jobs name, by its hash; empty until the ledger was looked at. */
  private Optional<Map<String, JobFile>> named = Optional.empty();

  /** What jobs will name, by its hash. */
  private final Map<String, Offer> offers = new LinkedHashMap<>();

  /** Why files are not here, by their hashes. */
  private final Map<String, String> hindrances = new ConcurrentHashMap<>();

  private final Map<String, Delay> delays = new HashMap<>();

  /** Whether there is something new; of the lock. */
  private boolean nudged;

  private @Nullable Thread thread;
  private volatile boolean closed;

  private record Offer(JobFile file, long untilNanos) {}

  private record Delay(long untilNanos, Duration length) {}

  /**
   * @param directory what relative paths of scripts are relative to
   * @param access which files jobs may read on this device
   */
  public FileKeeper(
      FileStore store, Path directory, FileAccess access, Holders holders, JobListener listener) {
    this(store, directory, access, holders, listener, GRACE);
  }

  FileKeeper(
      FileStore store,
      Path directory,
      FileAccess access,
      Holders holders,
      JobListener listener,
      Duration grace) {
    this.store = store;
    this.directory = directory;
    this.access = access;
    this.holders = holders;
    this.listener = listener;
    this.grace = grace;
  }

  /**
   * Begins to fetch.
   *
   * @param onArrival is called when a file has come; must not wait
   */
  public void start(Runnable onArrival) {
    thread = Thread.ofVirtual().name("sedge-files").start(() -> run(onArrival));
  }

  /**
   * For a script that is to be submitted.
   *
   * @param versions what models score by that the site trains
   */
  public NamedFiles take(NamedFiles.Versions versions) {
    return new NamedFiles(store, directory, access, versions);
  }

  /**
   * Takes a copy of a version of a model.
   *
   * @param file where it is
   */
  public JobFile takeVersion(String model, Path file) {
    return store.take("model " + model, JobFile.pathOfModel(model), file);
  }

  /**
   * Where a version of a model is.
   *
   * @throws ConnectorException of kind FILE if it is not here yet
   */
  public Path version(String model, JobFile file) {
    return take((_, _, _) -> Optional.of(file))
        .version(model, "", OptionalLong.empty())
        .orElseThrow();
  }

  /**
   * For the script of a job.
   *
   * @param files that it names; none if an older version has submitted it: then they are where it
   *     says
   */
  public ScriptFiles of(List<JobFile> files) {
    if (files.isEmpty()) {
      return ScriptFiles.in(directory, access);
    }
    Map<String, Path> places = new HashMap<>();
    files.forEach(file -> places.put(file.path(), store.place(file.sha256())));
    return new ScriptFiles() {
      @Override
      public Path locate(String what, String path) {
        Path place = places.get(path);
        if (place == null) {
          throw new ConnectorException(
              ConnectorException.Kind.FILE,
              "%s: %s is not among the files of the job".formatted(what, path));
        }
        return place;
      }

      @Override
      public Optional<Path> version(String model, String what, OptionalLong number) {
        return files.stream()
            .filter(file -> file.isOf(model))
            .findFirst()
            .map(file -> store.place(file.sha256()));
      }

      @Override
      public Optional<Path> shadow(String model, String what) {
        return files.stream()
            .filter(file -> file.isShadowOf(model))
            .findFirst()
            .map(file -> store.place(file.sha256()));
      }
    };
  }

  /** Says what jobs name now; returns at once. */
  public void want(Collection<JobFile> files) {
    Map<String, JobFile> byHash = new LinkedHashMap<>();
    files.forEach(file -> byHash.put(file.sha256(), file));
    lock.lock();
    try {
      if (!named.equals(Optional.of(byHash))) {
        named = Optional.of(byHash);
        nudge();
      }
    } finally {
      lock.unlock();
    }
  }

  /** One for which there would be no room with what jobs name is passed over. */
  @Override
  public boolean offer(FileOffer offered) {
    JobFile file = new JobFile(offered.path(), offered.sha256(), offered.bytes());
    lock.lock();
    try {
      Map<String, JobFile> all = wanted();
      all.put(file.sha256(), file);
      if (JobFile.bytes(all.values()) <= JobFile.MAX_SITE_BYTES) {
        offers.put(file.sha256(), new Offer(file, System.nanoTime() + OFFER.toNanos()));
        nudge();
      }
    } finally {
      lock.unlock();
    }
    return store.has(file);
  }

  @Override
  public FilePart read(String sha256, long offset) {
    return store.read(sha256, offset);
  }

  /** What jobs name, and will. */
  private Map<String, JobFile> wanted() {
    long now = System.nanoTime();
    offers.values().removeIf(offer -> offer.untilNanos() - now <= 0);
    Map<String, JobFile> wanted = new LinkedHashMap<>(named.orElse(Map.of()));
    offers.forEach((sha256, offer) -> wanted.putIfAbsent(sha256, offer.file()));
    return wanted;
  }

  @Override
  public Optional<String> lacking(List<JobFile> files) {
    return files.stream()
        .filter(file -> !store.has(file))
        .findFirst()
        .map(
            file ->
                "file %s (%,d bytes) is not here yet: %s"
                    .formatted(
                        file.path(),
                        file.bytes(),
                        hindrances.getOrDefault(file.sha256(), "it is looked for")));
  }

  @Override
  public boolean areWhole(List<JobFile> files) {
    boolean whole = true;
    for (JobFile file : files) {
      if (!store.isWhole(file)) {
        whole = false;
        listener.report(
            Severity.WARNING,
            "the copy of file %s was damaged on the disk; it is fetched again"
                .formatted(file.path()));
        lock.lock();
        try {
          nudge();
        } finally {
          lock.unlock();
        }
      }
    }
    return whole;
  }

  /** Has its thread look again; the lock is held. */
  private void nudge() {
    nudged = true;
    changed.signal();
  }

  private void run(Runnable onArrival) {
    while (!closed) {
      try {
        Optional<JobFile> next = next();
        if (next.isPresent() && fetch(next.get())) {
          onArrival.run();
        }
        tidy();
      } catch (InterruptedException _) {
        return; // It is closed.
      } catch (IOException | RuntimeException e) {
        listener.report(Severity.ERROR, "a fault while files of jobs were kept: " + e);
      }
    }
  }

  /** A file that is lacking and may be asked for; none if there is something else to see to. */
  private Optional<JobFile> next() throws InterruptedException {
    lock.lock();
    try {
      long begin = System.nanoTime();
      Optional<JobFile> due = due();
      while (due.isEmpty() && !nudged && System.nanoTime() - begin < TIDY_INTERVAL.toNanos()) {
        var _ = changed.await(restNanos(), TimeUnit.NANOSECONDS);
        due = due();
      }
      nudged = false;
      return due;
    } finally {
      lock.unlock();
    }
  }

  /** Until something is due that nobody tells of. */
  private long restNanos() {
    long now = System.nanoTime();
    long rest =
        delays.values().stream()
            .mapToLong(delay -> delay.untilNanos() - now)
            .reduce(TIDY_INTERVAL.toNanos(), Math::min);
    return Math.max(rest, 1);
  }

  private Optional<JobFile> due() {
    long now = System.nanoTime();
    Map<String, JobFile> wanted = wanted();
    delays.keySet().retainAll(wanted.keySet());
    hindrances.keySet().retainAll(wanted.keySet());
    return wanted.values().stream()
        .filter(file -> !store.has(file))
        .filter(
            file ->
                Optional.ofNullable(delays.get(file.sha256()))
                    .map(delay -> delay.untilNanos() - now <= 0)
                    .orElse(true))
        .findFirst();
  }

  private void tidy() throws IOException {
    Set<String> kept;
    lock.lock();
    try {
      if (named.isEmpty()) {
        return; // It is not known yet.
      }
      kept = Set.copyOf(wanted().keySet());
    } finally {
      lock.unlock();
    }
    store.retain(kept, System.nanoTime(), grace.toNanos());
  }

  /** Gets a file from whoever has it; whether it has come. */
  boolean fetch(JobFile file) {
    String failure;
    try {
      Optional<Path> own = NamedFiles.onThisDevice(file, directory, access);
      if (own.isPresent() && store.takeIfSame(file, own.get())) {
        return came(file, "was found where the script says");
      }
      List<String> names = new ArrayList<>(holders.names());
      Collections.shuffle(names, order);
      List<String> answers = new ArrayList<>();
      for (String name : names) {
        Optional<String> answer = fetch(file, name);
        if (answer.isEmpty()) {
          return came(file, "has come from " + name);
        }
        answers.add("%s: %s".formatted(name, answer.get()));
      }
      failure =
          answers.isEmpty()
              ? "there is no other device to ask"
              : String.join("; ", answers.stream().sorted().toList());
    } catch (IOException | ConnectorException e) {
      failure = String.valueOf(e.getMessage());
    } catch (RuntimeException e) {
      failure = "a fault in Sedge: " + e; // It is tried again after a delay like all else.
    }
    failed(file, failure);
    return false;
  }

  private boolean came(JobFile file, String how) {
    lock.lock();
    try {
      delays.remove(file.sha256());
    } finally {
      lock.unlock();
    }
    hindrances.remove(file.sha256());
    listener.report(
        Severity.INFO, "file %s (%,d bytes) %s".formatted(file.path(), file.bytes(), how));
    return true;
  }

  private void failed(JobFile file, String why) {
    lock.lock();
    try {
      Delay before = delays.get(file.sha256());
      Duration next = before == null ? FIRST_DELAY : before.length().multipliedBy(2);
      Duration length = next.compareTo(LONGEST_DELAY) < 0 ? next : LONGEST_DELAY;
      delays.put(file.sha256(), new Delay(System.nanoTime() + length.toNanos(), length));
      if (before == null) {
        listener.report(
            Severity.WARNING,
            "file %s of a job cannot be had yet, and is asked for again: %s"
                .formatted(file.path(), why));
      }
    } finally {
      lock.unlock();
    }
    hindrances.put(file.sha256(), why);
  }

  /** Gets from one device what has not come; empty when it is all here, else why it is not. */
  private Optional<String> fetch(JobFile file, String holder) throws IOException {
    long toldNanos = System.nanoTime();
    long arrived = store.arrived(file);
    while (arrived < file.bytes() && !closed) {
      byte[] bytes;
      try {
        FilePart part = holders.read(holder, file.sha256(), arrived);
        if (!part.there()) {
          return Optional.of("does not have it");
        }
        bytes = part.bytes();
      } catch (SiteException e) {
        return Optional.of(String.valueOf(e.getMessage()));
      }
      if (bytes.length == 0 || bytes.length > file.bytes() - arrived) {
        return Optional.of("has another one under its hash");
      }
      store.append(file, bytes);
      arrived += bytes.length;
      String progress = "%,d bytes have come from %s".formatted(arrived, holder);
      hindrances.put(file.sha256(), progress);
      if (System.nanoTime() - toldNanos > TELL_NANOS) {
        toldNanos = System.nanoTime();
        listener.report(
            Severity.INFO,
            "file %s of %,d bytes: %s".formatted(file.path(), file.bytes(), progress));
      }
    }
    if (closed) {
      return Optional.of("this device is being stopped");
    }
    return store.finish(file)
        ? Optional.empty()
        : Optional.of("what has come is not what the job names, by its SHA-256");
  }

  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running != null) {
      running.interrupt();
      try {
        running.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
