package io.sedge.center.internal.merge;

import static java.util.Objects.requireNonNull;

import io.sedge.center.store.Merges.NewParts;
import io.sedge.center.store.Merges.OpenWindow;
import io.sedge.center.store.Merges.SiteParts;
import io.sedge.center.store.Merges.SiteProgress;
import io.sedge.center.store.Merges.Target;
import io.sedge.center.store.Merges.WindowKey;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import io.sedge.division.CenterMerge;
import io.sedge.division.CenterMerge.Span;
import io.sedge.engine.column.Batch;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A table that the center makes of the parts of sites. Each window is computed anew of all its
 * parts whenever some have come, and what the table has of it is made the same. Being killed at any
 * point costs a repetition: what is compared with is what the table has. One thread.
 */
final class MergedTable {
  /** For how long after the newest window, or the clock, parts still count. */
  static final Duration CORRECTED = Duration.ofDays(6);

  /** Parts further ahead of the center's clock are of a device whose clock is wrong. */
  static final Duration AHEAD = Duration.ofDays(1);

  /** Parts of one window come in several rows and blocks. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  private static final Duration LONGEST_SETTLING = Duration.ofSeconds(5);
  private static final int WINDOWS_AT_A_TIME = 5_000;
  private static final int LEAST_PARTS_AT_A_TIME = 50;
  private static final long MICROS_PER_SECOND = 1_000_000;

  private final Store store;
  private final CenterMerge merge;
  private final Target target;
  private final Duration wait;
  private final Consumer<String> log;
  private final String timeColumn;
  private final CenterRows rows;
  private final Doubling tooLate;
  private final Doubling ahead;

  /** Since when somebody has come past the end of windows that are open. */
  private final Map<WindowKey, Long> reached = new HashMap<>();

  private boolean prepared;

  /**
   * @param wait how long a site without parts of a window holds it back
   * @param log is told of windows that cannot be merged and parts that do not count
   */
  MergedTable(Store store, String job, CenterMerge merge, Duration wait, Consumer<String> log) {
    this.store = store;
    this.merge = merge;
    this.target = new Target(job, merge.table().name(), merge.partsTable());
    this.wait = wait;
    this.log = log;
    this.timeColumn = merge.partsSchema().name(merge.timeColumn());
    this.rows = new CenterRows(store, target, merge.table(), log);
    String of = "job %s, table %s: %%,d parts of windows ".formatted(job, target.sink());
    this.tooLate =
        new Doubling(
            log,
            of + "came more than %d days late, and are not counted".formatted(CORRECTED.toDays()));
    this.ahead =
        new Doubling(
            log,
            of
                + "are more than %d day ahead of the center's clock, and are not counted"
                    .formatted(AHEAD.toDays()));
  }

  /**
   * Looks at new parts and gives the windows that are due.
   *
   * @return whether more is to be done at once
   */
  boolean pass(long nowMillis) throws StoreException, InterruptedException {
    boolean more = look(nowMillis);
    List<OpenWindow> open = store.merges().open(target);
    if (open.isEmpty()) {
      reached.clear();
      return more;
    }
    List<SiteProgress> sites = store.merges().sites(target);
    int given = 0;
    for (OpenWindow window : open) {
      if (isDue(window, sites, nowMillis)) {
        give(window.window());
        given++;
      }
    }
    return more || given == open.size();
  }

  private boolean look(long nowMillis) throws StoreException {
    int limit = (int) Math.max(LEAST_PARTS_AT_A_TIME, WINDOWS_AT_A_TIME / merge.windowsOfAPart());
    boolean more = false;
    for (NewParts parts : store.merges().newParts(target, timeColumn, limit)) {
      prepare();
      look(parts, TimeUnit.MILLISECONDS.toMicros(nowMillis));
      more = true;
    }
    return more;
  }

