package io.sedge.center.internal.merge;

import io.sedge.center.store.Merges;
import io.sedge.center.store.Merges.NewParts;
import io.sedge.center.store.Merges.OpenWindow;
import io.sedge.center.store.Merges.SiteProgress;
import io.sedge.center.store.Merges.Target;
import io.sedge.center.store.Merges.WindowKey;
import io.sedge.center.store.OpenedStream;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.division.CenterMerge;
import io.sedge.division.CenterMerge.Span;
import io.sedge.engine.codec.RowsCodec;
import io.sedge.engine.column.Batch;
import io.sedge.uplink.RowBlock;
import io.sedge.uplink.StreamOpening;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A table that the center makes of the parts of sites. Each window is computed anew of all its
 * parts whenever some have come, and what has changed of its rows is stored as rows of a site are.
 * Being killed at any point costs a repetition: the same parts give the same rows, which are known
 * by their key. One thread.
 */
final class MergedTable {
  /** For how long a window takes parts after those of the newest. Parts are kept a day longer. */
  static final Duration CORRECTED = Duration.ofDays(6);

  private static final Duration KEPT = CORRECTED.plusDays(1);

  /** Parts of one window come in several rows and blocks. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(5);
  private static final long PATIENCE_SECONDS = 60;
  private static final String TASK = "merge";
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final Store store;
  private final CenterMerge merge;
  private final Target target;
  private final Duration wait;
  private final Consumer<String> log;
  private final String timeColumn;
  private @Nullable OpenedStream stream;
  private long sequence;
  private boolean keeps;
  private long tooLate;
  private long saidTooLate;

  /**
   * @param wait how long a site without parts of a window holds it back
   * @param log is told of windows that cannot be merged and parts that came too late
   */
  MergedTable(
      Store store, String job, CenterMerge merge, Duration wait, Consumer<String> log) {
    this.store = store;
    this.merge = merge;
    this.target = new Target(job, merge.table().name(), merge.partsTable());
    this.wait = wait;
    this.log = log;
    this.timeColumn = merge.partsSchema().name(merge.timeColumn());
  }

  /**
   * Looks at new parts and gives the windows that are due.
   *
   * @return whether more is to be done at once
   */
  boolean pass(long nowMillis) throws StoreException, InterruptedException {
    boolean more = look();
    List<OpenWindow> open = store.merges().open(target);
    if (open.isEmpty()) {
      return more;
    }
    List<SiteProgress> sites = store.merges().sites(target);
    for (OpenWindow window : open) {
      if (isDue(window, sites, nowMillis)) {
        give(window);
      }
    }
    return more;
  }

  private boolean look() throws StoreException {
    boolean more = false;
    for (NewParts parts : store.merges().newParts(target, timeColumn)) {
      if (!keeps) {
        store.merges().keep(merge.partsTable(), KEPT, timeColumn);
        keeps = true;
      }
      look(parts);
      more = true;
    }
    return more;
  }

  private void look(NewParts parts) throws StoreException {
    long oldest =
        store.merges().lastGiven(target).map(end -> end - micros(CORRECTED)).orElse(Long.MIN_VALUE);
    Set<Span> spans = new LinkedHashSet<>();
    long doneUntil = Long.MIN_VALUE;
    for (long time : parts.times()) {
      doneUntil = Math.max(doneUntil, merge.doneUntil(time));
      for (Span span : merge.windowsOf(time)) {
        if (span.end() < oldest) {
          tooLate++;
        } else {
          spans.add(span);
        }
      }
    }
    store
        .merges()
        .mark(
            target,
            parts,
            doneUntil,
            spans.stream().map(span -> new WindowKey(span.start(), span.end())).toList());
    if (oldest > Long.MIN_VALUE) {
      store.merges().forgetBefore(target, oldest);
    }
    sayTooLate();
  }

