package io.sedge.center.internal.api;

import io.sedge.center.api.Requests;
import io.sedge.center.api.SeriesReport;
import io.sedge.center.api.TableReport;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.Series;
import io.sedge.center.store.SeriesRequest;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import io.sedge.center.store.TableInfo;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Tables of results: what they have, how long they keep it, and their values over time. */
final class TableHandlers {
  private static final Duration SPAN = Duration.ofDays(1);
  private static final int POINTS = 500;
  private static final Set<String> PARAMETERS =
      Set.of("time", "value", "by", "where", "from", "to", "points");

  private final ApiContext context;

  TableHandlers(ApiContext context) {
    this.context = context;
  }

  void list(Call call) throws StoreException {
    call.answer(all(context.store()));
  }

  /** All tables. */
  static List<TableReport> all(Store store) throws StoreException {
    return store.tables().stream().map(TableHandlers::report).toList();
  }

  void show(Call call) throws ApiException, StoreException {
    call.answer(report(table(call)));
  }

  private TableInfo table(Call call) throws ApiException, StoreException {
    String name = call.path("name");
    return context.store().tables().stream()
        .filter(table -> table.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new ApiException(Reason.UNKNOWN_NAME, "no table is called '%s'".formatted(name)));
  }

  private static TableReport report(TableInfo table) {
    return new TableReport(
        table.name(),
        table.columns().stream()
            .map(column -> new TableReport.Column(column.name(), column.sqlType(), column.type()))
            .toList(),
        table.primaryKey(),
        table.rows(),
        table.bytes(),
        table.keep().map(Duration::toSeconds).orElse(null),
        table.retentionColumn().orElse(null),
        table.sites());
  }

  void retention(Call call) throws ApiException, StoreException {
    Requests.Retention asked = call.body(Requests.Retention.class);
    TableInfo table = table(call);
    Optional<Duration> keep = Optional.ofNullable(asked.keepSeconds()).map(Duration::ofSeconds);
    if (keep.isPresent() && keep.get().compareTo(Duration.ofSeconds(1)) < 0) {
      throw new ApiException(
          Reason.MALFORMED,
          "keepSeconds=%d: 1 at least, or none for ever".formatted(keep.get().toSeconds()));
    }
    String column = Optional.ofNullable(asked.by()).or(table::retentionColumn).orElse("");
    if (keep.isPresent()) {
      column = Call.required("by, the column whose time says how old a row is,", column);
    }
    String by = column;
    context.audit(
        call,
        "table keep",
        table.name(),
        keep.map(time -> "%d s by %s".formatted(time.toSeconds(), by)).orElse("for ever"));
    context.store().retention(table.name(), keep, by);
    call.answer(report(table(call)));
  }

  void series(Call call) throws ApiException, StoreException {
    call.allow(PARAMETERS);
    List<String> by = call.parameters("by");
    Instant to = time(call, "to").orElseGet(context.clock()::instant);
    Instant from = time(call, "from").orElse(to.minus(SPAN));
    SeriesRequest request;
    try {
      request =
          new SeriesRequest(
              call.path("name"),
              call.required("time"),
              call.required("value"),
              by,
              filters(call),
              from,
              to,
              call.number("points", 1, SeriesRequest.MAX_POINTS).orElse((long) POINTS).intValue());
    } catch (IllegalArgumentException e) {
      throw new ApiException(Reason.MALFORMED, String.valueOf(e.getMessage()), e);
    }
    Series series = context.store().series(request);
    call.answer(
        new SeriesReport(
            series.bucket().toMillis(),
            by,
            series.lines().stream().map(TableHandlers::line).toList(),
            series.complete()));
  }

  private static SeriesReport.Line line(Series.Line line) {
    return new SeriesReport.Line(
        line.group(),
        line.points().stream()
            .map(
                point ->
                    new SeriesReport.Point(
                        point.at().toEpochMilli(),
                        point.min(),
                        point.max(),
                        point.average(),
                        point.count()))
            .toList());
  }

  private static Optional<Instant> time(Call call, String name) throws ApiException {
    Optional<String> text = call.parameter(name);
    try {
      return text.map(Instant::parse);
    } catch (DateTimeException e) {
      throw new ApiException(
          Reason.MALFORMED,
          "%s=%s is not a time such as 2026-11-25T22:00:00Z".formatted(name, text.orElse("")),
          e);
    }
  }

  private static Map<String, String> filters(Call call) throws ApiException {
    Map<String, String> filters = new LinkedHashMap<>();
    for (String filter : call.parameters("where")) {
      int equals = filter.indexOf('=');
      if (equals < 1
          || filters.put(filter.substring(0, equals), filter.substring(equals + 1)) != null) {
        throw new ApiException(
            Reason.MALFORMED, "where=%s: write COLUMN=VALUE, each column once".formatted(filter));
      }
    }
    return filters;
  }
}