  /** Once the table of the parts is there. */
  private void prepare() throws StoreException {
    if (!prepared) {
      Duration size = Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(merge.windowSize()));
      store.merges().keep(target.partsTable(), CORRECTED.plus(size).plusDays(1), timeColumn);
      store.merges().index(target.partsTable(), timeColumn);
      prepared = true;
    }
  }

  private void look(NewParts parts, long nowMicros) throws StoreException {
    long newest =
        Math.min(merge.local(nowMicros), store.merges().lastGiven(target).orElse(Long.MAX_VALUE));
    long oldest = newest - micros(CORRECTED);
    Set<WindowKey> windows = new LinkedHashSet<>();
    long doneUntil = Long.MIN_VALUE;
    for (long time : parts.times()) {
      if (time > nowMicros + micros(AHEAD)) {
        ahead.add(1);
        continue;
      }
      doneUntil = Math.max(doneUntil, merge.doneUntil(time));
      List<Span> spans = merge.windowsOf(time);
      spans.stream()
          .filter(span -> span.end() >= oldest)
          .forEach(span -> windows.add(new WindowKey(span.start(), span.end())));
      tooLate.add(spans.getLast().end() < oldest ? 1 : 0);
    }
    store.merges().mark(target, parts, doneUntil, windows);
    store.merges().forgetBefore(target, oldest);
    tooLate.say();
    ahead.say();
  }

  private static long micros(Duration duration) {
    return TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
  }

  /**
   * A window is due when each site that gives parts at all has come past its end; or when one has,
   * and has waited for the others as long as the job says. One that was given is corrected at once.
   */
  private boolean isDue(OpenWindow window, List<SiteProgress> sites, long nowMillis) {
    long end = window.window().end();
    if (!window.given() && sites.stream().noneMatch(site -> site.doneUntil() >= end)) {
      return false;
    }
    // A clock that was put back must not hold windows back.
    long waited =
        Math.abs(
            nowMillis - requireNonNull(reached.computeIfAbsent(window.window(), _ -> nowMillis)));
    if (waited >= wait.toMillis()) {
      return true;
    }
    boolean complete = window.given() || sites.stream().allMatch(site -> site.doneUntil() >= end);
    boolean settled =
        Math.abs(nowMillis - window.changedMillis()) >= SETTLING.toMillis()
            || waited >= LONGEST_SETTLING.toMillis();
    return complete && settled;
  }

  private void give(WindowKey window) throws StoreException, InterruptedException {
    Span span = new Span(window.start(), window.end());
    Optional<WindowRows> merged = merged(span);
    if (merged.isPresent()) {
      rows.replace(merge.windowColumn(), merge.windowValue(span), merged.get());
    }
    store.merges().given(target, window);
    reached.remove(window);
  }

  /** The rows of a window; empty if its parts are too many. */
  private Optional<WindowRows> merged(Span span) throws StoreException {
    Span times = merge.timesOf(span);
    List<SiteParts> parts;
    try {
      parts =
          store
              .merges()
              .parts(
                  target,
                  merge.partsSchema(),
                  merge.timeColumn(),
                  times.start(),
                  times.end(),
                  merge::doneUntil);
    } catch (StoreException e) {
      if (e.reason() != Reason.QUERY_ENDED) {
        throw e;
      }
      log.accept("%s is not merged: %s".formatted(name(span), e.getMessage()));
      return Optional.empty();
    }
    List<Batch> batches = parts.stream().map(SiteParts::rows).toList();
    try {
      return Optional.of(WindowRows.of(merge.table(), merge.merge(span, batches)));
    } catch (RuntimeException e) {
      return Optional.of(WindowRows.of(merge.table(), merge.merge(span, readable(span, parts))));
    }
  }

  /** What sends parts that cannot be read must not cost others their rows. */
  private List<Batch> readable(Span span, List<SiteParts> parts) {
    List<Batch> readable = new ArrayList<>();
    for (SiteParts ofSite : parts) {
      try {
        var _ = merge.merge(span, List.of(ofSite.rows()));
        readable.add(ofSite.rows());
      } catch (RuntimeException e) {
        log.accept(
            "%s has no parts of site %s: they cannot be read: %s"
                .formatted(name(span), ofSite.site(), e.getMessage()));
      }
    }
    return readable;
  }

  private String name(Span span) {
    return "job %s, table %s: the window until %s"
        .formatted(
            target.job(),
            target.sink(),
            LocalDateTime.ofEpochSecond(
                Math.floorDiv(span.end(), MICROS_PER_SECOND), 0, ZoneOffset.UTC));
  }
}
