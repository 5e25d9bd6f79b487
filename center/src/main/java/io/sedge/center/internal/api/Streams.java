package io.sedge.center.internal.api;

import io.sedge.center.api.SiteReport;
import io.sedge.center.store.QueryLimits;
import io.sedge.center.store.RowReceiver;
import io.sedge.center.store.Store;
import io.sedge.center.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a site has sent, as the store's own table knows it. */
final class Streams implements RowReceiver {
  private final List<SiteReport.Stream> streams = new ArrayList<>();

  private Streams() {}

  static List<SiteReport.Stream> of(Store store, String site) throws StoreException {
    Streams streams = new Streams();
    var _ =
        store.query(
            """
            SELECT job, task, sink, result_table, generation, applied, row_count, byte_count
            FROM sedge_stream WHERE site = '%s' ORDER BY job, task, sink
            """
                .formatted(site.replace("'", "''")),
            QueryLimits.DEFAULT,
            streams);
    return streams.streams;
  }

  @Override
  public void columns(List<Column> columns) {
    // As asked for.
  }

  @Override
  public void row(List<@Nullable Object> values) {
    streams.add(
        new SiteReport.Stream(
            String.valueOf(values.get(0)),
            String.valueOf(values.get(1)),
            String.valueOf(values.get(2)),
            String.valueOf(values.get(3)),
            number(values.get(4)),
            number(values.get(5)),
            number(values.get(6)),
            number(values.get(7))));
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