  /** Each time that it has doubled. */
  private void sayTooLate() {
    if (tooLate > 0 && tooLate >= 2 * saidTooLate) {
      saidTooLate = tooLate;
      log.accept(
          "job %s, table %s: %,d parts of windows came more than %d days after the newest window, and are not counted"
              .formatted(target.job(), target.sink(), tooLate, CORRECTED.toDays()));
    }
  }

  private static long micros(Duration duration) {
    return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
  }

  /**
   * A window is given when each site that gives parts at all has come past it; or when one has kept
   * it back for as long as the job says. One that was given is corrected at once.
   */
  private boolean isDue(OpenWindow window, List<SiteProgress> sites, long nowMillis) {
    // A clock that was put back must not hold windows back.
    long waited = Math.abs(nowMillis - window.sinceMillis());
    if (waited >= wait.toMillis()) {
      return true;
    }
    boolean complete =
        window.isGiven()
            || sites.stream().allMatch(site -> site.doneUntil() >= window.window().end());
    boolean settled =
        Math.abs(nowMillis - window.changedMillis()) >= SETTLING.toMillis()
            || waited >= LONGEST_SETTLING.toMillis();
    return complete && settled;
  }

  private void give(OpenWindow window) throws StoreException, InterruptedException {
    RowsCodec codec = new RowsCodec(merge.table().schema());
    WindowRows before =
        window.givenRows() > 0
            ? WindowRows.of(
                merge.table(), List.of(codec.decode(window.givenRows(), window.given())))
            : WindowRows.none(merge.table());
    WindowRows rows = rows(window.window()).orElse(before);
    for (Batch changes : rows.changesFrom(before)) {
      append(codec, changes);
    }
    store
        .merges()
        .given(
            target,
            window.window(),
            rows.size(),
            rows.isEmpty() ? new byte[0] : rows.encode(codec));
  }

  /**
   * The rows of a window; empty if its parts are too many, or cannot be read: a site that sends
   * such things must not hold up the windows of others.
   */
  private Optional<WindowRows> rows(WindowKey window) throws StoreException {
    Span span = new Span(window.start(), window.end());
    Span times = merge.timesOf(span);
    try {
      List<Batch> parts =
          store
              .merges()
              .parts(
                  merge.partsTable(),
                  merge.partsSchema(),
                  merge.timeColumn(),
                  times.start(),
                  times.end());
      return Optional.of(WindowRows.of(merge.table(), merge.merge(span, parts)));
    } catch (StoreException e) {
      if (e.reason() != StoreException.Reason.QUERY_ENDED) {
        throw e;
      }
      notMerged(window, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      notMerged(window, "its parts cannot be read: " + e.getMessage());
    }
    return Optional.empty();
  }

  private void notMerged(WindowKey window, String why) {
    log.accept(
        "job %s, table %s: the window until %s is not merged: %s"
            .formatted(
                target.job(),
                target.sink(),
                LocalDateTime.ofEpochSecond(
                    Math.floorDiv(window.end(), MICROS_PER_SECOND), 0, ZoneOffset.UTC),
                why));
  }

  private void append(RowsCodec codec, Batch changes) throws StoreException, InterruptedException {
    if (stream == null) {
      stream =
          store.openStream(
              Merges.CENTER,
              new StreamOpening(
                  target.job(),
                  TASK,
                  target.sink(),
                  merge.table().options().getOrDefault("table-name", target.sink()),
                  merge.table().schema(),
                  merge.table().primaryKey()));
      sequence = stream.sequence();
    }
    RowBlock block =
        new RowBlock(sequence + 1, changes.rows(), codec.encode(List.of(changes)));
    try {
      sequence =
          store
              .append(Merges.CENTER, stream.id(), List.of(block))
              .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      stream = null;
      if (e.getCause() instanceof StoreException refused) {
        throw refused;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      stream = null;
      throw new StoreException(
          StoreException.Reason.BUSY,
          "the database has not taken the rows of a window within %d s".formatted(PATIENCE_SECONDS),
          e);
    }
  }
}
