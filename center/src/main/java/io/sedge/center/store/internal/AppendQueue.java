package io.sedge.center.store.internal;

import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreException.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Appends that wait, bounded in bytes. Sites take turns; those of a site keep their order. A site
 * may have a quarter of the bytes, so that one alone does not keep the others out. Any thread.
 */
final class AppendQueue {
  private static final int SITE_SHARE = 4;

  private final long maxBytes;

  /** By site, whose turn it is first. */
  private final Map<String, Waiting> sites = new LinkedHashMap<>();

  private int appends;
  private long bytes;
  private boolean closed;

  AppendQueue(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  private static final class Waiting {
    final ArrayDeque<Append> appends = new ArrayDeque<>();
    long bytes;
  }

  /**
   * Takes an append. One that is larger than all that may wait is taken when nothing waits.
   *
   * @throws StoreException BUSY
   */
  synchronized void add(Append append) throws StoreException {
    String site = append.plan().site();
    Waiting waiting = sites.get(site);
    long siteBytes = waiting == null ? 0 : waiting.bytes;
    if (closed) {
      throw new StoreException(Reason.STORE_UNAVAILABLE, "the center is stopping");
    }
    if ((appends > 0 && bytes + append.bytes() > maxBytes)
        || (siteBytes > 0 && siteBytes + append.bytes() > maxBytes / SITE_SHARE)) {
      throw new StoreException(
          Reason.BUSY,
          "%,d bytes of rows wait to be stored, %,d of site '%s': try again"
              .formatted(bytes, siteBytes, site));
    }
    if (waiting == null) {
      waiting = new Waiting();
      sites.put(site, waiting);
    }
    waiting.appends.add(append);
    waiting.bytes += append.bytes();
    appends++;
    bytes += append.bytes();
    notifyAll();
  }

  /**
   * Appends to be committed together, one of each site in turn; waits for the first.
   *
   * @return empty if it has been closed
   */
  synchronized List<Append> take(long groupBytes) throws InterruptedException {
    while (appends == 0 && !closed) {
      wait();
    }
    List<Append> group = new ArrayList<>();
    long taken = 0;
    while (appends > 0 && (group.isEmpty() || taken < groupBytes)) {
      Append append = next();
      taken += append.bytes();
      group.add(append);
    }
    return group;
  }

  private Append next() {
    Map.Entry<String, Waiting> turn = sites.entrySet().iterator().next();
    String site = turn.getKey();
    Waiting waiting = turn.getValue();
    Append append = waiting.appends.remove();
    waiting.bytes -= append.bytes();
    appends--;
    bytes -= append.bytes();
    sites.remove(site);
    if (!waiting.appends.isEmpty()) {
      sites.put(site, waiting);
    }
    return append;
  }

  /** Takes out what waits of a stream. */
  synchronized List<Append> removeStream(StreamPlan plan) {
    List<Append> removed = new ArrayList<>();
    @Nullable Waiting waiting = sites.get(plan.site());
    if (waiting == null) {
      return removed;
    }
    for (Iterator<Append> each = waiting.appends.iterator(); each.hasNext(); ) {
      Append append = each.next();
      if (append.plan().id() == plan.id()) {
        each.remove();
        waiting.bytes -= append.bytes();
        appends--;
        bytes -= append.bytes();
        removed.add(append);
      }
    }
    if (waiting.appends.isEmpty()) {
      sites.remove(plan.site());
    }
    return removed;
  }

  synchronized int appends() {
    return appends;
  }

  synchronized long bytes() {
    return bytes;
  }

  /** Refuses what comes from now on; what waits is still taken. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
