package io.sedge.center.internal.api;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.sedge.center.store.Site;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.StoreStatus;
import io.sedge.center.store.TableInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/**
 * What can be measured of a center, in Prometheus's words: base units, and {@code _total} for what
 * only grows. Gathered once a second at most. Labels are bounded: sites and tables beyond {@value
 * #MAX_SERIES} have no series. Any thread.
 */
final class CenterMetrics {
  static final String TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final int MAX_SERIES = 500;
  private static final long FRESH_NANOS = 1_000_000_000;
  private static final double MILLIS = 1e3;
  private static final String TOTAL = "_total";

  /** Metrics of the store that are one number. */
  private static final List<Count> COUNTS =
      List.of(
          new Count("sedge_center_commits_total", "Transactions of rows.", StoreStatus::commits),
          new Count("sedge_center_blocks_total", "Blocks of rows stored.", StoreStatus::blocks),
          new Count("sedge_center_rows_total", "Rows stored.", StoreStatus::rows),
          new Count(
              "sedge_center_repeated_blocks_total",
              "Blocks that came again and were skipped.",
              StoreStatus::repeatedBlocks),
          new Count(
              "sedge_center_repaired_values_total",
              "Values stored as the nearest that the database can hold.",
              StoreStatus::repairedValues),
          new Count(
              "sedge_center_rejected_rows_total",
              "Rows left out because a column of the key was NULL.",
              StoreStatus::rejectedRows),
          new Count(
              "sedge_center_refused_appends_total",
              "Requests of sites to store rows that failed, or were told to come again.",
              StoreStatus::refusedAppends),
          new Count(
              "sedge_center_available",
              "1 if the last commit to the database succeeded, else 0.",
              status -> status.available() ? 1 : 0),
          new Count(
              "sedge_center_database_bytes",
              "What the database takes on the disk.",
              StoreStatus::bytes),
          new Count(
              "sedge_center_queue_appends",
              "Requests of sites to store rows that wait.",
              StoreStatus::queuedAppends),
          new Count(
              "sedge_center_queue_bytes", "Bytes of rows that wait.", StoreStatus::queuedBytes));

  private record Count(String name, String help, ToLongFunction<StoreStatus> value) {}

  private final ApiContext context;
  private final ApiCounts counts;
  private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

  /** The metrics that were gathered last; guarded by this. */
  private byte[] gathered = new byte[0];

  private long gatheredNanos;

  CenterMetrics(ApiContext context, ApiCounts counts) {
    this.context = context;
    this.counts = counts;
  }

  synchronized byte[] text() throws StoreException {
    long now = context.nanoClock().getAsLong();
    if (gathered.length == 0 || now - gatheredNanos >= FRESH_NANOS) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        writer.write(bytes, new MetricSnapshots(snapshots()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      gathered = bytes.toByteArray();
      gatheredNanos = now;
    }
    return gathered;
  }

  private List<MetricSnapshot> snapshots() throws StoreException {
    List<MetricSnapshot> all = new ArrayList<>();
    StoreStatus status = context.store().status();
    COUNTS.forEach(
        count ->
            all.add(metric(count.name(), count.help(), point(count.value().applyAsLong(status)))));
    sites(all, context.store().sites().list());
    tables(all, context.store().tables());
    all.add(
        metric(
            "sedge_center_api_answers_total",
            "Answers of the API, by the first digit of their status.",
            List.of(2, 4, 5).stream()
                .map(of -> point(counts.answers(of), "status", of + "xx"))
                .toArray(Point[]::new)));
    all.add(
        metric(
            "sedge_center_refused_tokens_total",
            "Requests with a token or code that was not accepted.",
            point(counts.refusedTokens())));
    all.add(
        metric(
            "sedge_center_start_time_seconds",
            "When the center was started.",
            point(context.startedAt().toEpochMilli() / MILLIS)));
    all.add(
        metric(
            "sedge_center_authority_expiry_timestamp_seconds",
            "When the certificate of the center's authority ends.",
            point(context.authority().getNotAfter().toInstant().toEpochMilli() / MILLIS)));
    all.add(
        metric(
            "jvm_heap_used_bytes",
            "Bytes of the heap in use.",
            point(ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed())));
    return all;
  }

  private static void sites(List<MetricSnapshot> all, List<Site> sites) {
    all.add(
        metric(
            "sedge_center_sites",
            "Sites that the center knows.",
            Arrays.stream(Site.State.values())
                .map(
                    state ->
                        point(
                            sites.stream().filter(site -> site.state() == state).count(),
                            "state",
                            state.name().toLowerCase(Locale.ROOT)))
                .toArray(Point[]::new)));
    all.add(
        metric(
            "sedge_center_sites_held",
            "Sites whose rows are refused until a person accepts that they were restored.",
            point(sites.stream().filter(site -> site.held().isPresent()).count())));
    all.add(
        metric(
            "sedge_center_site_seen_timestamp_seconds",
            "When a site was last heard of, to a minute.",
            sites.stream()
                .filter(site -> site.seenAt().isPresent())
                .limit(MAX_SERIES)
                .map(
                    site ->
                        point(
                            site.seenAt().orElseThrow().toEpochMilli() / MILLIS,
                            "site",
                            site.name()))
                .toArray(Point[]::new)));
  }

  private static void tables(List<MetricSnapshot> all, List<TableInfo> tables) {
    all.add(
        perTable("sedge_center_table_rows", "Rows of a table, about.", tables, TableInfo::rows));
    all.add(
        perTable(
            "sedge_center_table_bytes",
            "What a table takes on the disk, about.",
            tables,
            TableInfo::bytes));
  }

  private static MetricSnapshot perTable(
      String name, String help, List<TableInfo> tables, ToLongFunction<TableInfo> value) {
    return metric(
        name,
        help,
        tables.stream()
            .limit(MAX_SERIES)
            .map(table -> point(value.applyAsLong(table), "table", table.name()))
            .toArray(Point[]::new));
  }

  private record Point(double value, Labels labels) {}

  private static Point point(long value, String... labels) {
    return point((double) value, labels);
  }

  private static Point point(double value, String... labels) {
    return new Point(value, Labels.of(labels));
  }

  /** A counter if its name says so, else a gauge. */
  private static MetricSnapshot metric(String name, String help, Point... points) {
    List<Point> all = List.of(points);
    if (name.endsWith(TOTAL)) {
      String base = name.substring(0, name.length() - TOTAL.length());
      return new CounterSnapshot(
          new MetricMetadata(base, help),
          all.stream()
              .map(
                  point ->
                      CounterDataPointSnapshot.builder()
                          .value(point.value())
                          .labels(point.labels())
                          .build())
              .toList());
    }
    return new GaugeSnapshot(
        new MetricMetadata(name, help),
        all.stream()
            .map(
                point ->
                    GaugeDataPointSnapshot.builder()
                        .value(point.value())
                        .labels(point.labels())
                        .build())
            .toList());
  }
}
