package io.sedge.center.internal.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.sedge.center.api.Requests;
import io.sedge.center.internal.api.ApiException.Reason;
import io.sedge.center.store.QueryLimits;
import io.sedge.center.store.QueryResult;
import io.sedge.center.store.StoreException;
import java.time.Duration;
import java.util.Locale;

/** Questions in SQL. */
final class QueryHandlers {
  static final long MAX_ROWS = 1_000_000;
  private static final Duration TIME = QueryLimits.DEFAULT.time();
  private static final long MAX_BYTES = 256L << 20;
  private static final int MAX_SQL = 100_000;
  private static final String CSV = "text/csv";

  private final ApiContext context;

  QueryHandlers(ApiContext context) {
    this.context = context;
  }

  void query(Call call) throws ApiException, StoreException {
    Requests.Query asked = call.body(Requests.Query.class);
    String sql = Call.required("sql", asked.sql());
    if (sql.length() > MAX_SQL) {
      throw new ApiException(
          Reason.TOO_LARGE,
          "a query of %,d characters: %,d are allowed".formatted(sql.length(), MAX_SQL));
    }
    QueryLimits limits = limits(asked);
    boolean csv = wantsCsv(call);
    LateStream stream = new LateStream(call.response(), csv ? CSV + "; charset=utf-8" : Call.JSON);
    ResultWriter writer = csv ? new CsvResult(stream) : new JsonResult(stream);
    try {
      answer(sql, limits, writer, stream, csv ? () -> {} : stream::beat);
      stream.finish();
    } catch (RuntimeException e) {
      throw stream.isBegun() ? new CloseConnectionException("the rest of a result", e) : e;
    }
  }

  private void answer(
      String sql, QueryLimits limits, ResultWriter writer, LateStream stream, Runnable beat)
      throws StoreException {
    try (Heartbeat _ = new Heartbeat(context.heartbeat(), beat)) {
      QueryResult result = context.store().query(sql, limits, writer);
      writer.end(result.complete());
    } catch (StoreException e) {
      if (!stream.isBegun()) {
        throw e;
      }
      writer.fail(ApiException.of(e).failure());
    }
  }

  private static QueryLimits limits(Requests.Query asked) throws ApiException {
    if (asked.limit() == null) {
      return QueryLimits.DEFAULT;
    }
    if (asked.limit() < 1 || asked.limit() > MAX_ROWS) {
      throw new ApiException(
          Reason.MALFORMED,
          "limit=%d: from 1 to %,d rows are allowed".formatted(asked.limit(), MAX_ROWS));
    }
    return new QueryLimits(TIME, asked.limit(), MAX_BYTES);
  }

  private static boolean wantsCsv(Call call) {
    return call.request()
        .headers()
        .first(HeaderNames.ACCEPT)
        .filter(accept -> accept.toLowerCase(Locale.ROOT).startsWith(CSV))
        .isPresent();
  }
}
